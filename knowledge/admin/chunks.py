"""Chunks in the administration: the passages of a document, each with its switch."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from common.administration import ServiceAdmin, display, row_id, subject_of, telling
from knowledge import policy
from knowledge.models import Chunk, DocumentState, Role
from knowledge.rights import rights_in
from knowledge.services.chunks import chunk_switch
from knowledge.tools import tools
from knowledge.types import BlockKind

SHOWN_CHARACTERS = 240
KINDS = {
    BlockKind.HEADING: _("heading"),
    BlockKind.PARAGRAPH: _("paragraph"),
    BlockKind.LIST: _("list"),
    BlockKind.TABLE: _("table"),
    BlockKind.CODE: _("code"),
    BlockKind.FAQ: _("question and answer"),
    BlockKind.IMAGE: _("picture"),
}


class DocumentOfChunk(admin.SimpleListFilter):
    """One document, from its own page; not offered as a list, because there may be thousands."""

    title = _("document")
    parameter_name = "document"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        wanted = request.GET.get("document", "")
        return [(wanted, gettext("the chosen document"))] if wanted else []

    def has_output(self) -> bool:
        return bool(self.value())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> QuerySet[Chunk]:
        return queryset.filter(document=row_id(self.value())) if self.value() else queryset


@admin.register(Chunk)
class ChunkAdmin(ServiceAdmin):
    """Chunks of the versions that readers see. A chunk that is switched off stays so in later versions while its content is the same."""

    list_display = ("passage", "where", "sort", "tokens", "on")
    list_filter = (DocumentOfChunk, "is_disabled", "kind")
    search_fields = ("text", "context")
    ordering = ("document", "ordinal")
    sortable_by = ("tokens",)
    fields = ("document", "kind", "context", "text", "page", "tokens", "is_disabled")
    actions = ("switch_off", "switch_on")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return rights_in(request).is_editor

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chunk]:
        found = policy.visible(Chunk.objects.all(), subject_of(request), least=Role.EDITOR)
        shown = found.filter(document__state=DocumentState.LIVE, version=F("document__live_version"))
        return shown.select_related("document__kb", "section")

    @display(description=_("passage"))
    def passage(self, obj: Chunk) -> str:
        return Truncator(obj.text).chars(SHOWN_CHARACTERS)

    @display(description=_("document"))
    def where(self, obj: Chunk) -> str:
        place = f"{reverse('document', args=[obj.document_id])}?start={obj.start}&end={obj.end}#evidence"
        return format_html(
            '<a class="ad-link" href="{}">{}</a><br><span class="ad-soft">{}</span>',
            place,
            obj.document,
            obj.section.title,
        )

    @display(description=_("kind"), ordering="kind")
    def sort(self, obj: Chunk) -> str:
        return str(KINDS[BlockKind(obj.kind)])

    @display(description=_("in use"), boolean=True, ordering="is_disabled")
    def on(self, obj: Chunk) -> bool:
        return not obj.is_disabled

    @admin.action(description=_("Switch off"))
    def switch_off(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> None:
        self.switch(request, queryset, is_disabled=True)

    @admin.action(description=_("Switch on"))
    def switch_on(self, request: HttpRequest, queryset: QuerySet[Chunk]) -> None:
        self.switch(request, queryset, is_disabled=False)

    def switch(self, request: HttpRequest, queryset: QuerySet[Chunk], *, is_disabled: bool) -> None:
        count = 0
        for chunk in queryset.exclude(is_disabled=is_disabled):
            with telling(request):
                chunk_switch(subject=subject_of(request), chunk=chunk, is_disabled=is_disabled, tools=tools())
                count += 1
        words = (
            ngettext("%(count)d chunk is switched off.", "%(count)d chunks are switched off.", count)
            if is_disabled
            else ngettext("%(count)d chunk is in use again.", "%(count)d chunks are in use again.", count)
        )
        messages.success(request, words % {"count": count})
