"""Profiles from the ledger: what is known now of entities that were not merged into others, with all that were merged into them."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Q

from ontology.models import Alias, AttributeValue, Entity, Evidence, Relation
from ontology.resolution.homonyms import Told
from ontology.resolution.profile import SINGLE, Neighbour, Profile
from ontology.roots import members_of, roots_of
from ontology.types import CompiledSkeleton
from ontology.values.agreement import Exact, contradict, exact

COMPARED = ("value_key", "value", "unit", "text")
KNOWN = Q(is_rejected=False) & (Q(support__gt=0) | Q(is_confirmed=True))
Values = dict[str, frozenset[Exact]]


def profiles_of(roots: Collection[UUID], skeleton: CompiledSkeleton) -> list[Profile]:
    """One for each root that is not rejected."""
    members = members_of(roots)
    root_of = {member: root for root, group in members.items() for member in group}
    names, values, neighbours = names_by(root_of), values_by(root_of), neighbours_by(root_of)
    rows = Entity.objects.filter(pk__in=roots, is_rejected=False, merged_into=None)
    return [
        Profile(
            row.pk,
            row.class_name,
            (row.name, *dict.fromkeys(name for name in names[row.pk] if name != row.name)),
            frozen(values[row.pk]),
            single_of(row.class_name, skeleton),
            frozenset(neighbours[row.pk]),
        )
        for row in rows.order_by("pk")
    ]


def single_of(class_name: str, skeleton: CompiledSkeleton) -> frozenset[str]:
    """Attributes of which one thing has one value."""
    declared = skeleton.classes.get(class_name)
    return frozenset(each.name for each in declared.attributes if each.type in SINGLE) if declared else frozenset()


def names_by(root_of: dict[UUID, UUID]) -> dict[UUID, list[str]]:
    """Of those that were merged, and other names."""
    found: dict[UUID, list[str]] = defaultdict(list)
    for pk, name in Entity.objects.filter(pk__in=root_of, is_rejected=False).order_by("pk").values_list("pk", "name"):
        found[root_of[pk]].append(name)
    aliases = Alias.objects.filter(KNOWN, entity__in=root_of).order_by("pk")
    for pk, text in aliases.values_list("entity_id", "text"):
        found[root_of[pk]].append(text)
    return found


def values_by(root_of: dict[UUID, UUID]) -> dict[UUID, dict[str, set[Exact]]]:
    """Exact values."""
    found: dict[UUID, dict[str, set[Exact]]] = defaultdict(lambda: defaultdict(set))
    rows = AttributeValue.objects.filter(KNOWN, entity__in=root_of, comparison="")
    for pk, name, *written in rows.values_list("entity_id", "name", *COMPARED):
        found[root_of[pk]][name].add(exact(*written))
    return found


def neighbours_by(root_of: dict[UUID, UUID]) -> dict[UUID, set[Neighbour]]:
    """By their roots."""
    rows = Relation.objects.filter(KNOWN, Q(source__in=root_of) | Q(target__in=root_of))
    edges = list(rows.values_list("source_id", "type", "target_id"))
    roots = roots_of({end for source, _type, target in edges for end in (source, target)})
    found: dict[UUID, set[Neighbour]] = defaultdict(set)
    for source, type, target in edges:
        if source in root_of:
            found[root_of[source]].add(Neighbour(type, True, roots[target]))
        if target in root_of:
            found[root_of[target]].add(Neighbour(type, False, roots[source]))
    return found


def frozen(values: dict[str, set[Exact]]) -> Values:
    return {name: frozenset(keys) for name, keys in values.items()}


def told_by_documents(entity: Entity, skeleton: CompiledSkeleton) -> list[Told]:
    """What each document says of one entity (its own row alone, not those merged into it)."""
    single = single_of(entity.class_name, skeleton)
    values: dict[UUID, dict[str, set[Exact]]] = defaultdict(lambda: defaultdict(set))
    neighbours: dict[UUID, set[Neighbour]] = defaultdict(set)
    live = Evidence.objects.filter(is_live=True)
    said = live.filter(attribute__entity=entity, attribute__name__in=single, attribute__comparison="")
    for document, name, *written in said.filter(attribute__is_rejected=False).values_list(
        "document_id", "attribute__name", *(f"attribute__{each}" for each in COMPARED)
    ):
        values[document][name].add(exact(*written))
    related = live.filter(Q(relation__source=entity) | Q(relation__target=entity), relation__is_rejected=False)
    for document, source, type, target in related.values_list(
        "document_id", "relation__source_id", "relation__type", "relation__target_id"
    ):
        is_outgoing = source == entity.pk
        neighbours[document].add(Neighbour(type, is_outgoing, target if is_outgoing else source))
    documents = values.keys() | neighbours.keys()
    return [Told(each, frozen(values[each]), frozenset(neighbours[each])) for each in sorted(documents)]


def contradicted(entity_ids: Iterable[UUID], skeleton: CompiledSkeleton) -> list[UUID]:
    """Those of these entities that have two exact values which can't both be true, where a thing has one."""
    found: dict[tuple[UUID, str], list[Exact]] = defaultdict(list)
    rows = AttributeValue.objects.filter(KNOWN, entity__in=list(entity_ids), comparison="")
    for pk, class_name, name, *written in rows.values_list("entity_id", "entity__class_name", "name", *COMPARED):
        if name in single_of(class_name, skeleton):
            found[pk, name].append(exact(*written))
    return sorted({pk for (pk, _name), values in found.items() if contradict(values)})
