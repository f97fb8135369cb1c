"""Rules about facts that hold at every moment, looked at in one statement each. Each gives what it found, and mends it when asked."""

from typing import Any
from uuid import UUID

from django.db import connection, transaction

from common.findings import MOST_EXAMPLES, Finding
from inference.selectors import active_space
from knowledge.tools import tools
from ontology import outbox, support
from ontology.fact_vectors.rows import unheld, vectors_forget_unheld
from ontology.fact_vectors.sentences import Waiting, say, stale, waiting
from ontology.fact_vectors.tend import made
from ontology.graph.binding import graph_database, projector_of
from ontology.graph.reconcile import RULE as GRAPH_RULE
from ontology.graph.reconcile import reconcile, reconcile_rest
from ontology.models import Entity, Evidence, Graph
from ontology.support import KINDS, Changes, on_table

VECTORS_ADVICE = "They are made by themselves within a minute while the embedder answers; with --mend now."
# Through overlap a place may stand in chunks after the first that holds it.
ASTRAY = """
SELECT evidence.id FROM ontology_evidence AS evidence JOIN knowledge_chunk AS first ON first.id = evidence.chunk_id
WHERE evidence.is_live <> EXISTS (
    SELECT 1 FROM knowledge_chunk AS chunk WHERE chunk.version_id = evidence.version_id AND chunk.is_live
    AND chunk.ordinal BETWEEN first.ordinal - 4 AND first.ordinal + 4 AND chunk.start <= evidence.start AND chunk."end" >= evidence."end"
)
"""
FLIP = "UPDATE ontology_evidence SET is_live = NOT is_live, updated_at = now() WHERE id = ANY(%(ids)s) RETURNING id"
MISCOUNTED = """
SELECT fact.id, coalesce(said.count, 0) - fact.support FROM {table} AS fact LEFT JOIN (
    SELECT {column} AS id, count(*)::int AS count FROM ontology_evidence WHERE is_live AND {column} IS NOT NULL GROUP BY 1
) AS said ON said.id = fact.id WHERE fact.support <> coalesce(said.count, 0)
"""
UNHELD = """
SELECT fact.id FROM {table} AS fact WHERE NOT is_confirmed AND NOT is_rejected
AND NOT EXISTS (SELECT 1 FROM ontology_evidence AS evidence WHERE evidence.{column} = fact.id)
"""
RING = """
SELECT id FROM ontology_entity WHERE merged_into_id IS NOT NULL AND id NOT IN (
    WITH RECURSIVE below AS (
        SELECT id FROM ontology_entity WHERE merged_into_id IS NULL
        UNION SELECT entity.id FROM below JOIN ontology_entity AS entity ON entity.merged_into_id = below.id
    ) SELECT id FROM below
)
"""


def evidence_is_live_with_its_chunks(mend: bool) -> Finding:
    """Evidence counts exactly while a chunk that readers find covers it. Unique it is by a constraint."""
    with transaction.atomic():
        found = ids(ASTRAY)
        if mend and found:
            ids(FLIP, ids=found)
            rows = Evidence.objects.filter(pk__in=found)
            changes = Changes().add_rows(
                (entity, alias, attribute, relation, 1 if is_live else -1)
                for entity, alias, attribute, relation, is_live in rows.values_list(
                    "entity_id", "alias_id", "attribute_id", "relation_id", "is_live"
                )
            )
            support.apply(changes)
            outbox.versions_changed(set(rows.values_list("version_id", flat=True)))
    return told("evidence counts while a live chunk covers it", found, mended=mend)


def support_is_counted(mend: bool) -> Finding:
    """Each fact's support is the number of its live evidence."""
    broken: list[str] = []
    with transaction.atomic():
        changes = Changes()
        for kind in KINDS:
            for id, by in rows_of(on_table(kind, MISCOUNTED)):
                broken.append(f"{kind} {id}")
                changes.add(kind, id, by)
        if mend and broken:
            support.apply(changes)
    return told("support is the number of live evidence", broken, mended=mend)


