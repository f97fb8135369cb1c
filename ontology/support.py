"""How much live evidence each fact has. Given what was gained and lost, keeps the counts, tells the outbox, and removes what nothing and nobody holds any more.

Rows are locked kind by kind in the order of their ids before they are changed, so that writers never wait for each other in a ring.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import connection
from psycopg.sql import SQL, Composed, Identifier

from ontology import outbox
from ontology.fact_vectors.rows import vectors_forget
from ontology.models import AttributeValue, Entity, Relation

KINDS = ("entity", "alias", "attribute", "relation")
TABLES = {
    "entity": "ontology_entity",
    "alias": "ontology_alias",
    "attribute": "ontology_attributevalue",
    "relation": "ontology_relation",
}
LOCK = "SELECT id FROM {table} WHERE id = ANY(%(ids)s) ORDER BY id FOR NO KEY UPDATE"
COUNT = """
UPDATE {table} AS fact SET support = fact.support + change.by{touched}
FROM unnest(%(ids)s::uuid[], %(changes)s::int[]) AS change(id, by) WHERE fact.id = change.id
"""
UNHELD = """
DELETE FROM {table} AS fact WHERE id = ANY(%(ids)s) AND NOT is_confirmed AND NOT is_rejected
AND NOT EXISTS (SELECT 1 FROM ontology_evidence AS evidence WHERE evidence.{column} = fact.id)
"""
HANGS_ON_NOTHING = """
AND merged_into_id IS NULL AND NOT EXISTS (SELECT 1 FROM ontology_entity AS merged WHERE merged.merged_into_id = fact.id)
AND NOT EXISTS (SELECT 1 FROM ontology_alias WHERE entity_id = fact.id)
AND NOT EXISTS (SELECT 1 FROM ontology_attributevalue WHERE entity_id = fact.id OR reference_id = fact.id)
AND NOT EXISTS (SELECT 1 FROM ontology_relation WHERE source_id = fact.id OR target_id = fact.id)
"""
# What only says something of an entity goes with it: by which keys it is compared, whom it may be.
UNHELD_ENTITY = f"""
WITH gone AS ({UNHELD}{HANGS_ON_NOTHING}RETURNING id),
keys AS (DELETE FROM ontology_comparisonkey USING gone WHERE entity_id = gone.id),
alike AS (DELETE FROM ontology_suggestion USING gone WHERE left_id = gone.id OR right_id = gone.id),
halves AS (DELETE FROM ontology_splitsuggestion USING gone WHERE entity_id = gone.id),
names AS (DELETE FROM ontology_namevector USING gone WHERE entity_id = gone.id)
DELETE FROM ontology_sensechoice USING gone WHERE entity_id = gone.id
"""  # noqa: S608 — our own texts


@dataclass(slots=True)
class Changes:
    """Live evidence gained or lost by each fact of each kind; a fact with 0 was touched all the same."""

    by_kind: dict[str, Counter[UUID]] = field(default_factory=lambda: {kind: Counter() for kind in KINDS})

    def add(self, kind: str, id: UUID, by: int) -> None:
        self.by_kind[kind][id] += by

    def add_rows(self, rows: Iterable[Sequence[Any]]) -> "Changes":
        """Rows of (entity, alias, attribute, relation, change), exactly one of the first four set."""
        for *ids, by in rows:
            for kind, id in zip(KINDS, ids, strict=True):
                if id is not None:
                    self.add(kind, id, by)
        return self

    def ids(self, kind: str) -> list[UUID]:
        return sorted(self.by_kind[kind])


def apply(changes: Changes) -> None:
    """Lock, count, and write what the graph database must be told."""
    for kind in KINDS:
        if ids := changes.ids(kind):
            counts = changes.by_kind[kind]
            run(kind, LOCK, {"ids": ids})
            run(kind, COUNT, {"ids": ids, "changes": [counts[id] for id in ids]})
    tell(changes)


def tell(changes: Changes) -> None:
    """An attribute or another name is told with its entity."""
    outbox.entities_changed(entities_of(changes))
    outbox.relations_changed(changes.ids("relation"))


def entities_of(changes: Changes) -> list[UUID]:
    """The entities that are changed themselves or by a name or value of theirs."""
    found = set(changes.ids("entity"))
    found.update(AttributeValue.objects.filter(pk__in=changes.ids("attribute")).values_list("entity_id", flat=True))
    found.update(Entity.objects.filter(aliases__in=changes.ids("alias")).values_list("pk", flat=True))
    return sorted(found)


def remove_unheld(changes: Changes) -> None:
    """Delete those of these facts that have neither evidence nor a person's word; entities last, and only when nothing hangs on them."""
    ends = Relation.objects.filter(pk__in=changes.ids("relation")).values_list("source_id", "target_id")
    owners = {*entities_of(changes), *(end for pair in ends for end in pair)}
    outbox.entities_changed(sorted(owners))
    remove_relations(changes.ids("relation"))
    for kind in ("attribute", "alias"):
        run(kind, UNHELD, {"ids": changes.ids(kind)})
    run("entity", UNHELD_ENTITY, {"ids": sorted(owners)})


def remove_relations(ids: Sequence[UUID]) -> None:
    """With the vectors of sentences that no other relation says."""
    if not ids:
        return
    with connection.cursor() as cursor:
        cursor.execute(on_table("relation", UNHELD + "RETURNING sentence_hash"), {"ids": list(ids)})
        gone = [hash for (hash,) in cursor.fetchall() if hash]
    vectors_forget(gone)


def run(kind: str, statement: str, values: Mapping[str, Any]) -> None:
    """One statement on the table of this kind of fact."""
    if not values["ids"]:
        return
    with connection.cursor() as cursor:
        cursor.execute(on_table(kind, statement), values)


def on_table(kind: str, statement: str) -> Composed:
    touched = SQL(", touched_at = clock_timestamp()" if kind == "entity" else "")
    return SQL(statement).format(table=Identifier(TABLES[kind]), column=Identifier(f"{kind}_id"), touched=touched)
