"""JSON Lines: one record a line, written one by one; a record with title and text reads as a heading with paragraphs. A broken line is left out with a notice."""

import json
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from knowledge.parsing import refusals
from knowledge.parsing.json_records import write_value
from knowledge.parsing.media import LABELS, MediaType
from knowledge.parsing.sources import text_of
from knowledge.parsing.writer import Writer
from knowledge.types import SourceFile


def parse(source: SourceFile, writer: Writer) -> None:
    """Write the records of a JSON Lines file. Raises UnreadableFile when most lines are no JSON."""
    broken: list[int] = []
    count = 0
    for number, line in _lines(text_of(source, writer.limits)):
        count += 1
        found, value = _value_of(line)
        if found:
            write_value(writer, value, level=1)
        else:
            broken.append(number)
    if len(broken) * 2 > count:
        detail = _("line %(number)d is no JSON") % {"number": broken[0]}
        raise refusals.broken_file(source.name, label=LABELS[MediaType.JSON_LINES], detail=detail)
    if broken:
        numbers = ", ".join(map(str, broken[:10])) + (" …" if len(broken) > 10 else "")
        writer.notice(_("These lines were left out, because they are no JSON: %(numbers)s.") % {"numbers": numbers})


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())


def _value_of(line: str) -> tuple[bool, Any]:
    try:
        return True, json.loads(line)
    except (ValueError, RecursionError):
        return False, None
