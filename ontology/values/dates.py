"""Dates in both languages, kept as ISO 8601 as precisely as they are written: "2024", "2024-03" or "2024-03-01". A time of day is left out.

Not read: a quarter or a half of a year (neither a month nor a day says it), a month without its year, and "3/4/2024", which is two
different days on two sides of an ocean.
"""

import re
from datetime import date

from django.utils.translation import gettext as _

from common.text import fold
from ontology.types import Value, ValueType
from ontology.values.numerals import han_numeral
from ontology.values.unreadable import UnreadableValue

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_TIME = r"(?:[t ,，]\s*\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:z|utc|[+-]\d{2}:?\d{2})?)?"
_YEAR, _MONTH, _DAY = r"(?P<year>\d{4})", r"(?P<month>\d{1,2})", r"(?P<day>\d{1,2})"
_WORD = r"(?P<word>[a-z]{3,9})\.?"
_NUMERAL = "零〇一二三四五六七八九十"
SHAPES = tuple(
    re.compile(shape)
    for shape in (
        rf"{_YEAR}(?:-{_MONTH}(?:-{_DAY}{_TIME})?)?",
        rf"{_YEAR}([/.]){_MONTH}(?:\2{_DAY}{_TIME})?",
        rf"{_YEAR}\s*年(?:\s*{_MONTH}\s*月(?:\s*{_DAY}\s*[日号](?:\s*[(（]?(?:星期|周)[一二三四五六日天][)）]?)?{_TIME})?)?",
        rf"{_WEEKDAY}{_WORD}\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}{_TIME}",
        rf"{_WEEKDAY}{_DAY}(?:st|nd|rd|th)?\s+(?:of\s+)?{_WORD},?\s+{_YEAR}{_TIME}",
        rf"{_DAY}-{_WORD}-{_YEAR}",
        rf"{_WORD},?\s+(?:of\s+)?{_YEAR}",
        rf"{_DAY}\.\s?{_MONTH}\.\s?{_YEAR}",
        r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})",
    )
)
_EITHER = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4})")
_HAN = re.compile(rf"[{_NUMERAL}]+(?=[年月日号])")


def parse_date(written: str) -> Value:
    """Raises UnreadableValue."""
    text = _HAN.sub(lambda found: str(han_numeral(found[0]) or 0), fold(written)).strip(" .。()（）")
    text = text.replace("，", ",")
    if either := _EITHER.fullmatch(text):
        return Value(ValueType.DATE, iso(*day_and_month(either, written), written), written)
    for shape in SHAPES:
        if found := shape.fullmatch(text):
            parts = found.groupdict()
            month = month_named(parts["word"], written) if parts.get("word") else number(parts.get("month"))
            return Value(ValueType.DATE, iso(int(parts["year"]), month, number(parts.get("day")), written), written)
    raise unreadable(written)


def number(digits: str | None) -> int | None:
    """A part of a date that may be absent."""
    return int(digits) if digits else None


def month_named(word: str, written: str) -> int:
    """By its English name or the first letters of it."""
    found = [index for index, month in enumerate(MONTHS, start=1) if month.startswith(word)]
    if word == "sept":
        return 9
    if len(found) != 1:
        raise unreadable(written)
    return found[0]


def day_and_month(found: re.Match[str], written: str) -> tuple[int, int, int]:
    """Year, month, day of “13/4/2024”, where only one of the first two can be the month (or both are equal)."""
    first, second, year = int(found[1]), int(found[3]), int(found[4])
    if first <= 12 and second <= 12 and first != second:
        message = _("“%(written)s” could be two different days; write the year first.")
        raise UnreadableValue(message % {"written": written})
    return (year, second, first) if first > 12 else (year, first, second)


def iso(year: int, month: int | None, day: int | None, written: str) -> str:
    """As precisely as it is known."""
    if not 1000 <= year <= 2999:
        raise unreadable(written)
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        raise unreadable(written) from None
    if month is None:
        return f"{year:04d}"
    return f"{year:04d}-{month:02d}" + (f"-{day:02d}" if day is not None else "")


def unreadable(written: str) -> UnreadableValue:
    """Nothing that is a date."""
    return UnreadableValue(_("“%(written)s” is no date with a year.") % {"written": written})
