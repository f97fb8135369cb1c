"""Keep the suggestions of a graph in step with its entities: who may be one, and who may be two. Only entities that have changed since are compared; what people decided stays decided.

Entities meet by keys of their names, values and neighbours, and where the vectors of their names are each other's nearest (`ontology/name_vectors`).
"""

import time
from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import Conflict, NotFound
from ontology.graphs import skeleton_of
from ontology.models import (
    ComparisonKey,
    Entity,
    Graph,
    NeverMerge,
    SplitSuggestion,
    Suggestion,
    SuggestionState,
)
from ontology.name_vectors.rows import near_pairs
from ontology.resolution.blocks import CROWD, hashed, keys
from ontology.resolution.homonyms import homonym
from ontology.resolution.profile import Profile
from ontology.resolution.reading import contradicted, profiles_of, told_by_documents
from ontology.resolution.weigh import Likely, weigh
from ontology.rights import bases_of, require_graph_editor
from ontology.roots import roots_of
from ontology.services.identity import pair
from ontology.types import CompiledSkeleton

BATCH = 1000
UNDECIDED = (SuggestionState.OPEN, SuggestionState.LATER)
# What others have begun and not committed yet may bear a time before now; who idles for longer than this writes nothing.
SETTLED = """
SELECT least(clock_timestamp(), min(xact_start) FILTER (WHERE xact_start > clock_timestamp() - interval '10 minutes')) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
MEETINGS = """
WITH mine AS (SELECT key, entity_id FROM ontology_comparisonkey WHERE graph_id = %(graph)s AND entity_id = ANY(%(ids)s)),
few AS (
    SELECT key FROM ontology_comparisonkey WHERE graph_id = %(graph)s AND key IN (SELECT key FROM mine)
    GROUP BY key HAVING count(*) BETWEEN 2 AND %(crowd)s
)
SELECT DISTINCT least(mine.entity_id, other.entity_id), greatest(mine.entity_id, other.entity_id)
FROM mine JOIN few ON few.key = mine.key JOIN ontology_comparisonkey AS other ON other.graph_id = %(graph)s AND other.key = mine.key
WHERE other.entity_id <> mine.entity_id
"""


def suggestions_refresh(*, graph_id: UUID, budget_s: float = 10.0) -> int:
    """Compare what has changed, batch by batch within the time; gives how many entities were compared. Leaves at once where another process is at it."""
    ends, count = time.monotonic() + budget_s, 0
    while compared := one_batch(graph_id):
        count += compared
        if time.monotonic() > ends:
            break
    return count


@transaction.atomic
def one_batch(graph_id: UUID) -> int:
    if not alone(graph_id):
        return 0
    graph = Graph.objects.select_related("skeleton").get(pk=graph_id)
    changed, until = changed_entities(graph)
    if changed:
        skeleton = skeleton_of(graph)
        compare(graph, changed, skeleton)
        look_for_homonyms(graph, changed, skeleton)
    if changed or graph.compared_until is None:
        Graph.objects.filter(pk=graph_id).update(compared_until=until)
    return len(changed)


def alone(graph_id: UUID) -> bool:
    """Until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [f"compare {graph_id}"])
        return bool(cursor.fetchone()[0])


def changed_entities(graph: Graph) -> tuple[list[UUID], datetime]:
    """At most about a batch (those of one moment stay together), and until when that is all of them."""
    with connection.cursor() as cursor:
        cursor.execute(SETTLED)
        until: datetime = cursor.fetchone()[0]
    moved = Greatest("updated_at", "touched_at")
    rows = Entity.objects.filter(graph=graph).alias(moved=moved).filter(moved__lt=until).order_by("moved")
    if graph.compared_until:
        rows = rows.filter(moved__gte=graph.compared_until)
    times = list(rows.annotate(at=moved).values_list("at", flat=True)[: BATCH + 1])
    if len(times) > BATCH:
        until = rows.filter(moved__gt=times[-2]).annotate(at=moved).values_list("at", flat=True).first() or until
    return list(rows.filter(moved__lt=until).values_list("pk", flat=True)), until


def compare(graph: Graph, changed: Sequence[UUID], skeleton: CompiledSkeleton) -> None:
    """These with all that they meet. Open suggestions that do not hold any more go."""
    roots = sorted(set(roots_of(changed).values()))
    mine = {profile.id: profile for profile in profiles_of(roots, skeleton)}
    store_keys(graph.pk, {*changed, *roots}, mine.values())
    nears = near_pairs(graph.pk, list(mine))
    meetings = {*met(graph.pk, list(mine)), *nears}
    others = {id for both in meetings for id in both} - mine.keys()
    known = mine | {profile.id: profile for profile in profiles_of(others, skeleton)}
    likely = [
        found
        for a, b in sorted(meetings)
        if a in known and b in known and (found := weigh(known[a], known[b], nears.get((a, b))))
    ]
    store_likely(graph, {*changed, *roots}, likely)


