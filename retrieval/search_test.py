"""GET /search-test/: for editors, a question and what every arm finds, side by side, from there to the chunk and its switch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from accounts.types import Subject
from common.errors import NotFound
from common.text import canonical
from knowledge import policy
from knowledge.models import KnowledgeBase, Role
from knowledge.policy import CorpusView
from retrieval.asking import question_from
from retrieval.conf import retrieval_settings
from retrieval.search import SearchResult, search
from retrieval.selectors import view_for
from retrieval.tools import tools
from retrieval.types import Source

SHOWN = 10
LABELS = {
    "vector": gettext_lazy("By meaning"),
    "keyword": gettext_lazy("By words"),
    "graph": gettext_lazy("By the graph"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """The form as it was sent."""

    subject: Subject
    bases: Sequence[KnowledgeBase]
    editable: frozenset[Any]
    chosen: Sequence[str]
    text: str
    view: CorpusView | None


@login_required
@require_GET
async def search_test(request: HttpRequest) -> HttpResponse:
    """The form, and with `?q=` the lists."""
    asked = await sync_to_async(asked_in)(request)
    columns: list[dict[str, Any]] = []
    result: SearchResult | None = None
    if asked.text and asked.view is not None:
        result = await search(question_from(asked.text, asked.subject), asked.view, tools(), limit=SHOWN)
        columns = columns_of(result, asked)
    context = {
        "bases": asked.bases,
        "chosen": asked.chosen,
        "question": asked.text,
        "columns": columns,
        "degraded": result.degraded if result else (),
        "stages": result.stages if result else (),
        "question_characters": retrieval_settings().question_characters,
    }
    return await sync_to_async(render)(request, "retrieval/search_test.html", context)


def asked_in(request: HttpRequest) -> Asked:
    """Raises Http404 for somebody who edits nothing, or names a knowledge base that they can't see."""
    subject: Subject = request.subject  # type: ignore[attr-defined]
    editable = bases_of(subject, Role.EDITOR)
    if not editable:
        raise Http404(_("This page is for editors."))
    chosen = request.GET.getlist("kb")
    text = canonical(request.GET.get("q", "")).strip()[: retrieval_settings().question_characters]
    try:
        view = view_for(subject, slugs=chosen) if text else None
    except NotFound as error:
        raise Http404(str(error)) from None
    return Asked(subject, list(bases_of(subject)), frozenset(base.pk for base in editable), chosen, text, view)


def bases_of(subject: Subject, least: Role = Role.VIEWER) -> QuerySet[KnowledgeBase]:
    return policy.visible(KnowledgeBase.objects.all(), subject, least=least).order_by("name")


def columns_of(result: SearchResult, asked: Asked) -> list[dict[str, Any]]:
    """One list for what is fused and one for each arm."""
    fused = [(found.source, found.hit.score) for found in result.found]
    places = {found.source.chunk_id: found.hit.arms for found in result.found}
    columns = [{"name": "fused", "label": _("Together"), "hits": hits_shown(fused, asked, places)}]
    for ranking in result.rankings:
        hits = [
            (result.sources[hit.chunk_id], hit.score) for hit in ranking.hits[:SHOWN] if hit.chunk_id in result.sources
        ]
        columns.append(
            {
                "name": ranking.arm,
                "label": str(LABELS.get(ranking.arm, ranking.arm)),
                "hits": hits_shown(hits, asked, places),
            }
        )
    return columns


def hits_shown(hits: Sequence[tuple[Source, float]], asked: Asked, places: Any) -> list[dict[str, Any]]:
    return [
        {
            "rank": rank,
            "score": f"{score:.3f}",
            "source": source,
            "arms": [
                {"name": LABELS.get(name, name), "rank": place.rank}
                for name, place in places.get(source.chunk_id, {}).items()
            ],
            "url": f"{reverse('document', args=[source.document_id])}?version={source.version}&start={source.start}&end={source.end}#evidence",
            "may_switch": source.kb_id in asked.editable,
        }
        for rank, (source, score) in enumerate(hits, start=1)
    ]
