"""What a model's words about a community were made from. They are shown only while all of it can be read, and are gone with it."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db import connection

from ontology.models import Community, Evidence

BATCH = 5000
FORGET = """
UPDATE ontology_community SET title = '', summary = '', written_for = '', asked = '', made_from = '{}', updated_at = now()
WHERE made_from && %s::uuid[]
"""


def texts_forget(evidence_ids: Collection[UUID]) -> None:
    """Words that were made from evidence that was deleted; call it after deleting, in its transaction, so that words that were being written then are seen."""
    if not evidence_ids or not Community.objects.exclude(made_from=[]).exists():
        return
    ids = list(evidence_ids)
    with connection.cursor() as cursor:
        for first in range(0, len(ids), BATCH):
            cursor.execute(FORGET, [ids[first : first + BATCH]])


def texts_check(graph_id: UUID) -> None:
    """Have those written again of which some source is not live any more."""
    rows = Community.objects.filter(graph=graph_id).exclude(made_from=[]).values_list("pk", "made_from")
    sources = dict(rows)
    live = readable({each for ids in sources.values() for each in ids})
    stale = [pk for pk, ids in sources.items() if not live.issuperset(ids)]
    Community.objects.filter(pk__in=stale).update(written_for="")


def readable(evidence_ids: Iterable[UUID], kb_ids: Collection[UUID] | None = None) -> set[UUID]:
    """Those of these that are live, in these knowledge bases."""
    rows = Evidence.objects.filter(pk__in=set(evidence_ids), is_live=True)
    if kb_ids is not None:
        rows = rows.filter(document__kb__in=kb_ids)
    return set(rows.values_list("pk", flat=True))
