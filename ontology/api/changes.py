"""REST for what differs between two versions of a document: passages, facts, and for editors the cost."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, checked
from knowledge.comparing.words import Pieces
from knowledge.models import Chunk, Version
from knowledge.selectors.changes import PAGE as CHUNKS
from knowledge.selectors.changes import (
    ChunkChange,
    Compared,
    ReadingSpent,
    chunk_changes,
    compare_versions,
    reading_spent,
)
from ontology.api.change_shapes import ChangesInput, PurposeOutput, VersionChangesOutput
from ontology.selectors.fact_changes import FactChanges, fact_changes
from ontology.selectors.fact_words import PAGE as FACTS
from ontology.selectors.fact_words import End, FactChangeShown, Side, facts_shown


class VersionChangesView(ApiView):
    """/api/v1/documents/{id}/versions/{number}/changes"""

    @extend_schema(operation_id="version_changes", parameters=[ChangesInput], responses=VersionChangesOutput)
    def get(self, request: Request, id: UUID, number: int) -> Response:
        """What differs between two versions of a document: passages with what changed marked word by word, facts with their quotations, and for editors the cost."""
        given = checked(ChangesInput, request.query_params)
        found = compare_versions(self.subject, id, number=number, against=given["against"])
        facts = fact_changes(self.subject, found)
        spent = reading_spent(found)
        return Response(
            {
                "document": found.document.pk,
                "before": version_said(found.before) if found.before else None,
                "after": version_said(found.after),
                "complete": found.is_whole,
                "chunks": chunks_said(found, given["page"]),
                "facts": facts_said(facts, given["facts_page"]) if facts else None,
                "cost": cost_said(spent) if spent else None,
            }
        )


def version_said(version: Version) -> dict[str, Any]:
    return {"id": version.pk, "number": version.number, "published_at": version.published_at}


def chunks_said(found: Compared, page: int) -> dict[str, Any]:
    counted = found.alignment
    return {
        "counts": {name: getattr(counted, name) for name in ("unchanged", "changed", "removed", "added")},
        "results": [change_said(each) for each in chunk_changes(found, page=page)],
        "next": page + 1 if page * CHUNKS < counted.size else None,
    }


def change_said(change: ChunkChange) -> dict[str, Any]:
    return {
        "kind": change.kind,
        "before": chunk_said(change.before, change.context[0], change.text[0]) if change.before else None,
        "after": chunk_said(change.after, change.context[1], change.text[1]) if change.after else None,
    }


def chunk_said(chunk: Chunk, context: Pieces, text: Pieces) -> dict[str, Any]:
    return {
        "id": chunk.pk,
        "ordinal": chunk.ordinal,
        "start": chunk.start,
        "end": chunk.end,
        "page": chunk.page,
        "context": [{"text": each.text, "differs": each.differs} for each in context],
        "text": [{"text": each.text, "differs": each.differs} for each in text],
    }


def facts_said(facts: FactChanges, page: int) -> dict[str, Any]:
    return {
        "complete": facts.is_whole,
        "skeletons": facts.skeletons,
        "counts": facts.counts,
        "results": [fact_said(each) for each in facts_shown(facts, page=page)],
        "next": page + 1 if page * FACTS < len(facts.all) else None,
    }


def fact_said(change: FactChangeShown) -> dict[str, Any]:
    row = change.sides[-1].row
    return {
        "kind": change.kind,
        "action": change.action,
        "entity": end_said(change.entity),
        "name": row.name if change.kind == "attribute" else row.type if change.kind == "relation" else "",
        "before": side_said(change.kind, change.before),
        "after": side_said(change.kind, change.after),
    }


def side_said(kind: str, side: Side | None) -> dict[str, Any] | None:
    if side is None:
        return None
    is_value = kind == "attribute"
    given = side.row.attributes if kind == "relation" else {}
    return {
        "id": side.row.pk,
        "value": side.row.value if is_value else None,
        "unit": side.row.unit if is_value else "",
        "other": end_said(side.other) if side.other else None,
        "attributes": {name: said.get("value") for name, said in given.items()},
        "still_known": side.is_still_known,
        "evidence": side.quote.said if side.quote else None,
    }


def end_said(end: End) -> dict[str, Any]:
    return {"id": end.id, "name": end.name, "class": end.class_name, "known": end.is_known}


def cost_said(spent: ReadingSpent) -> dict[str, Any]:
    return {
        "contents": spent.contents,
        "new_contents": spent.new_contents,
        "purposes": PurposeOutput(spent.totals, many=True).data,
    }
