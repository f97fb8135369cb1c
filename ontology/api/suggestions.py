"""REST for the entity desk: pairs that may be one, names that may stand for two, merges that can be taken back, and many judgements at once. For editors of all that feeds the graph."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, Pages, checked
from common.errors import InvalidInput
from ontology.api.deeds import found
from ontology.api.shapes import PAGING, RevisionInput, RevisionsField
from ontology.models import Entity, SplitSuggestion, Suggestion
from ontology.resolution.reasons import is_against, said
from ontology.selectors.suggestions import editors_view, merges_of, splits_of, suggestion_for, suggestions_of
from ontology.services.identity import entities_keep_apart, entities_merge
from ontology.services.judging import MOST, STATES, Judged, Judgement, entities_judge
from ontology.services.splitting import entity_split
from ontology.services.suggestions import split_decline, suggestion_put_off, suggestion_reopen

SUGGESTION_STATES = ("open", "later", "rejected", "merged")
DECISIONS = ("merge", "different", "later", "reopen")


class SuggestionPages(Pages):
    """The surest first."""

    ordering = ("-score", "-id")  # type: ignore[assignment]


class MergePages(Pages):
    """The last first."""

    ordering = ("-decided_at", "-id")  # type: ignore[assignment]


class EndOutput(serializers.Serializer[Any]):
    """An entity at one end of a suggestion."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    class_ = serializers.CharField(source="class_name")
    support = serializers.IntegerField()
    confirmed = serializers.BooleanField(source="is_confirmed")
    revision = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


class ReasonOutput(serializers.Serializer[Any]):
    """Why, as a code and in words; `against` speaks for two."""

    kind = serializers.CharField()
    text = serializers.CharField()
    against = serializers.BooleanField()


class SuggestionOutput(serializers.Serializer[Any]):
    """Two entities that may be one; `score` from 0 to 1."""

    id = serializers.UUIDField()
    score = serializers.FloatField()
    state = serializers.CharField()
    left = EndOutput()
    right = EndOutput()
    reasons = ReasonOutput(many=True)


class SplitOutput(serializers.Serializer[Any]):
    """An entity that may be two; `parts` are the documents that agree with each other."""

    entity = EndOutput()
    score = serializers.FloatField()
    parts = serializers.ListField(child=serializers.ListField(child=serializers.UUIDField()))
    reasons = ReasonOutput(many=True)


