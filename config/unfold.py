"""How the administration (django-unfold) looks and what its side bar holds. The colours are those of static/css/tokens.css."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

Permission = Callable[[HttpRequest], bool]


def asset(path: str) -> Callable[[HttpRequest], str]:
    """A static file's address, once there is a request."""
    return lambda request: static(path)


def may(right: str) -> Permission:
    """Whether the person who looks has this of `knowledge.rights.Rights`."""

    def asked(request: HttpRequest) -> bool:
        from knowledge.rights import rights_in  # settings are read before models are

        return bool(getattr(rights_in(request), right))

    return asked


def group(title: str | Promise, *items: dict[str, Any]) -> dict[str, Any]:
    return {"title": title, "separator": bool(title) if isinstance(title, str) else True, "items": list(items)}


def entry(title: str | Promise, icon: str, name: str, permission: Permission, *, query: str = "") -> dict[str, Any]:
    """A line of the side bar. One with a query is never shown as the page that is open, because addresses are compared without it."""
    found: dict[str, Any] = {"title": title, "icon": icon, "link": reverse_lazy(name), "permission": permission}
    return (
        {**found, "link": lambda request: f"{reverse_lazy(name)}{query}", "active": lambda request: False}
        if query
        else found
    )


def anybody(request: HttpRequest) -> bool:
    return True


editor, owner_or_maker = may("is_editor"), may("sees_bases")
people, engines, bill, audit = may("sees_people"), may("sees_engines"), may("sees_usage"), may("sees_audit")

# Words of django-unfold that come without a translation; named here so that our catalogue holds them.
THEIR_WORDS = (
    gettext_noop("Type to search"),
    gettext_noop("Run"),
    gettext_noop("Run the selected action"),
    gettext_noop("Clear selection"),
    gettext_noop("Apply Filters"),
    gettext_noop("Clear all filters"),
    gettext_noop("No results found"),
    gettext_noop("This page yielded into no results. Create a new item or reset your filters."),
    gettext_noop("Reset filters"),
    gettext_noop("Select all rows"),
    gettext_noop("More actions"),
    gettext_noop("Select action"),
    gettext_noop("Select action to run"),
    gettext_noop("Select value"),
    gettext_noop("Select record"),
    gettext_noop("Go back"),
    gettext_noop("Light"),
    gettext_noop("Dark"),
    gettext_noop("System"),
)

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Trellis",
    "SITE_HEADER": "Trellis",
    "SITE_SUBHEADER": _("Administration"),
    "SITE_URL": reverse_lazy("chat"),
    "SITE_ICON": asset("img/trellis.svg"),
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": asset("img/trellis.svg")}],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_LANGUAGES": True,
    "BORDER_RADIUS": "8px",
    "STYLES": [
        asset("css/tokens.css"),
        asset("css/components/navigation.css"),
        asset("css/components/badge.css"),
        asset("css/admin.css"),
    ],
    "SCRIPTS": [asset("js/admin/theme.js")],
    "COLORS": {
        "base": {
            "50": "#fbfaf7",
            "100": "#f3f1eb",
            "200": "#e4e1d8",
            "300": "#d0cdc4",
            "400": "#a3afaa",
            "500": "#616a65",
            "600": "#4c5551",
            "700": "#39423f",
            "800": "#2d363a",
            "900": "#1a1f22",
            "950": "#14181a",
        },
        "primary": {
            "50": "#f1f8f5",
            "100": "#e3f0ea",
            "200": "#c6e1d6",
            "300": "#a9d0c1",
            "400": "#63c9a8",
            "500": "#17795f",
            "600": "#0b6650",
            "700": "#084f3e",
            "800": "#063d30",
            "900": "#052f25",
            "950": "#041f19",
        },
    },
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": False,
        "navigation": [
            group(
                "",
                entry(_("Chat"), "chat", "chat", anybody, query="?"),
                entry(_("Library"), "local_library", "library", anybody, query="?"),
            ),
            group(
                _("Content"),
                entry(
                    _("Knowledge bases"), "library_books", "admin:knowledge_knowledgebase_changelist", owner_or_maker
                ),
                entry(_("Documents"), "description", "admin:knowledge_document_changelist", editor),
                entry(_("Upload"), "upload", "knowledge_upload", editor),
                entry(_("Jobs"), "pending_actions", "jobs", editor),
                entry(_("Chunks"), "segment", "admin:knowledge_chunk_changelist", editor),
                entry(_("Bin"), "delete", "admin:knowledge_document_changelist", editor, query="?state=binned"),
            ),
            group(
                _("People"),
                entry(_("People"), "group", "admin:accounts_user_changelist", people),
                entry(_("Departments"), "apartment", "admin:accounts_department_changelist", people),
                entry(_("API keys"), "key", "admin:accounts_apikey_changelist", people),
                entry(_("Who did what"), "history", "audit", audit),
            ),
            group(
                _("Server"),
                entry(_("Queues and engines"), "monitor_heart", "admin:queues", engines),
                entry(_("Usage"), "bar_chart", "admin:usage", bill),
                entry(_("Embedding spaces"), "hub", "admin:inference_embeddingspace_changelist", engines),
            ),
        ],
    },
}
