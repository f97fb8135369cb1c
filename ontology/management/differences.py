"""A difference of two skeletons as the commands tell it: one object, or lines for people that end with what would be read again and what would go."""

from dataclasses import replace
from typing import Any

from ontology.records import record_headings
from ontology.skeleton.changes_in_words import sentences_of
from ontology.skeleton.compare import Difference, Touched
from ontology.types import CompiledSkeleton


def difference_row(difference: Difference, before: CompiledSkeleton, after: CompiledSkeleton) -> dict[str, Any]:
    """A difference as JSON."""
    changes = [
        {"part": each.part, "action": each.action, "name": each.path, "before": each.before, "after": each.after}
        for each in difference.changes
    ]
    return {
        "same": difference.is_empty,
        "fingerprints": [before.fingerprint, after.fingerprint],
        "changes": changes,
        "touched": touched_row(difference.touched),
        "gone": touched_row(difference.gone),
    }


def told_difference(difference: Difference, before: CompiledSkeleton, after: CompiledSkeleton) -> list[str]:
    """A sentence a change, then what is to be read again and what goes."""
    lines = sentences_of(difference)
    if difference.is_empty:
        return lines
    touched, gone = (names_in(touched_row(each)) for each in (read_again(difference, after), difference.gone))
    lines.append(f"Would be read again: {touched}." if touched else "Nothing would be read again: no fact is touched.")
    if record_headings(before).fingerprint != record_headings(after).fingerprint:
        lines.append("Documents in which records begin elsewhere would become new versions.")
    return [*lines, f"Would go: {gone}."] if gone else lines


def read_again(difference: Difference, after: CompiledSkeleton) -> Touched:
    """What is touched, and relations that have lost an attribute: they are found without it then."""
    lessened = {owner for owner, _name in difference.gone.attributes if owner in after.relations}
    return replace(difference.touched, relations=difference.touched.relations | lessened)


def names_in(row: dict[str, list[str]]) -> str:
    """“classes Pump; relations replaces”; "" where there is nothing."""
    return "; ".join(f"{part} {', '.join(names)}" for part, names in row.items() if names)


def touched_row(touched: Touched) -> dict[str, list[str]]:
    """Names in order."""
    return {
        "classes": sorted(touched.classes),
        "relations": sorted(touched.relations),
        "attributes": sorted(f"{owner}.{name}" for owner, name in touched.attributes),
    }
