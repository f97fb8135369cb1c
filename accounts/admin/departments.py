"""Departments in the administration, and which of them are somebody's business: administrators see all, managers their own."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Department
from accounts.services.departments import department_create, department_delete, department_rename
from accounts.types import Subject
from common.administration import Question, ServiceAdmin, ServiceForm, action, display, subject_of


def manages(subject: Subject) -> bool:
    """Whether the subject manages people at all."""
    return subject.is_administrator or bool(subject.managed_department_ids)


def managed(subject: Subject) -> QuerySet[Department]:
    """The departments whose people and keys are the subject's business."""
    found = Department.objects.order_by("name")
    return found if subject.is_administrator else found.filter(pk__in=subject.managed_department_ids)


class DepartmentForm(ServiceForm):
    class Meta:
        model = Department
        fields = ("name",)

    def write(self) -> Department:
        name = self.cleaned_data["name"]
        if self.instance._state.adding:
            return department_create(subject=self.subject, name=name)
        return department_rename(subject=self.subject, department=self.stored, name=name)


@admin.register(Department)
class DepartmentAdmin(ServiceAdmin):
    """Who pays. Administrators make, rename and delete them."""

    form = DepartmentForm
    list_display = ("name", "people", "bases")
    search_fields = ("name",)
    ordering = ("name",)
    actions_detail = ("remove",)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return manages(subject_of(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(subject_of(request).is_administrator)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(subject_of(request).is_administrator)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Department]:
        return managed(subject_of(request)).annotate(
            people_count=Count("members", filter=Q(members__is_active=True), distinct=True),
            base_count=Count("knowledge_bases", distinct=True),
        )

    @display(description=_("people"), ordering="people_count")
    def people(self, obj: Any) -> int:
        return int(obj.people_count)

    @display(description=_("knowledge bases"), ordering="base_count")
    def bases(self, obj: Any) -> int:
        return int(obj.base_count)

    def offers(self, request: HttpRequest, obj: Any) -> set[str]:
        return {"remove"} if subject_of(request).is_administrator else set()

    @action(description=_("Delete"), url_path="remove", icon="delete")
    def remove(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A department that nobody belongs to any more."""
        department = self.found(request, object_id)
        question = Question(
            title=gettext("Delete the department “%(name)s”?") % {"name": department},
            text=_("This can't be undone. It works only when no people, keys and knowledge bases belong to it."),
            action=_("Delete"),
            type_name=department.name,
            is_danger=True,
        )

        def deed() -> HttpResponse:
            department_delete(subject=subject_of(request), department=department)
            messages.success(request, gettext("The department “%(name)s” is deleted.") % {"name": question.type_name})
            return redirect(self.address("changelist"))

        return self.ask(request, question, deed, back=self.address("change", object_id))
