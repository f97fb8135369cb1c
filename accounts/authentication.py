"""How REST requests say who they are: an API key in `Authorization: Bearer`, or the session of the pages (with its CSRF token)."""

from datetime import timedelta
from typing import Any

from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework import authentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.keys import parse_key
from accounts.models import ApiKey, User
from accounts.subjects import subject_of_key, subject_of_user
from common.errors import NotAuthenticated

LAST_USE_STEP = timedelta(minutes=1)


def key_for(text: str) -> ApiKey:
    """The live key with this text. Raises NotAuthenticated for a wrong, revoked or expired one, or one whose owner is switched off."""
    parts = parse_key(text)
    key = ApiKey.objects.select_related("owner").filter(prefix=parts.prefix).first() if parts else None
    if parts is None or key is None or not parts.fits(key.secret_hash):
        raise NotAuthenticated(_("This API key is not known."))
    if key.revoked_at or not key.owner.is_active or (key.expires_at and key.expires_at <= timezone.now()):
        raise NotAuthenticated(_("This API key has expired or was revoked; ask for a new one."))
    note_use(key)
    return key


def note_use(key: ApiKey) -> None:
    """Remember the last use, at most once a minute."""
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - LAST_USE_STEP)
    ApiKey.objects.filter(stale, pk=key.pk).update(last_used_at=now, updated_at=F("updated_at"))


class SessionAuthentication(authentication.SessionAuthentication):
    """The signed-in person."""

    def authenticate(self, request: Request) -> tuple[User, Any] | None:
        found = super().authenticate(request)
        if found is None:
            return None
        request._request.subject = subject_of_user(  # type: ignore[attr-defined]
            found[0], request_id=request.META.get("trellis.request_id", "")
        )
        return found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class KeyAuthentication(authentication.BaseAuthentication):
    """An API key."""

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        kind, _space, text = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        key = key_for(text)
        request._request.subject = subject_of_key(  # type: ignore[attr-defined]
            key, request_id=request.META.get("trellis.request_id", "")
        )
        return key.owner, key

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class HasSubject(BasePermission):
    """Somebody is signed in."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.user, User)
