"""The quoting answerer: at most five whole units that hold what is asked, best first, grouped by document. It writes nothing of its own.

Given a question and passages, yields the places to quote, or nothing when no passage is about the question (`refusal`).
"""

import re
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from common.text import language_of
from knowledge.words.bm25 import weighted_counts
from retrieval.answer import Piece, Place, Statement
from retrieval.answerers.codes import codes_in, is_about_others
from retrieval.answerers.refusal import Signs, cosine_of, is_answerable
from retrieval.answerers.units import Unit, units_of
from retrieval.lexical import TermWeights, Wanted, Words
from retrieval.types import Passage, Question, Source, Span

MOST_UNITS = 5
LONGEST_ANSWER = {"en": 1600, "zh": 700}
# A unit is quoted only when it fits at least this well, measured against the best one (CMRC: at 0.6 no answer is lost and 7 % of the text is saved).
LEAST_OF_BEST = 0.6
# Rows and items are alike in most words, and only the one that is asked for has them all.
LEAST_OF_BEST_ROW = 0.85
ROWS = ("row", "item")
# Only units in the question's language are quoted when the best of them is this near to the best of all.
OWN_LANGUAGE = 0.75
# How much the passage's own rank and a figure (where one is asked for) count beside the words.
PASSAGE = 0.5
FIGURE = 0.1
# What is said of P-160 is worth this much to a question about P-100.
OTHER_CODE = 0.6