def store_keys(graph_id: UUID, ids: Collection[UUID], profiles: Collection[Profile]) -> None:
    ComparisonKey.objects.filter(entity__in=ids).delete()
    rows = ((profile.id, hashed(key)) for profile in profiles for key in sorted(keys(profile)))
    ComparisonKey.objects.bulk_create(
        [ComparisonKey(graph_id=graph_id, entity_id=entity, key=key) for entity, key in rows], batch_size=5000
    )


def met(graph_id: UUID, ids: list[UUID]) -> list[tuple[UUID, UUID]]:
    """Pairs that share a key which not too many share."""
    with connection.cursor() as cursor:
        cursor.execute(MEETINGS, {"graph": graph_id, "ids": ids, "crowd": CROWD})
        return list(cursor.fetchall())


def store_likely(graph: Graph, ids: Collection[UUID], likely: Sequence[Likely]) -> None:
    """Without those that people declared different, and without those that they decided."""
    entities = Entity.objects.in_bulk({end for each in likely for end in (each.left, each.right)})
    apart = set(NeverMerge.objects.filter(graph=graph).values_list("left", "right"))
    fresh = [each for each in likely if tuple(pair(entities[each.left], entities[each.right]).values()) not in apart]
    Suggestion.objects.bulk_create(
        [
            Suggestion(
                graph=graph, left_id=each.left, right_id=each.right, score=each.score, reasons=list(each.reasons)
            )
            for each in fresh
        ],
        update_conflicts=True,
        unique_fields=("left", "right"),
        update_fields=("score", "reasons"),
    )
    held = {(each.left, each.right) for each in fresh}
    open_ones = Suggestion.objects.filter(Q(left__in=ids) | Q(right__in=ids), graph=graph, state__in=UNDECIDED)
    gone = [pk for pk, left, right in open_ones.values_list("pk", "left_id", "right_id") if (left, right) not in held]
    Suggestion.objects.filter(pk__in=gone).delete()


def look_for_homonyms(graph: Graph, changed: Sequence[UUID], skeleton: CompiledSkeleton) -> None:
    """A question for an editor, never a silent change. One that was decided is asked again only when the documents part in another way."""
    doubtful = contradicted(changed, skeleton)
    told = SplitSuggestion.objects.filter(entity__in=changed)
    told.exclude(entity__in=doubtful).filter(state__in=UNDECIDED).delete()
    decided = {each.entity_id: each for each in told}
    for entity in Entity.objects.filter(pk__in=doubtful, is_rejected=False):
        found = homonym(told_by_documents(entity, skeleton))
        before = decided.get(entity.pk)
        if found is None:
            SplitSuggestion.objects.filter(entity=entity, state__in=UNDECIDED).delete()
            continue
        parts = [[str(each) for each in part] for part in found.parts]
        if before and before.state not in UNDECIDED and before.parts == parts:
            continue
        SplitSuggestion.objects.update_or_create(
            entity=entity,
            defaults={
                "graph": graph,
                "parts": parts,
                "score": found.score,
                "reasons": list(found.reasons),
                "state": before.state if before and before.state in UNDECIDED else SuggestionState.OPEN,
            },
        )


@transaction.atomic
def suggestion_put_off(*, subject: Subject, suggestion_id: UUID) -> Suggestion:
    """Not now: it goes out of the way, and comes back by `suggestion_reopen`."""
    return moved(subject, suggestion_id, {SuggestionState.OPEN}, SuggestionState.LATER)


@transaction.atomic
def suggestion_reopen(*, subject: Subject, suggestion_id: UUID) -> Suggestion:
    """Ask again what was put off."""
    return moved(subject, suggestion_id, {SuggestionState.LATER}, SuggestionState.OPEN)


def moved(subject: Subject, suggestion_id: UUID, before: set[SuggestionState], state: SuggestionState) -> Suggestion:
    """Raises NotFound, Conflict for one that is decided already."""
    found = Suggestion.objects.select_for_update().filter(pk=suggestion_id).first()
    if found is None:
        raise NotFound(_("This suggestion is gone; its entities have changed."))
    require_graph_editor(subject, found.graph_id)
    if found.state not in before:
        raise Conflict(_("Somebody has decided this suggestion meanwhile."))
    found.state, found.decided_by_id, found.decided_at = state, subject.user_id, timezone.now()
    found.save(update_fields=["state", "decided_by", "decided_at", "updated_at"])
    return found


@transaction.atomic
def split_decline(*, subject: Subject, entity_id: UUID) -> None:
    """It is one after all: the documents contradict each other, and that is only marked."""
    found = SplitSuggestion.objects.select_for_update().filter(entity=entity_id).first()
    if found is None or found.state not in UNDECIDED:
        raise NotFound(_("This suggestion is gone; its entities have changed."))
    require_graph_editor(subject, found.graph_id)
    found.state, found.decided_by_id, found.decided_at = SuggestionState.REJECTED, subject.user_id, timezone.now()
    found.save(update_fields=["state", "decided_by", "decided_at", "updated_at"])
    kb_id = bases_of(found.graph_id).order_by("pk").values_list("pk", flat=True).first()
    audit(subject, "entity.keep_whole", found.entity, kb_id=kb_id)
