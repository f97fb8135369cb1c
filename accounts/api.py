"""REST for who is asking: oneself, departments, one's own keys. Which knowledge bases a key reaches is `knowledge.api.grants`."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import ApiKey, Department, Scope, User
from accounts.selectors import departments_for, own_key, own_keys
from accounts.services.keys import key_create, key_revoke
from common.api import ApiView, Pages, checked
from common.errors import NotFound

PAGING = [OpenApiParameter("cursor", str), OpenApiParameter("limit", int)]


class DepartmentOutput(serializers.ModelSerializer[Department]):
    """A department."""

    class Meta:
        model = Department
        fields = ("id", "name")


class MeOutput(serializers.ModelSerializer[User]):
    """The person; `key` and `scopes` are set when a key asks for them."""

    department = DepartmentOutput()
    manages = DepartmentOutput(source="managed_departments", many=True)
    key = serializers.CharField(allow_null=True, default=None)
    scopes = serializers.ListField(child=serializers.CharField(), allow_null=True, default=None)

    class Meta:
        model = User
        fields = (
            "id",
            "username",
            "full_name",
            "email",
            "department",
            "manages",
            "is_administrator",
            "is_operator",
            "language",
            "key",
            "scopes",
        )


class KeyOutput(serializers.ModelSerializer[ApiKey]):
    """A key without its secret."""

    department = serializers.CharField(source="department.name")

    class Meta:
        model = ApiKey
        fields = (
            "id",
            "name",
            "prefix",
            "scopes",
            "reads_all",
            "department",
            "created_at",
            "expires_at",
            "last_used_at",
            "revoked_at",
        )


class NewKeyOutput(KeyOutput):
    """A new key; `text` is what programs send, and is shown this once."""

    text = serializers.CharField()

    class Meta(KeyOutput.Meta):
        fields = (*KeyOutput.Meta.fields, "text")  # type: ignore[assignment]


class KeyInput(serializers.Serializer[Any]):
    """What a key may do. `reads_all`: in every knowledge base that its owner may read; otherwise in those that are granted to it."""

    name = serializers.CharField(max_length=200)
    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices), min_length=1, max_length=10)
    reads_all = serializers.BooleanField(required=False, default=False)
    expires_at = serializers.DateTimeField(required=False, allow_null=True, default=None)
    department = serializers.UUIDField(required=False, allow_null=True, default=None)


class MeView(ApiView):
    """/api/v1/me"""

    @extend_schema(operation_id="me", responses=MeOutput)
    def get(self, request: Request) -> Response:
        """Who you are here."""
        user = User.objects.select_related("department").get(pk=self.subject.user_id)
        scopes = None if self.subject.scopes is None else sorted(self.subject.scopes)
        return Response({**MeOutput(user).data, "key": self.subject.key_id, "scopes": scopes})


class DepartmentsView(ApiView):
    """/api/v1/departments/"""

    @extend_schema(operation_id="departments", parameters=PAGING, responses=DepartmentOutput(many=True))
    def get(self, request: Request) -> Response:
        """Departments, for granting them a role."""
        return Pages().paged(departments_for(self.subject), self, DepartmentOutput)


class DepartmentView(ApiView):
    """/api/v1/departments/{id}"""

    @extend_schema(operation_id="department", responses=DepartmentOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """One department."""
        return Response(DepartmentOutput(department_with(self.subject, id)).data)


class KeysView(ApiView):
    """/api/v1/keys/"""

    @extend_schema(operation_id="keys", parameters=PAGING, responses=KeyOutput(many=True))
    def get(self, request: Request) -> Response:
        """Your keys, the newest first."""
        return Pages().paged(own_keys(self.subject), self, KeyOutput)

    @extend_schema(operation_id="key_create", request=KeyInput, responses={201: NewKeyOutput})
    def post(self, request: Request) -> Response:
        """Make a key for yourself. Its text is in this answer only; it reads nothing until it is granted knowledge bases."""
        given = checked(KeyInput, request.data)
        pays = given.pop("department")
        made = key_create(
            subject=self.subject,
            owner=User.objects.select_related("department").get(pk=self.subject.user_id),
            department=department_with(self.subject, pays) if pays else None,
            **given,
        )
        return Response({**KeyOutput(made.key).data, "text": made.text}, status=201)


class KeyView(ApiView):
    """/api/v1/keys/{id}"""

    @extend_schema(operation_id="key", responses=KeyOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """One of your keys."""
        return Response(KeyOutput(own_key(self.subject, id)).data)

    @extend_schema(operation_id="key_revoke", request=None, responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:
        """Stop it for good."""
        key_revoke(subject=self.subject, key=own_key(self.subject, id))
        return Response(status=204)


def department_with(subject: Any, id: UUID) -> Department:
    """Raises NotFound."""
    found = departments_for(subject).filter(pk=id).first()
    if found is None:
        raise NotFound(_("There is no such department."))
    return found
