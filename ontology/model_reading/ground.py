"""Where words stand in a chunk, whatever their case, width, script, spacing and Markdown around them. Given a chunk's text, finds quotations and names; gives offsets of the version's text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from common.text import Folded, fold, fold_with_origins
from ontology.rules.plain import Plain, plain
from ontology.types import Where

_LATIN = re.compile(r"[^\W_]", re.ASCII)
_GAPS = re.compile(r"\s*(?:\.{3,}|…+|\[…\]|\[\.\.\.\])\s*")
_AROUND = " \t\n\"'“”‘’«»「」『』`"
_ENDS = " .。,，;；:：!！?？"


@dataclass(frozen=True, slots=True)
class Ground:
    """The words of one chunk: `closed` is folded and without any space, `at` leads from it to `folded`, that to `words`, and those to the version's text."""

    words: Plain
    folded: Folded
    closed: str
    at: tuple[int, ...]

    @classmethod
    def of(cls, source: str, where: Where) -> "Ground":
        words = plain(source, where.start, where.end)
        folded = fold_with_origins(words.text)
        kept = [(position, character) for position, character in enumerate(folded.text) if not character.isspace()]
        return cls(words, folded, "".join(each for _at, each in kept), tuple(position for position, _each in kept))

    def names(self, name: str) -> Iterator[Where]:
        """Each place at which a name is written; a Latin word only whole."""
        wanted = closed(name)
        begin = self.closed.find(wanted) if wanted else -1
        while begin >= 0:
            end = begin + len(wanted)
            if self._is_whole(begin, end):
                yield self._where(begin, end)
            begin = self.closed.find(wanted, begin + 1)

    def quote(self, words: str) -> Where | None:
        """The stretch that a quotation means; one with gaps (…) reaches from its first piece to its last."""
        pieces = [piece for each in _GAPS.split(words.strip(_AROUND)) if (piece := closed(each))]
        found = self._in_order(pieces) or self._in_order([piece for each in pieces if (piece := each.strip(_ENDS))])
        return self._where(*found) if found else None

    def _in_order(self, pieces: list[str]) -> tuple[int, int] | None:
        if not pieces:
            return None
        begin, end = None, 0
        for piece in pieces:
            at = self.closed.find(piece, end)
            if at < 0:
                return None
            begin, end = at if begin is None else begin, at + len(piece)
        return (begin or 0, end)

    def _is_whole(self, begin: int, end: int) -> bool:
        text, first, last = self.folded.text, self.at[begin], self.at[end - 1]
        before, after = text[first - 1 : first] if first else "", text[last + 1 : last + 2]
        return not (_joined(before, text[first]) or _joined(text[last], after))

    def _where(self, begin: int, end: int) -> Where:
        return Where(*self.words.span(*self.folded.source_span(self.at[begin], self.at[end - 1] + 1)))


def closed(words: str) -> str:
    """Folded, without Markdown and without any space."""
    return "".join(fold(plain(words).text).split())


def _joined(left: str, right: str) -> bool:
    """Whether two neighbours are inside of one Latin word."""
    return bool(left and right and _LATIN.match(left) and _LATIN.match(right))


def hull(wheres: list[Where]) -> Where:
    """From the first to the last of them."""
    return Where(min(each.start for each in wheres), max(each.end for each in wheres))


def nearest(places: list[Where], to: Where) -> Where | None:
    """The one that lies in it, or the fewest characters away."""
    return min(places, key=lambda each: max(0, to.start - each.end, each.start - to.end), default=None)
