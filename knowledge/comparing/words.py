"""What differs between two texts, word by word. Given both, gives their pieces, those marked that the other has not.

A Chinese, Japanese or Korean character is a word by itself. White space and the bars between a table's cells go with the word before them and are no difference.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_BETWEEN = " \t\n\r\f\v\u3000\xa0|"
_WORD = re.compile(rf"(?:[{_CJK}]|[^\W{_CJK}]+|[^\w\s|])[\s|]*|\A[\s|]+")
# Above so many pairs of equal words, and of equal lines, all is marked that lies between the first difference and the last: texts that repeat one word for ever would take too long.
_PAIRS_MAX = 4_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text; `differs` where the other text has something else."""

    text: str
    differs: bool = False


Pieces = tuple[Piece, ...]


def compared(before: str, after: str) -> tuple[Pieces, Pieces]:
    """The pieces of both; joined they are the texts again."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    steps = absorbed(list(differing(old, new)), old)
    left = [Piece("".join(old[first:last]), differs) for differs, first, last, _from, _to in steps]
    right = [Piece("".join(new[first:last]), differs) for differs, _from, _to, first, last in steps]
    return joined(left), joined(right)


Step = tuple[bool, int, int, int, int]
"""Whether they differ, and the words from and to which they do, on both sides."""


def differing(old: Sequence[str], new: Sequence[str]) -> Iterator[Step]:
    """What is the same at both ends is left out before anything is compared."""
    left, right = bare(old), bare(new)
    head = shared(left, right)
    tail = shared(left[head:][::-1], right[head:][::-1])
    old_end, new_end = len(old) - tail, len(new) - tail
    yield False, 0, head, 0, head
    yield from moved(between(old[head:old_end], new[head:new_end]), head, head)
    yield False, old_end, len(old), new_end, len(new)


def between(old: Sequence[str], new: Sequence[str]) -> Iterator[Step]:
    """Word by word; line by line first where words repeat themselves too often, as in a long table."""
    left, right = bare(old), bare(new)
    if pair_count(left, right) <= _PAIRS_MAX:
        yield from steps(left, right)
        return
    old_ends, new_ends = line_ends(old), line_ends(new)
    old_lines, new_lines = lines(left, old_ends), lines(right, new_ends)
    if pair_count(old_lines, new_lines) > _PAIRS_MAX:
        yield True, 0, len(old), 0, len(new)
        return
    for differs, *places in steps(old_lines, new_lines):
        first, last, start, stop = (
            ends[place] for ends, place in zip((old_ends, old_ends, new_ends, new_ends), places, strict=True)
        )
        inner = left[first:last], right[start:stop]
        is_small = differs and pair_count(*inner) <= _PAIRS_MAX
        yield from moved(steps(*inner), first, start) if is_small else [(differs, first, last, start, stop)]


def steps(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Step]:
    for tag, *places in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        first, last, start, stop = places
        yield tag != "equal", first, last, start, stop


def moved(steps: Iterable[Step], old: int, new: int) -> Iterator[Step]:
    """The same steps, so many words further on."""
    for differs, first, last, start, stop in steps:
        yield differs, old + first, old + last, new + start, new + stop


def pair_count(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    """How many pairs of equals there are: what comparing costs."""
    counts = Counter(new)
    return sum(counts[each] for each in old)


def line_ends(words: Sequence[str]) -> list[int]:
    """Where lines begin and end, counted in words, from 0 to their number."""
    ends = [index for index, word in enumerate(words, 1) if "\n" in word and index < len(words)]
    return [0, *ends, len(words)]


def lines(words: Sequence[str], ends: Sequence[int]) -> list[tuple[str, ...]]:
    return [tuple(words[first:last]) for first, last in pairwise(ends)]


def bare(words: Sequence[str]) -> list[str]:
    return [word.strip(_BETWEEN) for word in words]


def absorbed(steps: Sequence[Step], old: Sequence[str]) -> list[Step]:
    """A stop, or few words, between two differences are marked with them, so that nobody reads confetti."""
    told = [step for step in steps if step[1] < step[2] or step[3] < step[4]]
    return [
        (differs or is_crumb(told, index, old[first:last]), first, last, start, stop)
        for index, (differs, first, last, start, stop) in enumerate(told)
    ]


def is_crumb(steps: Sequence[Step], index: int, words: Sequence[str]) -> bool:
    """Whether what is the same here is no word, or at most half as long as the differences on both its sides."""
    if not 0 < index < len(steps) - 1 or not steps[index - 1][0] or not steps[index + 1][0]:
        return False
    is_wordless = not any(word[0].isalnum() for word in words)
    return is_wordless or 2 * len(words) <= min(length(steps[index - 1]), length(steps[index + 1]))


def length(step: Step) -> int:
    """In words, of its longer side."""
    _differs, first, last, start, stop = step
    return max(last - first, stop - start)


def joined(pieces: Sequence[Piece]) -> Pieces:
    """Neighbours of one kind as one piece, empty ones left out, and no mark behind the last word."""
    return merged(part for each in merged(pieces) for part in tidy(each))


def merged(pieces: Iterable[Piece]) -> Pieces:
    told: list[Piece] = []
    for piece in pieces:
        if piece.text and told and told[-1].differs == piece.differs:
            told[-1] = Piece(told[-1].text + piece.text, piece.differs)
        elif piece.text:
            told.append(piece)
    return tuple(told)


def tidy(piece: Piece) -> tuple[Piece, ...]:
    """What stands between two words is not marked at the end of what differs."""
    if not piece.differs:
        return (piece,)
    words = piece.text.rstrip(_BETWEEN)
    return Piece(words, differs=True), Piece(piece.text[len(words) :])


def shared(old: Sequence[str], new: Sequence[str]) -> int:
    """How many words are the same from the beginning."""
    for count, (one, other) in enumerate(zip(old, new, strict=False)):
        if one != other:
            return count
    return min(len(old), len(new))


def likeness(before: str, after: str) -> float:
    """From 0 to 1: how much of the words of both is shared (Dice's coefficient over counted words)."""
    old, new = counted(before), counted(after)
    total = old.total() + new.total()
    return 2 * (old & new).total() / total if total else 1.0


def counted(text: str) -> "Counter[str]":
    return Counter(word for word in _WORD.findall(text.casefold()) if word[0].isalnum())
