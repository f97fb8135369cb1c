"""The members of a knowledge base on a page of their own: roles for people, departments and everyone, given and taken by the owners."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from accounts.models import Department, User
from common.administration import ServiceAdmin, row_id, subject_of, telling
from common.errors import TrellisError
from knowledge import policy
from knowledge.models import KnowledgeBase, Membership, Role
from knowledge.selectors.bases import members_of
from knowledge.services.bases import member_remove, member_set


def person_called(name: str) -> User | None:
    """An active person by the name they sign in with."""
    return User.objects.filter(username__iexact=name.strip(), is_active=True).first()


class MemberForm(forms.Form):
    """One new role: for a person, a department, or (neither) everyone."""

    whom = forms.ChoiceField(
        label=_("Whom"),
        choices=[("person", _("a person")), ("department", _("a department")), ("everyone", _("everyone"))],
        widget=UnfoldAdminSelectWidget(),
    )
    person = forms.CharField(label=_("User name"), max_length=150, required=False, widget=UnfoldAdminTextInputWidget())
    department = forms.ModelChoiceField(
        Department.objects.order_by("name"), label=_("Department"), required=False, widget=UnfoldAdminSelectWidget()
    )
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, widget=UnfoldAdminSelectWidget())

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        whom = given.get("whom")
        given["user"] = person_called(given.get("person") or "") if whom == "person" else None
        if whom == "person" and given["user"] is None:
            self.add_error("person", gettext("There is nobody of this name who is active."))
        if whom == "department" and not given.get("department"):
            self.add_error("department", gettext("Choose the department."))
        if whom != "department":
            given["department"] = None
        return given


class MembersPage:
    """GET shows them; POST with `remove` takes a role, with `member` and `role` changes one, else gives one."""

    def answer(self, model_admin: ServiceAdmin, request: HttpRequest, kb: KnowledgeBase) -> HttpResponse:
        here = model_admin.address("members", kb.pk)
        subject = subject_of(request)
        try:
            policy.require_owner(subject, kb.pk)
        except TrellisError as error:
            messages.error(request, str(error))
            return redirect(model_admin.address("changelist"))
        form = MemberForm(request.POST if "add" in request.POST else None, initial={"role": Role.VIEWER.value})
        if request.method == "POST" and self.is_done(request, kb, form):
            return redirect(here)
        context = {
            "title": gettext("Members of %(name)s") % {"name": kb},
            "kb": kb,
            "members": members_of(subject, kb),
            "roles": Role.choices,
            "form": form,
            "back": model_admin.address("change", kb.pk),
        }
        return model_admin.page(request, "admin/members.html", context)

    def is_done(self, request: HttpRequest, kb: KnowledgeBase, form: MemberForm) -> bool:
        """Whether the page is to be shown anew; False shows the form with its errors."""
        subject = subject_of(request)
        if "add" in request.POST:
            return form.is_valid() and self.added(request, kb, form.cleaned_data)
        member = Membership.objects.filter(kb=kb, pk__in=[row_id(request.POST.get("member"))]).first()
        if member is None:
            return True
        with telling(request):
            if "remove" in request.POST:
                words = gettext("%(name)s is no member any more.") % {"name": whom(member)}
                member_remove(subject=subject, member=member)
                messages.success(request, words)
            elif request.POST.get("role") in Role.values:
                role = Role(request.POST["role"])
                member_set(subject=subject, kb=kb, role=role, user=member.user, department=member.department)
                messages.success(
                    request, gettext("%(name)s is %(role)s now.") % {"name": whom(member), "role": role.label}
                )
        return True

    def added(self, request: HttpRequest, kb: KnowledgeBase, given: dict[str, Any]) -> bool:
        with telling(request):
            member = member_set(
                subject=subject_of(request),
                kb=kb,
                role=Role(given["role"]),
                user=given["user"],
                department=given["department"],
            )
            messages.success(
                request,
                gettext("%(name)s is %(role)s now.") % {"name": whom(member), "role": member.get_role_display()},
            )
        return True


def whom(member: Membership) -> str:
    return str(member.user or member.department or gettext("everyone"))
