"""What a phrase pattern must find besides its two ends. Given the pattern's source, gives a pattern for the longest fixed part, so that most sentences are
passed over without trying the whole.
"""

import re
from re import Pattern

_END = re.compile(r"\(\?P<(?:source|target)>")


def middle_of(source: str) -> Pattern[str] | None:
    """The longest part between, before or after the ends; None where no part can be told apart with certainty."""
    parts = parts_around_ends(source)
    if parts is None:
        return None
    longest = max(parts, key=len, default="")
    try:
        compiled = re.compile(longest)
    except re.error:
        return None
    return None if compiled.match("") or compiled.groupindex else compiled


def parts_around_ends(source: str) -> list[str] | None:
    """The pieces outside of both ends; None when an end is optional, one of several choices, or inside of another group."""
    parts: list[str] = []
    after = place = depth = 0
    while place < len(source):
        if source[place] == "\\":
            place += 2
        elif source[place] == "[":
            place = class_end(source, place)
        elif depth == 0 and source[place] == "|":
            return None
        elif depth == 0 and _END.match(source, place):
            parts.append(source[after:place])
            place = after = group_end(source, place)
            if source[place : place + 1] in ("?", "*", "{"):
                return None
        else:
            depth += (source[place] == "(") - (source[place] == ")")
            if source[place] == "(" and _END.search(source, place, group_end(source, place)):
                return None
            place += 1
    return [*parts, source[after:]]


def group_end(source: str, start: int) -> int:
    """Behind the bracket that closes the group that opens here."""
    depth, place = 0, start
    while place < len(source):
        if source[place] == "\\":
            place += 1
        elif source[place] == "[":
            place = class_end(source, place) - 1
        else:
            depth += (source[place] == "(") - (source[place] == ")")
            if depth == 0:
                return place + 1
        place += 1
    return place


def class_end(source: str, start: int) -> int:
    """Behind the bracket that closes the class of characters that opens here."""
    place = start + 1 + source.startswith("^", start + 1)
    place += source.startswith("]", place)
    while place < len(source) and source[place] != "]":
        place += 2 if source[place] == "\\" else 1
    return place + 1
