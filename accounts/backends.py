"""Signing in with the user name or the e-mail address."""

from typing import Any
from uuid import UUID

from django.contrib.auth.backends import BaseBackend
from django.db.models import Q
from django.http import HttpRequest

from accounts.models import User


class NameOrEmailBackend(BaseBackend):
    """One active person whose name or address it is and whose password fits."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **other: Any
    ) -> User | None:
        name = username or other.get("email")
        if not name or password is None:
            return None
        user = User.objects.filter(Q(username__iexact=name) | Q(email__iexact=name)).first()
        if user is None:
            User().set_password(password)  # the same time as for a name that exists
            return None
        return user if user.is_active and user.check_password(password) else None

    def get_user(self, user_id: UUID) -> User | None:
        return User.objects.filter(pk=user_id, is_active=True).first()
