"""The middle of a community as one reader may see it: its most central entities, and sentences that tell most of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from common.sentences import sentences
from ontology.selectors.entities import Shown, shown
from ontology.selectors.pictures import Bounds, Edge, edges_of, everybody
from ontology.selectors.quotes import Quote, places_of
from ontology.selectors.views import GraphView

NAMED, QUOTED = 12, 6
SENTENCE_CHARACTERS = 300
RELATIONS_EACH = 12


@dataclass(frozen=True, slots=True)
class Told:
    """A quotation, and the sentence it stands in as far as it is near."""

    quote: Quote
    sentence: str


@dataclass(frozen=True, slots=True)
class Central:
    """The most central first. `places`: one where its name stands, for each entity that stands somewhere."""

    entities: tuple[Shown, ...]
    told: tuple[Told, ...]
    places: Mapping[UUID, Quote]


def central_of(view: GraphView, members: Mapping[UUID, Sequence[UUID]]) -> dict[UUID, Central]:
    """For each community, given those of its members that the reader may see, the most central first."""
    first = {id: list(ids[:NAMED]) for id, ids in members.items()}
    everyone = {entity for ids in first.values() for entity in ids}
    known = shown(view, everyone)
    names = {pk: quotes[0] for pk, quotes in places_of(view, "entity", everyone, limit=1).items()}
    said = relations_said(view, first)
    return {id: central(ids, known, names, said.get(id, ())) for id, ids in first.items()}


def central(
    ids: Sequence[UUID], known: Mapping[UUID, Shown], names: Mapping[UUID, Quote], said: Sequence[Quote]
) -> Central:
    entities = tuple(known[id] for id in ids if id in known)
    places = {each.id: names[each.id] for each in entities if each.id in names}
    return Central(entities, tuple(distinct([*said, *places.values()])), places)


def distinct(quotes: Iterable[Quote]) -> list[Told]:
    """The first few, each sentence once."""
    found: dict[str, Told] = {}
    for quote in quotes:
        sentence = sentence_of(quote)
        if sentence and len(found) < QUOTED:
            found.setdefault(sentence, Told(quote, sentence))
    return list(found.values())


def sentence_of(quote: Quote) -> str:
    """The words around the quotation up to the ends of its sentence, on one line, bounded."""
    before, words, after = quote.shown
    text = f"{before}{words}{after}"
    begin, end = len(before), len(before) + len(words)
    spans = [span for span in sentences(text) if span[0] < end and span[1] > begin]
    said = text[spans[0][0] : spans[-1][1]] if spans else words
    return " ".join(said.split())[:SENTENCE_CHARACTERS]


def relations_said(view: GraphView, groups: Mapping[UUID, Sequence[UUID]]) -> dict[UUID, list[Quote]]:
    """For each group a quotation for each of the best supported relations within it."""
    everyone = {entity for ids in groups.values() for entity in ids}
    if not everyone:
        return {}
    limit = RELATIONS_EACH * len(groups)
    edges = edges_of(view, Bounds(), between=everybody(everyone), limit=limit)
    chosen = {id: within(edges, set(ids)) for id, ids in groups.items()}
    relations = {edge.id for each in chosen.values() for edge in each}
    quotes = places_of(view, "relation", relations, limit=1)
    found: dict[UUID, list[Quote]] = defaultdict(list)
    for id, inner in chosen.items():
        found[id] += [quotes[edge.id][0] for edge in inner if edge.id in quotes]
    return found


def within(edges: Iterable[Edge], ids: set[UUID]) -> list[Edge]:
    return [edge for edge in edges if edge.source in ids and edge.target in ids][:QUOTED]
