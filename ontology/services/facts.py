"""Facts by hand: a person's word outlives extraction, says who and when, and a rejected fact stays away however often it is found."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import InvalidInput, NotFound
from common.text import visible
from ontology import outbox
from ontology.graphs import skeleton_of
from ontology.labels import class_label, labelled
from ontology.models import AttributeValue, Entity, Graph, Relation
from ontology.models.facts import Fact
from ontology.names import is_clean_name, normal
from ontology.recording.facts import AttributeRow, RelationRow, attribute_ids, relation_ids
from ontology.rights import require_graph_editor
from ontology.services.deciding import decided, held, on_record
from ontology.services.known_from import known_from
from ontology.types import AttributeType, CompiledSkeleton, Value, ValueType
from ontology.values.parse import parse


@transaction.atomic
def entity_add(*, subject: Subject, graph_id: UUID, class_name: str, name: str) -> Entity:
    """An entity by a person's word; one that is there already is confirmed."""
    require_graph_editor(subject, graph_id)
    skeleton = skeleton_of(Graph.objects.select_related("skeleton").get(pk=graph_id))
    fresh = " ".join(visible(name).split())
    if class_name not in skeleton.classes:
        raise InvalidInput(_("There is no class “%(name)s” in the skeleton.") % {"name": class_name}, field="class")
    if not is_clean_name(fresh):
        raise InvalidInput(
            _("“%(name)s” can't be a name: write letters on one line, without markup.") % {"name": fresh[:80]},
            field="name",
        )
    entity, _made = Entity.objects.select_for_update().get_or_create(
        graph_id=graph_id, class_name=class_name, normal_name=normal(fresh), sense=0, defaults={"name": fresh}
    )
    entity.is_confirmed, entity.is_rejected = True, False
    decided(subject, entity, "is_confirmed", "is_rejected")
    known_from("entity", [entity.pk])
    outbox.whole_group_changed([entity.pk])
    on_record(subject, "entity.add", entity)
    return entity


@transaction.atomic
def attribute_add(
    *,
    subject: Subject,
    entity_id: UUID,
    name: str,
    raw: str,
    instead_of: UUID | None = None,
    revision: int | None = None,
) -> AttributeValue:
    """A value as a person writes it, parsed to the declared type; `instead_of` rejects the value that it corrects. Raises InvalidInput, Conflict."""
    entity = held_one(subject, entity_id, revision)
    declared = declared_attribute(entity, name)
    row = AttributeRow(entity.pk, name, parsed(raw, declared), referred(entity, raw, declared))
    value = AttributeValue.objects.select_for_update().get(pk=attribute_ids([row])[row.key])
    vouch(subject, value, is_confirmed=True)
    if instead_of:
        wrong = AttributeValue.objects.select_for_update().filter(pk=instead_of, entity=entity).first()
        if wrong is None:
            raise NotFound(_("The value that was to be corrected is gone."))
        if wrong.pk != value.pk:
            vouch(subject, wrong, is_confirmed=False)
    told(subject, entity, "attribute.add", {"name": name, "value": value.text})
    return value


@transaction.atomic
def attribute_judge(*, subject: Subject, value_id: UUID, is_right: bool, revision: int | None = None) -> AttributeValue:
    """Confirm or reject one value."""
    value = AttributeValue.objects.filter(pk=value_id).first()
    if value is None:
        raise NotFound(_("This value is gone."))
    entity = held_one(subject, value.entity_id, revision)
    vouch(subject, value, is_confirmed=is_right)
    told(
        subject,
        entity,
        "attribute.confirm" if is_right else "attribute.reject",
        {"name": value.name, "value": value.text},
    )
    return value


