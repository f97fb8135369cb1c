"""Measures of triples that were found against those that should be. Names are compared in their normal form, without what stands in brackets after them."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from evaluation.extraction_files import Triple
from ontology.names import normal
from ontology.types import AttributeType, ValueType
from ontology.values.parse import UnreadableValue, parse

_BRACKETS = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_DATE = re.compile(r"\d{4}.*\d|\d.*\d{4}")

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Matched:
    """One document's triples: how many were found, how many should be, how many of both are the same; by relation."""

    found: frozenset[Key]
    gold: frozenset[Key]

    @classmethod
    def of(cls, found: Iterable[Triple], gold: Iterable[Triple]) -> "Matched":
        return cls(frozenset(map(key_of, found)), frozenset(map(key_of, gold)))


@dataclass(frozen=True, slots=True)
class TripleMeasures:
    """Counts over documents, and shares from 0 to 1; a share of nothing is 0."""

    found: int
    gold: int
    right: int
    precision: float
    recall: float
    f1: float


def key_of(triple: Triple) -> Key:
    """Equal for triples that say the same."""
    return comparable(triple.head), triple.relation.strip(), comparable(triple.tail)


def comparable(name: str) -> str:
    """A name's normal form; a date as a date, however it is written."""
    if _DATE.search(name):
        with suppress(UnreadableValue):
            return str(parse(name, AttributeType("date", ValueType.DATE)).value)
    bare = _BRACKETS.sub("", name)
    return normal(bare if bare.strip() else name).rstrip(".")


def measured(documents: Sequence[Matched], relation: str | None = None) -> TripleMeasures:
    """Over all documents (micro), for one relation or all of them."""

    def count(triples: frozenset[Key]) -> int:
        return sum(relation is None or each[1] == relation for each in triples)

    found = sum(count(each.found) for each in documents)
    gold = sum(count(each.gold) for each in documents)
    right = sum(count(each.found & each.gold) for each in documents)
    precision, recall = right / max(1, found), right / max(1, gold)
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return TripleMeasures(found, gold, right, precision, recall, f1)


def by_relation(documents: Sequence[Matched]) -> dict[str, TripleMeasures]:
    """Each relation that was found or should be, the frequent ones first."""
    names = sorted({triple[1] for each in documents for triple in each.found | each.gold})
    rows = {name: measured(documents, name) for name in names}
    return dict(sorted(rows.items(), key=lambda row: -row[1].gold))
