"""JSON: an object becomes headings and "key: value" lines, a list of like objects a table, question and answer keys FAQ pairs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from knowledge.parsing import faq, refusals
from knowledge.parsing.markup import Item
from knowledge.parsing.media import LABELS, MediaType
from knowledge.parsing.sources import text_of
from knowledge.parsing.tables import write_table
from knowledge.parsing.writer import Writer
from knowledge.types import SourceFile

_TITLE_KEYS = ("title", "name", "标题", "標題", "名称", "名稱")
_TEXT_KEYS = ("text", "content", "body", "正文", "内容", "內容")
_CELL_CHARS = 300
_DEPTH = 40


def parse(source: SourceFile, writer: Writer) -> None:
    """Write what a JSON file says."""
    value = load(text_of(source, writer.limits), source.name, MediaType.JSON)
    if isinstance(value, dict) and isinstance(title := value.get("title"), str):
        writer.title = title
    write_value(writer, value, level=1)


def load(text: str, name: str, media_type: MediaType) -> Any:
    """The value that the text stands for. Raises UnreadableFile that names the line when it is none."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise refusals.broken_file(name, label=LABELS[media_type], detail=_("too many levels")) from error
    except json.JSONDecodeError as error:
        place = _("line %(line)d, column %(column)d") % {"line": error.lineno, "column": error.colno}
        raise refusals.broken_file(name, label=LABELS[media_type], detail=place) from error
    except ValueError as error:
        raise refusals.broken_file(name, label=LABELS[media_type], detail=str(error)) from error


def write_value(writer: Writer, value: Any, *, level: int) -> None:
    """Write a value of any shape; deeper objects get deeper headings."""
    if level > _DEPTH:
        writer.paragraph(json.dumps(value, ensure_ascii=False))
    elif isinstance(value, dict):
        write_object(writer, value, level=level)
    elif isinstance(value, list):
        _write_list(writer, value, level=level)
    else:
        writer.paragraph(scalar(value))


def write_object(writer: Writer, value: Mapping[str, Any], *, level: int) -> None:
    """An object: its title as heading, its text as paragraphs, its plain values as lines, what is nested under headings."""
    rest = dict(value)
    if pair := _take_pair(rest):
        writer.faq(*pair, more=[(key, flat(other)) for key, other in rest.items()])
        return
    title = _take_words(rest, _TITLE_KEYS) if len(value) > 1 else ""
    if title:
        writer.heading(title, level)
        level += 1
    body = _take_words(rest, _TEXT_KEYS)
    lines = [f"{key}: {flat(item)}" for key, item in rest.items() if _is_flat(item) and flat(item)]
    writer.paragraph("\n".join(lines))
    for paragraph in body.split("\n\n"):
        writer.paragraph(paragraph)
    for key, item in rest.items():
        if not _is_flat(item):
            writer.heading(key, level)
            write_value(writer, item, level=level + 1)


def flat(value: Any) -> str:
    """A value on one line or a few: lists of plain values with commas between."""
    if isinstance(value, list):
        return ", ".join(flat(item) for item in value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else scalar(value)


def scalar(value: Any) -> str:
    """A plain value as JSON shows it, text without quotation marks, null as nothing."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _write_list(writer: Writer, values: Sequence[Any], *, level: int) -> None:
    if keys := _table_keys(values):
        write_table(writer, [keys, *([flat(value.get(key)) for key in keys] for value in values)], 1)
    elif all(_is_flat(value) for value in values):
        writer.list(Item(flat(value)) for value in values)
    else:
        for value in values:
            write_value(writer, value, level=level)


def _table_keys(values: Sequence[Any]) -> list[str]:
    """The columns of a list of like objects with short plain values; none when it is no table. FAQ lists are tables of their pairs."""
    if len(values) < 2 or not all(isinstance(value, dict) for value in values):
        return []
    keys = list(dict.fromkeys(key for value in values for key in value))
    if faq.columns(keys):
        return keys
    shared = sum(len(value) for value in values) / (len(keys) * len(values) or 1)
    cells = [item for value in values for item in value.values()]
    is_plain = all(_is_flat(item) and len(flat(item)) <= _CELL_CHARS for item in cells)
    return keys if 2 <= len(keys) <= 40 and shared >= 0.6 and is_plain else []


def _is_flat(value: Any) -> bool:
    if isinstance(value, list):
        return (
            all(not isinstance(item, (list, dict)) for item in value)
            and sum(len(scalar(item)) for item in value) <= _CELL_CHARS
        )
    return not isinstance(value, dict)


def _take_pair(rest: dict[str, Any]) -> tuple[str, str] | None:
    keys = list(rest)
    found = faq.columns(keys)
    if found is None:
        return None
    question, answer = (flat(rest.pop(keys[index])) for index in found)
    return question, answer


def _take_words(rest: dict[str, Any], keys: Sequence[str]) -> str:
    """The first of these keys that holds words, taken out of the object."""
    for key in keys:
        if isinstance(rest.get(key), str) and rest[key].strip():
            return str(rest.pop(key))
    return ""