@transaction.atomic
def relation_add(
    *,
    subject: Subject,
    source_id: UUID,
    type: str,
    target_id: UUID,
    attributes: Mapping[str, str] | None = None,
    revisions: dict[UUID, int] | None = None,
) -> Relation:
    """A relation by a person's word, inside the skeleton. Raises InvalidInput for ends that it can't join."""
    ends = {entity.pk: entity for entity in held(subject, [source_id, target_id], revisions=revisions)}
    source, target = ends[source_id], ends[target_id]
    if source.graph_id != target.graph_id or source.pk == target.pk:
        raise InvalidInput(_("Choose two different entities of one graph."))
    skeleton = skeleton_for(source)
    declared = skeleton.relations.get(type)
    if declared is None or not declared.joins(source.class_name, target.class_name):
        raise InvalidInput(
            _("“%(type)s” can't lead from “%(source)s” to “%(target)s” in this skeleton.")
            % {
                "type": labelled(declared, type),
                "source": class_label(skeleton, source.class_name),
                "target": class_label(skeleton, target.class_name),
            },
            field="type",
        )
    values = {}
    for name, raw in (attributes or {}).items():
        known = declared.attribute(name)
        if known is None:
            raise InvalidInput(_("“%(type)s” has no attribute “%(name)s”.") % {"type": type, "name": name}, field=name)
        values[name] = parsed(raw, known)
    row = RelationRow(source.pk, type, target.pk, values)
    relation = Relation.objects.select_for_update().get(pk=relation_ids(source.graph_id, [row])[row.key])
    vouch(subject, relation, is_confirmed=True)
    outbox.relations_changed([relation.pk])
    told(subject, source, "relation.add", {"type": type, "target": target.name})
    return relation


@transaction.atomic
def relation_judge(
    *, subject: Subject, relation_id: UUID, is_right: bool, revisions: dict[UUID, int] | None = None
) -> Relation:
    """Confirm or reject one relation."""
    relation = Relation.objects.filter(pk=relation_id).first()
    if relation is None:
        raise NotFound(_("This relation is gone."))
    ends = held(subject, [relation.source_id, relation.target_id], revisions=revisions)
    source = next(each for each in ends if each.pk == relation.source_id)
    vouch(subject, relation, is_confirmed=is_right)
    outbox.relations_changed([relation.pk])
    told(subject, source, "relation.confirm" if is_right else "relation.reject", {"type": relation.type})
    return relation


def held_one(subject: Subject, entity_id: UUID, revision: int | None) -> Entity:
    return held(subject, [entity_id], revisions={entity_id: revision} if revision is not None else None)[0]


def vouch(subject: Subject, fact: Fact, *, is_confirmed: bool) -> None:
    """A person's word on one fact."""
    fact.is_confirmed, fact.is_rejected = is_confirmed, not is_confirmed
    fact.decided_by_id, fact.decided_at = subject.user_id, timezone.now()
    fact.save(update_fields=["is_confirmed", "is_rejected", "decided_by", "decided_at", "updated_at"])
    known_from("relation" if isinstance(fact, Relation) else "attribute", [fact.pk])


def told(subject: Subject, entity: Entity, action: str, after: dict[str, Any]) -> None:
    """The entity's revision grows, the graph is told, the deed is on record."""
    decided(subject, entity)
    outbox.entities_changed([entity.pk])
    on_record(subject, action, entity, after=after)


def skeleton_for(entity: Entity) -> CompiledSkeleton:
    return skeleton_of(Graph.objects.select_related("skeleton").get(pk=entity.graph_id))


def declared_attribute(entity: Entity, name: str) -> AttributeType:
    """Raises InvalidInput for one that the class has not."""
    skeleton = skeleton_for(entity)
    known = skeleton.classes.get(entity.class_name)
    declared = known.attribute(name) if known else None
    if declared is None:
        raise InvalidInput(
            _("“%(class)s” has no attribute “%(name)s” in this skeleton.")
            % {"class": class_label(skeleton, entity.class_name), "name": name},
            field="name",
        )
    return declared


def parsed(raw: str, declared: AttributeType) -> Value:
    """Raises UnreadableValue, which says what to write."""
    return parse(raw, declared)


def referred(entity: Entity, raw: str, declared: AttributeType) -> UUID | None:
    """The entity that a reference means. Raises InvalidInput when there is none or several."""
    if declared.type is not ValueType.REFERENCE:
        return None
    found = Entity.objects.filter(graph_id=entity.graph_id, class_name=declared.to_class, normal_name=normal(raw))
    ids = list(found.values_list("pk", flat=True)[:2])
    if len(ids) != 1:
        raise InvalidInput(
            _("Choose one “%(class)s” that is known; “%(name)s” is not clear.")
            % {"class": class_label(skeleton_for(entity), declared.to_class), "name": raw}
        )
    return ids[0]
