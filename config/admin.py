"""The site of the administration: who may enter, where they sign in, what they meet first. What they find inside is decided by each page and the policy."""

from typing import Any

from django.contrib.auth import logout
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from unfold.sites import UnfoldAdminSite

from common.administration import subject_of
from config.administration import figures, queues, usage
from knowledge.rights import rights_in


class TrellisAdminSite(UnfoldAdminSite):
    """Administrators, operators, managers and editors come in, each to their own pages."""

    site_title = "Trellis"
    index_title = _("Administration")
    index_template = "admin/start.html"
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active) and rights_in(request).may_administer

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The one page for signing in; who is signed in and may not enter is told so."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied(_("The administration is for administrators, operators, managers and editors."))
        if request.user.is_authenticated:
            return redirect(f"{self.name}:index")
        wanted = request.GET.get("next", request.get_full_path())
        return redirect(f"{reverse('account_login')}?{urlencode({'next': wanted})}")

    @method_decorator(never_cache)
    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        if request.method == "POST":
            logout(request)
        return redirect("account_login")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("account_change_password")

    def index(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """What needs somebody, by the rights of who looks."""
        return super().index(request, {"cards": figures(subject_of(request)), **(extra_context or {})})

    def extra_urls(self) -> list[Any]:
        return [
            path("queues/", self.admin_view(self.queues), name="queues"),
            path("usage/", self.admin_view(self.usage), name="usage"),
        ]

    def queues(self, request: HttpRequest) -> HttpResponseBase:
        """GET /admin/queues/"""
        return queues(request, self)

    def usage(self, request: HttpRequest) -> HttpResponseBase:
        """GET /admin/usage/"""
        return usage(request, self)
