"""REST for knowledge bases and their members."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Department, User
from common.api import ApiView, Pages, checked
from common.errors import NotFound
from knowledge.models import KnowledgeBase, Membership, Role
from knowledge.selectors.bases import base_named, bases_for, members_of
from knowledge.selectors.documents import folders_of, tags_of
from knowledge.services.bases import kb_create, kb_delete, kb_update, member_remove, member_set

PAGING = [OpenApiParameter("cursor", str), OpenApiParameter("limit", int)]


class BaseOutput(serializers.ModelSerializer[KnowledgeBase]):
    """A knowledge base."""

    department = serializers.CharField(source="department.name")

    class Meta:
        model = KnowledgeBase
        fields = ("id", "slug", "name", "description", "department", "questions", "corpus_version", "created_at")


class BaseInput(serializers.Serializer[Any]):
    """What a knowledge base is called and who pays for reading; `everyone` gives each signed-in person that role."""

    slug = serializers.CharField(max_length=80)
    name = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    description = serializers.CharField(max_length=5000, required=False, allow_blank=True, default="")
    department = serializers.UUIDField(required=False, allow_null=True, default=None)
    questions = serializers.ListField(
        child=serializers.CharField(max_length=300), max_length=6, required=False, default=list
    )
    everyone = serializers.ChoiceField(Role.choices, required=False, allow_null=True, default=None)


class BaseChanges(serializers.Serializer[Any]):
    """What may change."""

    name = serializers.CharField(max_length=200, required=False)
    description = serializers.CharField(max_length=5000, required=False, allow_blank=True)
    questions = serializers.ListField(child=serializers.CharField(max_length=300), max_length=6, required=False)
    department = serializers.UUIDField(required=False)


class MemberOutput(serializers.ModelSerializer[Membership]):
    """Who has which role; neither user nor department means everyone."""

    user = serializers.CharField(source="user.username", default=None)
    department = serializers.CharField(source="department.name", default=None)

    class Meta:
        model = Membership
        fields = ("id", "user", "department", "role")


class MemberInput(serializers.Serializer[Any]):
    """A role for a person (by user name), a department (by id), or everyone (neither)."""

    user = serializers.CharField(max_length=150, required=False, allow_null=True, default=None)
    department = serializers.UUIDField(required=False, allow_null=True, default=None)
    role = serializers.ChoiceField(Role.choices)


def department_with(id: UUID | None) -> Department | None:
    """Raises NotFound for an id that nobody has."""
    if id is None:
        return None
    found = Department.objects.filter(pk=id).first()
    if found is None:
        raise NotFound(_("There is no such department."))
    return found


def user_called(name: str | None) -> User | None:
    """Raises NotFound for a name that nobody has."""
    if name is None:
        return None
    found = User.objects.filter(username__iexact=name, is_active=True).first()
    if found is None:
        raise NotFound(_("There is nobody called “%(name)s”.") % {"name": name})
    return found


class BasesView(ApiView):
    """/api/v1/knowledge-bases/"""

    @extend_schema(operation_id="knowledge_bases", parameters=PAGING, responses=BaseOutput(many=True))
    def get(self, request: Request) -> Response:
        """The knowledge bases you may read."""
        pages = Pages()
        page = pages.paginate_queryset(bases_for(self.subject), request, view=self)
        return pages.get_paginated_response(BaseOutput(page, many=True).data)

    @extend_schema(operation_id="knowledge_base_create", request=BaseInput, responses={201: BaseOutput})
    def post(self, request: Request) -> Response:
        """Make one."""
        given = checked(BaseInput, request.data)
        kb = kb_create(
            subject=self.subject,
            slug=given["slug"],
            name=given["name"],
            description=given["description"],
            department=department_with(given["department"]),
            questions=given["questions"],
            role_of_everyone=Role(given["everyone"]) if given["everyone"] else None,
        )
        return Response(BaseOutput(kb).data, status=201)


class BaseView(ApiView):
    """/api/v1/knowledge-bases/{slug}/"""

    @extend_schema(operation_id="knowledge_base", responses=BaseOutput)
    def get(self, request: Request, slug: str) -> Response:
        """One, with its folders and tags."""
        kb = base_named(self.subject, slug)
        tags = [{"name": name, "documents": count} for name, count in tags_of(self.subject, kb)]
        return Response({**BaseOutput(kb).data, "folders": folder_dict(folders_of(self.subject, kb)), "tags": tags})

    @extend_schema(operation_id="knowledge_base_update", request=BaseChanges, responses=BaseOutput)
    def patch(self, request: Request, slug: str) -> Response:
        """Change it."""
        changes = checked(BaseChanges, request.data)
        if "department" in changes:
            changes["department"] = department_with(changes["department"])
        kb = base_named(self.subject, slug)
        return Response(BaseOutput(kb_update(subject=self.subject, kb=kb, changes=changes)).data)

    @extend_schema(operation_id="knowledge_base_delete", request=None, responses={202: dict, 204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete it with all its documents; can't be undone. Answers with the job, or 204 when it was empty."""
        job = kb_delete(subject=self.subject, kb=base_named(self.subject, slug))
        return Response({"job": str(job.pk)}, status=202) if job else Response(status=204)


class MemberPages(Pages):
    """By role."""

    ordering = ("role", "id")  # type: ignore[assignment]


class MembersView(ApiView):
    """/api/v1/knowledge-bases/{slug}/members/"""

    @extend_schema(operation_id="members", parameters=PAGING, responses=MemberOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Who may do what in it; for its owners."""
        kb = base_named(self.subject, slug)
        return MemberPages().paged(members_of(self.subject, kb), self, MemberOutput)

    @extend_schema(operation_id="member_set", request=MemberInput, responses=MemberOutput)
    def put(self, request: Request, slug: str) -> Response:
        """Give a role, or another one."""
        given = checked(MemberInput, request.data)
        member = member_set(
            subject=self.subject,
            kb=base_named(self.subject, slug),
            role=Role(given["role"]),
            user=user_called(given["user"]),
            department=department_with(given["department"]),
        )
        return Response(MemberOutput(member).data)


class MemberView(ApiView):
    """/api/v1/knowledge-bases/{slug}/members/{id}"""

    @extend_schema(operation_id="member_remove", request=None, responses={204: None})
    def delete(self, request: Request, slug: str, id: UUID) -> Response:
        """Take a role back."""
        member = members_of(self.subject, base_named(self.subject, slug)).filter(pk=id).first()
        if member is None:
            raise NotFound(_("There is no such member."))
        member_remove(subject=self.subject, member=member)
        return Response(status=204)


def folder_dict(folder: Any) -> dict[str, Any]:
    """A tree of folders as JSON."""
    return {
        "name": folder.name,
        "path": folder.path,
        "documents": folder.count,
        "folders": [folder_dict(inner) for inner in folder.folders],
    }
