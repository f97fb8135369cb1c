"""A fact, an entity and a community, as the selectors give them, on a line for a person at a terminal."""

from collections.abc import Mapping
from typing import Any

from ontology.selectors.communities import CommunityShown

QUOTE_CHARACTERS = 120


def fact_line(row: Mapping[str, Any]) -> str:
    """`Mail Gateway (System) calls Auth Server (System) {…} · 3 places, confirmed: "the words of the first"`."""
    said = ", ".join(f"{name}: {value}" for name, value in row["attributes"].items())
    ends = f"{row['source']} ({row['source_class']}) {row['relation']} {row['target']} ({row['target_class']})"
    return " ".join([ends, *([f"{{{said}}}"] if said else []), support(row)])


def entity_line(row: Mapping[str, Any]) -> str:
    """`Auth Server (System) = Auth, AS; memory_limit: 64 GB · 2 places`."""
    also = f" = {', '.join(row['aliases'])}" if row["aliases"] else ""
    values = [
        f"{each['name']}: {each['comparison']}{each['value']} {each['unit']}".rstrip() for each in row["attributes"]
    ]
    return f"{row['name']} ({row['class']}){also}{''.join(f'; {each}' for each in values)} {support(row)}"


def community_line(found: CommunityShown) -> str:
    """`Mail Gateway · Auth Server (12 entities): the first words of its summary`, smaller communities further in."""
    said = " ".join(found.summary.split())[:QUOTE_CHARACTERS]
    return f"{'  ' * found.level}{found.title} ({found.size} entities)" + (f": {said}" if said else "")


def support(row: Mapping[str, Any]) -> str:
    """How many places say so, and the words of the first."""
    evidence = row["evidence"]
    count = f"{len(evidence)} place" + ("" if len(evidence) == 1 else "s")
    quote = f': "{" ".join(evidence[0]["quote"].split())[:QUOTE_CHARACTERS]}"' if evidence else ""
    return f"· {count}{', confirmed' if row['confirmed'] else ''}{quote}"
