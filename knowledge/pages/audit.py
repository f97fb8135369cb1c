"""The record of who did what, as a page with filters and as CSV; for administrators, managers of departments and owners of knowledge bases."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.models import AuditEvent
from accounts.types import Subject
from knowledge.api.audit import csv_answer
from knowledge.selectors.audit import AuditFilter, events_for, kinds_for, may_audit, owned_bases

PAGE_ROWS = 50
DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class FilterForm(forms.Form):
    """What the record is narrowed to."""

    who = forms.CharField(label=_("Who"), required=False, max_length=200)
    what = forms.CharField(label=_("What"), required=False, max_length=200)
    kind = forms.ChoiceField(label=_("Kind"), required=False)
    kb = forms.ChoiceField(label=_("Knowledge base"), required=False)
    since = forms.DateField(label=_("From"), required=False, widget=DAY)
    until = forms.DateField(label=_("To"), required=False, widget=DAY)

    def __init__(self, *arguments: Any, subject: Subject, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.subject = subject
        every = [("", gettext("All"))]
        self.fields["kind"].choices = every + [(kind, kind) for kind in kinds_for(subject)]  # type: ignore[attr-defined]
        bases = owned_bases(subject).order_by("name").values_list("slug", "name")
        self.fields["kb"].choices = every + list(bases)  # type: ignore[attr-defined]

    @property
    def events(self) -> QuerySet[AuditEvent]:
        """What was asked for; nothing where that makes no sense."""
        if not self.is_valid():
            return AuditEvent.objects.none()
        wanted = {name: value for name, value in self.cleaned_data.items() if value}
        return events_for(self.subject, AuditFilter(**wanted))


@login_required
@never_cache
@require_GET
def audit(request: HttpRequest) -> HttpResponse:
    """GET /audit/?who=&what=&kind=&kb=&since=&until=&page="""
    subject = auditor_of(request)
    form = FilterForm(request.GET, subject=subject)
    pages = Paginator(form.events, PAGE_ROWS)
    return render(request, "account/audit.html", {"form": form, "page_obj": pages.get_page(request.GET.get("page"))})


@login_required
@require_GET
def audit_csv(request: HttpRequest) -> HttpResponseBase:
    """GET /audit/events.csv with the same filters."""
    subject = auditor_of(request)
    return csv_answer(FilterForm(request.GET, subject=subject).events)


def auditor_of(request: HttpRequest) -> Subject:
    """Raises Http404 for somebody who has nothing to see here."""
    subject: Subject = request.subject  # type: ignore[attr-defined]
    if not may_audit(subject):
        raise Http404(gettext("There is no such page, or you may not see it."))
    return subject