def nothing_stands_without_reason(mend: bool) -> Finding:
    """A fact that has neither evidence, live or not, nor a person's word is gone."""
    broken: list[str] = []
    with transaction.atomic():
        changes = Changes()
        for kind in KINDS:
            for (id,) in rows_of(on_table(kind, UNHELD + (support.HANGS_ON_NOTHING if kind == "entity" else ""))):
                broken.append(f"{kind} {id}")
                changes.add(kind, id, 0)
        if mend and broken:
            support.tell(changes)
            support.remove_unheld(changes)
    return told("a fact has evidence or a person's word", broken, mended=mend)


def merges_have_roots(mend: bool) -> Finding:
    """Following `merged_into` ends somewhere."""
    found = ids(RING)
    if mend and found:
        with transaction.atomic():
            Entity.objects.filter(pk__in=found).update(merged_into=None)
            outbox.whole_group_changed(found)
    return told("merges lead to an entity", found, mended=mend)


def relations_have_vectors(mend: bool) -> Finding:
    """The sentence of every relation that readers see has a vector in the space in use. Mending needs the embedder. Raises EngineUnavailable."""
    found = facts_waiting()
    broken = left = sum(each.count for each in found)
    if mend and broken:
        for graph in Graph.objects.select_related("skeleton"):
            say(graph)
            made(graph, tools().embedder)
        left = sum(each.count for each in facts_waiting())
    examples = [example for each in found for example in each.examples][:MOST_EXAMPLES]
    advice = VECTORS_ADVICE if left else ""
    return Finding("every live relation has a fact vector", broken, broken - left, tuple(examples), advice)


def facts_waiting() -> list[Waiting]:
    """Of each graph."""
    space = active_space()
    graphs = Graph.objects.select_related("skeleton")
    return [waiting(graph, space.pk if space else None, examples=MOST_EXAMPLES) for graph in graphs]


def vectors_have_relations(mend: bool) -> Finding:
    """What no relation says that readers see, has no vector."""
    graphs = list(Graph.objects.select_related("skeleton"))
    silent = [each.relation_id for graph in graphs for each in stale(graph) if each.wanted is None]
    left = unheld()
    if mend and (silent or left):
        for graph in graphs:
            say(graph)
        vectors_forget_unheld()
    return told("every fact vector has a live relation", [*silent, *left], mended=mend)


def graphs_are_as_the_ledger(mend: bool) -> Finding:
    """Each graph in the graph database, and nothing beside them. Raises EngineUnavailable, Conflict."""
    graphs = list(Graph.objects.select_related("skeleton").exclude(skeleton=None))
    findings = [reconcile(projector_of(graph), mend=mend) for graph in graphs]
    findings.append(reconcile_rest(graph_database(), [graph.pk for graph in graphs], mend=mend))
    return Finding(
        GRAPH_RULE,
        sum(each.broken for each in findings),
        sum(each.mended for each in findings),
        tuple(example for each in findings for example in each.examples)[:MOST_EXAMPLES],
        next((each.advice for each in findings if each.advice), ""),
    )


def told(rule: str, broken: "list[Any]", *, mended: bool) -> Finding:
    examples = tuple(str(each) for each in broken[:MOST_EXAMPLES])
    return Finding(rule, len(broken), len(broken) if mended else 0, examples)


def ids(statement: str, **values: Any) -> list[UUID]:
    return [row[0] for row in rows_of(statement, **values)]


def rows_of(statement: Any, **values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found: list[Any] = cursor.fetchall()
    return found


RULES = (
    evidence_is_live_with_its_chunks,
    support_is_counted,
    nothing_stands_without_reason,
    merges_have_roots,
    relations_have_vectors,
    vectors_have_relations,
    graphs_are_as_the_ledger,
)
