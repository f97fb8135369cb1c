"""What happened to an entity: people's decisions from the record of changes, and the versions of documents that brought or still bring it. Newest first."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.urls import reverse
from django.utils.functional import Promise

from accounts.models import AuditEvent
from ontology.pages.words import DEEDS
from ontology.selectors.views import GraphView

EVENTS = 50
VERSIONS = """
SELECT version.created_at, document.id, coalesce(nullif(document.title, ''), document.path), version.number, count(*)
FROM ontology_evidence AS evidence JOIN knowledge_document AS document ON document.id = evidence.document_id
JOIN knowledge_version AS version ON version.id = evidence.version_id
WHERE evidence.entity_id = ANY(%s) AND evidence.is_live AND document.kb_id = ANY(%s)
GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class Happening:
    """A person's deed (`deed`, `who`), or a version that names it (`document`, `url`, `count`)."""

    at: datetime
    deed: str | Promise = ""
    who: str = ""
    detail: str = ""
    document: str = ""
    url: str = ""
    number: int = 0
    count: int = 0


def timeline(view: GraphView, members: Collection[UUID]) -> list[Happening]:
    """Deeds only for those who may read all that feeds the graph, because they may name what stands elsewhere."""
    found = [*read_versions(view, members), *(deeds(members) if view.sees_all else ())]
    return sorted(found, key=lambda each: each.at, reverse=True)[:EVENTS]


def read_versions(view: GraphView, members: Collection[UUID]) -> list[Happening]:
    with connection.cursor() as cursor:
        cursor.execute(VERSIONS, [list(members), list(view.kb_ids), EVENTS])
        rows = cursor.fetchall()
    return [
        Happening(
            at,
            document=title,
            url=f"{reverse('document', args=[document])}?version={number}",
            number=number,
            count=count,
        )
        for at, document, title, number, count in rows
    ]


def deeds(members: Collection[UUID]) -> list[Happening]:
    events = AuditEvent.objects.filter(target_type="entity", target_id__in=members).order_by("-at")[:EVENTS]
    return [
        Happening(event.at, DEEDS.get(event.action, event.action), event.actor, detail_of(event.before, event.after))
        for event in events
    ]


def detail_of(before: dict[str, Any], after: dict[str, Any]) -> str:
    """`old → new` for names, `attribute: value` for facts; ids say nothing to people."""
    old, new = before.get("value"), after.get("value")
    if isinstance(new, dict):
        return ": ".join(str(part) for part in new.values() if part)
    parts = [str(part) for part in (old, new) if part and not is_uuid(str(part))]
    return " → ".join(parts)


def is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