_ASKS_FIGURE = re.compile(
    r"多少|几|幾|哪一?年|何时|何時|什么时候|什麼時候|时间|時間|年份|日期|多久|多长|多長|多大|how (?:many|much|old|long|far|often)"
    r"|\bwhen\b|(?:what|which) (?:year|date|time)",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d|[一二三四五六七八九十百千万萬两]+[年月日天个個人次元米]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit, the passage it stands in, how well it fits, and how much of what is asked stands in it."""

    passage: Passage
    unit: Unit
    score: float
    support: float

    @property
    def text(self) -> str:
        return self.passage.cut(self.unit.start, self.unit.end)


@dataclass(frozen=True, slots=True)
class QuotingAnswerer:
    """Excerpts, at once and without a model."""

    words: Words
    weights: TermWeights
    name: ClassVar[str] = "quote"

    async def answer(self, question: Question, passages: Sequence[Passage]) -> AsyncGenerator[Piece]:
        """Statements without text, grouped by document in the order of their best units. Raises EngineUnavailable."""
        wanted = await self.weights.wanted(question.text, {passage.best.kb_id for passage in passages})
        ranked = self.ranked(question, passages, wanted)
        signs = Signs(
            support=max((each.support for each in ranked), default=0.0),
            words=max(
                (self.saturated(found.source, wanted) for passage in passages for found in passage.sources), default=0.0
            ),
            cosine=cosine_of(passages),
        )
        if not is_answerable(question, passages, signs):
            return
        for place in grouped(places_of(chosen(question, ranked))):
            yield Statement((place,))

    def ranked(self, question: Question, passages: Sequence[Passage], wanted: Wanted) -> list[Candidate]:
        """All units of all passages, the best first."""
        codes = codes_in(question.text)
        asks_figure = bool(_ASKS_FIGURE.search(question.text))
        best = max((passage.score for passage in passages), default=0.0) or 1.0
        found: list[Candidate] = []
        for passage in passages:
            bonus = PASSAGE * passage.score / best
            for unit, share in self.supported(passage, wanted):
                is_other = is_about_others(codes, passage.cut(unit.start, unit.end))
                support = share * OTHER_CODE if is_other else share
                has_figure = asks_figure and _FIGURE.search(passage.cut(unit.core.start, unit.core.end))
                found.append(Candidate(passage, unit, support + bonus + (FIGURE if has_figure else 0), support))
        return sorted(found, key=lambda candidate: -candidate.score)

    def saturated(self, source: Source, wanted: Wanted) -> float:
        """How well the words of a whole chunk fit, its context included."""
        return wanted.saturated_share(weighted_counts(self.words.terms(source.text), self.words.terms(source.context)))

    def supported(self, passage: Passage, wanted: Wanted) -> Iterator[tuple[Unit, float]]:
        """Each unit with the share of the question that stands in it and around it."""
        units = units_of(passage)
        terms = [self.words.terms(" ".join(passage.cut(span.start, span.end) for span in unit.spans)) for unit in units]
        best = passage.best
        title = self.words.terms(" ".join((best.title, best.context, *best.heading_path)))
        for index, unit in enumerate(units):
            beside = [other for other in (index - 1, index + 1) if 0 <= other < len(units)]
            # Rows and items are no context for each other; sentences are.
            near = {term for other in beside if unit.kind == units[other].kind == "sentence" for term in terms[other]}
            yield unit, wanted.share(terms[index], near=near, title=title)


def chosen(question: Question, ranked: Sequence[Candidate]) -> list[Candidate]:
    """The best units that say different things, in the question's language where that loses little; rows are figures and names in any language."""
    own = [each for each in ranked if each.unit.kind == "row" or language_of(each.text) == question.language]
    if own and own[0].score >= OWN_LANGUAGE * ranked[0].score:
        ranked = own
    kept: list[Candidate] = []
    said: set[str] = set()
    left = LONGEST_ANSWER[question.language]
    for candidate in ranked:
        text = " ".join(candidate.text.split())
        if candidate.score < LEAST_OF_BEST * ranked[0].score or len(kept) == MOST_UNITS:
            break
        is_other_row = candidate.unit.kind in ROWS and candidate.score < LEAST_OF_BEST_ROW * ranked[0].score
        if is_other_row or text in said or (kept and len(text) > left):
            continue
        said.add(text)
        left -= len(text)
        kept.append(candidate)
    return kept


def places_of(candidates: Iterable[Candidate]) -> list[Place]:
    """Where to quote; sentences that follow each other are one place, which stands where the better one stood."""
    places: list[Place] = []
    for candidate in candidates:
        place = place_of(candidate)
        neighbour = next((each for each in places if adjoins(each, place, candidate.passage)), None)
        if neighbour is None:
            places.append(place)
        else:
            places[places.index(neighbour)] = joined(neighbour, place, candidate.passage)
    return places


def place_of(candidate: Candidate) -> Place:
    unit, passage = candidate.unit, candidate.passage
    return Place(
        source=source_at(passage, unit),
        start=unit.start,
        end=unit.end,
        text=candidate.text,
        mark=unit.core,
        kind=unit.kind,
        lead=unit.lead,
        lead_text=passage.cut(unit.lead.start, unit.lead.end) if unit.lead else "",
    )


def source_at(passage: Passage, unit: Unit) -> Source:
    """The found chunk that the unit stands in, else the best of the passage."""
    holding = (found.source for found in passage.sources if found.source.start <= unit.core.start < found.source.end)
    return next(holding, passage.best)


def adjoins(one: Place, other: Place, passage: Passage) -> bool:
    """Whether only white space stands between two sentences of one passage, or they overlap."""
    if one.kind != "sentence" or other.kind != "sentence" or one.source.version_id != passage.best.version_id:
        return False
    if not (passage.start <= one.start and one.end <= passage.end):
        return False
    first, second = sorted((one, other), key=lambda place: place.start)
    return first.end >= second.start or not passage.cut(first.end, second.start).strip()


def joined(one: Place, other: Place, passage: Passage) -> Place:
    start, end = min(one.start, other.start), max(one.end, other.end)
    mark = Span(min(one.mark.start, other.mark.start), max(one.mark.end, other.mark.end))
    return Place(one.source, start, end, passage.cut(start, end), mark, one.kind)


def grouped(places: Sequence[Place]) -> Iterator[Place]:
    """Documents in the order of their best place, places in reading order."""
    documents = list(dict.fromkeys(place.source.document_id for place in places))
    for document in documents:
        yield from sorted(
            (each for each in places if each.source.document_id == document), key=lambda place: place.start
        )