class MergeOutput(serializers.Serializer[Any]):
    """An entity that was merged into another, by whom and when."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    into = EndOutput(source="merged_into")
    by = serializers.CharField(source="decided_by", allow_null=True)
    at = serializers.DateTimeField(source="decided_at", allow_null=True)
    revision = serializers.IntegerField()


class SuggestionFilter(serializers.Serializer[Any]):
    """What a list of suggestions is narrowed to."""

    state = serializers.ChoiceField(SUGGESTION_STATES, required=False, default="open")

    def get_fields(self) -> dict[str, Any]:
        name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
        return super().get_fields() | {"class": name}


class DecisionInput(serializers.Serializer[Any]):
    """`merge` (into `into`, by default the better supported), `different` for good, `later`, or `reopen` what was put off. `revisions` by id: another one is answered with 409."""

    decision = serializers.ChoiceField(DECISIONS)
    into = serializers.UUIDField(required=False, allow_null=True, default=None)
    revisions = RevisionsField(required=False, default=dict)


class SplitInput(RevisionInput):
    """The documents whose facts go to a new entity of the same name, and single places (ids of evidence)."""

    documents = serializers.ListField(child=serializers.UUIDField(), required=False, default=list, max_length=1000)
    evidence = serializers.ListField(child=serializers.UUIDField(), required=False, default=list, max_length=1000)


class JudgementLine(RevisionInput):
    """What an entity is to be."""

    entity = serializers.UUIDField()
    state = serializers.ChoiceField(list(STATES))


class JudgementsInput(serializers.Serializer[Any]):
    """All or none; with `preview` nothing is changed."""

    judgements = serializers.ListField(child=JudgementLine(), min_length=1, max_length=MOST)
    preview = serializers.BooleanField(required=False, default=False)


class JudgedOutput(serializers.Serializer[Any]):
    """What it was and what it is; sending `before` with the new revision takes it back."""

    entity = serializers.UUIDField()
    name = serializers.CharField()
    support = serializers.IntegerField()
    before = serializers.CharField()
    after = serializers.CharField()
    revision = serializers.IntegerField()


class SuggestionsView(ApiView):
    """/api/v1/graphs/{id}/suggestions/"""

    @extend_schema(
        operation_id="suggestions",
        parameters=[
            OpenApiParameter("state", str, enum=SUGGESTION_STATES),
            OpenApiParameter("class", str),
            *PAGING,
        ],
        responses=SuggestionOutput(many=True),
    )
    def get(self, request: Request, id: UUID) -> Response:
        """Pairs that may be one, the surest first."""
        view = editors_view(self.subject, id)
        given = checked(SuggestionFilter, request.query_params)
        rows = suggestions_of(view, state=given["state"], class_name=given["class"])
        pages = SuggestionPages()
        page = [suggestion_said(row) for row in pages.paginate_queryset(rows, request, view=self)]
        return pages.get_paginated_response(SuggestionOutput(page, many=True).data)


class SuggestionDecideView(ApiView):
    """/api/v1/suggestions/{id}/decide"""

    @extend_schema(operation_id="suggestion_decide", request=DecisionInput, responses=SuggestionOutput)
    def post(self, request: Request, id: UUID) -> Response:
        """Merge the two, declare them different, or put it off."""
        _view, row = suggestion_for(self.subject, id)
        given = checked(DecisionInput, request.data)
        decide(self.subject, row, given)
        row.refresh_from_db()
        return Response(SuggestionOutput(suggestion_said(row)).data)


class SplitsView(ApiView):
    """/api/v1/graphs/{id}/splits/"""

    @extend_schema(operation_id="split_suggestions", parameters=PAGING, responses=SplitOutput(many=True))
    def get(self, request: Request, id: UUID) -> Response:
        """Names that may stand for two, the surest first."""
        pages = SuggestionPages()
        page = pages.paginate_queryset(splits_of(editors_view(self.subject, id)), request, view=self)
        return pages.get_paginated_response(SplitOutput([split_said(row) for row in page], many=True).data)


class EntitySplitView(ApiView):
    """/api/v1/entities/{id}/split"""

    @extend_schema(operation_id="entity_split", request=SplitInput, responses={201: EndOutput})
    def post(self, request: Request, id: UUID) -> Response:
        """What these documents say of it goes to a new entity of the same name. Merging the two takes it back."""
        entity_id = found(self.subject, id)
        given = checked(SplitInput, request.data)
        new = entity_split(
            subject=self.subject,
            entity_id=entity_id,
            document_ids=given["documents"],
            evidence_ids=given["evidence"],
            revision=given["revision"],
        )
        return Response(EndOutput(new).data, status=201)


class EntityKeepWholeView(ApiView):
    """/api/v1/entities/{id}/keep-whole"""

    @extend_schema(operation_id="entity_keep_whole", request=None, responses={204: None})
    def post(self, request: Request, id: UUID) -> Response:
        """It is one, whatever the documents contradict each other in."""
        split_decline(subject=self.subject, entity_id=found(self.subject, id))
        return Response(status=204)


class MergesView(ApiView):
    """/api/v1/graphs/{id}/merges/"""

    @extend_schema(operation_id="merges", parameters=PAGING, responses=MergeOutput(many=True))
    def get(self, request: Request, id: UUID) -> Response:
        """Entities that were merged into others; `entities/{id}/unmerge` takes one back."""
        return MergePages().paged(merges_of(editors_view(self.subject, id)), self, MergeOutput)


class JudgementsView(ApiView):
    """/api/v1/graphs/{id}/judgements"""

    @extend_schema(operation_id="entities_judge", request=JudgementsInput, responses=JudgedOutput(many=True))
    def post(self, request: Request, id: UUID) -> Response:
        """Confirm or reject many at once, or take that back; with a preview."""
        view = editors_view(self.subject, id)
        given = checked(JudgementsInput, request.data)
        lines = [Judgement(each["entity"], each["state"], each["revision"]) for each in given["judgements"]]
        strangers = Entity.objects.filter(pk__in=[each.entity_id for each in lines]).exclude(graph=view.graph)
        if strangers.exists():
            raise InvalidInput(_("Choose entities of this graph."), field="judgements")
        done = entities_judge(subject=self.subject, judgements=lines, preview=given["preview"])
        return Response([judged_said(each) for each in done])


def decide(subject: Any, row: Suggestion, given: dict[str, Any]) -> None:
    """One of the four. Raises Conflict."""
    revisions = given["revisions"]
    match given["decision"]:
        case "merge":
            into, other = ends_for_merging(row, given["into"])
            entities_merge(subject=subject, into_id=into, others=[other], revisions=revisions)
        case "different":
            entities_keep_apart(subject=subject, one_id=row.left_id, other_id=row.right_id, revisions=revisions)
        case "later":
            suggestion_put_off(subject=subject, suggestion_id=row.pk)
        case _:
            suggestion_reopen(subject=subject, suggestion_id=row.pk)


def ends_for_merging(row: Suggestion, into: UUID | None) -> tuple[UUID, UUID]:
    """Who stays and who goes. Raises InvalidInput for one that is neither."""
    ends = sorted((row.left, row.right), key=lambda each: (each.is_confirmed, each.support), reverse=True)
    chosen = into or ends[0].pk
    if chosen not in (row.left_id, row.right_id):
        raise InvalidInput(_("Choose one of the two."), field="into")
    return chosen, row.right_id if chosen == row.left_id else row.left_id


def suggestion_said(row: Suggestion) -> dict[str, Any]:
    return {
        "id": row.pk,
        "score": row.score,
        "state": row.state,
        "left": row.left,
        "right": row.right,
        "reasons": reasons_said(row.reasons),
    }


def split_said(row: SplitSuggestion) -> dict[str, Any]:
    return {"entity": row.entity, "score": row.score, "parts": row.parts, "reasons": reasons_said(row.reasons)}


def reasons_said(reasons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"kind": each.get("kind", ""), "text": said(each), "against": is_against(each)} for each in reasons]


def judged_said(judged: Judged) -> dict[str, Any]:
    entity = judged.entity
    return {
        "entity": str(entity.pk),
        "name": entity.name,
        "support": entity.support,
        "before": judged.before,
        "after": judged.after,
        "revision": entity.revision,
    }
