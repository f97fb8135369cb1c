"""Store what was checked: entities, values, relations and other names with their evidence, and what does not fit in quarantine. One batch, in the caller's transaction."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from knowledge.models import Document, Version
from ontology import support
from ontology.check import JOINS_TWO
from ontology.models import Quarantined
from ontology.names import normal
from ontology.quarantine import key_of, kind_of, payload
from ontology.recording.facts import AliasRow, AttributeRow, RelationRow, alias_ids, attribute_ids, relation_ids
from ontology.recording.places import Place, Places
from ontology.recording.roster import Roster
from ontology.recording.writing import Support, write_evidence
from ontology.senses import senses_in
from ontology.types import (
    Accepted,
    AcceptedAttribute,
    AcceptedEntity,
    AcceptedRelation,
    Checked,
    CompiledSkeleton,
    Found,
    Named,
    Reason,
    Rejected,
    ValueType,
)


@dataclass(slots=True)
class Batch:
    """What one batch will store, before it has ids."""

    entities: list[tuple[Found, Place, UUID]] = field(default_factory=list)
    aliases: list[tuple[Found, Place, AliasRow]] = field(default_factory=list)
    attributes: list[tuple[Found, Place, AttributeRow]] = field(default_factory=list)
    relations: list[tuple[Found, Place, RelationRow]] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)


def record(
    graph_id: UUID, version: Version, round: int, checked: Checked, skeleton: CompiledSkeleton
) -> list[Rejected]:
    """Everything that was found at once; the same again changes nothing. The document is held until the end of the transaction. Gives what went to quarantine."""
    Document.objects.select_for_update(no_key=True).get(pk=version.document_id)
    places = Places.of(version)
    roster = Roster(graph_id, senses_in(version.document_id, version.text), version.text)
    roster.read({who for accepted in checked.accepted for who in named_in(accepted, skeleton)})
    batch = sorted_out(checked, skeleton, places, roster)
    supports = list(supports_of(graph_id, batch))
    support.apply(write_evidence(graph_id, version, round, supports))
    put_aside(graph_id, version, places, batch.rejected)
    return batch.rejected


def named_in(accepted: Accepted, skeleton: CompiledSkeleton) -> Iterator[Named]:
    """Everybody it speaks of."""
    if isinstance(accepted, AcceptedRelation):
        yield accepted.found.source
        yield accepted.found.target
        return
    yield accepted.found.who
    if isinstance(accepted, AcceptedAttribute) and (other := referred_to(accepted, skeleton)):
        yield other


def referred_to(accepted: AcceptedAttribute, skeleton: CompiledSkeleton) -> Named | None:
    """The entity that a reference means."""
    if accepted.value.type is not ValueType.REFERENCE:
        return None
    declared = skeleton.classes[accepted.found.who.class_name].attribute(accepted.found.attribute)
    return Named(str(accepted.value.value), declared.to_class) if declared else None


def sorted_out(checked: Checked, skeleton: CompiledSkeleton, places: Places, roster: Roster) -> Batch:
    """Each finding with its place and the entities that it means; a name that means several goes to quarantine."""
    batch = Batch(rejected=list(checked.rejected))
    for accepted in checked.accepted:
        found = accepted.found
        place = places.find(found.where)
        whos = list(named_in(accepted, skeleton))
        ids = [roster.entity(who, found.where.start) for who in whos]
        if place is None:
            continue
        if None in ids:
            batch.rejected.append(Rejected(found, Reason.HOMONYM, normal(whos[ids.index(None)].name)))
            continue
        known = [id for id in ids if id is not None]
        if isinstance(accepted, AcceptedRelation) and found.extractor in JOINS_TWO and roster.are_one(known):
            batch.rejected.append(Rejected(found, Reason.SAME_ENDS, accepted.found.type))
            continue
        put(batch, accepted, place, known)
    return batch


def put(batch: Batch, accepted: Accepted, place: Place, ids: list[UUID]) -> None:
    """Whoever a fact speaks of is supported by the same place."""
    found = accepted.found
    batch.entities += [(found, place, id) for id in ids]
    if isinstance(accepted, AcceptedEntity):
        names = (name for name in accepted.found.aliases if normal(name) != normal(accepted.found.who.name))
        batch.aliases += [(found, place, AliasRow(ids[0], name)) for name in names]
    elif isinstance(accepted, AcceptedAttribute):
        reference = ids[1] if len(ids) > 1 else None
        batch.attributes.append(
            (found, place, AttributeRow(ids[0], accepted.found.attribute, accepted.value, reference))
        )
    else:
        row = RelationRow(ids[0], accepted.found.type, ids[1], accepted.attributes)
        batch.relations.append((found, place, row))


def supports_of(graph_id: UUID, batch: Batch) -> Iterable[Support]:
    """Every fact of the batch with its id, at its place."""
    for found, place, id in batch.entities:
        yield Support("entity", id, place, found.extractor, found.confidence)
    aliases = alias_ids(graph_id, [row for _found, _place, row in batch.aliases])
    for found, place, alias in batch.aliases:
        yield Support("alias", aliases[alias.key], place, found.extractor, found.confidence)
    attributes = attribute_ids([row for _found, _place, row in batch.attributes])
    for found, place, attribute in batch.attributes:
        yield Support("attribute", attributes[attribute.key], place, found.extractor, found.confidence)
    relations = relation_ids(graph_id, [row for _found, _place, row in batch.relations])
    for found, place, relation in batch.relations:
        yield Support("relation", relations[relation.key], place, found.extractor, found.confidence)


def put_aside(graph_id: UUID, version: Version, places: Places, rejected: Iterable[Rejected]) -> None:
    """Into quarantine, each once; what a person has decided about one stays."""
    rows = []
    for each in rejected:
        place = places.find(each.found.where)
        if place is None:
            continue
        plain = payload(each.found)
        rows.append(
            Quarantined(
                graph_id=graph_id,
                document_id=version.document_id,
                version=version,
                chunk_id=place.chunk,
                start=place.start,
                end=place.end,
                kind=kind_of(each.found),
                reason=each.reason.value,
                about=each.about[:200],
                found=plain,
                found_key=key_of(plain),
                extractor=each.found.extractor.value,
            )
        )
    Quarantined.objects.bulk_create(rows, ignore_conflicts=True)
