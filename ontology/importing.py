"""Ready-made triples from others, as lines of JSON: each becomes one finding at a place in a document, or a sentence that says what is wrong with the line.

A line says what it is by its fields: `relation`, `target` and `target_class` make a relation; `attribute` and `value` a value of the source; neither, that the source is
named there. All have `document` (path or id), `source`, `source_class`, and either `quote` or `start` and `end`. What may be stored is decided by `ontology.check`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from common.errors import InvalidInput
from ontology.locating import locate
from ontology.names import is_clean_name
from ontology.types import AttributeFound, EntityFound, Extractor, Found, Named, RelationFound, Where

LONGEST_NAME = 500
LONGEST_VALUE = 2000
ATTRIBUTES_MAX = 50


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number from 1, and its fields."""

    number: int
    fields: Mapping[str, Any]

    def text(self, name: str, *, longest: int = LONGEST_NAME, is_needed: bool = True) -> str:
        """Raises InvalidInput for what is no text, missing or too long."""
        value = self.fields.get(name)
        if value is None and not is_needed:
            return ""
        if not isinstance(value, str) or not value.strip():
            raise InvalidInput(_("“%(name)s” is missing, or is no text.") % {"name": name}, field=name)
        if len(value) > longest:
            raise InvalidInput(
                _("“%(name)s” has more than %(count)d characters.") % {"name": name, "count": longest}, field=name
            )
        return value.strip()

    def offset(self, name: str) -> int:
        value = self.fields.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
            raise InvalidInput(_("“%(name)s” is no offset.") % {"name": name}, field=name)
        return value

    @property
    def document(self) -> str:
        return self.text("document", longest=1000)


def found_in(line: Line, text: str) -> Found:
    """What the line says, at its place in the document's text. Raises InvalidInput."""
    where = place_of(line, text)
    source = Named(line.text("source"), line.text("source_class", longest=100))
    confidence = confidence_of(line)
    if line.fields.get("relation") is not None:
        target = Named(line.text("target"), line.text("target_class", longest=100))
        kind = line.text("relation", longest=100)
        return RelationFound(source, kind, target, where, Extractor.IMPORT, confidence, attributes_of(line))
    if line.fields.get("attribute") is not None:
        name, raw = line.text("attribute", longest=100), written(line.fields.get("value"), "value")
        return AttributeFound(source, name, raw, where, Extractor.IMPORT, confidence)
    return EntityFound(source, where, Extractor.IMPORT, confidence, aliases_of(line))


def place_of(line: Line, text: str) -> Where:
    """By offsets where they are given (a quotation beside them must stand there), else by the quotation."""
    quote = line.text("quote", longest=5000, is_needed=False)
    if line.fields.get("start") is None:
        if not quote:
            raise InvalidInput(_("Say where it stands: “quote”, or “start” and “end”."), field="quote")
        where = locate(text, quote)
        if where is None:
            raise InvalidInput(_("The quotation does not stand in the document."), field="quote")
        return where
    where = Where(line.offset("start"), line.offset("end"))
    if not where.start < where.end <= len(text):
        raise InvalidInput(_("The offsets lie outside of the document's text."), field="start")
    if quote and text[where.start : where.end].split() != quote.split():
        raise InvalidInput(_("The quotation does not stand at these offsets."), field="quote")
    return where


def confidence_of(line: Line) -> float:
    value = line.fields.get("confidence", 1.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(_("“%(name)s” is a number from 0 to 1.") % {"name": "confidence"}, field="confidence")
    return float(value)


def attributes_of(line: Line) -> dict[str, str]:
    given = line.fields.get("attributes") or {}
    if not isinstance(given, dict) or len(given) > ATTRIBUTES_MAX:
        raise InvalidInput(
            _("“%(name)s” is an object of names and values.") % {"name": "attributes"}, field="attributes"
        )
    return {str(name)[:100]: written(value, str(name)) for name, value in given.items() if value is not None}


def aliases_of(line: Line) -> tuple[str, ...]:
    given = line.fields.get("aliases") or []
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise InvalidInput(_("“%(name)s” is a list of names.") % {"name": "aliases"}, field="aliases")
    aliases = tuple(each.strip() for each in given if each.strip())
    if strange := next((each for each in aliases if not is_clean_name(each)), ""):
        raise InvalidInput(
            _("“%(name)s” has “%(alias)s”, which can't be a name.") % {"name": "aliases", "alias": strange[:60]},
            field="aliases",
        )
    return aliases


def written(value: Any, name: str) -> str:
    """A value as a document would write it; it is parsed to the declared type later."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float) or (isinstance(value, str) and value.strip()):
        return str(value).strip()[:LONGEST_VALUE]
    raise InvalidInput(_("“%(name)s” is missing, or is no text.") % {"name": name}, field=name)
