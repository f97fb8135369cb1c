"""REST for what one's own keys may reach."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.selectors import own_key
from common.api import ApiView, Pages
from knowledge.api.bases import PAGING, BaseOutput
from knowledge.selectors.bases import base_named
from knowledge.selectors.grants import grants_of
from knowledge.services.grants import grant_remove, grant_set


class GrantsView(ApiView):
    """/api/v1/keys/{id}/grants/"""

    @extend_schema(operation_id="key_grants", parameters=PAGING, responses=BaseOutput(many=True))
    def get(self, request: Request, id: UUID) -> Response:
        """The knowledge bases that a key of yours may reach."""
        return Pages().paged(grants_of(self.subject, own_key(self.subject, id)), self, BaseOutput)


class GrantView(ApiView):
    """/api/v1/keys/{id}/grants/{slug}"""

    @extend_schema(operation_id="key_grant_set", request=None, responses={204: None})
    def put(self, request: Request, id: UUID, slug: str) -> Response:
        """Let it reach one, in your role there and within its scopes."""
        grant_set(subject=self.subject, key=own_key(self.subject, id), kb=base_named(self.subject, slug))
        return Response(status=204)

    @extend_schema(operation_id="key_grant_remove", request=None, responses={204: None})
    def delete(self, request: Request, id: UUID, slug: str) -> Response:
        """Take it back."""
        grant_remove(subject=self.subject, key=own_key(self.subject, id), kb=base_named(self.subject, slug))
        return Response(status=204)
