"""The names a graph knows, compiled for searching and kept while they hold.

A name that no text has been searched for yet need not be in it: `ontology.seek` looks through all texts for those, and only what it has marked must be here.
So this is compiled again once a pass, and not for every new name.
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, F, Max

from ontology.models import Alias, Entity
from ontology.names import normal
from ontology.roots import roots_of
from ontology.rules.gazetteer import Gazetteer, KnownName
from ontology.senses import Senses, line_at, senses_in
from ontology.twins import without_twins


class Stamp(NamedTuple):
    """Changes whenever a name that was sought comes, goes or is changed."""

    entities: int
    changed: object
    aliases: int


_kept: dict[UUID, tuple[Stamp, Gazetteer]] = {}


def gazetteer_of(graph_id: UUID) -> Gazetteer:
    """All names and other names that are not rejected."""
    stamp = stamp_of(graph_id)
    kept = _kept.get(graph_id)
    if kept is None or kept[0] != stamp:
        _kept[graph_id] = kept = (stamp, Gazetteer.of(known_names(graph_id)))
    return kept[1]


def gazetteer_for(graph_id: UUID, document_id: UUID, text: str) -> Gazetteer:
    """The same for one text of a document: of several that bear a name, the one that a person said it means there."""
    gazetteer, senses = gazetteer_of(graph_id), senses_in(document_id, text)
    if not senses:
        return gazetteer
    return Gazetteer(gazetteer.automaton, gazetteer.entries, partial(are_meant, senses))


def are_meant(senses: Senses, known: tuple[KnownName, ...], text: str, at: int) -> tuple[KnownName, ...]:
    """Without those of whose class another was chosen for this name in the line that holds this place."""
    line = line_at(text, at)
    chosen = {name: senses.meant(name, line) for name in {(each.class_name, normal(each.name)) for each in known}}
    return tuple(
        each for each in known if (chosen[each.class_name, normal(each.name)] or each.entity_id) == each.entity_id
    )


def stamp_of(graph_id: UUID) -> Stamp:
    entities = Entity.objects.filter(graph_id=graph_id, is_sought=True).aggregate(
        count=Count("pk"), changed=Max("updated_at")
    )
    aliases = Alias.objects.filter(graph_id=graph_id, is_sought=True).count()
    return Stamp(entities["count"], entities["changed"], aliases)


def known_names(graph_id: UUID, **more: object) -> Iterator[KnownName]:
    """Names with the entities that bear them as they were found, because merging rewrites no evidence; of several that were merged into one, one a name."""
    roots = merged_roots(graph_id)
    seen: set[tuple[UUID, str]] = set()
    for name, class_name, pk in borne(graph_id, **more):
        if pk in roots:
            key = (roots[pk], normal(name))
            if key in seen:
                continue
            seen.add(key)
        yield KnownName(name, class_name, pk)


def borne(graph_id: UUID, **more: object) -> Iterator[tuple[str, str, UUID]]:
    """Each name and other name with its bearer's class and id; the roots of merges first."""
    entities = without_twins(Entity.objects.filter(graph_id=graph_id, is_rejected=False, **more)).order_by(
        F("merged_into").asc(nulls_first=True), "pk"
    )
    yield from entities.values_list("name", "class_name", "pk").iterator(chunk_size=5000)
    aliases = Alias.objects.filter(graph_id=graph_id, is_rejected=False, entity__is_rejected=False, **more)
    yield from aliases.values_list("text", "entity__class_name", "entity_id").iterator(chunk_size=5000)


def merged_roots(graph_id: UUID) -> dict[UUID, UUID]:
    """Everybody who was merged or merged into, with their root."""
    pairs = Entity.objects.filter(graph_id=graph_id, merged_into__isnull=False).values_list("pk", "merged_into_id")
    return roots_of({id for pair in pairs for id in pair if id})
