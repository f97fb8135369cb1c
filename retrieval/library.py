"""The library for readers: knowledge bases, folders, tags, and a search over titles and texts. Searching texts uses the keyword arm of the ordinary search."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.types import Subject
from common.errors import NotFound
from common.markdown import plain_text
from common.text import canonical
from knowledge import policy
from knowledge.models import KnowledgeBase, Role
from knowledge.policy import CorpusView, Filters
from knowledge.selectors.bases import base_named, bases_counted
from knowledge.selectors.documents import DocumentFilter, documents_found, folders_of, tags_of
from retrieval.asking import question_from
from retrieval.search import search
from retrieval.selectors import view_for
from retrieval.tools import tools

PAGE_ROWS = 50
PASSAGES = 20
LONGEST_QUERY = 300


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the address asks for, of one knowledge base."""

    subject: Subject
    kb: KnowledgeBase
    folder: str
    tag: str
    q: str
    view: CorpusView


@login_required
@require_GET
def bases(request: HttpRequest) -> HttpResponse:
    """GET /library/: the knowledge bases one may read; with only one, that one."""
    found = list(bases_counted(request.subject))  # type: ignore[attr-defined]
    if len(found) == 1:
        return redirect("library_base", slug=found[0].slug)
    return render(request, "library/bases.html", {"bases": found})


@login_required
@require_GET
async def base(request: HttpRequest, slug: str) -> HttpResponse:
    """GET /library/{slug}/?folder=&tag=&q=&page="""
    wanted = await sync_to_async(wanted_in)(request, slug)
    passages: list[dict[str, Any]] = []
    if wanted.q:
        question = question_from(wanted.q, wanted.subject)
        result = await search(question, wanted.view, tools(), limit=PASSAGES, arms={"keyword"})
        passages = [passage_shown(found.source) for found in result.found]
    return await sync_to_async(shown)(request, wanted, passages)


def wanted_in(request: HttpRequest, slug: str) -> Wanted:
    """Raises Http404 for a knowledge base that the reader can't see."""
    subject: Subject = request.subject  # type: ignore[attr-defined]
    folder, tag, q = (canonical(request.GET.get(name, "")).strip()[:LONGEST_QUERY] for name in ("folder", "tag", "q"))
    filters = Filters(folder=folder, tags=(tag,) if tag else ())
    try:
        kb = base_named(subject, slug)
        return Wanted(subject, kb, folder, tag, q, view_for(subject, slugs=[slug], filters=filters))
    except NotFound as error:
        raise Http404(str(error)) from None


def passage_shown(source: Any) -> dict[str, Any]:
    """A found passage with the address of its place in the document."""
    span = urlencode({"version": source.version, "start": source.start, "end": source.end})
    return {"source": source, "span": span, "words": plain_text(source.text)}


def shown(request: HttpRequest, wanted: Wanted, passages: list[dict[str, Any]]) -> HttpResponse:
    """The page, with the documents whose titles fit."""
    narrowed = DocumentFilter(
        kb=wanted.kb.slug, folder=wanted.folder, tags=(wanted.tag,) if wanted.tag else (), q=wanted.q
    )
    documents = documents_found(wanted.subject, narrowed).exclude(live_version=None).order_by("path")
    parts = wanted.folder.split("/") if wanted.folder else []
    context = {
        "kb": wanted.kb,
        "may_edit": policy.role_in(wanted.subject, wanted.kb.pk) in (Role.EDITOR, Role.OWNER),
        "folder": wanted.folder,
        "crumbs": [(part, "/".join(parts[: depth + 1])) for depth, part in enumerate(parts)],
        "tag": wanted.tag,
        "q": wanted.q,
        "root": folders_of(wanted.subject, wanted.kb, published_only=True),
        "tags": tags_of(wanted.subject, wanted.kb, published_only=True)[:60],
        "page_obj": Paginator(documents, PAGE_ROWS).get_page(request.GET.get("page")),
        "passages": passages,
        "bases_count": policy.visible(KnowledgeBase.objects.all(), wanted.subject).count(),
        "title": wanted.folder.rpartition("/")[2] or wanted.kb.name or _("Library"),
    }
    return render(request, "library/base.html", context)
