"""The periodic look at the ledger: what waits and is in nobody's hands is queued again, jobs that are over are noted, old things are put away.

Messages leave a queue in order. So of the versions that were queued, only the newest can still be in a queue of that length; the others' messages are
lost, unless a worker has just taken them, which a while of grace allows for.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection
from django.utils import timezone

from accounts.types import Subject
from knowledge import jobs, queue
from knowledge.conf import knowledge_settings
from knowledge.models import Document, DocumentState, KnowledgeBase
from knowledge.services.purging import purge_start
from knowledge.services.uploads import uploads_expire
from knowledge.tools import Tools

GRACE = timedelta(seconds=30)
MOST_AT_ONCE = 2000

IN_NOBODYS_HANDS = """
SELECT {whole}, CASE WHEN bool_or(run.queued_at IS NULL) THEN NULL ELSE min(run.queued_at) END
FROM knowledge_stagerun AS run JOIN knowledge_document AS document ON document.id = run.document_id
WHERE run.state IN ('waiting', 'running') AND document.state = %s AND run.version_id IS {kind}
AND NOT EXISTS (
    SELECT 1 FROM knowledge_stagerun AS other
    WHERE other.document_id = run.document_id AND other.version_id IS NOT DISTINCT FROM run.version_id
    AND (other.state IN ('failed', 'cancelled') OR (other.state = 'running' AND other.lease_until > clock_timestamp()) OR other.retry_at > clock_timestamp())
)
GROUP BY {whole} ORDER BY 2 NULLS FIRST LIMIT %s
"""


def sweep(tools: Tools) -> None:
    """Everything once; may run at any time and in several places."""
    requeue()
    jobs.settle()
    bins_expire()
    empty_bases_go()
    uploads_expire(tools=tools)


def requeue() -> int:
    """Queue what is in nobody's hands; gives how many messages were sent."""
    versions = in_nobodys_hands("run.version_id", "NOT NULL", DocumentState.LIVE)
    purges = in_nobodys_hands("run.document_id", "NULL", DocumentState.DELETING)
    sent = queue.send_versions(to_send(versions, queue.INDEXING)) if versions else 0
    return sent + (queue.send_purges(to_send(purges, queue.SHORT)) if purges else 0)


def in_nobodys_hands(whole: str, kind: str, state: DocumentState) -> list[tuple[UUID, datetime | None]]:
    """Ids with the time at which they were queued (None: never, or taken and given back), those first."""
    with connection.cursor() as cursor:
        cursor.execute(IN_NOBODYS_HANDS.format(whole=whole, kind=kind), [state, MOST_AT_ONCE])
        return [(whole_id, queued_at) for whole_id, queued_at in cursor.fetchall()]


def to_send(waiting: Sequence[tuple[UUID, datetime | None]], name: str) -> list[UUID]:
    """Which of them have no message in the queue."""
    length = queue.waiting_in(name)
    if length is None:
        return []
    never = [id for id, queued_at in waiting if queued_at is None]
    return [*never, *lost(((id, at) for id, at in waiting if at is not None), length, timezone.now() - GRACE)]


def lost(queued: Iterable[tuple[UUID, datetime]], length: int, before: datetime) -> list[UUID]:
    """All but the newest `length` ones, if they were queued before that time."""
    newest_first = sorted(queued, key=lambda entry: entry[1], reverse=True)
    return [id for id, at in newest_first[length:] if at < before]


def bins_expire() -> int:
    """Begin to delete what has been in a bin for long; gives how many documents."""
    old = timezone.now() - timedelta(days=knowledge_settings().bin_days)
    found = list(Document.objects.filter(state=DocumentState.BINNED, binned_at__lt=old).select_related("kb"))
    by_base: dict[KnowledgeBase, list[Document]] = {}
    for document in found:
        by_base.setdefault(document.kb, []).append(document)
    for kb, documents in by_base.items():
        purge_start(subject=Subject.system(), kb=kb, documents=documents)
    return len(found)


def empty_bases_go() -> None:
    """A knowledge base that is being deleted goes when its last document is gone."""
    KnowledgeBase.objects.filter(is_deleting=True, documents=None).delete()
