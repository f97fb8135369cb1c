"""The projector of one graph: takes what the outbox has, in batches, makes the graph database equal to the ledger's state of those rows, and removes what is done.

One at a time for a graph. Nothing but rows says what is to be done, so it may be killed anywhere and goes on. A batch that the graph database refuses is halved until
the change that it can't take is alone; that one is set aside with the reason, and the others get on.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

import psycopg
import structlog
from django.db import connection
from django.db.models import F, QuerySet

from knowledge.leases import connection_parameters
from ontology.graph.database import GraphDatabaseClient, GraphFailed, GraphRefused
from ontology.graph.writing import Ends, Writer, labels_for
from ontology.models import ChangeKind, GraphChange
from ontology.roots import roots_of
from ontology.types import CompiledSkeleton

log = structlog.get_logger(__name__)

BATCH = 1000
PATIENCE = 5  # batches that the graph database fails at, before a change is suspected

# What hangs on an entity that comes or goes, unless the outbox has it already.
SPREAD = """
WITH RECURSIVE member AS (
    SELECT id FROM ontology_entity WHERE id = ANY(%(ids)s)
    UNION SELECT merged.id FROM member JOIN ontology_entity AS merged ON merged.merged_into_id = member.id
), relation AS (
    SELECT relation.* FROM member JOIN ontology_relation AS relation ON relation.source_id = member.id
    UNION SELECT relation.* FROM member JOIN ontology_relation AS relation ON relation.target_id = member.id
), place AS (
    SELECT evidence.* FROM member JOIN ontology_evidence AS evidence ON evidence.entity_id = member.id WHERE evidence.is_live
    UNION ALL SELECT evidence.* FROM member JOIN ontology_alias AS alias ON alias.entity_id = member.id
    JOIN ontology_evidence AS evidence ON evidence.alias_id = alias.id WHERE evidence.is_live
), chunk AS (
    SELECT DISTINCT chunk.id FROM place JOIN knowledge_chunk AS first ON first.id = place.chunk_id
    JOIN knowledge_chunk AS chunk ON chunk.version_id = first.version_id AND chunk.ordinal BETWEEN first.ordinal AND first.ordinal + 4
    WHERE chunk.is_live AND chunk.start <= place.start AND chunk."end" >= place."end"
), touched AS (
    SELECT 'relation' AS kind, id AS key, projected_source AS source, projected_target AS target FROM relation
    UNION ALL SELECT 'chunk', id, NULL, NULL FROM chunk
)
INSERT INTO ontology_graphchange (graph_id, kind, key, source, target, created_at, attempts, is_set_aside, error)
SELECT %(graph)s, kind, key, source, target, now(), 0, false, '' FROM touched WHERE NOT EXISTS (
    SELECT 1 FROM ontology_graphchange AS waiting
    WHERE waiting.graph_id = %(graph)s AND waiting.key = touched.key AND waiting.kind = touched.kind AND NOT waiting.is_set_aside
)
"""


@dataclass(frozen=True, slots=True)
class Projector:
    """Projects one graph along its skeleton."""

    graph_id: UUID
    skeleton: CompiledSkeleton
    database: GraphDatabaseClient
    batch: int = BATCH

    @property
    def writer(self) -> Writer:
        return Writer(self.graph_id, self.skeleton, self.database)

    def project(self, *, limit_s: float | None = None) -> bool:
        """Apply what is pending, for about so long; True when nothing is left. Somebody else's turn counts as done: they see what is there.

        Raises EngineUnavailable; what is pending stays so.
        """
        ends = None if limit_s is None else time.monotonic() + limit_s
        while self.is_behind():
            with only_one(self.graph_id) as is_mine:
                if not is_mine:
                    return True
                self.drain(ends)
            if ends is not None and time.monotonic() > ends:
                return not self.is_behind()
        return True

    def is_behind(self) -> bool:
        return self._pending().exists()

    def drain(self, ends: float | None = None) -> None:
        """For who holds the lock."""
        self.database.prepare()
        while (ends is None or time.monotonic() < ends) and (changes := self.take()):
            self.apply_or_halve(changes)

    def take(self) -> list[GraphChange]:
        """The next batch: entities before what hangs on them, so that little has to be made twice."""
        entities = list(self._pending().filter(kind=ChangeKind.ENTITY).order_by("id")[: self.batch])
        if entities:
            return entities
        others: list[GraphChange] = []
        for kind in (ChangeKind.RELATION, ChangeKind.CHUNK):
            others += self._pending().filter(kind=kind).order_by("id")[: self.batch]
        return others

    def apply_or_halve(self, changes: Sequence[GraphChange]) -> None:
        """All of them, but those that can't be taken. Raises EngineUnavailable."""
        try:
            self.apply(changes)
        except GraphRefused as error:
            self._halve(changes, str(error))
        except GraphFailed as error:
            ids = [change.pk for change in changes]
            GraphChange.objects.filter(pk__in=ids).update(attempts=F("attempts") + 1, error=str(error))
            if max(change.attempts for change in changes) < PATIENCE:
                raise
            self._halve(changes, str(error))

    def apply(self, changes: Sequence[GraphChange]) -> None:
        """Make the graph equal to the ledger in these rows, then forget that they had changed."""
        self.entities_as_desired({change.key for change in changes if change.kind == ChangeKind.ENTITY})
        relations = [change for change in changes if change.kind == ChangeKind.RELATION]
        remembered = [
            (change.key, Ends(change.source, change.target)) for change in relations if change.source and change.target
        ]
        self.writer.write_relations({change.key for change in relations}, remembered)
        self.writer.write_chunks({change.key for change in changes if change.kind == ChangeKind.CHUNK})
        GraphChange.objects.filter(pk__in=[change.pk for change in changes]).delete()
        keys = {change.key for change in changes}
        GraphChange.objects.filter(graph_id=self.graph_id, key__in=keys, is_set_aside=True).delete()

    def entities_as_desired(self, ids: set[UUID]) -> None:
        """With those whom they are one with. What hangs on those that come or go is put into the outbox first: a kill may lose work, but not that it is due."""
        if not ids:
            return
        all_ids = ids | set(roots_of(ids).values())
        wanted = self.writer.desired.entities(all_ids)
        labels = self.writer.labels_of(all_ids)
        turned = [id for id in all_ids if labels.get(id) != labels_for(wanted.get(id))]
        if turned:
            with connection.cursor() as cursor:
                cursor.execute(SPREAD, {"ids": turned, "graph": self.graph_id})
        self.writer.write_entities(wanted, labels)

    def _halve(self, changes: Sequence[GraphChange], said: str) -> None:
        """By rows, not by changes: the same row may have been changed often."""
        keys = list(dict.fromkeys((change.kind, change.key) for change in changes))
        if len(keys) == 1:
            ids = [change.pk for change in changes]
            older = GraphChange.objects.filter(graph_id=self.graph_id, key=keys[0][1], is_set_aside=True, source=None)
            older.delete()
            GraphChange.objects.filter(pk__in=ids).update(is_set_aside=True, error=said)
            log.warning("graph.set_aside", graph=str(self.graph_id), kind=keys[0][0], key=str(keys[0][1]), error=said)
            return
        first = set(keys[: len(keys) // 2])
        for is_first in (True, False):
            self.apply_or_halve([change for change in changes if ((change.kind, change.key) in first) is is_first])

    def _pending(self) -> QuerySet[GraphChange]:
        return GraphChange.objects.filter(graph_id=self.graph_id, is_set_aside=False)


@contextmanager
def only_one(graph_id: UUID, *, wait_s: float = 0, deed: str = "projector") -> Iterator[bool]:
    """Whether this process may do this deed for the graph now. The lock is held by a connection of its own and goes with the process.

    With `wait_s` it is tried for so long.
    """
    parameters = {**connection_parameters(), "application_name": f"trellis {deed}"}
    ends = time.monotonic() + wait_s
    with psycopg.connect(**parameters, autocommit=True) as holder:
        while not (is_mine := _try_lock(holder, f"{deed}:{graph_id}")) and time.monotonic() < ends:
            time.sleep(0.2)
        yield is_mine


def _try_lock(holder: "psycopg.Connection[tuple[bool]]", name: str) -> bool:
    row = holder.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [name]).fetchone()
    return bool(row and row[0])
