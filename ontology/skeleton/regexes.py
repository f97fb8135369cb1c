"""Regular expressions that people write, made so that they can't run away.

Two measures, both on Python's own parse tree. Every open repetition gets an end (`*` and `+` stop at 80). Then the ways in which a text can
be tried from one starting point are counted: a repetition counts as many as it has lengths, unless what follows can't begin with what it
repeats (`[A-Z]+-\\d+` has one way, `\\w+\\w+` 80). A pattern may have 1,000 ways; inside a repetition, one (so `(a+)+` and `(a|a.)*` are refused).
The order of the count is that of Weideman et al. 2016 ("Analyzing matching time behavior of backtracking regular expression matchers"), on the safe side.
"""

import re
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from typing import Any

from django.utils.translation import gettext as _

from ontology.skeleton.characters import ANYTHING, NOTHING, Alphabet, Characters

LENGTH_MAX = 300
REPEAT_MAX = 80
WIDTH_MAX = 10_000
WAYS_MAX = 1_000

_parser: Any = import_module("re._parser")
_OPEN_COUNT = re.compile(r"\{(\d*),\}")
_COUNT = re.compile(r"\{(?:\d+(?:,\d*)?|,\d+)\}")


class UnsafePattern(ValueError):
    """Not a pattern that is used; says what to write instead."""

    def __init__(self, message: str, instead: str) -> None:
        super().__init__(message)
        self.instead = instead


@dataclass(frozen=True, slots=True)
class Measure:
    """What a part of a pattern can begin with, whether it can match nothing, and in how many ways it can be tried."""

    first: Characters
    is_nullable: bool
    ways: int = 1


def safe_pattern(written: str) -> re.Pattern[str]:
    """The pattern with its repetitions ended. Raises UnsafePattern."""
    if len(written) > LENGTH_MAX:
        raise UnsafePattern(_("The pattern is longer than 300 characters."), _("Split it into several."))
    try:
        re.compile(written)
        bounded = with_ends(written)
        tree = _parser.parse(bounded)
    except (re.error, OverflowError, RecursionError) as error:
        raise UnsafePattern(
            _("This is not a regular expression: %(error)s.") % {"error": error},
            _("Put a backslash before signs that are meant as such: \\. \\( \\+ \\?"),
        ) from None
    if tree.state.flags & re.VERBOSE or "(?#" in written:
        raise UnsafePattern(_("Comments are not read in patterns."), _("Leave (?x) and (?#…) out."))
    if tree.getwidth()[0] == 0:
        raise UnsafePattern(
            _("The pattern matches nothing at all, so it would match everywhere."), _("Ask for a sign.")
        )
    measured = sequence(list(tree), NOTHING, Alphabet.of(tree))
    if measured.ways > WAYS_MAX:
        raise UnsafePattern(
            _("The pattern could take very long: too many repetitions run into each other."),
            _("Put a fixed sign between them, or bounds such as {1,5}."),
        )
    return re.compile(bounded)


def with_ends(written: str) -> str:
    """`*`, `+` and `{n,}` with an upper bound; signs that are escaped or in a class stay."""
    made: list[str] = []
    place, after_quantifier = 0, False
    while place < len(written):
        piece, replacement = quantifier_at(written, place, after_quantifier)
        after_quantifier = bool(replacement) and not after_quantifier
        if not replacement:
            piece = piece_at(written, place)
        made.append(replacement or piece)
        place += len(piece)
    return "".join(made)


def quantifier_at(written: str, place: int, after_quantifier: bool) -> tuple[str, str]:
    """What stands there as a quantifier (or its lazy or possessive mark) and what takes its place; both empty for anything else."""
    sign = written[place]
    if after_quantifier:
        return (sign, sign) if sign in "?+" else ("", "")
    if sign in "*+":
        return sign, f"{{{int(sign == '+')},{REPEAT_MAX}}}"
    if found := _OPEN_COUNT.match(written, place):
        least = int(found[1] or 0)
        return found[0], f"{{{least},{max(least, REPEAT_MAX)}}}"
    if found := _COUNT.match(written, place):
        return found[0], found[0]
    return (sign, sign) if sign == "?" else ("", "")


def piece_at(written: str, place: int) -> str:
    """One escaped sign, one class, the opening of a group, or one sign."""
    if written[place] == "\\":
        return written[place : place + 2]
    if written.startswith("(?", place):
        return "(?"
    if written[place] != "[":
        return written[place]
    end = place + 1 + written.startswith("^", place + 1)
    end += written.startswith("]", end)
    while written[end] != "]":
        end += 2 if written[end] == "\\" else 1
    return written[place : end + 1]


def sequence(items: list[Any], follow: Characters, alphabet: Alphabet) -> Measure:
    """Parts one after the other, before something that begins with `follow`."""
    first, is_nullable, ways, after = NOTHING, True, 1, follow
    for operator, argument in reversed(items):
        part = element(str(operator), argument, after, alphabet)
        ways = min(ways * part.ways, WAYS_MAX + 1)
        first = part.first | (first if part.is_nullable else NOTHING)
        after = part.first | (after if part.is_nullable else NOTHING)
        is_nullable = is_nullable and part.is_nullable
    return Measure(first, is_nullable, ways)


def element(operator: str, argument: Any, after: Characters, alphabet: Alphabet) -> Measure:
    """One part. What looks around or at an edge may fail whatever follows, so it counts as overlapping with everything."""
    match operator:
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return repeat(argument, after, alphabet)
        case "SUBPATTERN":
            return sequence(list(argument[3]), after, alphabet)
        case "ATOMIC_GROUP":
            return sequence(list(argument), after, alphabet)
        case "BRANCH":
            return branches(argument[1], after, alphabet)
        case "ASSERT" | "ASSERT_NOT":
            return Measure(ANYTHING, True, sequence(list(argument[1]), NOTHING, alphabet).ways)
        case "AT":
            return Measure(ANYTHING, True)
        case "GROUPREF" | "GROUPREF_EXISTS":
            raise UnsafePattern(_("References to groups are not read."), _("Write out what is meant."))
        case _:
            return Measure(alphabet.matched_by(operator, argument), False)


def repeat(argument: Any, after: Characters, alphabet: Alphabet) -> Measure:
    """A repetition of one body."""
    least, most, body = argument
    if most * body.getwidth()[1] > WIDTH_MAX:
        raise UnsafePattern(_("The pattern matches more than 10,000 characters."), _("Use smaller bounds."))
    once = sequence(list(body), after, alphabet)
    if most > 1:
        once = sequence(list(body), after | once.first, alphabet)
        if once.ways > 1 or once.is_nullable:
            raise UnsafePattern(
                _("A repetition stands inside a repetition, or choices in it begin alike, so it could run for ever."),
                _("Put a fixed sign before the inner one, as in (-[A-Z]+)*, or repeat only one of them."),
            )
    lengths = most - least + 1 if once.first & after else 1
    return Measure(once.first, least == 0 or once.is_nullable, lengths * once.ways)


def branches(bodies: list[Any], after: Characters, alphabet: Alphabet) -> Measure:
    """Choices; those that begin differently can't both be tried."""
    measured = [sequence(list(body), after, alphabet) for body in bodies]
    begins = [each.first | (after if each.is_nullable else NOTHING) for each in measured]
    first = reduce(Characters.__or__, (each.first for each in measured), NOTHING)
    seen, differ = NOTHING, True
    for begin in begins:
        differ = differ and not (seen & begin)
        seen = seen | begin
    ways = max(each.ways for each in measured) if differ else sum(each.ways for each in measured)
    return Measure(first, any(each.is_nullable for each in measured), ways)
