"""How alike the names of two entities are. Given two profiles, gives the best pair of their forms with the reason, or None."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from ontology.resolution.forms import Form
from ontology.resolution.profile import Profile
from ontology.resolution.short_forms import (
    has_initials,
    is_han_short,
    is_part,
    is_person_short,
    lacks_head,
    names_kind_otherwise,
)
from ontology.resolution.spelling import same_but_for_slips

SAME_NAME, SPELLING, ORDER, BRACKETS = "same_name", "spelling", "order", "brackets"
INITIALS, PERSON, HEAD, SHORT, SLIP = "initials", "person_initials", "without_kind", "short_form", "slip"
STRONG = {SAME_NAME, SPELLING, BRACKETS}
"""Kinds that hold between classes too."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """`score` from 0 to 1; `left` and `right` are the names as they are written."""

    score: float
    kind: str
    left: str
    right: str


def likeness(left: Profile, right: Profile) -> Likeness | None:
    """The best of all pairs of names."""
    found = [
        Likeness(score, kind, a.written, b.written)
        for a, b in product(left.forms, right.forms)
        for score, kind in compared(a, b)
    ]
    return max(found, key=lambda each: each.score, default=None)


def compared(a: Form, b: Form) -> Iterator[tuple[float, str]]:
    """Each way in which the one may be the other."""
    if a.text == b.text:
        yield (0.9, BRACKETS) if a.is_inside or b.is_inside else (0.97, SAME_NAME)
    elif a.squeezed == b.squeezed:
        yield 0.93, SPELLING
    elif joined(a.marks) == joined(b.marks) or may_be_initials(a, b):
        yield from loosely(a, b)


def joined(marks: tuple[str, ...]) -> str:
    return "".join(marks)


def may_be_initials(a: Form, b: Form) -> bool:
    """A single letter is a mark of a thing and an initial of a person."""
    return all(len(mark) == 1 and mark.isascii() and mark.isalpha() for mark in (*a.marks, *b.marks))


def loosely(a: Form, b: Form) -> Iterator[tuple[float, str]]:
    same_marks = a.marks == b.marks
    if same_marks and len(a.words) > 1 and sorted(a.words) == sorted(b.words):
        yield 0.9, ORDER
    if is_person_short(a, b):
        yield 0.78, PERSON
    if same_marks and names_kind_otherwise(a, b):
        yield 0.68, HEAD
    for short, long in ((a, b), (b, a)):
        if has_initials(short, long):
            yield 0.8, INITIALS
        if same_marks and lacks_head(short, long):
            yield 0.72, HEAD
        if is_han_short(short, long) and not is_part(short, long):
            yield 0.7, SHORT
    if same_marks and (score := same_but_for_slips(a, b)):
        yield score, SLIP
