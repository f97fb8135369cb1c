"""Filters of the list of documents. What they mean is decided by `knowledge.selectors.documents`."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import DropdownFilter

from accounts.models import User
from common.administration import subject_of
from knowledge.models import Document, DocumentState, KnowledgeBase, Role
from knowledge.selectors.bases import bases_for
from knowledge.selectors.documents import DocumentFilter, Folder, conditions, folders_of, tags_of

MOST_CHOICES = 300


def chosen_base(request: HttpRequest) -> KnowledgeBase | None:
    """The knowledge base that the list is narrowed to."""
    slug = request.GET.get("kb", "")
    return bases_for(subject_of(request), least=Role.EDITOR).filter(slug=slug).first() if slug else None


class Narrowing(DropdownFilter):
    """One field of a DocumentFilter."""

    def wanted(self, value: str) -> DocumentFilter:
        raise NotImplementedError

    def queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> QuerySet[Document]:
        value = self.value()
        return queryset.filter(conditions(self.wanted(value))) if value else queryset


class StateFilter(DropdownFilter):
    """In use unless the bin is asked for."""

    title = _("place")
    parameter_name = "state"
    all_option = None  # type: ignore[assignment]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("live", _("in use")), ("binned", _("in the bin"))]

    def value(self) -> str:
        return "binned" if super().value() == "binned" else "live"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> QuerySet[Document]:
        return queryset.filter(state=DocumentState(self.value()))


class BaseFilter(DropdownFilter):
    title = _("knowledge base")
    parameter_name = "kb"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(bases_for(subject_of(request), least=Role.EDITOR).values_list("slug", "name"))

    def queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> QuerySet[Document]:
        return queryset.filter(kb__slug=self.value()) if self.value() else queryset


class FolderFilter(Narrowing):
    """Offered for one knowledge base; includes what is below."""

    title = _("folder")
    parameter_name = "folder"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        kb = chosen_base(request)
        return list(lines(folders_of(subject_of(request), kb)))[:MOST_CHOICES] if kb else []

    def wanted(self, value: str) -> DocumentFilter:
        return DocumentFilter(folder=value)


def lines(folder: Folder) -> list[tuple[str, str]]:
    """The tree as a list."""
    below = [entry for child in folder.folders for entry in lines(child)]
    return [(folder.path, f"{folder.path} ({folder.count})"), *below] if folder.path else below


class TagFilter(Narrowing):
    """Offered for one knowledge base."""

    title = _("tag")
    parameter_name = "tag"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        kb = chosen_base(request)
        found = tags_of(subject_of(request), kb)[:MOST_CHOICES] if kb else []
        return [(name, f"{name} ({count})") for name, count in found]

    def wanted(self, value: str) -> DocumentFilter:
        return DocumentFilter(tags=(value,))


class ReadingFilter(Narrowing):
    title = _("reading")
    parameter_name = "reading"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("done", _("read")),
            ("unfinished", _("not finished")),
            ("failed", _("failed")),
            ("cancelled", _("cancelled")),
        ]

    def wanted(self, value: str) -> DocumentFilter:
        return DocumentFilter(reading=value if value in {name for name, _label in self.lookup_choices} else "")


class LanguageFilter(Narrowing):
    title = _("language")
    parameter_name = "language"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        found = model_admin.get_queryset(request).order_by("language").values_list("language", flat=True).distinct()
        return [(code, code) for code in found if code]

    def wanted(self, value: str) -> DocumentFilter:
        return DocumentFilter(language=value)


class ExpiryFilter(Narrowing):
    title = _("expiry")
    parameter_name = "expired"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("expired")), ("no", _("in force"))]

    def wanted(self, value: str) -> DocumentFilter:
        return DocumentFilter(expired=value == "yes")


class OwnerFilter(DropdownFilter):
    """People who are responsible for some document that one edits."""

    title = _("responsible person")
    parameter_name = "owner"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        ids = model_admin.get_queryset(request).order_by().values("owner_id").distinct()
        people = User.objects.filter(pk__in=ids).order_by("username")[:MOST_CHOICES]
        return [(person.username, str(person)) for person in people]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> QuerySet[Document]:
        return queryset.filter(owner__username=self.value()) if self.value() else queryset
