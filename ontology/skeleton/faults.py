"""What is wrong in an `ontology.yaml`, where, and what to write instead."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

import yaml
from django.utils.translation import gettext as _

from common.errors import InvalidInput

WIDE_COLON = "："


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong; line and column count from 1. A warning does not keep the skeleton from being used."""

    line: int
    column: int
    message: str
    instead: str = ""
    is_warning: bool = False

    def __str__(self) -> str:
        words = f"{self.message} {self.instead}".strip()
        return _("line %(line)s, column %(column)s: %(words)s") % {
            "line": self.line,
            "column": self.column,
            "words": words,
        }


class SkeletonRefused(InvalidInput):
    """The text is no skeleton; `faults` say why."""

    code = "skeleton_refused"

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in faults), faults=[str(fault) for fault in faults])


@dataclass(slots=True)
class Faults:
    """Collects what is wrong while the tree is read."""

    found: list[Fault] = field(default_factory=list)

    def add(self, node: yaml.Node, message: str, instead: str = "", *, is_warning: bool = False) -> None:
        """What is wrong at this node."""
        mark = node.start_mark
        self.found.append(Fault(mark.line + 1, mark.column + 1, message, instead, is_warning))

    @property
    def in_order(self) -> tuple[Fault, ...]:
        """As they stand in the text."""
        return tuple(sorted(self.found, key=lambda fault: (fault.line, fault.column)))


def nearest(word: str, known: Sequence[str]) -> str:
    """“Did you mean …?”, or what there is to choose from; empty when there is nothing."""
    close = get_close_matches(word.casefold(), [each.casefold() for each in known], n=1, cutoff=0.6)
    match = next((each for each in known if close and each.casefold() == close[0]), None)
    if match is not None:
        return _("Did you mean “%(word)s”?") % {"word": match}
    return _("Known here: %(words)s.") % {"words": ", ".join(known[:20])} if known else ""


def colon_advice() -> str:
    """What to write instead of a wide colon, which YAML takes for a letter."""
    return _("Write the narrow colon “:” with a space after it, not the wide “：”.")
