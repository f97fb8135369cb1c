"""Translates what goes wrong between us and a model server into our errors, where it enters. Given httpx's errors or an answer; gives one of our error tree."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from django.utils.translation import gettext as _

from common.errors import EngineRefused, EngineTimeout, EngineUnavailable, TrellisError

MAX_DETAIL = 300
BUSY = (429, 502, 503, 504)


@contextmanager
def translated(url: str) -> Iterator[None]:
    """Raises EngineTimeout or EngineUnavailable for httpx's errors inside."""
    url = shown(url)
    try:
        yield
    except httpx.ConnectTimeout as error:
        raise EngineUnavailable(_("%(url)s can't be reached.") % {"url": url}) from error
    except httpx.TimeoutException as error:
        raise EngineTimeout(_("%(url)s did not answer in time.") % {"url": url}) from error
    except httpx.LocalProtocolError as error:
        raise EngineRefused(_("The key for %(url)s holds characters that can't be sent.") % {"url": url}) from error
    except httpx.InvalidURL as error:
        raise EngineRefused(_("%(url)s is not a URL that can be asked.") % {"url": url}) from error
    except httpx.HTTPError as error:
        message = _("%(url)s can't be reached or hung up (%(error)s).")
        raise EngineUnavailable(message % {"url": url, "error": type(error).__name__}) from error


def refusal_of(response: httpx.Response) -> TrellisError:
    """The error that an answer other than 200 stands for; its body has been read."""
    url, status = shown(str(response.request.url)), response.status_code
    facts = {"url": url, "status": status, "detail": detail_of(response)}
    if status in BUSY or status >= 500:
        message = _("%(url)s can't work now: %(status)d %(detail)s") % facts
        return EngineUnavailable(message, retry_after_s=retry_after_s(response))
    if status in (401, 403):
        return EngineRefused(_("%(url)s does not accept our key: %(status)d %(detail)s") % facts, answered=status)
    return EngineRefused(_("%(url)s refused the request: %(status)d %(detail)s") % facts, answered=status)


def json_of(response: httpx.Response) -> Any:
    """The answer's JSON. Raises EngineRefused when it is none."""
    try:
        return response.json()
    except ValueError as error:
        raise nonsense(str(response.request.url)) from error


def nonsense(url: str) -> EngineRefused:
    """The error for an answer that is not in the protocol."""
    message = _("%(url)s answered something that is not in OpenAI's protocol. Check the address; it ends with /v1.")
    return EngineRefused(message % {"url": shown(url)})


def shown(url: str) -> str:
    """A URL as it may stand in a message: without a user or password."""
    address, at, rest = url.rpartition("@")
    return f"{address.partition('://')[0]}://{rest}" if at else url


def detail_of(response: httpx.Response) -> str:
    """What the server says about its refusal, shortened."""
    error = error_body(response)
    return str(error.get("message") or response.text)[:MAX_DETAIL]


def error_body(response: httpx.Response) -> dict[str, Any]:
    """The `error` object of an answer in OpenAI's form; empty for another form."""
    try:
        body = response.json()
    except ValueError:
        return {}
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, dict) else {}


def retry_after_s(response: httpx.Response) -> float | None:
    """Seconds that the server asks to be left alone, when it says a number."""
    given = response.headers.get("retry-after", "")
    return float(given) if given.isdecimal() else None
