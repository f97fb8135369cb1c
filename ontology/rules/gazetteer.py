"""Names of known entities, found in one pass over a text (Aho and Corasick 1975, by `ahocorasick_rs`): the longest at each place, in both scripts.

Case, width and script make no difference, and a line break stands for a space. A Latin word or a number is only found whole; Chinese has no such
bounds. A name of several entities gives them all: who is meant is decided by those who know more.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, count, groupby
from operator import add
from typing import ClassVar
from uuid import UUID

from ahocorasick_rs import AhoCorasick, MatchKind

from common.text import HAN, fold, fold_with_origins
from ontology.names import is_clean_name
from ontology.types import Named

LEAST_HAN, LEAST_LATIN, ACRONYM = 2, 2, 4
_BOUND = "\x01"
# Everything that is written without spaces has no words to be found whole.
_WORDS = re.compile(rf"([^\W{HAN}\u3040-\u30ff\uac00-\ud7af\u0e00-\u0e7f_]+(?:_+[^\W{HAN}\u3040-\u30ff_]+)*)")
_BREAKS = str.maketrans("\n\t\u00a0\u3000", "    ")
_HAN = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name or alias of an entity that the ledger has."""

    name: str
    class_name: str
    entity_id: UUID | None = None


Meant = Callable[[tuple[KnownName, ...], str, int], tuple[KnownName, ...]]


@dataclass(frozen=True, slots=True)
class Sighting:
    """A known name stands at `start:end` of the text that was searched; `known` are all entities that bear it, at least one."""

    start: int
    end: int
    known: tuple[KnownName, ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """Folded text with a mark at each edge of its words, and where the edges are; a mark makes "cat" differ from the beginning of "catalogue"."""

    text: str
    edges: Sequence[int]

    def place(self, position: int) -> int:
        """The offset without marks."""
        return position - bisect_left(self.edges, position)


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Known names, compiled. `entries[i]` are the entities of the i-th pattern. `meant` says which of several are meant at a place of a text, `row` in which line all is read;
    `also` holds a few more names that are looked for in the same way."""

    automaton: AhoCorasick | None
    entries: Sequence[tuple[KnownName, ...]]
    meant: Meant | None = None
    row: str | None = None
    also: "Gazetteer | None" = None

    EMPTY: ClassVar["Gazetteer"]

    @classmethod
    def of(cls, names: Iterable[KnownName]) -> "Gazetteer":
        """What can't be searched for (a single letter, a bare number, no name at all) is left out."""
        by_key: dict[str, tuple[KnownName, ...]] = {}
        for known in names:
            if is_searchable(known.name):
                key = marked(fold(" ".join(known.name.split()))).text
                have = by_key.get(key, ())
                if all((each.entity_id, each.class_name) != (known.entity_id, known.class_name) for each in have):
                    by_key[key] = (*have, known)
        if not by_key:
            return cls.EMPTY
        automaton = AhoCorasick(by_key.keys(), matchkind=MatchKind.LeftmostLongest, store_patterns=False)
        return cls(automaton, list(by_key.values()))

    def sightings(self, text: str) -> Iterator[Sighting]:
        """In reading order, without overlap."""
        found = self._all(text) if self.also is None else joined([*self._all(text), *self.also._all(text)])
        for each in found:
            known = each.known
            if len(known) > 1 and self.meant:
                known = self.meant(known, text, each.start) if self.row is None else self.meant(known, self.row, 0)
            if known:
                yield Sighting(each.start, each.end, known)

    def _all(self, text: str) -> Iterator[Sighting]:
        """With everybody who bears the names."""
        if self.automaton is None:
            return
        folded = fold_with_origins(text.translate(_BREAKS))
        searched = marked(folded.text)
        for index, first, last in self.automaton.find_matches_as_indexes(searched.text):
            start, end = folded.source_span(searched.place(first), searched.place(last))
            if known := as_written(self.entries[index], text[start:end]):
                yield Sighting(start, end, known)

    def within(self, row: str) -> "Gazetteer":
        """For words of this line alone."""
        return replace(self, row=row) if self.meant else self

    def called(self, name: str) -> tuple[KnownName, ...]:
        """The entities that this whole text names."""
        wanted = name.strip()
        return next((each.known for each in self.sightings(wanted) if (each.start, each.end) == (0, len(wanted))), ())


Gazetteer.EMPTY = Gazetteer(None, ())


def joined(found: Sequence[Sighting]) -> Iterator[Sighting]:
    """Of two searches of one text: the leftmost at each place, of those the longest; where both saw the same words, everybody who bears them."""
    end = 0
    for (start, stop), same in groupby(sorted(found, key=_place), key=lambda each: (each.start, each.end)):
        if start >= end:
            end = stop
            yield Sighting(start, stop, tuple(dict.fromkeys(known for each in same for known in each.known)))


def _place(sighting: Sighting) -> tuple[int, int]:
    return sighting.start, -sighting.end


def is_searchable(name: str) -> bool:
    """Two Chinese characters or two other letters and digits at least."""
    if not is_clean_name(name):
        return False
    return len(_HAN.findall(name)) >= LEAST_HAN or sum(map(str.isalnum, name)) >= LEAST_LATIN


def marked(folded: str) -> Marked:
    """A mark before and after each word."""
    parts = _WORDS.split(folded)
    return Marked(_BOUND.join(parts), list(map(add, accumulate(map(len, parts)), count())))


def as_written(entries: tuple[KnownName, ...], words: str) -> tuple[KnownName, ...]:
    """Those that these words may name: a short name in capitals (IT, US, WHO) is only meant by capitals."""
    return tuple(each for each in entries if not is_acronym(each.name) or words.isupper())


def is_acronym(name: str) -> bool:
    return len(name) <= ACRONYM and name.isascii() and name.isalpha() and name.isupper()


def named(known: KnownName, words: str) -> Named:
    """The entity under the name that stands in the text."""
    return Named(words, known.class_name, known.entity_id)
