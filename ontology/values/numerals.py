"""Numerals: digits of any width with separators, and Chinese ones such as 三千五百, 1.2万 or 二〇二四."""

import re
from decimal import Decimal
from types import MappingProxyType

DIGITS = MappingProxyType(
    {
        **{c: i for i, c in enumerate("零一二三四五六七八九")},
        "〇": 0,
        "两": 2,
        **{c: i + 1 for i, c in enumerate("壹贰叁肆伍陆柒捌玖")},
    }
)
STEPS = MappingProxyType({"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000})
MYRIADS = MappingProxyType({"万": 10**4, "亿": 10**8})
HAN_NUMERAL = "".join((*DIGITS, *STEPS, *MYRIADS, "点"))
LATIN = re.compile(r"\d{1,3}(?:[,，'’ ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+", re.ASCII)
_STEPWISE = re.compile(r"(\d+(?:\.\d+)?)?(.)")


def latin_numeral(written: str) -> Decimal | None:
    """“1,200.5” and “3.5”; None for anything else (1,5 could be either)."""
    if not LATIN.fullmatch(written):
        return None
    return Decimal(re.sub(r"[,，'’ ]", "", written))


def han_numeral(written: str) -> Decimal | None:
    """Chinese numerals, Arabic digits among them (3千5百, 1.2万); None for anything else."""
    whole, point, fraction = written.partition("点")
    if point and (not fraction or any(each not in DIGITS for each in fraction)):
        return None
    value = digit_by_digit(whole) if whole and all(each in DIGITS for each in whole) else stepwise(whole)
    if value is None:
        return None
    decimals = "".join(str(DIGITS[each]) for each in fraction)
    return value + Decimal(f"0.{decimals}") if decimals else value


def digit_by_digit(written: str) -> Decimal:
    """二〇二四."""
    return Decimal("".join(str(DIGITS[each]) for each in written))


def stepwise(written: str) -> Decimal | None:
    """三千五百, 十二, 一亿二千万, 3千5百; 一万二 is 12,000, as people say it."""
    total = section = Decimal(0)
    digit: Decimal | None = None
    last_step, below = 1, True
    for piece in re.findall(r"\d+(?:\.\d+)?|.", written):
        if piece in DIGITS or piece[0].isdecimal():
            if digit:  # two numbers side by side are none
                return None
            digit = Decimal(DIGITS[piece]) if piece in DIGITS else Decimal(piece)
            below = below and digit != 0
            if digit == 0:
                last_step = 1
        elif piece in STEPS:
            section += (1 if digit is None else digit) * STEPS[piece]
            digit, last_step = None, STEPS[piece]
        elif piece in MYRIADS:
            step = MYRIADS[piece]
            section += digit or 0
            if not section and not total:
                return None
            total = (total + section) * step if total and total < step else total + section * step
            section, digit, last_step = Decimal(0), None, step
        else:
            return None
    if digit is not None and digit != 0:
        section += digit * (last_step // 10 if last_step >= 100 else 1)
    return total + section
