"""GET, POST /ontology/{knowledge base}/propose/: drafts of classes and attributes from documents, which a model may name and join; the chosen ones go into the editor's text, where a person looks them through."""

import json
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from common.errors import InvalidInput
from knowledge.models import KnowledgeBase
from ontology.graphs import skeleton_in_use
from ontology.pages.skeleton import edited_or_404, subject_of
from ontology.pages.skeleton_editing import editor
from ontology.pages.skeleton_fields import TYPES
from ontology.proposing.drafts import Draft
from ontology.proposing.naming import named, read_answer
from ontology.proposing.propose import accepted, propose
from ontology.selectors.samples import is_word, samples_of
from ontology.selectors.views import GraphView
from ontology.services.proposing import Offer, asking_about, drafts_name

SAID_MAX = 100_000


@login_required
@require_http_methods(["GET", "POST"])
def skeleton_propose(request: HttpRequest, slug: str) -> HttpResponse:
    """The same drafts come again as long as neither documents nor skeleton change; what a model has said of them travels in the page."""
    kb, view = edited_or_404(request, slug)
    samples = samples_of(subject_of(request), kb)
    drafts = propose(samples, view.skeleton, is_word)
    if request.method == "POST" and "ask" not in request.POST:
        return taken(request, kb, view, drafts)
    context: dict[str, Any] = {"kb": kb, "view": view, "documents": len(samples)}
    if request.method == "POST":
        naming = drafts_name(subject=subject_of(request), kb=kb, drafts=drafts)
        said = json.dumps(naming.answer, ensure_ascii=False) if naming.is_any else ""
        was_asked = naming.fault not in set(Offer)
        context |= {"naming": naming if was_asked else None, "rows": rows_of(naming.drafts), "said": said}
    else:
        context |= {"rows": rows_of(drafts)}
    context["asking"] = asking_about(subject_of(request), kb, drafts)
    return render(request, "skeleton/propose.html", context)


def taken(request: HttpRequest, kb: KnowledgeBase, view: GraphView, drafts: Sequence[Draft]) -> HttpResponse:
    """The editor with the chosen drafts in its text."""
    text = skeleton_in_use(view.graph).text
    said = request.POST.get("said", "")
    if said and len(said) <= SAID_MAX:
        drafts = named(drafts, read_answer(said, drafts), text)
    chosen = set(request.POST.getlist("draft"))
    count = sum(draft.key in chosen for draft in drafts)
    try:
        text = accepted(text, drafts, chosen)
    except InvalidInput as error:
        return editor(request, kb, view, text, fault=str(error))
    told = ngettext(
        "%(count)d proposal stands in the text. Look it through, then try it.",
        "%(count)d proposals stand in the text. Look them through, then try them.",
        count,
    )
    return editor(request, kb, view, text, notice=told % {"count": count} if count else _("Nothing was chosen."))


def rows_of(drafts: Sequence[Draft]) -> list[dict[str, Any]]:
    """For the table."""
    types = dict(TYPES)
    return [
        {
            "draft": draft,
            "labels": " · ".join(draft.declared.get("labels", {}).values()),
            "descriptions": list(draft.declared.get("description", {}).values()),
            "attributes": [
                {
                    "name": name,
                    "type": types[entry.get("type", "text")],
                    "labels": " · ".join(entry.get("labels", {}).values()),
                }
                for name, entry in draft.declared.get("attributes", {}).items()
            ],
            "type": types[draft.declared.get("type", "text")] if draft.owner else "",
        }
        for draft in drafts
    ]
