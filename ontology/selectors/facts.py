"""Facts of a graph as people and programs get them: ends followed to the entities that readers see, evidence with its words. Streams; the policy is in the query."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Substr

from accounts.types import Subject
from ontology.models import Alias, AttributeValue, Entity, Evidence, Relation
from ontology.rights import seen, vouched
from ontology.roots import is_loop_by_merge, members_of, roots_of

BATCH = 500
EXISTS = Q(is_rejected=False) & (Q(support__gt=0) | Q(is_confirmed=True))


def supported(subject: Subject, fact: str) -> Exists:
    """Some live evidence of the fact (`entity`, `attribute` …) stands where the subject may read."""
    return Exists(Evidence.objects.filter(seen(subject, path=""), **{fact: OuterRef("pk")}))


def relations_for(subject: Subject, graph_id: UUID) -> "QuerySet[Relation]":
    """Relations that exist and that the subject may know of; one that a person vouches for, if it was known from where they may read."""
    return (
        Relation.objects.filter(EXISTS, graph_id=graph_id)
        .filter(vouched(subject, graph_id) | Q(supported(subject, "relation")))
        .order_by("pk")
    )


def entities_for(subject: Subject, graph_id: UUID) -> "QuerySet[Entity]":
    """Entities, merged ones too, that exist and that the subject may know of."""
    return (
        Entity.objects.filter(EXISTS, graph_id=graph_id)
        .filter(vouched(subject, graph_id) | Q(supported(subject, "entity")))
        .order_by("pk")
    )


def standing_among(roots: Collection[UUID]) -> set[UUID]:
    """Those that are entities to readers: not rejected, and they or some that was merged into them exist."""
    members = members_of(roots)
    everybody = set().union(*members.values()) if members else set()
    existing = set(Entity.objects.filter(EXISTS, pk__in=everybody).values_list("pk", flat=True))
    rejected = set(Entity.objects.filter(pk__in=roots, is_rejected=True).values_list("pk", flat=True))
    return {root for root, ids in members.items() if ids & existing} - rejected


def facts(subject: Subject, graph_id: UUID) -> Iterator[dict[str, Any]]:
    """Each relation with its evidence, as the interfaces name the fields."""
    for batch in batches(relations_for(subject, graph_id).select_related("source", "target")):
        roots = roots_of({end for each in batch for end in (each.source_id, each.target_id)})
        ends = Entity.objects.in_bulk(set(roots.values()))
        standing = standing_among(set(ends))
        quotes = quotes_of(subject, "relation", [each.pk for each in batch])
        for each in batch:
            source, target = ends[roots[each.source_id]], ends[roots[each.target_id]]
            if not {source.pk, target.pk} <= standing or is_loop_by_merge(each.source_id, each.target_id, roots):
                continue
            yield {
                "id": str(each.pk),
                "source": source.name,
                "source_class": source.class_name,
                "relation": each.type,
                "target": target.name,
                "target_class": target.class_name,
                "attributes": {name: said["value"] for name, said in each.attributes.items()},
                "confirmed": each.is_confirmed,
                "evidence": quotes[each.pk],
            }


def entities(subject: Subject, graph_id: UUID) -> Iterator[dict[str, Any]]:
    """Each entity that readers see, with what is known of it and of all that were merged into it."""
    roots = Entity.objects.filter(graph_id=graph_id, merged_into=None).order_by("pk")
    for batch in batches(roots):
        members = members_of([root.pk for root in batch])
        everybody = set().union(*members.values())
        visible = set(entities_for(subject, graph_id).filter(pk__in=everybody).values_list("pk", flat=True))
        known = Known.of(subject, graph_id, everybody, visible)
        for root in batch:
            if (ids := sorted(members[root.pk] & visible)) and not root.is_rejected:
                yield known.described(root, ids)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of some entities, by their ids."""

    names: dict[UUID, str]
    aliases: dict[UUID, list[str]]
    attributes: dict[UUID, list[AttributeValue]]
    confirmed: set[UUID]
    quotes: dict[UUID, list[dict[str, Any]]]
    values: dict[UUID, list[dict[str, Any]]]

    @classmethod
    def of(cls, subject: Subject, graph_id: UUID, ids: set[UUID], visible: set[UUID]) -> "Known":
        rows = Entity.objects.filter(pk__in=visible).values_list("pk", "name", "is_confirmed")
        aliases, attributes = defaultdict(list), defaultdict(list)
        said = vouched(subject, graph_id) | Q(supported(subject, "alias"))
        for alias in Alias.objects.filter(EXISTS, said, entity__in=ids).order_by("pk"):
            aliases[alias.entity_id].append(alias.text)
        for value in values_for(subject, graph_id, ids):
            attributes[value.entity_id].append(value)
        found = [value.pk for values in attributes.values() for value in values]
        return cls(
            {pk: name for pk, name, _confirmed in rows},
            aliases,
            attributes,
            {pk for pk, _name, confirmed in rows if confirmed},
            quotes_of(subject, "entity", visible),
            quotes_of(subject, "attribute", found),
        )

    def described(self, root: Entity, ids: Sequence[UUID]) -> dict[str, Any]:
        """One line for people and programs; `ids` are the root's visible members."""
        names = [self.names[id] for id in ids] + [alias for id in ids for alias in self.aliases.get(id, [])]
        values = [value for id in ids for value in self.attributes.get(id, [])]
        return {
            "id": str(root.pk),
            "name": root.name,
            "aliases": [name for name in dict.fromkeys(names) if name != root.name],
            "class": root.class_name,
            "attributes": [self.told(value) for value in values],
            "confirmed": any(id in self.confirmed for id in ids),
            "evidence": [quote for id in ids for quote in self.quotes.get(id, [])],
        }

    def told(self, value: AttributeValue) -> dict[str, Any]:
        return {
            "name": value.name,
            "value": value.value,
            "unit": value.unit,
            "comparison": value.comparison,
            "confirmed": value.is_confirmed,
            "evidence": self.values.get(value.pk, []),
        }


def values_for(subject: Subject, graph_id: UUID, entity_ids: Collection[UUID]) -> "QuerySet[AttributeValue]":
    """Attribute values that exist and that the subject may know of, the best supported first."""
    values = AttributeValue.objects.filter(EXISTS, entity__in=entity_ids)
    return values.filter(vouched(subject, graph_id) | Q(supported(subject, "attribute"))).order_by(
        "name", "-is_confirmed", "-support", "pk"
    )


def quotes_of(subject: Subject, fact: str, ids: Collection[UUID]) -> dict[UUID, list[dict[str, Any]]]:
    """The live evidence of these facts that the subject may read, with the words that stand there."""
    words = Substr("version__text", F("start") + 1, F("end") - F("start"))
    rows = Evidence.objects.filter(seen(subject, path=""), **{f"{fact}__in": ids}).annotate(quote=words).order_by("pk")
    quotes: dict[UUID, list[dict[str, Any]]] = defaultdict(list)
    fields = ("document_id", "document__path", "version__number", "start", "end", "quote", "extractor", "confidence")
    for id, document, path, version, *rest in rows.values_list(fact, *fields):
        told = {"document": str(document), "path": path, "version": version}
        quotes[id].append(told | dict(zip(fields[3:], rest, strict=True)))
    return quotes


def batches(rows: "QuerySet[Any]") -> Iterator[list[Any]]:
    """In the order of keys, a batch at a time."""
    last = None
    while batch := list((rows if last is None else rows.filter(pk__gt=last))[:BATCH]):
        yield batch
        last = batch[-1].pk
