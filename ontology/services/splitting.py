"""One entity that was two: what chosen documents (or places) say of it goes to a new one of the same name. Merging the two takes it back."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import InvalidInput
from knowledge.models import Document, Version
from ontology import outbox, support
from ontology.models import (
    Alias,
    AttributeValue,
    Entity,
    Evidence,
    Relation,
    SplitSuggestion,
    Suggestion,
    SuggestionState,
)
from ontology.senses import line_at, senses_choose
from ontology.services.deciding import decided, held, on_record
from ontology.support import Changes

COPIED = {
    AttributeValue: ("name", "value", "unit", "comparison", "text", "value_key", "reference_id"),
    Alias: ("graph_id", "text", "normal", "is_sought"),
    Relation: ("graph_id", "source_id", "type", "target_id", "attributes", "attributes_key"),
}


@dataclass(slots=True)
class Move:
    """From whom to whom, and what live evidence it moves."""

    old: Entity
    new: Entity
    changes: Changes
    copies: dict[UUID, tuple[Any, Any]] = field(default_factory=dict)

    def copied(self, fact: Any, **owner: UUID) -> UUID:
        """The same said of another; found or made."""
        if fact.pk not in self.copies:
            self.copies[fact.pk] = (fact, copied(fact, **owner))
        pk: UUID = self.copies[fact.pk][1].pk
        return pk

    def follow(self, kind: str, evidence: Evidence, fact: UUID) -> None:
        """This evidence supports that fact instead of its own."""
        before = getattr(evidence, f"{kind}_id")
        setattr(evidence, f"{kind}_id", fact)
        evidence.save(update_fields=[kind, "updated_at"])
        self.changes.add(kind, before, -int(evidence.is_live))
        self.changes.add(kind, fact, int(evidence.is_live))


@transaction.atomic
def entity_split(
    *,
    subject: Subject,
    entity_id: UUID,
    document_ids: Collection[UUID] = (),
    evidence_ids: Collection[UUID] = (),
    revision: int | None = None,
) -> Entity:
    """The new one. The documents are remembered, so that reading them again finds the same. Raises InvalidInput when nothing or everything would go, Conflict."""
    (old,) = held(subject, [entity_id], revisions={entity_id: revision} if revision is not None else None)
    chosen = chosen_evidence(old, document_ids, evidence_ids)
    documents = sorted(set(chosen.values_list("document_id", flat=True)))
    list(Document.objects.select_for_update(no_key=True).filter(pk__in=documents).order_by("pk"))
    moving = list(chosen.select_related("alias", "attribute", "relation").order_by("pk"))
    require_some_but_not_all(old, moving)
    outbox.whole_group_changed([old.pk])
    move = Move(old, sibling(old), Changes())
    for evidence in moving:
        move_one(move, evidence)
    for fact, row in move.copies.values():
        confirmed_as(fact, row)
    support.apply(move.changes)
    support.remove_unheld(move.changes)
    remember(move, documents)
    settle(subject, move, len(moving))
    return Entity.objects.get(pk=move.new.pk)


def chosen_evidence(
    old: Entity, document_ids: Collection[UUID], evidence_ids: Collection[UUID]
) -> "QuerySet[Evidence]":
    """All that these documents say of the entity, and all that stands at these places."""
    places = Evidence.objects.filter(pk__in=evidence_ids).values_list("version_id", "start", "end")
    wanted = Q(document__in=document_ids)
    for version, start, end in places:
        wanted |= Q(version=version, start=start, end=end)
    return about(old).filter(wanted)


def about(entity: Entity) -> "QuerySet[Evidence]":
    """Evidence of it and of all that is said of it."""
    return Evidence.objects.filter(
        Q(entity=entity)
        | Q(alias__entity=entity)
        | Q(attribute__entity=entity)
        | Q(relation__source=entity)
        | Q(relation__target=entity)
    )


def require_some_but_not_all(old: Entity, moving: list[Evidence]) -> None:
    named = {each.pk for each in moving if each.entity_id == old.pk}
    if not named:
        raise InvalidInput(_("Choose at least one document or place that names “%(name)s”.") % {"name": old.name})
    if not about(old).filter(entity=old).exclude(pk__in=named).exists():
        raise InvalidInput(
            _("Leave at least one document with “%(name)s”; else there is nothing to split.") % {"name": old.name}
        )


def sibling(old: Entity) -> Entity:
    """Another of the same name and class."""
    same = Entity.objects.filter(graph=old.graph_id, class_name=old.class_name, normal_name=old.normal_name)
    last = same.aggregate(last=Max("sense"))["last"]
    return Entity.objects.create(
        graph_id=old.graph_id,
        class_name=old.class_name,
        name=old.name,
        normal_name=old.normal_name,
        sense=last + 1,
        is_sought=True,
    )


def move_one(move: Move, evidence: Evidence) -> None:
    old, new = move.old.pk, move.new.pk
    if evidence.entity_id:
        move.follow("entity", evidence, new)
    elif evidence.alias:
        move.follow("alias", evidence, move.copied(evidence.alias, entity_id=new))
    elif evidence.attribute:
        move.follow("attribute", evidence, move.copied(evidence.attribute, entity_id=new))
    elif evidence.relation:
        ends = {
            end: new if getattr(evidence.relation, end) == old else getattr(evidence.relation, end)
            for end in ("source_id", "target_id")
        }
        move.follow("relation", evidence, move.copied(evidence.relation, **ends))


def copied(fact: Any, **owner: UUID) -> Any:
    """The same row of another; found or made."""
    values = {name: getattr(fact, name) for name in COPIED[type(fact)]} | owner
    unique = next(iter(type(fact)._meta.constraints)).fields
    key = {
        f"{name}_id" if f"{name}_id" in values else name: values[f"{name}_id" if f"{name}_id" in values else name]
        for name in unique
    }
    row, made = type(fact).objects.get_or_create(**key, defaults=values)
    if made and fact.is_rejected:
        rejected_as(fact, row)
    return row


def confirmed_as(fact: Any, row: Any) -> None:
    """What a person confirmed and all of whose places have gone to another is confirmed of that one: nobody said it of the one that no place is left of."""
    if not fact.is_confirmed or fact.evidence.exists():
        return
    told = [name for name in ("decided_by_id", "decided_at", "known_in", "was_read") if hasattr(fact, name)]
    for name in told:
        setattr(row, name, getattr(fact, name))
    row.is_confirmed, fact.is_confirmed = True, False
    row.save(update_fields=["is_confirmed", *(name.removesuffix("_id") for name in told), "updated_at"])
    fact.save(update_fields=["is_confirmed", "updated_at"])


def rejected_as(fact: Any, row: Any) -> None:
    """What a person rejected at these places stays rejected of whoever they are about now, with who said so and when."""
    row.is_rejected = True
    decision = [name for name in ("decided_by_id", "decided_at") if hasattr(fact, name)]
    for name in decision:
        setattr(row, name, getattr(fact, name))
    row.save(update_fields=["is_rejected", *(name.removesuffix("_id") for name in decision), "updated_at"])


def remember(move: Move, documents: Iterable[UUID]) -> None:
    """What each document means; in one in which both stand, what each of its lines means."""
    left = set(about(move.old).filter(entity=move.old).values_list("document_id", flat=True))
    moved = set(documents)
    normals = {move.old.normal_name, *Alias.objects.filter(entity=move.new).values_list("normal", flat=True)}
    for entity, meant in ((move.new, moved - left), (move.old, left - moved)):
        senses_choose(meant, class_name=entity.class_name, normals=normals, entity_id=entity.pk)
    for document in sorted(moved & left):
        remember_lines(move, document, normals)


def remember_lines(move: Move, document: UUID, normals: Collection[str]) -> None:
    """Of each line that names one of the two: a line that names both, or stands there twice, says nothing."""
    lines: dict[UUID, set[str]] = {move.old.pk: set(), move.new.pk: set()}
    places = Evidence.objects.filter(document=document, entity__in=lines).order_by("version", "start")
    texts = Version.objects.filter(document=document).only("text").in_bulk()
    for version, start, entity in places.values_list("version_id", "start", "entity_id"):
        if entity is not None:
            lines[entity].add(line_at(texts[version].text, start))
    for entity, mine in lines.items():
        others = set().union(*(each for other, each in lines.items() if other != entity))
        senses_choose(
            {document}, class_name=move.old.class_name, normals=normals, entity_id=entity, lines=mine - others - {""}
        )


def settle(subject: Subject, move: Move, count: int) -> None:
    """Nobody is asked whether the two are one; merging them is still possible."""
    now, (left, right) = timezone.now(), sorted((move.old.pk, move.new.pk))
    decision = {"decided_by_id": subject.user_id, "decided_at": now}
    Suggestion.objects.create(
        graph_id=move.old.graph_id, left_id=left, right_id=right, score=0, state=SuggestionState.REJECTED, **decision
    )
    SplitSuggestion.objects.filter(entity=move.old).update(state=SuggestionState.SPLIT, **decision)
    decided(subject, move.old)
    decided(subject, move.new)
    outbox.whole_group_changed([move.old.pk, move.new.pk])
    on_record(subject, "entity.split", move.old, after={"new": str(move.new.pk), "places": count})
