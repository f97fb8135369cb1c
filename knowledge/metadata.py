"""What is said of a document besides its text: title, tags, source, dates. By its file (front matter, properties), or by its sender.

A clean form is a dictionary with only the fields that were said, ready for JSON; dates are ISO. What an editor set by hand is never changed by either.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext_lazy as _

from common.errors import InvalidInput
from common.text import canonical
from knowledge.models import Document

Metadata = dict[str, Any]

TITLE_CHARACTERS = 500
TAG_CHARACTERS = 100
NAMES = {
    "title": "title",
    "tags": "tags",
    "keywords": "tags",
    "source_url": "source_url",
    "source": "source_url",
    "url": "source_url",
    "effective_on": "effective_on",
    "effective": "effective_on",
    "valid_from": "effective_on",
    "expires_on": "expires_on",
    "expires": "expires_on",
    "valid_until": "expires_on",
}
DATES = ("effective_on", "expires_on")


def from_file(said: Mapping[str, str]) -> Metadata:
    """What can be used of what a file says; the rest is left out, because a file is not a form."""
    clean: Metadata = {}
    for key, value in said.items():
        field = NAMES.get(key.strip().lower().replace("-", "_").replace(" ", "_"))
        if not field or field == "title":
            continue
        try:
            clean[field] = clean_value(field, value)
        except InvalidInput:
            continue
    return {field: value for field, value in clean.items() if value}


def from_sender(said: Mapping[str, Any]) -> Metadata:
    """The same of what an editor or a program says. Raises InvalidInput, naming the field, for what can't be used."""
    return {
        field: clean_value(field, said[field]) for field in ("title", "tags", "source_url", *DATES) if said.get(field)
    }


def clean_value(field: str, value: Any) -> Any:
    """One field in its clean form. Raises InvalidInput."""
    if field == "tags":
        return clean_tags(value)
    if field in DATES:
        return clean_date(field, value)
    text = " ".join(canonical(str(value)).split())
    if field == "source_url" and text and (urlsplit(text).scheme not in ("http", "https") or len(text) > 2000):
        raise InvalidInput(_("The source must be an address that begins with http:// or https://."), field=field)
    return text[:TITLE_CHARACTERS] if field == "title" else text


def clean_tags(value: Any) -> list[str]:
    """Each tag once, without the space around it; a string is cut at commas."""
    words = (
        value.replace("，", ",").replace("、", ",").split(",")
        if isinstance(value, str)
        else [str(word) for word in value]
    )
    tags = [" ".join(canonical(word).split()) for word in words]
    if any(len(tag) > TAG_CHARACTERS for tag in tags):
        raise InvalidInput(_("A tag has at most %(count)s characters.") % {"count": TAG_CHARACTERS}, field="tags")
    return list(dict.fromkeys(tag for tag in tags if tag))


def clean_date(field: str, value: Any) -> str:
    """An ISO date."""
    try:
        return (value if isinstance(value, date) else date.fromisoformat(str(value).strip()[:10])).isoformat()
    except ValueError:
        raise InvalidInput(
            _("“%(value)s” is not a date; write it like 2026-01-31.") % {"value": value}, field=field
        ) from None


def apply(document: Document, said: Metadata) -> list[str]:
    """Put onto the document what is said and was not set by hand; gives the names of the fields that changed. Saves nothing."""
    changed = []
    for field, value in said.items():
        wanted = date.fromisoformat(value) if field in DATES else value
        if field not in document.set_by_hand and getattr(document, field) != wanted:
            setattr(document, field, wanted)
            changed.append(field)
    return changed
