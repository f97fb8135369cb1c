"""Rows of attribute values, relations and other names: found or made, many at once."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from common.text import visible
from ontology.models import Alias, AttributeValue, Relation
from ontology.names import normal
from ontology.types import Value

KEY_CHARACTERS = 64


class AttributeKey(NamedTuple):
    entity: UUID
    name: str
    value_key: str


class RelationKey(NamedTuple):
    source: UUID
    type: str
    target: UUID
    attributes_key: str


class AliasKey(NamedTuple):
    entity: UUID
    normal: str


@dataclass(frozen=True, slots=True)
class AttributeRow:
    entity: UUID
    name: str
    value: Value
    reference: UUID | None = None

    @property
    def key(self) -> AttributeKey:
        return AttributeKey(self.entity, self.name, short(str(self.reference or self.value.key)))


@dataclass(frozen=True, slots=True)
class RelationRow:
    source: UUID
    type: str
    target: UUID
    attributes: Mapping[str, Value]

    @property
    def key(self) -> RelationKey:
        return RelationKey(self.source, self.type, self.target, attributes_key(self.attributes))


@dataclass(frozen=True, slots=True)
class AliasRow:
    entity: UUID
    text: str

    @property
    def key(self) -> AliasKey:
        return AliasKey(self.entity, normal(self.text))


def short(key: str) -> str:
    """As it is where it is short, else its hash."""
    return key if len(key) <= KEY_CHARACTERS else sha256(key.encode()).hexdigest()


def attributes_key(attributes: Mapping[str, Value]) -> str:
    """Equal for equal values; empty without any."""
    if not attributes:
        return ""
    return sha256(json.dumps(sorted((name, value.key) for name, value in attributes.items())).encode()).hexdigest()


def plain(value: Value) -> dict[str, Any]:
    """A relation's attribute as JSON."""
    said = {"value": value.value, "unit": value.unit, "comparison": value.comparison, "text": value.text}
    return {name: part for name, part in said.items() if part != ""}


def attribute_ids(rows: Iterable[AttributeRow]) -> dict[AttributeKey, UUID]:
    """The rows' ids by their keys, made where they are missing."""
    wanted = {row.key: row for row in rows}
    AttributeValue.objects.bulk_create(
        [
            AttributeValue(
                entity_id=row.entity,
                name=row.name,
                value=row.value.value,
                unit=row.value.unit,
                comparison=row.value.comparison,
                text=row.value.text,
                value_key=key.value_key,
                reference_id=row.reference,
            )
            for key, row in sorted(wanted.items())
        ],
        ignore_conflicts=True,
    )
    found = AttributeValue.objects.filter(
        entity__in={key.entity for key in wanted}, name__in={key.name for key in wanted}
    )
    stored = found.values_list("pk", "entity_id", "name", "value_key")
    ids = {AttributeKey(entity, name, value_key): pk for pk, entity, name, value_key in stored}
    return {key: ids[key] for key in wanted}


def relation_ids(graph_id: UUID, rows: Iterable[RelationRow]) -> dict[RelationKey, UUID]:
    """Likewise."""
    wanted = {row.key: row for row in rows}
    Relation.objects.bulk_create(
        [
            Relation(
                graph_id=graph_id,
                source_id=row.source,
                type=row.type,
                target_id=row.target,
                attributes={name: plain(value) for name, value in row.attributes.items()},
                attributes_key=key.attributes_key,
            )
            for key, row in sorted(wanted.items())
        ],
        ignore_conflicts=True,
    )
    found = Relation.objects.filter(
        source__in={key.source for key in wanted}, target__in={key.target for key in wanted}
    )
    known = found.values_list("pk", "source_id", "type", "target_id", "attributes_key")
    ids = {RelationKey(source, type, target, key): pk for pk, source, type, target, key in known}
    return {key: ids[key] for key in wanted}


def alias_ids(graph_id: UUID, rows: Iterable[AliasRow]) -> dict[AliasKey, UUID]:
    """Likewise."""
    wanted = {row.key: row for row in rows}
    Alias.objects.bulk_create(
        [
            Alias(graph_id=graph_id, entity_id=row.entity, text=visible(row.text), normal=key.normal)
            for key, row in sorted(wanted.items())
        ],
        ignore_conflicts=True,
    )
    found = Alias.objects.filter(entity__in={key.entity for key in wanted}).values_list("pk", "entity_id", "normal")
    ids = {AliasKey(entity, form): pk for pk, entity, form in found}
    return {key: ids[key] for key in wanted}
