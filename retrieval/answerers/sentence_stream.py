"""From the pieces that a model streams to whole sentences with the numbers they cite. What it thinks aloud is left out.

A marker after a full stop belongs to the sentence before it, so a sentence is only given away when what follows it can't be its marker any more.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from common.sentences import sentences

_MARKER = re.compile(
    r"\s*[\[【［]\s*(?:source|sources|来源|资料|來源)?\s*(\d{1,3}(?:\s*[,，、]\s*\d{1,3})*)\s*[\]】］]", re.IGNORECASE
)
_AFTER_END = re.compile(r"([.!?。！？]+[\"'”’」』）)]*)((?:\s*[\[【［][^\[\]【】［］\n]{1,40}[\]】］])+)")
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_BEGINS_MARKER = re.compile(r"\s*[\[【［]")


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence without its markers, white space at its end included."""

    text: str
    numbers: tuple[int, ...]


@dataclass(slots=True)
class SentenceStream:
    """Collects pieces, gives away whole sentences once."""

    raw: str = ""
    given: int = 0

    def take(self, piece: str) -> Iterator[CitedSentence]:
        """What is whole now."""
        self.raw += piece
        if "<think>" in self.raw and "</think>" not in self.raw:
            return
        pieces = self.pieces()
        # What begins like a marker may still turn out to belong to the sentence before.
        unsure = 2 if pieces and _BEGINS_MARKER.match(pieces[-1]) else 1
        yield from self.fresh(pieces[:-unsure])

    def rest(self) -> Iterator[CitedSentence]:
        """What is left at the end."""
        yield from self.fresh(self.pieces())

    def pieces(self) -> list[str]:
        text = _AFTER_END.sub(lambda found: found[2] + found[1], _THOUGHT.sub("", self.raw).lstrip())
        return [text[start:end] for start, end in sentences(text)]

    def fresh(self, pieces: list[str]) -> Iterator[CitedSentence]:
        for piece in pieces[self.given :]:
            self.given += 1
            yield cited(piece)


def cited(text: str) -> CitedSentence:
    """Markers taken out of a sentence."""
    numbers = [int(number) for found in _MARKER.finditer(text) for number in re.findall(r"\d+", found[1])]
    return CitedSentence(_MARKER.sub("", text), tuple(dict.fromkeys(numbers)))
