"""From whoever is at the door to a frozen Subject: a signed-in person, an API key, or a name on the command line."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from accounts.models import ApiKey, User
from accounts.types import Subject
from common.errors import NotFound


def subject_of_user(user: User, *, request_id: str = "") -> Subject:
    """The subject for a person; `nobody` when they are switched off."""
    if not user.is_active:
        return Subject.nobody()
    return Subject(
        name=str(user),
        user_id=user.pk,
        department_id=user.department_id,
        managed_department_ids=frozenset(user.managed_departments.values_list("pk", flat=True)),
        is_administrator=user.is_administrator,
        owns_all=user.is_administrator,
        is_operator=user.is_operator,
        language=user.language,
        request_id=request_id,
    )


def subject_of_key(key: ApiKey, *, request_id: str = "") -> Subject:
    """The subject for a live API key: its owner's person, narrowed to the key's scopes and grants; never administrator or operator."""
    return Subject(
        name=f"{key.owner} · {key.name}",
        user_id=key.owner_id,
        key_id=key.pk,
        department_id=key.department_id,
        owns_all=key.owner.is_administrator,
        scopes=frozenset(key.scopes),
        reads_all=key.reads_all,
        language=key.owner.language,
        request_id=request_id,
    )


def subject_named(username: str) -> Subject:
    """The subject for `--as USER`. Raises NotFound."""
    try:
        return subject_of_user(User.objects.get_by_natural_key(username))
    except User.DoesNotExist:
        raise NotFound(_("There is nobody called “%(name)s”.") % {"name": username}) from None


def subject_of_request(request: HttpRequest) -> Subject:
    """The person whose session this is, else nobody."""
    if isinstance(request.user, User):
        return subject_of_user(request.user, request_id=request.META.get("trellis.request_id", ""))
    return Subject.nobody()


class SubjectMiddleware:
    """Puts `request.subject` on each request, made when first looked at; `asubject(request)` is for asynchronous views."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        request.subject = SimpleLazyObject(lambda: subject_of_request(request))  # type: ignore[attr-defined]
        return self.get_response(request)


async def asubject(request: HttpRequest) -> Subject:
    """The subject in an asynchronous view."""
    return await sync_to_async(subject_of_request)(request)
