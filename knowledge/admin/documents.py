"""Documents in the administration: the list with its filters and bulk actions, the bin, and what an editor may set of one document."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from unfold.views import ChangeList

from common.administration import ServiceAdmin, action, display, row_id, subject_of
from knowledge import policy
from knowledge.admin import filters
from knowledge.admin.bulk import BulkPages
from knowledge.admin.edits import DocumentForm
from knowledge.admin.reading_words import reading_shown
from knowledge.models import Document, DocumentState, Role, Version
from knowledge.rights import rights_in
from knowledge.selectors.progress import VersionProgress, progress_of

ASKED_AT_ONCE = 200


class DocumentList(ChangeList):
    """Knows how the newest reading of each row stands, in a few statements for the page."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows = list(self.result_list)
        progress = progress_of([row.newest_id for row in rows if row.newest_id])
        for row in rows:
            row.progress = progress.get(row.newest_id)
        self.result_list = rows


@admin.register(Document)
class DocumentAdmin(ServiceAdmin):
    """Only what the person may edit. Documents come by uploads and go through the bin."""

    form = DocumentForm
    list_display = ("named", "base", "tag_list", "owner", "language", "reading", "expires_on", "changed")
    list_display_links = None
    list_filter = (
        filters.StateFilter,
        filters.BaseFilter,
        filters.ReadingFilter,
        filters.FolderFilter,
        filters.TagFilter,
        filters.LanguageFilter,
        filters.ExpiryFilter,
        filters.OwnerFilter,
    )
    search_fields = ("title", "path")
    ordering = ("-updated_at",)
    actions = ("edit", "bin", "restore", "purge", "reread", "retry")
    actions_list = ("upload", "show_bin")
    actions_detail = ("open", "chunks", "do_reread", "do_retry", "do_bin", "do_restore", "do_purge")
    readonly_fields = ("base", "language", "version", "reading_now", "updated_at")

    class Media:
        js = ("js/admin/readings.js",)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return rights_in(request).is_editor

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return rights_in(request).is_editor and (obj is None or obj.state == DocumentState.LIVE)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        newest = Version.objects.filter(document=OuterRef("pk")).order_by("-number").values("pk")[:1]
        found = policy.visible(Document.objects.all(), subject_of(request), least=Role.EDITOR)
        found = found.exclude(state=DocumentState.DELETING)
        return found.select_related("kb", "owner").annotate(newest_id=Subquery(newest))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return DocumentList

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        given = ("title", "path", "tags_text", "owner_name", "source_url", ("effective_on", "expires_on"))
        facts = ("base", "language", "version", "reading_now", "updated_at")
        if obj is not None and not self.has_change_permission(request, obj):
            return [(None, {"fields": ("title", "path", "owner", "source_url", *facts)})]
        return [(None, {"fields": given}), (_("Record"), {"fields": facts})]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """In the bin there is other work than outside."""
        found = super().get_actions(request)
        wanted = ("restore", "purge") if request.GET.get("state") == "binned" else ("edit", "bin", "reread", "retry")
        return {name: found[name] for name in wanted if name in found}

    def get_urls(self) -> list[Any]:
        pages = BulkPages(self)
        wrap = self.admin_site.admin_view
        return [
            path("bulk/<str:name>/", wrap(pages.answer), name="knowledge_document_bulk"),
            path("undo/", wrap(pages.undo), name="knowledge_document_undo"),
            path("readings/", wrap(self.readings), name="knowledge_document_readings"),
            *super().get_urls(),
        ]

    def readings(self, request: HttpRequest) -> HttpResponse:
        """GET /admin/knowledge/document/readings/?of=id,id: how these readings stand now, as the list shows them."""
        ids = [id for each in request.GET.get("of", "").split(",")[:ASKED_AT_ONCE] if (id := row_id(each))]
        seen = policy.visible(Version.objects.filter(pk__in=ids), subject_of(request), least=Role.EDITOR)
        progress = progress_of(seen.values_list("pk", flat=True))
        return JsonResponse(
            {str(id): {"html": reading_shown(each), "is_over": each.is_over} for id, each in progress.items()}
        )

    @display(description=_("document"), ordering="title")
    def named(self, obj: Document) -> str:
        return format_html(
            '<a class="ad-link ad-strong" href="{}">{}</a><br><span class="ad-soft">{}</span>',
            self.address("change", obj.pk),
            obj,
            obj.path,
        )

    @display(description=_("knowledge base"), ordering="kb__name")
    def base(self, obj: Document) -> str:
        return obj.kb.name

    @display(description=_("tags"))
    def tag_list(self, obj: Document) -> str:
        return ", ".join(obj.tags) or "–"

    @display(description=_("reading"))
    def reading(self, obj: Any) -> str:
        progress: VersionProgress | None = obj.progress
        is_over = progress is None or progress.is_over
        return format_html(
            '<span data-reading="{}"{}>{}</span>',
            obj.newest_id or "",
            "" if is_over else format_html(' data-runs="{}"', reverse("admin:knowledge_document_readings")),
            reading_shown(progress),
        )

    @display(description=_("reading"))
    def reading_now(self, obj: Any) -> str:
        return reading_shown(progress_of([obj.newest_id]).get(obj.newest_id) if obj.newest_id else None)

    @display(description=_("version in force"))
    def version(self, obj: Document) -> str:
        return str(obj.live_version.number) if obj.live_version else "–"

    @display(description=_("changed"), ordering="updated_at")
    def changed(self, obj: Document) -> Any:
        return obj.updated_at

    def offers(self, request: HttpRequest, obj: Any) -> set[str]:
        if obj.state == DocumentState.BINNED:
            return {"open", "do_restore", "do_purge"}
        return {"open", "chunks", "do_reread", "do_retry", "do_bin"}

    @action(description=_("Upload"), url_path="upload", icon="upload")
    def upload(self, request: HttpRequest) -> HttpResponse:
        return redirect("knowledge_upload")

    @action(description=_("Bin"), url_path="bin", icon="delete")
    def show_bin(self, request: HttpRequest) -> HttpResponse:
        return redirect(f"{self.address('changelist')}?state=binned")

    @action(description=_("Open"), url_path="open", icon="visibility")
    def open(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect("document", document_id=self.found(request, object_id).pk)

    @action(description=_("Chunks"), url_path="chunks", icon="segment")
    def chunks(self, request: HttpRequest, object_id: str) -> HttpResponse:
        query = urlencode({"document": self.found(request, object_id).pk})
        return redirect(f"{reverse('admin:knowledge_chunk_changelist')}?{query}")

    def begin(self, request: HttpRequest, name: str, documents: QuerySet[Document]) -> HttpResponse | None:
        return BulkPages(self).begin(request, name, documents)

    def begin_one(self, request: HttpRequest, name: str, object_id: str) -> HttpResponse:
        one = self.get_queryset(request).filter(pk=self.found(request, object_id).pk)
        return BulkPages(self).begin(request, name, one) or redirect(self.address("changelist"))

    @action(description=_("Read again"), url_path="reread", icon="refresh")
    def do_reread(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.begin_one(request, "reread", object_id)

    @action(description=_("Try again"), url_path="retry", icon="replay")
    def do_retry(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.begin_one(request, "retry", object_id)

    @action(description=_("Put into the bin"), url_path="to-bin", icon="delete")
    def do_bin(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.begin_one(request, "bin", object_id)

    @action(description=_("Restore"), url_path="restore", icon="restore_from_trash")
    def do_restore(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.begin_one(request, "restore", object_id)

    @action(description=_("Delete for good"), url_path="purge", icon="delete_forever")
    def do_purge(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.begin_one(request, "purge", object_id)

    @admin.action(description=_("Change tags, folder, person or dates…"))
    def edit(self, request: HttpRequest, queryset: QuerySet[Document]) -> HttpResponse | None:
        return self.begin(request, "edit", queryset)

    @admin.action(description=_("Put into the bin…"))
    def bin(self, request: HttpRequest, queryset: QuerySet[Document]) -> HttpResponse | None:
        return self.begin(request, "bin", queryset)

    @admin.action(description=_("Restore…"))
    def restore(self, request: HttpRequest, queryset: QuerySet[Document]) -> HttpResponse | None:
        return self.begin(request, "restore", queryset)

    @admin.action(description=_("Delete for good…"))
    def purge(self, request: HttpRequest, queryset: QuerySet[Document]) -> HttpResponse | None:
        return self.begin(request, "purge", queryset)

    @admin.action(description=_("Read again…"))
    def reread(self, request: HttpRequest, queryset: QuerySet[Document]) -> HttpResponse | None:
        return self.begin(request, "reread", queryset)

    @admin.action(description=_("Try failed readings again…"))
    def retry(self, request: HttpRequest, queryset: QuerySet[Document]) -> HttpResponse | None:
        return self.begin(request, "retry", queryset)
