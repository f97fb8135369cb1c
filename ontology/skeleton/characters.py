"""Sets of characters as patterns see them: by a sample that holds every character at which one of the pattern's own sets begins or ends, so that two sets overlap exactly when they share a character of the sample."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

BASE = "azAZ09_ \t\n-.,;:/()'\"+*#@%&=|~中文。，、é٣Я"


@dataclass(frozen=True, slots=True)
class Characters:
    """Some characters of a sample; `is_all` for whatever there is."""

    members: frozenset[str] = frozenset()
    is_all: bool = False

    def __or__(self, other: "Characters") -> "Characters":
        return Characters(self.members | other.members, self.is_all or other.is_all)

    def __and__(self, other: "Characters") -> bool:
        """Whether they overlap. Everything overlaps even with nothing: an edge may fail where the pattern ends."""
        return self.is_all or other.is_all or bool(self.members & other.members)


NOTHING = Characters()
ANYTHING = Characters(is_all=True)


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The sample that fits one pattern."""

    sample: frozenset[str]
    ignores_case: bool

    @classmethod
    def of(cls, tree: Any) -> "Alphabet":
        """From a parse tree of `re`."""
        codes = {code + step for code in codes_in(tree) for step in (-1, 0, 1)}
        letters = {chr(code) for code in codes if 0 <= code < 0x110000} | set(BASE)
        both = letters | {letter.swapcase() for letter in letters if len(letter.swapcase()) == 1}
        return cls(frozenset(both), any(flags & re.IGNORECASE for flags in flags_in(tree)))

    def matched_by(self, operator: str, argument: Any) -> Characters:
        """What of the sample one sign or class of a pattern matches."""
        tests = argument if operator == "IN" else [(operator, argument)]
        return Characters(frozenset(letter for letter in self.sample if self.matches(letter, tests)))

    def matches(self, letter: str, tests: Iterable[tuple[Any, Any]]) -> bool:
        """Whether one letter (in either case, where that makes no difference) passes."""
        forms = {letter, letter.swapcase(), letter.lower(), letter.upper()} if self.ignores_case else {letter}
        return any(in_class(ord(form), tests) for form in forms if len(form) == 1)


def in_class(code: int, tests: Iterable[tuple[Any, Any]]) -> bool:
    """Membership in a class of `re`'s parse tree."""
    listed = [(str(operator), argument) for operator, argument in tests]
    is_negated = bool(listed) and listed[0][0] == "NEGATE"
    return any(passes(code, *test) for test in listed if test[0] != "NEGATE") != is_negated


def passes(code: int, operator: str, argument: Any) -> bool:
    """One test of a class."""
    match operator:
        case "LITERAL":
            return bool(code == argument)
        case "NOT_LITERAL":
            return bool(code != argument)
        case "RANGE":
            return bool(argument[0] <= code <= argument[1])
        case "CATEGORY":
            return in_category(chr(code), str(argument))
        case _:
            return True


def in_category(letter: str, category: str) -> bool:
    """`\\d`, `\\w`, `\\s` and their opposites."""
    name = category.rsplit("_", 1)[-1]
    found = {
        "DIGIT": unicodedata.category(letter) == "Nd",
        "WORD": letter.isalnum() or letter == "_",
        "SPACE": letter.isspace(),
    }.get(name, True)
    return not found if "_NOT_" in category else found


def codes_in(tree: Any) -> Iterator[int]:
    """Every code at which a literal or range of the tree begins or ends."""
    for operator, argument in walk(tree):
        if operator in ("LITERAL", "NOT_LITERAL"):
            yield argument
        elif operator == "RANGE":
            yield from argument


def flags_in(tree: Any) -> Iterator[int]:
    """The flags of the whole and of its groups."""
    yield tree.state.flags
    yield from (argument[1] for operator, argument in walk(tree) if operator == "SUBPATTERN")


def walk(items: Any) -> Iterator[tuple[str, Any]]:
    """Every (operator, argument) of a parse tree, however deep."""
    for operator, argument in items:
        yield str(operator), argument
        yield from walk(parts_of(str(operator), argument))


def parts_of(operator: str, argument: Any) -> list[Any]:
    """The (operator, argument) pairs right inside one."""
    match operator:
        case "IN" | "ATOMIC_GROUP":
            return list(argument)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return list(argument[2])
        case "SUBPATTERN":
            return list(argument[3])
        case "BRANCH":
            return [pair for body in argument[1] for pair in body]
        case "ASSERT" | "ASSERT_NOT":
            return list(argument[1])
        case _:
            return []
