"""Switch chunks off and on. A content that an editor switched off stays off in later versions of its document."""

from django.db import transaction

from accounts.services.audit import audit
from accounts.types import Subject
from knowledge import policy
from knowledge.corpus import corpus_moved, show_chunks
from knowledge.models import Chunk, Document
from knowledge.tools import Tools


@transaction.atomic
def chunk_switch(*, subject: Subject, chunk: Chunk, is_disabled: bool, tools: Tools) -> Chunk:
    """Switch this content off (or on again) wherever it stands in the document. Facts that only it supported go and come with it."""
    policy.require_editor(subject, chunk.kb_id)
    document = Document.objects.select_for_update(no_key=True).get(pk=chunk.document_id)
    same = Chunk.objects.filter(document=document, content_hash=chunk.content_hash).exclude(is_disabled=is_disabled)
    changed = list(same.values_list("pk", flat=True))
    if changed:
        same.update(is_disabled=is_disabled)
        show_chunks(document, tools.facts)
        corpus_moved(document.kb_id)
        audit(subject, "chunk.off" if is_disabled else "chunk.on", chunk, kb_id=chunk.kb_id)
    chunk.refresh_from_db()
    return chunk
