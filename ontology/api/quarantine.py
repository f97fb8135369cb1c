"""REST for quarantine: kinds of cases with examples, decisions for ever and their undoing, and single cases. For editors of all that feeds the graph."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, Pages, checked
from common.errors import NotFound
from ontology.api.shapes import PAGING
from ontology.graphs import skeleton_in_use
from ontology.models import Quarantined, QuarantineRule
from ontology.proposals import proposal_for
from ontology.rights import graphs_for
from ontology.selectors.quarantine import cases_of, quarantine_counts, rules_of, told, with_examples
from ontology.selectors.suggestions import editors_view
from ontology.services.quarantine import (
    quarantine_dismiss,
    quarantine_ignore,
    quarantine_map,
    quarantine_means,
    quarantine_reopen,
    quarantine_restore,
)
from ontology.types import Reason


class KindPages(Pages):
    """The most frequent first."""

    ordering = ("-count", "reason", "about", "kind")  # type: ignore[assignment]


class CasePages(Pages):
    """Those that were found first."""

    ordering = "id"


class RulePages(Pages):
    """The newest first."""

    ordering = ("-created_at", "-id")  # type: ignore[assignment]


class CaseOutput(serializers.Serializer[Any]):
    """What was found, and the words where it stands."""

    id = serializers.UUIDField()
    found = serializers.DictField()
    document = serializers.UUIDField(source="document_id")
    path = serializers.CharField()
    version = serializers.IntegerField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    before = serializers.CharField()
    quote = serializers.CharField()
    after = serializers.CharField()
    url = serializers.CharField()


class GroupOutput(serializers.Serializer[Any]):
    """Cases that are decided together: a reason and the class, relation or attribute that it is about."""

    kind = serializers.CharField()
    reason = serializers.CharField()
    about = serializers.CharField()
    count = serializers.IntegerField()
    documents = serializers.IntegerField()
    examples = CaseOutput(many=True)


class RuleOutput(serializers.Serializer[Any]):
    """A decision for ever."""

    id = serializers.UUIDField(source="pk")
    reason = serializers.CharField()
    about = serializers.CharField()
    action = serializers.CharField()
    becomes = serializers.CharField()
    by = serializers.CharField(source="created_by", allow_null=True)
    at = serializers.DateTimeField(source="updated_at")


class KindInput(serializers.Serializer[Any]):
    """Which kind of cases."""

    reason = serializers.ChoiceField([each.value for each in Reason])
    about = serializers.CharField(max_length=200, allow_blank=True, trim_whitespace=False)


class KindDecisionInput(KindInput):
    """`ignore` for ever, or `map`: take it for the declared class, relation or attribute `becomes`."""

    action = serializers.ChoiceField(["ignore", "map"])
    becomes = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)


class DecidedOutput(serializers.Serializer[Any]):
    """The decision and how many cases (`ignore`) or documents to go over again (`map`) it concerns."""

    rule = serializers.UUIDField()
    count = serializers.IntegerField()


class MeansInput(serializers.Serializer[Any]):
    """Whom the name means: at this place (its line, or row of a table), or with `in_document` wherever the document names it and nothing else was decided."""

    entity = serializers.UUIDField()
    in_document = serializers.BooleanField(required=False, default=False)


class SettledOutput(serializers.Serializer[Any]):
    """The cases that were decided by it, this one too."""

    cases = serializers.ListField(child=serializers.UUIDField())


class ProposalOutput(serializers.Serializer[Any]):
    """The skeleton in use with the unknown class, relation or attribute drafted into it."""

    text = serializers.CharField()


class QuarantineView(ApiView):
    """/api/v1/graphs/{id}/quarantine/"""

    @extend_schema(operation_id="quarantine", parameters=PAGING, responses=GroupOutput(many=True))
    def get(self, request: Request, id: UUID) -> Response:
        """Kinds of cases that wait, the most frequent first."""
        graph_id, pages = editors_view(self.subject, id).graph.pk, KindPages()
        page = pages.paginate_queryset(quarantine_counts(self.subject, graph_id), request, view=self)
        return pages.get_paginated_response(GroupOutput(with_examples(self.subject, graph_id, page), many=True).data)


class QuarantineCasesView(ApiView):
    """/api/v1/graphs/{id}/quarantine/cases/"""

    @extend_schema(operation_id="quarantine_cases", parameters=[KindInput, *PAGING], responses=CaseOutput(many=True))
    def get(self, request: Request, id: UUID) -> Response:
        """Cases of one kind, those that were found first."""
        view, pages = editors_view(self.subject, id), CasePages()
        found = cases_of(self.subject, view.graph.pk, **checked(KindInput, request.query_params))
        page = pages.paginate_queryset(found, request, view=self)
        cases = told(found.filter(pk__in=[each.pk for each in page]), limit=len(page))
        return pages.get_paginated_response(CaseOutput(cases, many=True).data)


class QuarantineDecideView(ApiView):
    """/api/v1/graphs/{id}/quarantine/decide"""

    @extend_schema(operation_id="quarantine_decide", request=KindDecisionInput, responses=DecidedOutput)
    def post(self, request: Request, id: UUID) -> Response:
        """What is to become of every such case, now and later."""
        view = editors_view(self.subject, id)
        given = checked(KindDecisionInput, request.data)
        which = {"subject": self.subject, "graph_id": view.graph.pk, "reason": given["reason"], "about": given["about"]}
        if given["action"] == "ignore":
            count = quarantine_ignore(**which)
        else:
            count = quarantine_map(**which, becomes=given["becomes"])
        rule = rules_of(view.graph.pk).get(reason=given["reason"], about=given["about"])
        return Response({"rule": str(rule.pk), "count": count})


class QuarantineRulesView(ApiView):
    """/api/v1/graphs/{id}/quarantine/rules/"""

    @extend_schema(operation_id="quarantine_rules", parameters=PAGING, responses=RuleOutput(many=True))
    def get(self, request: Request, id: UUID) -> Response:
        """Decisions for ever, the newest first."""
        return RulePages().paged(rules_of(editors_view(self.subject, id).graph.pk), self, RuleOutput)


class QuarantineRuleView(ApiView):
    """/api/v1/quarantine-rules/{id}"""

    @extend_schema(operation_id="quarantine_reopen", request=None, responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:
        """Take a decision for ever back."""
        known(self.subject, QuarantineRule.objects.filter(pk=id))
        quarantine_reopen(subject=self.subject, rule_id=id)
        return Response(status=204)


class CaseDismissView(ApiView):
    """/api/v1/quarantine/{id}/dismiss"""

    @extend_schema(operation_id="quarantine_dismiss", request=None, responses={204: None})
    def post(self, request: Request, id: UUID) -> Response:
        """This one case is nothing."""
        known(self.subject, Quarantined.objects.filter(pk=id))
        quarantine_dismiss(subject=self.subject, case_id=id)
        return Response(status=204)

    @extend_schema(operation_id="quarantine_restore", request=None, responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:
        """Take that back."""
        known(self.subject, Quarantined.objects.filter(pk=id))
        quarantine_restore(subject=self.subject, case_id=id)
        return Response(status=204)


class CaseMeansView(ApiView):
    """/api/v1/quarantine/{id}/means"""

    @extend_schema(operation_id="quarantine_means", request=MeansInput, responses=SettledOutput)
    def post(self, request: Request, id: UUID) -> Response:
        """A name that several entities bear means this one here, or in all of this document."""
        known(self.subject, Quarantined.objects.filter(pk=id))
        given = checked(MeansInput, request.data)
        settled = quarantine_means(
            subject=self.subject, case_id=id, entity_id=given["entity"], in_document=given["in_document"]
        )
        return Response({"cases": [str(each) for each in settled]})


class CaseProposalView(ApiView):
    """/api/v1/quarantine/{id}/proposal"""

    @extend_schema(operation_id="quarantine_proposal", responses=ProposalOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """The case as a change of the skeleton; nothing is applied."""
        case = known(self.subject, Quarantined.objects.select_related("graph__skeleton").filter(pk=id))
        text = skeleton_in_use(case.graph).text
        return Response({"text": proposal_for(self.subject, case.graph_id, case.pk, text)})


def known(subject: Any, rows: Any) -> Any:
    """Raises NotFound, in the words that are used for one that does not exist."""
    row = rows.filter(graph__in=graphs_for(subject)).first()
    if row is None:
        raise NotFound(_("This case or decision is gone, or you may not see it."))
    return row
