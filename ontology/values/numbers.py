"""Numbers as people write them: "≥ 80℃", "约 3.5 GB", "128K", "1.2 万", "1,200", "€ 50", "三千五百", "80±5".

They are kept in the attribute's unit, rounded to twelve digits. Where the unit counts tokens or bytes, and in an integer without a unit, K, M, G and T are steps of 1024 (128K
tokens are 131,072), else of 1000 (and B is a billion). A bound or an approximate value is kept with its sign; "80±5" is ≈ 80. A range is
two values and can't be read as one.
"""

import re
import unicodedata
from decimal import Context, Decimal, InvalidOperation

from django.utils.translation import gettext as _

from common.text import fold
from ontology.types import AttributeType, Value, ValueType
from ontology.values.numerals import HAN_NUMERAL, LATIN, han_numeral, latin_numeral
from ontology.values.units import BINARY_KINDS, UNITS, Unit, converted, unit_named
from ontology.values.unreadable import UnreadableValue

LARGEST = 2**53 - 1
"""What JSON, JavaScript and the graph all keep exactly."""
DIGITS = Context(prec=12)

BEFORE = {
    "≥": "≥|>=|⩾|≧|不少于|不低于|不小于|不早于|至少|最少|最低|最小|大于等于|大于或等于|at least|no less than|not less than|minimum|min.",
    "≤": "≤|<=|⩽|≦|不超过|不高于|不大于|不多于|至多|最多|最高|最大|小于等于|小于或等于|up to|at most|no more than|not more than|maximum|max.|max",
    ">": ">|大于|高于|超过|多于|more than|greater than|over|above",
    "<": "<|小于|低于|少于|不到|不足|不满|less than|fewer than|under|below",
    "≈": "≈|~|∼|大约|约为|约|大概|近|ca.|circa|about|approximately|approx.|around|roughly|nearly",
    "": "=|为|是|:",
}
AFTER = {
    "≥": "以上|及以上|或以上|or more|or above|and above",
    "≤": "以下|及以下|以内|之内|or less|or below|and below",
    "≈": "左右|上下|or so",
}
MULTIPLIERS = {
    "K": 1, "k": 1, "M": 2, "G": 3, "T": 4, "B": 3, "thousand": 1, "million": 2, "mn": 2, "m": 2, "billion": 3, "bn": 3, "trillion": 4,
}  # fmt: skip
MEASURES = frozenset(
    [
        "个",
        "名",
        "位",
        "件",
        "台",
        "套",
        "张",
        "条",
        "项",
        "次",
        "页",
        "家",
        "只",
        "块",
        "层",
        "人",
        "份",
        "座",
        "辆",
        "种",
        "pcs",
        "pieces",
        "units",
        "times",
        "items",
        "x",
        "倍",
    ]
)
_TOLERANCE = re.compile(r"\s*(?:±|\+/-)\s*\d[\d.]*")
_BEFORE_STEP = re.compile(r"(?<=\d)\s+(?=[十百千万亿])")
_FRACTION = re.compile(r"([百千])分之(.+)")
_HAN = re.compile(rf"[\d.]*[{HAN_NUMERAL}][\d.{HAN_NUMERAL}]*")


def parse_number(written: str, attribute: AttributeType) -> Value:
    """An integer or a number in the attribute's unit. Raises UnreadableValue."""
    comparison, text = comparison_of(normal(written))
    wanted = UNITS.get(attribute.unit)
    unit, text = unit_before(text, wanted)
    negative, text = sign_of(text)
    value, rest = numeral_of(text, written)
    rest, has_tolerance = without_tolerance(rest)
    is_integer = attribute.type is ValueType.INTEGER
    value = in_unit(-value if negative else value, rest, unit, wanted, written, is_integer=is_integer)
    return made(value, comparison or ("≈" if has_tolerance else ""), written, attribute)


def normal(written: str) -> str:
    """Compatible characters, simplified script, plain dashes; case stays."""
    text = unicodedata.normalize("NFKC", written).replace("−", "-").replace("–", "-")
    text = "".join(fold(each) if "\u3400" <= each <= "\u9fff" else each for each in text).strip(" .。;；")
    return _FRACTION.sub(_in_hundreds, _BEFORE_STEP.sub("", text)).strip()


def _in_hundreds(found: re.Match[str]) -> str:
    """百分之八十 is 八十 %."""
    return found[2] + {"百": "%", "千": "‰"}[found[1]]


def comparison_of(text: str) -> tuple[str, str]:
    """The sign of a bound or an approximation, before or after the value, and what is left."""
    low = text.lower()
    if len(low) != len(text):  # some capitals have longer small forms, and none of them stands in a number
        return "", text
    for spelling, sign in spellings(BEFORE):
        # A Latin word ends where no letter follows.
        if re.match(re.escape(spelling) + (r"(?![a-z])" if spelling[-1].isascii() else ""), low):
            return sign, text[len(spelling) :].strip()
    for spelling, sign in spellings(AFTER):
        if low.endswith(spelling):
            return sign, text[: -len(spelling)].strip()
    return "", text


