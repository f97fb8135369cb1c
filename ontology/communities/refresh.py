"""Keep the communities of a graph in step with its facts: not at each document, but when the graph has been quiet for a while, or after many changes. One process at a time, within a time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

import structlog
from django.db import OperationalError, connection, transaction
from django.db.models import Q
from django.db.models.functions import Greatest

from accounts.types import Subject
from ontology.communities.divide import divide
from ontology.communities.links import links_of
from ontology.communities.rows import known_of, store
from ontology.communities.sources import texts_check
from ontology.models import CommunitiesMade, Entity, Graph, Relation
from ontology.selectors.views import view_of

log = structlog.get_logger(__name__)

QUIET_S = 15.0
MANY, WAIT_S = 500, 300.0
# What others had begun then may have been committed only after.
OVERLAP_S = 60.0
PULSE = """
SELECT clock_timestamp(), coalesce(extract(epoch FROM clock_timestamp() - greatest(entity.at, relation.at)), 0), concat_ws(' ', entity.count, entity.at, relation.count, relation.support, relation.at)
FROM (SELECT count(*) AS count, max(greatest(updated_at, touched_at)) AS at FROM ontology_entity WHERE graph_id = %(graph)s) AS entity,
(SELECT count(*) AS count, sum(support) AS support, max(updated_at) AS at FROM ontology_relation WHERE graph_id = %(graph)s) AS relation
"""


@transaction.atomic
def communities_refresh(*, graph_id: UUID, budget_s: float = 30.0, quiet_s: float = QUIET_S) -> int | None:
    """How many communities are new or other than before; None when it is not the time, or another process is at it."""
    if not alone(graph_id):
        return None
    made, _is_new = CommunitiesMade.objects.get_or_create(graph_id=graph_id)
    now, quiet_for_s, pulse = pulse_of(graph_id)
    if pulse == made.pulse or not (quiet_for_s >= quiet_s or is_much(made, now)):
        return None
    changed = redivided(made, budget_s)
    made.pulse, made.made_at = pulse, now
    made.save()
    return changed


def redivided(made: CommunitiesMade, budget_s: float) -> int:
    """0 when there was not the time for it: then it is tried at the next change."""
    began = time.monotonic()
    try:
        with transaction.atomic(), limited(budget_s):
            changed = again(made)
    except OperationalError as error:
        log.warning("communities.too_slow", graph=str(made.graph_id), error=str(error))
        return 0
    log.info("communities.made", graph=str(made.graph_id), changed=changed, seconds=time.monotonic() - began)
    return changed


def again(made: CommunitiesMade) -> int:
    """Only what was touched; all of it when more places were given anew since the last time than there are."""
    view = view_of(Subject.system(), Graph.objects.select_related("skeleton").get(pk=made.graph_id))
    links = links_of(view)
    known = known_of(made.graph_id)
    touched = touched_since(made)
    count = len({end for link in links for end in (link.left, link.right)})
    if made.drift > count:
        touched = None
    division = divide(links, list(known.values()), touched)
    made.drift = 0 if touched is None else made.drift + division.placed
    changed = store(made.graph_id, known, division.groups)
    texts_check(made.graph_id)
    return changed


def touched_since(made: CommunitiesMade) -> set[UUID] | None:
    """Entities that have changed, and ends of relations that have; None when nothing was made yet."""
    if made.made_at is None:
        return None
    since = datetime.fromtimestamp(made.made_at.timestamp() - OVERLAP_S, made.made_at.tzinfo)
    entities = Entity.objects.filter(graph=made.graph_id).filter(Q(updated_at__gte=since) | Q(touched_at__gte=since))
    ends = Relation.objects.filter(graph=made.graph_id, updated_at__gte=since).values_list("source_id", "target_id")
    found = {end for pair in ends for end in pair}
    for pk, above in entities.values_list("pk", "merged_into_id"):
        found |= {pk, above} if above else {pk}
    return found


def is_much(made: CommunitiesMade, now: datetime) -> bool:
    """So many changes since the last time, and that is so long ago, that waiting for quiet would leave readers with what was."""
    if made.made_at is None:
        return True
    if (now - made.made_at).total_seconds() < WAIT_S:
        return False
    moved = Entity.objects.filter(graph=made.graph_id).alias(at=Greatest("updated_at", "touched_at"))
    return moved.filter(at__gte=made.made_at)[:MANY].count() >= MANY


def pulse_of(graph_id: UUID) -> tuple[datetime, float, str]:
    """The database's time, for how many seconds nothing has changed, and a mark of the present state."""
    with connection.cursor() as cursor:
        cursor.execute(PULSE, {"graph": graph_id})
        now, quiet_for_s, pulse = cursor.fetchone()
        return now, float(quiet_for_s), str(pulse)


def alone(graph_id: UUID) -> bool:
    """Until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [f"communities {graph_id}"])
        return bool(cursor.fetchone()[0])


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Each statement inside may take this long."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(int(1000 * max(seconds, 1.0)))])
        yield
        cursor.execute("SET LOCAL statement_timeout TO DEFAULT")
