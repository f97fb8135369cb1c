"""The page on which people make and revoke their API keys and say which knowledge bases each may reach."""

from datetime import datetime, time
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import ApiKey, Scope, User
from accounts.selectors import own_key
from accounts.services.keys import NewKey, key_create, key_revoke
from accounts.types import Subject
from common.errors import NotFound, TrellisError
from knowledge.selectors.bases import bases_for
from knowledge.selectors.grants import keys_with_grants
from knowledge.services.grants import grants_replace


class KeyForm(forms.Form):
    """A key to be made."""

    name = forms.CharField(
        label=_("Name"), max_length=200, help_text=_("What it is for, for example “nightly import”.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("May"), choices=Scope.choices, widget=forms.CheckboxSelectMultiple, initial=[Scope.READ, Scope.ASK]
    )
    reads_all = forms.BooleanField(
        label=_("In every knowledge base that you may read, also in those to come"), required=False
    )
    bases = forms.MultipleChoiceField(label=_("Or only in these"), widget=forms.CheckboxSelectMultiple, required=False)
    expires_on = forms.DateField(
        label=_("Expires after"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, *arguments: Any, bases: list[tuple[str, str]], **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.fields["bases"].choices = bases  # type: ignore[attr-defined]
        if not bases:
            del self.fields["bases"]


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def keys(request: HttpRequest) -> HttpResponse:
    """GET and POST /account/keys/: one's keys; the answer to POST is the only place that ever shows a key's text."""
    subject: Subject = request.subject  # type: ignore[attr-defined]
    choices = [(kb.slug, kb.name) for kb in bases_for(subject)]
    form = KeyForm(request.POST or None, bases=choices)
    made = None
    if request.method == "POST" and form.is_valid():
        try:
            made = make(subject, form.cleaned_data)
            form = KeyForm(bases=choices)
        except TrellisError as error:
            form.add_error(None, str(error))
    context = {"form": form, "made": made, "keys": keys_with_grants(subject), "bases": choices, "now": timezone.now()}
    return render(request, "account/keys.html", context)


def make(subject: Subject, given: dict[str, Any]) -> NewKey:
    """A key with its grants."""
    made = key_create(
        subject=subject,
        owner=User.objects.select_related("department").get(pk=subject.user_id or ""),
        name=given["name"],
        scopes=given["scopes"],
        reads_all=given["reads_all"],
        expires_at=end_of(given["expires_on"]),
    )
    grants_replace(subject=subject, key=made.key, bases=bases_for(subject).filter(slug__in=given.get("bases", [])))
    return made


def end_of(day: Any) -> datetime | None:
    """The last moment of a day, where the server is."""
    return timezone.make_aware(datetime.combine(day, time.max)) if day else None


@login_required
@require_POST
def revoke(request: HttpRequest, key_id: UUID) -> HttpResponse:
    """POST /account/keys/{id}/revoke"""
    key_revoke(subject=request.subject, key=key_or_404(request, key_id))  # type: ignore[attr-defined]
    messages.success(request, gettext("The key is revoked. Programs that use it are refused from now on."))
    return redirect("account_keys")


@login_required
@require_POST
def grant(request: HttpRequest, key_id: UUID) -> HttpResponse:
    """POST /account/keys/{id}/grants: the knowledge bases that it may reach from now on."""
    subject: Subject = request.subject  # type: ignore[attr-defined]
    wanted = bases_for(subject).filter(slug__in=request.POST.getlist("bases"))
    grants_replace(subject=subject, key=key_or_404(request, key_id), bases=wanted)
    messages.success(request, gettext("Saved."))
    return redirect("account_keys")


def key_or_404(request: HttpRequest, key_id: UUID) -> ApiKey:
    try:
        return own_key(request.subject, key_id)  # type: ignore[attr-defined]
    except NotFound as error:
        raise Http404(str(error)) from None