def spellings(words: dict[str, str]) -> list[tuple[str, str]]:
    """(spelling, sign), the longest first."""
    pairs = [(spelling, sign) for sign, line in words.items() for spelling in line.split("|")]
    return sorted(pairs, key=lambda pair: -len(pair[0]))


def unit_before(text: str, wanted: Unit | None) -> tuple[Unit | None, str]:
    """A currency that stands before its amount."""
    found = re.match(r"([^\d\s.+\-]{1,4})\s*(?=[\d.])", text)
    unit = unit_named(found[1]) if found and wanted else None
    if found and unit and len(unit.kind) == 3 and unit.kind.isupper():
        return unit, text[found.end() :]
    return None, text


def sign_of(text: str) -> tuple[bool, str]:
    """Whether it is below zero."""
    for word in ("-", "负", "零下", "minus "):
        if text.startswith(word):
            return True, text[len(word) :].strip()
    return False, text.removeprefix("+").removeprefix("正").strip()


def numeral_of(text: str, written: str) -> tuple[Decimal, str]:
    """The number at the beginning, and what follows it."""
    for shape, read in ((_HAN, han_numeral), (LATIN, latin_numeral)):
        found = shape.match(text)
        while found and found[0]:
            value = read(found[0])
            rest = text[found.end() :]
            if value is not None and not re.match(r"[\d.,，]+\d", rest):
                return value, rest.strip()
            found = shape.fullmatch(text, 0, found.end() - 1)
    raise UnreadableValue(_("“%(written)s” is no number.") % {"written": written})


def without_tolerance(rest: str) -> tuple[str, bool]:
    """“±5” says how sure the value is, not what it is."""
    found = _TOLERANCE.match(rest)
    if found:
        return rest[found.end() :].strip(), True
    behind = re.search(r"\s*(?:±|\+/-)\s*\d[\d.]*\s*(\S*)$", rest)
    return (rest[: behind.start()].strip(), True) if behind else (rest, False)


def in_unit(
    value: Decimal, rest: str, unit: Unit | None, wanted: Unit | None, written: str, *, is_integer: bool
) -> Decimal:
    """The amount in the wanted unit, from what follows the numeral: nothing, a unit, a multiplier, or both."""
    kind = wanted.kind if wanted else ""
    if unit is not None and unit.kind != kind:
        raise wrong_unit(written, wanted)
    is_binary = kind in BINARY_KINDS if wanted else is_integer
    for steps, tail in multiplied(rest, is_binary=is_binary):
        if wanted is None:
            if not tail or tail in MEASURES or unit_named(tail, "people"):
                return value * steps
            continue
        found = unit_named(tail, kind) if tail else unit or counted(steps, wanted)
        if found is not None:
            return converted(value * steps, found, wanted)
    raise wrong_unit(written, wanted)


def multiplied(rest: str, *, is_binary: bool) -> list[tuple[Decimal, str]]:
    """Readings of what follows a numeral: without a multiplier first, then with each that fits, as (factor, unit)."""
    readings = [(Decimal(1), rest)]
    base = 1024 if is_binary else 1000
    for word, power in MULTIPLIERS.items():
        if rest.startswith(word):
            # “million” is a million and B a billion of anything; M is 1024² of bytes.
            step = 1000 if len(word) > 1 or word == "B" else base
            readings.append((Decimal(step) ** power, rest[len(word) :].strip(" -")))
    return readings


def counted(steps: Decimal, wanted: Unit) -> Unit:
    """What a number without a unit counts: the wanted one; only of data “2T” counts bytes, whatever unit they are kept in."""
    if steps == 1 or wanted.kind not in BINARY_KINDS:
        return wanted
    return next(each for each in UNITS.values() if each.kind == wanted.kind and each.factor == 1)


def wrong_unit(written: str, wanted: Unit | None) -> UnreadableValue:
    """What follows the number is not understood."""
    if wanted is None:
        return UnreadableValue(
            _("“%(written)s” is more than a number, and this attribute has no unit.") % {"written": written}
        )
    message = _("“%(written)s” can't be read as a number of %(unit)s.")
    return UnreadableValue(message % {"written": written, "unit": wanted.name})


def made(value: Decimal, comparison: str, written: str, attribute: AttributeType) -> Value:
    """The value, if the type can hold it."""
    try:
        rounded = DIGITS.plus(value) if attribute.type is ValueType.NUMBER else value
        is_small = abs(rounded) <= LARGEST
    except InvalidOperation:
        is_small = False
    if not is_small:
        raise UnreadableValue(_("“%(written)s” is too large a number.") % {"written": written})
    if attribute.type is ValueType.NUMBER:
        return Value(attribute.type, float(rounded) or 0.0, written, attribute.unit, comparison)
    nearest = DIGITS.plus(rounded) if rounded != rounded.to_integral_value() else rounded
    if nearest != nearest.to_integral_value():
        raise UnreadableValue(_("“%(written)s” is no whole number.") % {"written": written})
    return Value(attribute.type, int(nearest), written, attribute.unit, comparison)
