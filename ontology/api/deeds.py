"""REST for what editors decide about entities: confirm, reject, leave, merge (with a preview), take a merge back, keep apart. A stale `revision` is answered with 409."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.types import Subject
from common.api import ApiView, checked
from ontology.api.entities import known, revisions_of, row_said, seen_root
from ontology.api.shapes import EntityRow, MergeInput, OtherInput, RevisionInput
from ontology.export import entity_as_json
from ontology.rights import require_graph_editor
from ontology.selectors.entities import entity_for
from ontology.selectors.merging import merge_preview
from ontology.services.identity import (
    entities_keep_apart,
    entities_may_merge,
    entities_merge,
    entity_confirm,
    entity_leave,
    entity_reject,
    entity_unmerge,
)


class EntityConfirmView(ApiView):
    """/api/v1/entities/{id}/confirm"""

    @extend_schema(operation_id="entity_confirm", request=RevisionInput, responses=EntityRow)
    def post(self, request: Request, id: UUID) -> Response:
        """It is there, whatever the documents say from now on."""
        entity_confirm(subject=self.subject, entity_id=found(self.subject, id), revisions=revisions_in(request, id))
        return Response(row_said(self.subject, id))


class EntityRejectView(ApiView):
    """/api/v1/entities/{id}/reject"""

    @extend_schema(operation_id="entity_reject", request=RevisionInput, responses=EntityRow)
    def post(self, request: Request, id: UUID) -> Response:
        """It is no entity, however often it is found again."""
        entity_reject(subject=self.subject, entity_id=found(self.subject, id), revisions=revisions_in(request, id))
        return Response(row_said(self.subject, id))


class EntityLeaveView(ApiView):
    """/api/v1/entities/{id}/leave"""

    @extend_schema(operation_id="entity_leave", request=RevisionInput, responses=EntityRow)
    def post(self, request: Request, id: UUID) -> Response:
        """Take a confirmation or a rejection back: the documents alone decide again."""
        entity_leave(subject=self.subject, entity_id=found(self.subject, id), revisions=revisions_in(request, id))
        return Response(row_said(self.subject, id))


class EntityMergeView(ApiView):
    """/api/v1/entities/{id}/merge"""

    @extend_schema(operation_id="entity_merge", request=MergeInput, responses={200: dict})
    def post(self, request: Request, id: UUID) -> Response:
        """The others are one with this. With `preview` it is only told what would be joined, and nothing is changed."""
        given = checked(MergeInput, request.data)
        view, into = seen_root(self.subject, id)
        others = [found(self.subject, other) for other in given["others"]]
        if given["preview"]:
            require_graph_editor(self.subject, view.graph.pk)
            return Response(merge_preview(view, into, others))
        entities_merge(subject=self.subject, into_id=id, others=others, revisions=given["revisions"])
        return Response(entity_as_json(known(self.subject, into.pk)))


class EntityUnmergeView(ApiView):
    """/api/v1/entities/{id}/unmerge"""

    @extend_schema(operation_id="entity_unmerge", request=RevisionInput, responses=EntityRow)
    def post(self, request: Request, id: UUID) -> Response:
        """Take the merge of this one into another back; both are exactly what they would be without it."""
        entity_unmerge(subject=self.subject, entity_id=found(self.subject, id), revisions=revisions_in(request, id))
        return Response(row_said(self.subject, id))


class EntityKeepApartView(ApiView):
    """/api/v1/entities/{id}/keep-apart"""

    @extend_schema(operation_id="entity_keep_apart", request=OtherInput, responses={204: None})
    def post(self, request: Request, id: UUID) -> Response:
        """The two are different, for good."""
        entities_keep_apart(subject=self.subject, **self.pair(request, id))
        return Response(status=204)

    @extend_schema(operation_id="entity_may_merge", request=OtherInput, responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:
        """Take that back."""
        entities_may_merge(subject=self.subject, **self.pair(request, id))
        return Response(status=204)

    def pair(self, request: Request, id: UUID) -> dict[str, Any]:
        found(self.subject, id)
        given = checked(OtherInput, request.data)
        return {
            "one_id": id,
            "other_id": found(self.subject, given["other"]),
            "revisions": revisions_of(id, given["revision"]),
        }


def found(subject: Subject, entity_id: UUID) -> UUID:
    """Raises NotFound for one that the subject may not know of, in the words that are used for one that does not exist."""
    entity_for(subject, entity_id)
    return entity_id


def revisions_in(request: Request, entity_id: UUID) -> dict[UUID, int] | None:
    return revisions_of(entity_id, checked(RevisionInput, request.data)["revision"])
