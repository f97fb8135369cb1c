"""Reasons in words, in the reader's language. Given a stored reason and how the skeleton calls attributes and classes, gives a sentence."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

WORDS: dict[str, Promise] = {
    "same_name": _("“%(left)s” and “%(right)s” are the same name."),
    "spelling": _("“%(left)s” and “%(right)s” differ in spelling only."),
    "order": _("“%(left)s” and “%(right)s” have the same words in another order."),
    "brackets": _("“%(left)s” and “%(right)s”: one name stands in brackets beside the other."),
    "initials": _("“%(left)s” and “%(right)s”: one is made of the other's initials."),
    "person_initials": _("“%(left)s” and “%(right)s”: the same last name, and first names that fit."),
    "without_kind": _("“%(left)s” and “%(right)s” differ in a word that only says what kind of thing it is."),
    "short_form": _("“%(left)s” and “%(right)s”: one may be short for the other."),
    "translation": _("“%(left)s” and “%(right)s” mean nearly the same in two languages."),
    "slip": _("“%(left)s” and “%(right)s” differ in a letter or two."),
    "other_class": _("They are of different classes: %(left)s and %(right)s."),
    "shared_value": _("Both have the same value of “%(attribute)s”."),
    "contradiction": _("Their values of “%(attribute)s” can't both be true."),
    "related": _("They have a relation to each other, which speaks for two."),
    "values_differ": _("Documents give “%(attribute)s” as %(left)s and as %(right)s."),
    "neighbours_differ": _("These documents know it among quite different others."),
}
AGAINST = {"other_class", "contradiction", "related", "values_differ", "neighbours_differ"}


def said(reason: Mapping[str, Any], label: Callable[[str], str] = str) -> str:
    """One sentence."""
    kind = str(reason.get("kind", ""))
    if kind == "shared_neighbours":
        count = int(reason["count"])
        words = ngettext(
            "Both have a relation to the same other entity.", "Both have relations to the same %(count)d others.", count
        )
        return words % {"count": count}
    if kind not in WORDS:
        return kind
    values = {name: str(value) for name, value in reason.items()}
    if "attribute" in values:
        values["attribute"] = label(values["attribute"])
    if kind == "other_class":
        values |= {side: label(values[side]) for side in ("left", "right")}
    return str(WORDS[kind]) % values


def is_against(reason: Mapping[str, Any]) -> bool:
    """Whether it speaks for two."""
    return reason.get("kind") in AGAINST
