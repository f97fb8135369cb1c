"""Whether two exact values of one attribute can both be true: the same one, a date and the year it lies in, or one amount that was rounded differently or written in another unit."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from ontology.values.numbers import in_unit, normal, numeral_of, sign_of, unit_before, without_tolerance
from ontology.values.units import UNITS
from ontology.values.unreadable import UnreadableValue

MOST_ROUNDING = 0.05
"""Rounding to one digit moves a value by a half; two values that differ by more than this share of the greater one are two values all the same."""
_PART_OF_DATE = re.compile(r"\d{4}(?:-\d{2})?")


@dataclass(frozen=True, slots=True)
class Exact:
    """A value as it is compared. Equal where `key` is. `amount` is in the unit that it is kept in, None where it has no unit; `step` is one of its last written digit."""

    key: str
    amount: float | None = field(default=None, compare=False)
    unit: str = field(default="", compare=False)
    step: float = field(default=0.0, compare=False)

    @property
    def shown(self) -> str:
        """As people read it."""
        return self.key if self.amount is None else f"{number_shown(self.amount)} {self.unit}"


def exact(key: str, value: object, unit: str, text: str) -> Exact:
    """Of a stored value; `text` is how it was written."""
    if not unit or isinstance(value, bool) or not isinstance(value, int | float):
        return Exact(key)
    return Exact(key, float(value), unit, written_step(text, unit))


def written_step(text: str, unit: str) -> float:
    """What one more in the last written digit would add, in this unit: 0.0689 bar for “145 psi”. 0 where the words can't be read."""
    kept = UNITS.get(unit)
    try:
        before, rest = unit_before(normal(text), kept)
        value, tail = numeral_of(sign_of(rest)[1], text)
        tail, _has_tolerance = without_tolerance(tail)
        step = Decimal(1).scaleb(int(value.as_tuple().exponent))
        low, high = (in_unit(each, tail, before, kept, text, is_integer=False) for each in (value, value + step))
    except UnreadableValue:
        return 0.0
    return float(high - low)


def agree(one: Exact, other: Exact) -> bool:
    """Whether both can be true."""
    if one.key == other.key or is_part(one.key, other.key) or is_part(other.key, one.key):
        return True
    if one.amount is None or other.amount is None or one.unit != other.unit or one.amount * other.amount < 0:
        return False
    fine, coarse = sorted((one, other), key=lambda each: each.step)
    gap = abs(fine.amount or 0.0) - abs(coarse.amount or 0.0)
    most = MOST_ROUNDING * max(abs(one.amount), abs(other.amount))
    return -coarse.step / 2 <= gap < coarse.step / 2 and abs(gap) <= most


def is_part(date: str, other: str) -> bool:
    """Whether the other is a month or a day of this year or month."""
    return bool(_PART_OF_DATE.fullmatch(date)) and other.startswith(f"{date}-")


def contradict(values: Sequence[Exact]) -> bool:
    """Whether any two of them can't both be true."""
    return any(not agree(one, other) for at, one in enumerate(values) for other in values[at + 1 :])


def number_shown(value: float) -> str:
    """Without what only converting has added: whole numbers as they are, others with five digits that mean something."""
    if value == int(value):
        return str(int(value))
    digits = f"{value:.5g}" if abs(value) < 10_000 else f"{value:.1f}"
    if "e" in digits:
        return digits
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
