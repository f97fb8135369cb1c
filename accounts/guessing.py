"""Whom a sign-in was tried as, for the lock against guessing (django-axes): one name, whether the form, allauth or the administration asked."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

NAMES = ("username", "email", "login")


def name_tried(request: HttpRequest | None, credentials: Mapping[str, Any] | None) -> str:
    """The name or address in small letters; empty when there is none."""
    sent = request.POST if request is not None else {}
    given = {**{name: sent.get(name) for name in NAMES}, **(credentials or {})}
    return next((str(given[name]).strip().lower() for name in NAMES if given.get(name)), "")
