"""People in the administration: administrators see all, managers those of their departments; every change goes through `accounts.services.people`."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from accounts.admin.departments import managed, manages
from accounts.links import welcome_path
from accounts.models import Department, User
from accounts.services.people import (
    PersonFields,
    user_activate,
    user_deactivate,
    user_invite,
    user_set_managed,
    user_update,
)
from common.administration import Question, ServiceAdmin, ServiceForm, action, display, subject_of

ROLES = ("is_administrator", "is_operator")


class PersonForm(ServiceForm):
    """A manager gets it without the roles, and with their own departments only."""

    managed_departments = forms.ModelMultipleChoiceField(
        Department.objects.order_by("name"),
        required=False,
        label=_("Manages the departments"),
        help_text=_("They invite people there, make keys for them, and see what was used."),
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )

    class Meta:
        model = User
        fields = ("username", "full_name", "email", "department", *ROLES)
        help_texts = {
            "username": _("What they sign in with."),
            "department": _("It pays for what they ask."),
            "is_administrator": _("May do everything and see all knowledge bases."),
            "is_operator": _("Sees engines, queues and figures, but no content."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.subject.is_administrator:
            for name in ("managed_departments", *ROLES):
                self.fields.pop(name, None)
            if "department" in self.fields:
                self.fields["department"].queryset = managed(self.subject)  # type: ignore[attr-defined]
                self.fields["department"].required = True

    def write(self) -> User:
        changes = self.changes
        departments = changes.pop("managed_departments", None)
        if self.instance._state.adding:
            fields = PersonFields(
                **{name: value for name, value in self.cleaned_data.items() if name in PersonFields._fields}
            )
            user = user_invite(subject=self.subject, fields=fields)
        else:
            user = self.stored
            if changes:
                user = user_update(subject=self.subject, user=user, changes=changes)
        if departments is not None:
            user_set_managed(subject=self.subject, user=user, departments=list(departments))
        return user


class RoleFilter(admin.SimpleListFilter):
    """By what a person may do on the whole server."""

    title = _("role")
    parameter_name = "role"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("administrator", _("administrator")),
            ("operator", _("operator")),
            ("manager", _("manages a department")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        conditions = {
            "administrator": Q(is_administrator=True),
            "operator": Q(is_operator=True),
            "manager": Q(managed_departments__isnull=False),
        }
        condition = conditions.get(self.value() or "")
        return queryset.filter(condition).distinct() if condition else queryset


@admin.register(User)
class PersonAdmin(ServiceAdmin):
    """People: invited by a link that is handed over, changed, switched off and on. Nobody is deleted, because records name them."""

    form = PersonForm
    list_display = ("username", "full_name", "department", "roles", "active", "last_login")
    list_display_links = ("username", "full_name")
    list_filter = ("is_active", RoleFilter, "department")
    search_fields = ("username", "full_name", "email")
    ordering = ("username",)
    readonly_fields = ("last_login", "created_at")
    actions_detail = ("link", "deactivate", "activate")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return manages(subject_of(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return manages(subject_of(request))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        subject = subject_of(request)
        is_theirs = manages(subject) and not (obj is not None and (obj.is_administrator or obj.is_operator))
        return bool(subject.is_administrator) or is_theirs

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        subject = subject_of(request)
        found = User.objects.select_related("department").prefetch_related("managed_departments")
        return found if subject.is_administrator else found.filter(department__in=managed(subject))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        person: list[Any] = [(None, {"fields": ("username", "full_name", "email", "department")})]
        if subject_of(request).is_administrator:
            person.append((_("Roles"), {"fields": (*ROLES, "managed_departments")}))
        if obj is not None:
            person.append((_("Record"), {"fields": ("last_login", "created_at")}))
        return person

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"department": subject_of(request).department_id}

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)
        if obj is not None and "managed_departments" in form.base_fields:
            form.base_fields["managed_departments"].initial = list(obj.managed_departments.all())
        return form

    @display(description=_("roles"), label=True)
    def roles(self, obj: User) -> str:
        words = [str(_("administrator"))] if obj.is_administrator else []
        words += [str(_("operator"))] if obj.is_operator else []
        departments = [str(each) for each in obj.managed_departments.all()]
        if departments:
            words.append(gettext("manages %(names)s") % {"names": ", ".join(departments)})
        return " · ".join(words) or "–"

    @display(description=_("active"), boolean=True, ordering="is_active")
    def active(self, obj: User) -> bool:
        return obj.is_active

    def offers(self, request: HttpRequest, obj: Any) -> set[str]:
        if not self.has_change_permission(request, obj):
            return set()
        if not obj.is_active:
            return {"activate"}
        return {"link"} if obj.pk == subject_of(request).user_id else {"link", "deactivate"}

    def response_add(self, request: HttpRequest, obj: User, post_url_continue: Any = None) -> HttpResponse:
        """The link by which they choose a password, at once."""
        return self.link_shown(request, obj)

    def link_shown(self, request: HttpRequest, user: User) -> HttpResponse:
        """A new link, to be handed over: there need be no e-mail server."""
        path = welcome_path(subject=subject_of(request), user=user)
        answer = self.page(
            request,
            "admin/link.html",
            {
                "title": gettext("A link for %(name)s") % {"name": user},
                "link": request.build_absolute_uri(path),
                "person": user,
                "back": self.address("change", user.pk),
            },
        )
        answer["Cache-Control"] = "no-store"
        return answer

    @action(description=_("New link"), url_path="link", icon="link")
    def link(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """For somebody who was invited or has forgotten their password."""
        user = self.found(request, object_id)
        question = Question(
            title=gettext("Make a link for %(name)s?") % {"name": user},
            text=_("Whoever opens the link chooses a new password for this person. It works once and for seven days."),
            action=_("Make the link"),
        )
        return self.ask(request, question, lambda: self.link_shown(request, user), back=self.address("change", user.pk))

    @action(description=_("Deactivate"), url_path="deactivate", icon="person_off")
    def deactivate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        user = self.found(request, object_id)
        question = Question(
            title=gettext("Deactivate %(name)s?") % {"name": user},
            text=_(
                "Their sessions end and their keys stop at once. They can be activated again; their keys stay revoked."
            ),
            action=_("Deactivate"),
            is_danger=True,
        )

        def deed() -> None:
            user_deactivate(subject=subject_of(request), user=user)
            messages.success(request, gettext("%(name)s can't sign in any more.") % {"name": user})

        return self.ask(request, question, deed, back=self.address("change", user.pk))

    @action(description=_("Activate"), url_path="activate", icon="person")
    def activate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        user = self.found(request, object_id)
        question = Question(
            title=gettext("Activate %(name)s again?") % {"name": user},
            text=_("They can sign in with the password they had. Their keys stay revoked."),
            action=_("Activate"),
        )

        def deed() -> None:
            user_activate(subject=subject_of(request), user=user)
            messages.success(request, gettext("%(name)s can sign in again.") % {"name": user})

        return self.ask(request, question, deed, back=self.address("change", user.pk))
