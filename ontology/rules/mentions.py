"""Which names stand in a stretch of plain text: those that are known and those that a class's patterns fit, the longest at each place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ontology.rules.gazetteer import Gazetteer, named
from ontology.rules.patterns import NamePatterns
from ontology.types import Extractor, Named


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at `start:end` of the plain text. `candidates` are the entities or classes it may be; more than one leaves it open."""

    start: int
    end: int
    candidates: tuple[Named, ...]
    extractor: Extractor

    def of(self, classes: Iterable[str]) -> Named | None:
        """The one candidate of these classes; None when there is none, or more than one."""
        fitting = [each for each in self.candidates if each.class_name in classes]
        return fitting[0] if len(fitting) == 1 else None


def mentions(text: str, gazetteer: Gazetteer, patterns: NamePatterns) -> list[Mention]:
    """In reading order, without overlap; at equal length what is known wins."""
    found = []
    for each in gazetteer.sightings(text):
        words = text[each.start : each.end]
        known = [one for one in each.known if patterns.is_meant(one.name, one.class_name, words)]
        if known and not patterns.stops(words, (one.class_name for one in known)):
            whos = tuple(named(one, words) for one in known)
            found.append(Mention(each.start, each.end, whos, Extractor.GAZETTEER))
    fitting: dict[tuple[int, int], list[Named]] = {}
    for start, end, class_name in patterns.names(text):
        fitting.setdefault((start, end), []).append(Named(text[start:end], class_name))
    found += [Mention(start, end, tuple(who), Extractor.PATTERN) for (start, end), who in fitting.items()]
    return longest(found)


def longest(found: Sequence[Mention]) -> list[Mention]:
    """Without those that a longer one overlaps. Sorted by place; each is compared with the last kept one, so a sort is all it costs."""
    kept: list[Mention] = []
    ordered = sorted(found, key=lambda each: (each.start, -each.end, each.extractor is not Extractor.GAZETTEER))
    for each in ordered:
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
        elif each.end - each.start > kept[-1].end - kept[-1].start:
            kept[-1] = each
    return kept


def within(found: Sequence[Mention], start: int, end: int) -> list[Mention]:
    """Those that lie wholly between two places."""
    return [each for each in found if start <= each.start and each.end <= end]
