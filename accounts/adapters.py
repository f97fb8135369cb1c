"""What allauth may do here: sign people in whom an administrator has invited; nobody signs up by themselves."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.errors import EngineUnavailable


class ClosedAccountAdapter(DefaultAccountAdapter):
    """No sign-up page."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False


class InvitedOnlySocialAdapter(DefaultSocialAccountAdapter):
    """A sign-in service lets in people whose address is known here, and vouches for it."""

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        if sociallogin.is_existing:
            return
        proved = [address.email for address in sociallogin.email_addresses if address.verified]
        person = next((found for email in proved if (found := User.objects.filter(email__iexact=email).first())), None)
        if person:
            sociallogin.connect(request, person)

    def get_requests_session(self) -> Any:
        """A session of `requests` that raises EngineUnavailable when the service does not answer as it should."""
        session = super().get_requests_session()  # type: ignore[no-untyped-call]
        session.request = _or_say_so(session.request)
        return session

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return False


def _or_say_so(request: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(request)
    def asked(method: str, *given: Any, **more: Any) -> Any:
        from requests import RequestException

        try:
            answer = request(method, *given, **more)
            if method == "GET":  # allauth itself looks at the answer to a POST
                answer.raise_for_status()
                answer.json()
        except RequestException as error:
            raise EngineUnavailable(
                _(
                    "The sign-in service does not answer as it should. Try again in a minute, or sign in with a password."
                )
            ) from error
        return answer

    return asked
