"""The sentence of each relation that readers see: `source label target`, ends followed through merges, by the ledger as it is now, a whole graph in one statement.

A sentence has one vector and questions come in two languages, so it is said in the language of its own names: with the Chinese label where a name has Chinese
characters, else with the English one. So it is one language throughout, which is what embedders are trained on, a multilingual one finds it from the other language
too, and it does not change when documents in another language arrive, as it would with one language for a whole knowledge base.

Which relations are seen is what the graph database holds (`ontology/graph/desired.py`), worked out for all at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from common.text import HAN
from common.whole_tables import joining_whole_tables
from ontology.graph.comparing import batches
from ontology.graphs import skeleton_of
from ontology.labels import word_in
from ontology.models import Graph

NAME_CHARACTERS = 120
"""So much of a name is said: two of them and a label stay within the window of any model in use."""

SAID = """
WITH RECURSIVE member(id, root) AS (
    SELECT id, id FROM ontology_entity WHERE graph_id = %(graph)s AND merged_into_id IS NULL
    UNION ALL SELECT entity.id, member.root FROM member JOIN ontology_entity AS entity ON entity.merged_into_id = member.id
), standing AS (
    SELECT root.id, left(root.name, %(characters)s) AS name FROM ontology_entity AS root
    WHERE root.graph_id = %(graph)s AND NOT root.is_rejected AND root.class_name = ANY(%(classes)s) AND root.id IN (
        SELECT member.root FROM member JOIN ontology_entity AS one ON one.id = member.id
        WHERE NOT one.is_rejected AND (one.support > 0 OR one.is_confirmed)
    )
), one AS (
    SELECT member.id, standing.id AS root, standing.name FROM member JOIN standing ON standing.id = member.root
), label AS (
    SELECT * FROM unnest(%(types)s::text[], %(en)s::text[], %(zh)s::text[]) AS label(type, en, zh)
), said AS (
    SELECT relation.id, source.name || ' ' || CASE WHEN source.name || target.name ~ %(han)s THEN label.zh ELSE label.en END || ' ' || target.name AS text
    FROM ontology_relation AS relation JOIN label ON label.type = relation.type
    JOIN one AS source ON source.id = relation.source_id JOIN one AS target ON target.id = relation.target_id
    WHERE relation.graph_id = %(graph)s AND NOT relation.is_rejected AND (relation.support > 0 OR relation.is_confirmed)
    AND (source.root <> target.root OR relation.source_id = relation.target_id)
), sentence AS (
    SELECT id, text, encode(substring(sha256(convert_to(text, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid AS hash FROM said
)
"""
STALE = """
SELECT relation.id, relation.sentence_hash, sentence.hash FROM ontology_relation AS relation LEFT JOIN sentence ON sentence.id = relation.id
WHERE relation.graph_id = %(graph)s AND relation.sentence_hash IS DISTINCT FROM sentence.hash
"""
HOLD = "SELECT id FROM ontology_relation WHERE id = ANY(%(ids)s) ORDER BY id FOR NO KEY UPDATE"
SAY = """
UPDATE ontology_relation AS relation SET sentence_hash = given.hash
FROM unnest(%(ids)s::uuid[], %(hashes)s::uuid[]) AS given(id, hash) WHERE relation.id = given.id
"""
LACKING = """
SELECT DISTINCT ON (sentence.hash) sentence.hash, sentence.text, sentence.id FROM sentence WHERE NOT EXISTS (
    SELECT 1 FROM ontology_factvector AS made WHERE made.content_hash = sentence.hash AND made.space_id = %(space)s
) ORDER BY sentence.hash, sentence.id LIMIT %(limit)s
"""
# The knowledge base in which the first of the evidence stands.
PAYS = """
SELECT DISTINCT ON (evidence.relation_id) evidence.relation_id, document.kb_id
FROM ontology_evidence AS evidence JOIN knowledge_document AS document ON document.id = evidence.document_id
WHERE evidence.relation_id = ANY(%s) AND evidence.is_live ORDER BY evidence.relation_id, evidence.id
"""
WAITING = """
SELECT sentence.text, count(*) OVER () FROM sentence JOIN ontology_relation AS relation ON relation.id = sentence.id
WHERE relation.sentence_hash IS DISTINCT FROM sentence.hash OR NOT EXISTS (
    SELECT 1 FROM ontology_factvector AS made WHERE made.content_hash = sentence.hash AND made.space_id = %(space)s
) ORDER BY sentence.id LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What one or more relations say. `kb_id` is the knowledge base that pays for its vector, None where a person alone says so."""

    hash: UUID
    text: str
    kb_id: UUID | None


@dataclass(frozen=True, slots=True)
class Stale:
    """A relation whose row names another sentence (`kept`) than it is to have (`wanted`); None is no sentence."""

    relation_id: UUID
    kept: UUID | None
    wanted: UUID | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many relations wait for their vector, and what some of them say."""

    count: int
    examples: tuple[str, ...]


def stale(graph: Graph) -> list[Stale]:
    """All that differ."""
    return [Stale(*row) for row in rows(graph, STALE)]


def say(graph: Graph) -> int:
    """Write down what each relation's sentence is now; gives how many have changed. In batches that commit, so that editors wait for a moment at most."""
    changed = stale(graph)
    for batch in batches(sorted(changed, key=lambda each: each.relation_id)):
        with transaction.atomic(), connection.cursor() as cursor:
            values: dict[str, Any] = {
                "ids": [each.relation_id for each in batch],
                "hashes": [each.wanted for each in batch],
            }
            cursor.execute(HOLD, values)
            cursor.execute(SAY, values)
    return len(changed)


def lacking(graph: Graph, space_id: UUID | None, *, limit: int) -> list[Sentence]:
    """The first sentences that have no vector in the space."""
    found = rows(graph, LACKING, space=space_id, limit=limit)
    with connection.cursor() as cursor:
        cursor.execute(PAYS, [[relation_id for _hash, _text, relation_id in found]])
        pays = dict(cursor.fetchall())
    return [Sentence(hash, text, pays.get(relation_id)) for hash, text, relation_id in found]


def waiting(graph: Graph, space_id: UUID | None, *, examples: int = 1) -> Waiting:
    """Those that have no vector in the space, or another one than they are to have; all where there is no space yet."""
    found = rows(graph, WAITING, space=space_id, limit=examples)
    return Waiting(found[0][1] if found else 0, tuple(text for text, _count in found))


def rows(graph: Graph, select: str, **values: Any) -> list[Sequence[Any]]:
    """Of a statement about the graph's sentences."""
    if graph.skeleton is None:
        return []
    skeleton = skeleton_of(graph)
    labels = {
        language: [word_in(language, each.labels, name) for name, each in skeleton.relations.items()]
        for language in ("en", "zh")
    }
    given = {
        "graph": graph.pk,
        "characters": NAME_CHARACTERS,
        "han": f"[{HAN}]",
        "classes": list(skeleton.classes),
        "types": list(skeleton.relations),
        **labels,
        **values,
    }
    with joining_whole_tables() as cursor:
        cursor.execute(SAID + select, given)
        return list(cursor.fetchall())
