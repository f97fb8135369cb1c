"""Documents whose records would be cut otherwise today, because the knowledge base's forms of headings have changed: found from rows and read again as new versions.

Only those in which a heading begins a record now and did not, or the other way round; the others are noted as looked at.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils.translation import gettext as _

from accounts.types import Subject
from knowledge.chunking.records import RecordHeadings
from knowledge.models import DocumentState, Job, KnowledgeBase, Section, Version
from knowledge.services.reading import documents_reread
from knowledge.tools import Tools

AT_ONCE = 500


def records_tend(kb: KnowledgeBase, tools: Tools) -> Job | None:
    """Look at the next live versions that were cut by other forms. Gives the job that reads again those that differ, None when there are none."""
    headings = tools.records.of(kb.pk)
    rows = list(unseen(kb, headings).values_list("pk", "document_id")[:AT_ONCE])
    touched = differing([version for version, _document in rows], headings)
    same = [version for version, _document in rows if version not in touched]
    Version.objects.filter(pk__in=same).update(records_by=headings.fingerprint)
    documents = [document for version, document in rows if version in touched]
    if not documents:
        return None
    label = _("records begin elsewhere")
    return documents_reread(subject=Subject.system(), kb=kb, documents=documents, force=True, label=label)


def unseen(kb: KnowledgeBase, headings: RecordHeadings) -> "QuerySet[Version]":
    """Live versions that were cut by other forms. Where a newer one has come, be it that it failed, that one decides."""
    newer = Version.objects.filter(document=OuterRef("document"), number__gt=OuterRef("number"))
    live = Version.objects.filter(
        document__kb=kb, document__live_version=F("pk"), document__state=DocumentState.LIVE, chunk_count__isnull=False
    )
    return live.exclude(records_by=headings.fingerprint).exclude(Exists(newer)).order_by("pk")


def differing(versions: "Sequence[UUID] | QuerySet[Version]", headings: RecordHeadings) -> set[UUID]:
    """The ids of those of these versions in which another heading would begin a record."""
    rows = Section.objects.filter(version__in=versions, level__gt=0).values_list("version_id", "title", "is_record")
    return {
        version for version, title, is_record in rows.iterator(chunk_size=2000) if headings.begins(title) != is_record
    }
