"""What a model reads of a knowledge base besides the rules: what it would cost, what it has cost, and the form by which its owner says how far it may go."""

import re
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from common.errors import InvalidInput
from knowledge import policy as access
from knowledge.models import KnowledgeBase, Role
from ontology.graphs import source_of
from ontology.model_reading.presence import model_that_answers
from ontology.models import GraphSource, ModelPolicy
from ontology.pages.skeleton import edited_or_404, subject_of
from ontology.selectors.reading_cost import reading_costs, spent_on
from ontology.services.reading import graph_source_set_policy

_PARTED = re.compile(r"[\s,，_']")


class PolicyForm(forms.Form):
    """How far a model may go."""

    policy = forms.ChoiceField(
        choices=ModelPolicy.choices,
        error_messages={
            "required": gettext_lazy("Choose what a model reads."),
            "invalid_choice": gettext_lazy("Choose what a model reads."),
        },
    )
    token_cap = forms.CharField(
        label=gettext_lazy("Tokens at most, in all"),
        help_text=gettext_lazy(
            "For all that a model ever reads of this knowledge base. Reading stops before it and says so; empty is no limit."
        ),
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    def clean_token_cap(self) -> int | None:
        """“500,000” and “500 000” are numbers too."""
        digits = _PARTED.sub("", self.cleaned_data["token_cap"])
        if not digits:
            return None
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 20):
            raise forms.ValidationError(_("Write a whole number such as 500,000, or nothing for no limit."))
        return int(digits)


@login_required
@require_http_methods(["GET", "POST"])
def reading_policy(request: HttpRequest, slug: str) -> HttpResponse:
    """GET, POST /ontology/{knowledge base}/model/: editors look, owners set."""
    kb, _view = edited_or_404(request, slug)
    is_owner = access.role_in(subject_of(request), kb.pk) == Role.OWNER
    source = source_of(kb.pk)
    sent = request.POST if request.method == "POST" else None
    form = PolicyForm(sent, initial={"policy": source.policy, "token_cap": shown_cap(source)})
    if request.method == "POST":
        if not is_owner:
            raise PermissionDenied
        if form.is_valid() and (answer := policy_set(request, kb, form)):
            return answer
    return render(request, "skeleton/reading_policy.html", context_of(request, kb, source, form, is_owner=is_owner))


def policy_set(request: HttpRequest, kb: KnowledgeBase, form: PolicyForm) -> HttpResponse | None:
    """To the job where something is read now, else back to the page; None shows the form with its errors."""
    given = form.cleaned_data
    try:
        job = graph_source_set_policy(
            subject=subject_of(request), kb=kb, policy=given["policy"], token_cap=given["token_cap"]
        )
    except InvalidInput as error:
        form.add_error(error.extra.get("field"), str(error))
        return None
    said = _("A model reads: %(policy)s.") % {"policy": ModelPolicy(given["policy"]).label}
    count = job.items.count() if job else 0
    if job:
        waiting = ngettext("%(count)d document waits for it.", "%(count)d documents wait for it.", count)
        said = f"{said} {waiting % {'count': count}}"
    messages.success(request, said)
    return redirect("job", job_id=job.pk) if job else redirect("reading_policy", slug=kb.slug)


def context_of(
    request: HttpRequest, kb: KnowledgeBase, source: GraphSource, form: PolicyForm, *, is_owner: bool
) -> dict[str, Any]:
    """The policies with what each would cost, and what was spent."""
    subject = subject_of(request)
    costs = {each.policy: each for each in reading_costs(subject, kb)}
    chosen = form["policy"].value()
    rows = [
        {
            "policy": policy,
            "label": label,
            "cost": (cost := costs.get(policy)),
            "is_chosen": policy == chosen,
            "is_in_use": policy == source.policy,
            "fits": cost is None or cost.fits(source),
        }
        for policy, label in ModelPolicy.choices
    ]
    return {
        "kb": kb,
        "source": source,
        "form": form,
        "rows": rows,
        "has_prices": any(cost.price for cost in costs.values()),
        "spent": spent_on(subject, kb),
        "model": model_that_answers(),
        "is_owner": is_owner,
    }


def shown_cap(source: GraphSource) -> str:
    return "" if source.token_cap is None else str(source.token_cap)
