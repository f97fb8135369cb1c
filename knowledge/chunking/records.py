"""Records: what stands under a heading of a form that the knowledge base declares (a fault code, a product of a catalogue). A record is kept in one piece where it fits into a chunk.

Given groups in reading order, gives them with those of one record joined; a record that is too long keeps its groups, and no chunk holds parts of two records.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from re import Pattern

from knowledge.chunking.types import Group


@dataclass(frozen=True, slots=True)
class RecordHeadings:
    """Forms of headings that begin a record; each is looked for in the heading's words without Markdown's marks."""

    patterns: tuple[Pattern[str], ...] = ()

    def begins(self, title: str) -> bool:
        return any(pattern.search(title) for pattern in self.patterns)

    @property
    def fingerprint(self) -> str:
        """The same for the same forms in any order; empty where there are none."""
        told = "\0".join(sorted({f"{pattern.flags} {pattern.pattern}" for pattern in self.patterns}))
        return sha256(told.encode()).hexdigest() if told else ""


def joined_by_record(groups: Iterable[Group], *, most_characters: int) -> Iterator[Group]:
    """Groups of one record as one that asks to be kept whole, unless they are longer than any chunk; what is in no record passes. Holds no more than a record that may fit."""
    for record, run in groupby(groups, key=lambda group: group.record):
        yield from joined(run, most_characters if record else 0)


def joined(run: Iterator[Group], most_characters: int) -> Iterator[Group]:
    """Groups as one, or as they are when they are longer than that."""
    first: list[Group] = []
    for group in run:
        first.append(group)
        if group.units[-1].end - first[0].units[0].start > most_characters:
            yield from first
            yield from run
            return
    yield whole(first)


def whole(parts: Sequence[Group]) -> Group:
    """One group with the units of all; its parts are there for when it does not fit."""
    units = tuple(unit for part in parts for unit in part.units)
    first = parts[0]
    return Group(first.path, first.lead_path, units, kept_whole=True, record=first.record, parts=tuple(parts))
