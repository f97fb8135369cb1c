"""The imports of entities from tables into one graph, for who may change it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from accounts.models import AuditEvent
from ontology.services.table_import import IMPORT, UNDO

SHOWN = 50


def imports_of(graph_id: UUID) -> list[Mapping[str, Any]]:
    """The newest first, with what was taken back marked."""
    events = AuditEvent.objects.filter(target_id=graph_id)
    undone = {before.get("import") for before in events.filter(action=UNDO).values_list("before", flat=True)}
    return [
        {"event": event, "file": event.after.get("file", ""), "is_undone": str(event.pk) in undone, **counts(event)}
        for event in events.filter(action=IMPORT)[:SHOWN]
    ]


def counts(event: AuditEvent) -> dict[str, int]:
    return {name: event.after.get(name, 0) for name in ("new", "known", "invalid")}
