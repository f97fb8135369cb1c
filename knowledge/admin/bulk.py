"""The pages of bulk actions: what is chosen, what will happen, a yes, and a way back where there is one."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from common.administration import Question, ServiceAdmin, row_id, subject_of, telling
from common.errors import TrellisError
from knowledge.admin.deeds import DEEDS, Deed, Done, by_base, change_all, previewed, take_back
from knowledge.admin.edits import BulkForm
from knowledge.models import Document

MOST = 5000
SHOWN = 100
UNDO = "administration_undo"


class BulkPages:
    """Works on a document admin: its `get_queryset` says which documents the person may change."""

    def __init__(self, model_admin: ServiceAdmin) -> None:
        self.admin = model_admin

    def begin(self, request: HttpRequest, name: str, chosen: QuerySet[Document]) -> HttpResponse | None:
        """The first page after an action was chosen in the list."""
        if chosen.count() > MOST:
            messages.warning(
                request, gettext("At most %(count)d documents at once. Narrow the list.") % {"count": MOST}
            )
            return None
        documents = list(chosen.order_by("path"))
        if name == "edit":
            return self.edit_page(request, documents, None)
        return self.deed_page(request, DEEDS[name], documents)

    def answer(self, request: HttpRequest, name: str) -> HttpResponse:
        """POST /admin/knowledge/document/bulk/{name}/: the pages after the first."""
        if request.method != "POST":
            return redirect(self.admin.address("changelist"))
        documents = self.chosen(request)
        if name == "edit":
            return self.edited(request, documents)
        if name not in DEEDS:
            raise Http404
        return self.done(request, DEEDS[name], documents)

    def chosen(self, request: HttpRequest) -> list[Document]:
        """The documents named by the page before, as far as the person may change them."""
        ids = [id for each in request.POST.get("ids", "").split(",")[:MOST] if (id := row_id(each))]
        return list(self.admin.get_queryset(request).filter(pk__in=ids).order_by("path"))

    def deed_page(
        self, request: HttpRequest, deed: Deed, documents: Sequence[Document], *, is_mistyped: bool = False
    ) -> HttpResponse:
        bases = list(by_base(documents))
        if deed.is_final and len(bases) > 1:
            messages.warning(
                request, gettext("Choose documents of one knowledge base only, because its name is asked for.")
            )
            return redirect(self.list_address(request))
        context = {
            "title": deed.title,
            "deed": deed,
            "type_name": bases[0].slug if deed.is_final and bases else "",
            "is_mistyped": is_mistyped,
            **self.around(request, deed.name, documents),
        }
        return self.admin.page(request, "admin/bulk.html", context)

    def around(self, request: HttpRequest, name: str, documents: Sequence[Document]) -> dict[str, Any]:
        return {
            "documents": documents[:SHOWN],
            "count": len(documents),
            "hidden_count": max(0, len(documents) - SHOWN),
            "ids": ",".join(str(each.pk) for each in documents),
            "action_url": reverse("admin:knowledge_document_bulk", args=[name]),
            "back": self.list_address(request),
        }

    def list_address(self, request: HttpRequest) -> str:
        """The list as it was narrowed."""
        kept = request.POST.get("back") or request.get_full_path()
        address: str = self.admin.address("changelist")
        return kept if kept.startswith(f"{address}?") else address

    def done(self, request: HttpRequest, deed: Deed, documents: list[Document]) -> HttpResponse:
        bases = list(by_base(documents))
        if deed.is_final and (len(bases) != 1 or request.POST.get("confirm", "").strip() != bases[0].slug):
            return self.deed_page(request, deed, documents, is_mistyped=True)
        answer: HttpResponse | None = None
        with telling(request):
            answer = self.told(request, deed.run(subject_of(request), documents))
        return answer or redirect(self.list_address(request))

    def told(self, request: HttpRequest, done: Done) -> HttpResponse:
        """Say what came of it, with the way back; a single job is watched at once."""
        words = ngettext("%(count)d document changed.", "%(count)d documents changed.", done.count) % {
            "count": done.count
        }
        if done.undo and done.count:
            request.session[UNDO] = done.undo
            link = format_html(
                '<a class="ad-link" href="{}">{}</a>', reverse("admin:knowledge_document_undo"), gettext("Undo")
            )
            messages.success(request, format_html("{} {}", words, link))
        elif done.jobs:
            messages.success(request, gettext("The job has begun."))
            if len(done.jobs) == 1:
                return redirect("job", job_id=done.jobs[0].pk)
        elif done.count:
            messages.success(request, words)
        else:
            messages.info(request, gettext("There was nothing to do."))
        return redirect(self.list_address(request))

    def edit_page(
        self, request: HttpRequest, documents: Sequence[Document], form: BulkForm | None, **more: Any
    ) -> HttpResponse:
        context = {
            "title": _("Change documents"),
            "form": form or BulkForm(),
            **self.around(request, "edit", documents),
            **more,
        }
        return self.admin.page(request, "admin/bulk_edit.html", context)

    def edited(self, request: HttpRequest, documents: list[Document]) -> HttpResponse:
        """First what would change, then, with `sure`, the change."""
        form = BulkForm(request.POST)
        if not form.is_valid():
            return self.edit_page(request, documents, form)
        try:
            if "sure" in request.POST:
                return self.told(request, change_all(subject_of(request), documents, form.change()))
            differences = previewed(subject_of(request), documents, form.change())
        except TrellisError as error:
            form.add_error(None, str(error))
            return self.edit_page(request, documents, form)
        shown = {
            "differences": differences[:SHOWN],
            "different_count": len(differences),
            "different_hidden": max(0, len(differences) - SHOWN),
            "is_preview": True,
        }
        return self.edit_page(request, documents, form, **shown)

    def undo(self, request: HttpRequest) -> HttpResponse:
        """GET asks and POST takes back the last bulk change of this session."""
        back = self.admin.address("changelist")
        undo = request.session.get(UNDO)
        if not undo:
            messages.info(request, gettext("There is nothing to undo."))
            return redirect(back)
        ids = undo.get("ids") or list(undo["rows"])
        documents = list(self.admin.get_queryset(request).filter(pk__in=ids))
        question = Question(
            title=gettext("Undo the last change?"),
            text=ngettext(
                "%(count)d document becomes as it was before.",
                "%(count)d documents become as they were before.",
                len(documents),
            )
            % {"count": len(documents)},
            action=gettext("Undo"),
        )

        def deed() -> None:
            count = take_back(subject_of(request), documents, undo)
            request.session.pop(UNDO, None)
            words = ngettext(
                "%(count)d document is as it was before.", "%(count)d documents are as they were before.", count
            )
            messages.success(request, words % {"count": count})

        return self.admin.ask(request, question, deed, back=back)
