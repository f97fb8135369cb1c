"""Relations that a sentence says in words: `source` and `target` of a phrase pattern, never across sentences.

The whole sentence is searched for the phrase's own words first. Then the ends are looked for beside them. A relation is found for every
pair of the ends' names.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from re import Pattern

from common.sentences import sentences
from ontology.names import normal
from ontology.rules.ends import End, EndFinder, Side
from ontology.rules.mentions import Mention, within
from ontology.rules.middles import middle_of
from ontology.rules.patterns import NamePatterns
from ontology.rules.stated import is_denial, is_stated
from ontology.rules.stock import lent_to
from ontology.types import CompiledSkeleton, RelationType

LONGEST = 400
MOST_A_WINDOW = 50
PHRASE_CONFIDENCE, LENT_CONFIDENCE = 0.8, 0.6
_CUTS = re.compile(r"[,，;；、\s]")


Ends = tuple[list[End], list[End]]


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase pattern of a relation; `middle` must be found in a sentence for the pattern to match there. `ends` finds the names beside it."""

    relation: RelationType
    pattern: Pattern[str]
    middle: Pattern[str] | None
    ends: EndFinder
    confidence: float

    @property
    def is_denial(self) -> bool:
        """Whether it says of two that they are not so related."""
        return is_denial(self.pattern)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A relation between two names in the sentence at `start:end`; `attributes` as they are written."""

    relation: RelationType
    source: End
    target: End
    start: int
    end: int
    attributes: Mapping[str, str]
    confidence: float

    def moved(self, by: int) -> "Spoken":
        """The same, counted from an earlier place."""
        source, target = (
            replace(each, start=each.start + by, end=each.end + by) for each in (self.source, self.target)
        )
        return replace(self, source=source, target=target, start=self.start + by, end=self.end + by)


@dataclass(frozen=True, slots=True)
class Phrases:
    """All phrase patterns of a skeleton: its own, and those of the stock (`stock.py`) for relations that have none."""

    phrases: tuple[Phrase, ...]

    @classmethod
    def of(cls, skeleton: CompiledSkeleton, patterns: NamePatterns) -> "Phrases":
        lent = lent_to(skeleton)
        own, others = EndFinder(patterns, {}), EndFinder(patterns, lent.shapes)
        return cls(
            (
                *phrases_of(skeleton.relations.values(), own, PHRASE_CONFIDENCE),
                *phrases_of(lent.relations, others, LENT_CONFIDENCE),
            )
        )

    def spoken(self, text: str, found: Sequence[Mention]) -> Iterator[Spoken]:
        """In all sentences of a stretch of plain words, whose names are `found`."""
        if not any(found or phrase.ends.shapes or phrase.ends.patterns.patterns for phrase in self.phrases):
            return
        index = 0
        for start, end in windows(text):
            while index < len(found) and found[index].end <= start:
                index += 1
            last = index
            while last < len(found) and found[last].start < end:
                last += 1
            here = [
                replace(each, start=each.start - start, end=each.end - start)
                for each in within(found[index:last], start, end)
            ]
            for spoken in self._in_sentence(text[start:end], here):
                yield spoken.moved(start)

    def _in_sentence(self, text: str, found: Sequence[Mention]) -> list[Spoken]:
        return without_less(list(self._matched(text, found)))

    def _matched(self, text: str, found: Sequence[Mention]) -> Iterator[Spoken]:
        for phrase in self.phrases:
            if not may_hold(phrase, found) or (phrase.middle and not phrase.middle.search(text)):
                continue
            pairs = [(ends_of(phrase, match, text, found), match) for match in matches(phrase.pattern, text)]
            for (sources, targets), match in without_neighbours(pairs):
                if sources and targets and (phrase.is_denial or is_stated(text, *in_order(sources[0], targets[0]))):
                    yield from said(phrase, sources, targets, match, (0, len(text)))


def phrases_of(relations: Iterable[RelationType], ends: EndFinder, confidence: float) -> Iterator[Phrase]:
    for relation in relations:
        for source in relation.phrases:
            yield Phrase(relation, re.compile(source), middle_of(source), ends, confidence)


def in_order(one: End, other: End) -> tuple[tuple[int, int], tuple[int, int]]:
    """Their spans, in the order of the text."""
    first, second = sorted(((one.start, one.end), (other.start, other.end)))
    return first, second


def may_hold(phrase: Phrase, found: Sequence[Mention]) -> bool:
    """Whether there may be names for both ends: ones that were found, or forms."""
    classes = {who.class_name for each in found for who in each.candidates}
    formed = {*phrase.ends.shapes, *(name for name, _pattern in phrase.ends.patterns.patterns)}
    possible = classes | formed
    return not (possible.isdisjoint(phrase.relation.sources) or possible.isdisjoint(phrase.relation.targets))


def ends_of(phrase: Phrase, match: re.Match[str], text: str, found: Sequence[Mention]) -> Ends:
    relation, finder = phrase.relation, phrase.ends
    source_first = match.start("source") <= match.start("target")
    sources = finder.ends(
        text, found, Side(*whole_names(match.span("source"), text, found), relation.sources, source_first)
    )
    if not sources:
        return [], []
    return sources, finder.ends(
        text, found, Side(*whole_names(match.span("target"), text, found), relation.targets, not source_first)
    )


def whole_names(span: tuple[int, int], text: str, found: Sequence[Mention]) -> tuple[int, int]:
    """The span of an end, with the full stop of a name that closes it: the stop after "Ltd" is the name's as well as the sentence's."""
    start, end = span
    is_cut = text[end : end + 1] == "." and any(each.start >= start and each.end == end + 1 for each in found)
    return start, end + is_cut


def without_less(spoken: list[Spoken]) -> list[Spoken]:
    """Where one phrase says more of a relation (an amount, a benchmark) than another in the same sentence, the one that says less is left out."""
    more = {(each.relation.name, each.source.who, each.target.who) for each in spoken if each.attributes}
    return [
        each for each in spoken if each.attributes or (each.relation.name, each.source.who, each.target.who) not in more
    ]


def matches(pattern: Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """All matches, each from the later end of the one before: "A calls B and C calls D" holds two."""
    position = 0
    for _ in range(MOST_A_WINDOW):
        match = pattern.search(text, position)
        if match is None:
            return
        yield match
        position = max(position + 1, min(max(match.start("source"), match.start("target")), match.end()))


def without_neighbours(pairs: Sequence[tuple[Ends, re.Match[str]]]) -> Iterator[tuple[Ends, re.Match[str]]]:
    """A joined name that begins or ends a neighbouring match of the same phrase belongs there: in "A calls B and C calls D", C is not called."""
    heads = [{end.start for ends in both for end in ends[:1]} for both, _match in pairs]
    for index, ((sources, targets), match) in enumerate(pairs):
        taken = (heads[index - 1] if index else set()) | (heads[index + 1] if index + 1 < len(pairs) else set())
        yield (until_taken(sources, taken), until_taken(targets, taken)), match


def until_taken(ends: list[End], taken: set[int]) -> list[End]:
    """The nearest end, and those joined to it up to the first that is taken."""
    kept = ends[:1]
    for end in ends[1:]:
        if end.start in taken:
            break
        kept.append(end)
    return kept


def said(
    phrase: Phrase, sources: list[End], targets: list[End], match: re.Match[str], sentence: tuple[int, int]
) -> Iterator[Spoken]:
    """A relation for every pair of different names."""
    attributes = {
        name: words.strip()
        for name, words in match.groupdict().items()
        if name not in ("source", "target") and words and words.strip()
    }
    for source in sources:
        for target in targets:
            if normal(source.who.name) != normal(target.who.name):
                yield Spoken(phrase.relation, source, target, *sentence, attributes, phrase.confidence)


def windows(text: str) -> Iterator[tuple[int, int]]:
    """Sentences without the space around them; one that is longer than any sentence is cut between words."""
    for start, end in sentences(text):
        while end - start > LONGEST:
            cuts = [cut.end() for cut in _CUTS.finditer(text, start + LONGEST // 2, start + LONGEST)]
            cut = cuts[-1] if cuts else start + LONGEST
            yield start, cut
            start = cut
        while end > start and text[end - 1].isspace():
            end -= 1
        if start < end:
            yield start, end
