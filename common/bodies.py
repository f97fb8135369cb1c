"""Reads the JSON body of a request. Refuses what could be neither stored nor sent on: NUL characters, half characters, nesting without end, numbers without end.

Given bytes, gives plain values; whether they are the right ones is the serializers' business.
"""

import json
from collections.abc import Iterator
from typing import IO, Any

from django.utils.translation import gettext_lazy as _
from rest_framework.parsers import BaseParser

from common.errors import InvalidInput, TooLarge

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 50


def read_json(body: bytes) -> Any:
    """The value that the body holds. Raises InvalidInput, and TooLarge for more than 64 MiB."""
    if len(body) > MAX_BYTES:
        raise TooLarge(_("A JSON body has at most %(count)d bytes. Send files as multipart.") % {"count": MAX_BYTES})
    try:
        value = json.loads(body.decode("utf-8-sig"), parse_constant=refuse_constant)
    except RecursionError:
        raise InvalidInput(_("The JSON is nested too deeply.")) from None
    except ValueError:
        raise InvalidInput(_("The body is not JSON in UTF-8.")) from None
    for text in texts_in(value):
        if "\x00" in text or not is_whole(text):
            raise InvalidInput(
                _("The JSON holds a NUL or a half character (a lone surrogate), which no text may have.")
            )
    return value


def refuse_constant(name: str) -> Any:
    """NaN and Infinity are not JSON."""
    raise ValueError(name)


def texts_in(value: Any) -> Iterator[str]:
    """Every text of a JSON value, the names of fields too. Raises InvalidInput below a depth of 50."""
    left = [(value, 0)]
    while left:
        each, depth = left.pop()
        if depth > MAX_DEPTH:
            raise InvalidInput(_("The JSON is nested too deeply."))
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            yield from each
            left += [(inner, depth + 1) for inner in each.values()]
        elif isinstance(each, list):
            left += [(inner, depth + 1) for inner in each]


def is_whole(text: str) -> bool:
    """Whether it can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class JsonParser(BaseParser):
    """Parses JSON for the views of the framework."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        return read_json(stream.read(MAX_BYTES + 1))
