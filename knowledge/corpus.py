"""What concerns a knowledge base as a whole: that readers would notice a change, which chunks they find, and that a path is given to one document only."""

from uuid import UUID

from django.db import connection
from django.db.models import F

from knowledge.models import Document, DocumentState, KnowledgeBase
from knowledge.ports import FactKeeper


def corpus_moved(kb_id: UUID) -> None:
    """Once for each change that a reader could notice, near the end of its transaction: the row stays locked until then."""
    KnowledgeBase.objects.filter(pk=kb_id).update(corpus_version=F("corpus_version") + 1)


SHOW = """
UPDATE knowledge_chunk SET is_live = NOT is_live
WHERE document_id = %(document)s AND is_live <> (version_id IS NOT DISTINCT FROM %(live)s AND NOT is_disabled)
RETURNING id
"""


def show_chunks(document: Document, facts: FactKeeper) -> None:
    """Make exactly those chunks of a document findable that are: of its live version, not switched off, and the document in use. Facts follow."""
    live = document.live_version_id if document.state == DocumentState.LIVE else None
    with connection.cursor() as cursor:
        cursor.execute(SHOW, {"document": document.pk, "live": live})
        changed = [id for (id,) in cursor.fetchall()]
    if changed:
        facts.follow(changed)


def hold_paths(kb_id: UUID) -> None:
    """Until the end of the transaction nobody else makes, moves or restores a document of this knowledge base."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"paths:{kb_id}"])
