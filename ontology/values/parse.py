"""A written value as the declared type keeps it: `parse("128K", attribute)`. What can't be understood raises UnreadableValue and nothing else does.

Each type has its own module: `numbers` and `numerals` (with `units`), `dates`, `options` (booleans and enums). Texts and references are
trimmed and bounded here; whether a reference names an entity is for whoever knows the entities.
"""

from django.utils.translation import gettext as _

from common.text import canonical, fold
from ontology.types import AttributeType, Value, ValueType
from ontology.values.dates import parse_date
from ontology.values.numbers import parse_number
from ontology.values.options import parse_boolean, parse_option
from ontology.values.unreadable import UnreadableValue

__all__ = ["UnreadableValue", "parse"]

TEXT_MAX = 2000
NAME_MAX = 200
SHORT_MAX = 200


def parse(raw: str, attribute: AttributeType) -> Value:
    """The value that `raw` writes. Raises UnreadableValue with a sentence that says why it can't be read."""
    written = " ".join(canonical(raw).split())
    if not fold(written).strip():
        raise UnreadableValue(_("There is no value."))
    match attribute.type:
        case ValueType.TEXT:
            return as_text(written, attribute.type, most=TEXT_MAX)
        case ValueType.REFERENCE:
            return as_text(written, attribute.type, most=NAME_MAX)
    if len(written) > SHORT_MAX:
        raise UnreadableValue(_("The value is too long for its type."))
    match attribute.type:
        case ValueType.INTEGER | ValueType.NUMBER:
            return parse_number(written, attribute)
        case ValueType.BOOLEAN:
            return parse_boolean(written)
        case ValueType.DATE:
            return parse_date(written)
        case ValueType.ENUM:
            return parse_option(written, attribute)


def as_text(written: str, kind: ValueType, *, most: int) -> Value:
    """Words, white space single."""
    if len(written) > most:
        raise UnreadableValue(_("The value is longer than %(most)s characters.") % {"most": most})
    return Value(kind, written, written)
