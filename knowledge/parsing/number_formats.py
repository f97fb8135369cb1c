"""A cell's value as words: dates as ISO writes them, percentages as such, whole numbers without a point, and the unit or currency that its format adds.

Numbers keep all their digits: rounding for display would change what was said.
"""

import datetime as dt
import re
from functools import lru_cache

_SECTION = re.compile(r'(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\\[])*')
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_BRACKETS = re.compile(r"\[[^\]]*\]")
_SKIPPED = re.compile(r"_.|\*.")
_DIGITS = re.compile(r"[#0?,.]+(?:\s*[#0?,.]+)*")
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|([¥$€£￥%+\-() ]|[^\x00-\x7f])')


def shown(value: object, number_format: str) -> str:
    """The words of a cell's value under its number format."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return _number(value, number_format)
    if isinstance(value, dt.datetime):
        return _moment(value)
    if isinstance(value, dt.time):
        return value.strftime("%H:%M:%S" if value.second else "%H:%M")
    return str(value)


def _moment(value: dt.datetime) -> str:
    if value.time() == dt.time():
        return value.strftime("%Y-%m-%d")
    return value.strftime("%Y-%m-%d %H:%M:%S" if value.second else "%Y-%m-%d %H:%M")


def _number(value: float, number_format: str) -> str:
    before, after = _words_around(number_format)
    if "%" in after or "%" in before:
        return before.replace("%", "") + plain_number(value * 100) + (after if "%" in after else f"{after}%")
    number = plain_number(value)
    if before and number.startswith("-"):
        return f"-{before}{number[1:]}{after}"
    return f"{before}{number}{after}"


def plain_number(value: float) -> str:
    """A number with all the digits that it has and none that floating point made up."""
    if isinstance(value, int):
        return str(value)
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}"


@lru_cache(maxsize=512)
def _words_around(number_format: str) -> tuple[str, str]:
    """What a format writes before and after the digits: a currency, a unit, a per cent sign."""
    section = (_SECTION.match(number_format or "") or [""])[0]
    section = _SKIPPED.sub("", _BRACKETS.sub("", _CURRENCY.sub(lambda found: f'"{found[1]}"', section)))
    digits = _DIGITS.search(re.sub(r'"[^"]*"', lambda found: "\0" * len(found[0]), section))
    if not digits:
        return "", ""
    return _literals(section[: digits.start()]).lstrip("(- "), _literals(section[digits.end() :]).rstrip(") ")


def _literals(section: str) -> str:
    return "".join(found[1] or found[2] or found[3] or "" for found in _LITERAL.finditer(section))
