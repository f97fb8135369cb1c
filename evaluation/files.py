"""The files that measuring reads: `{"id", "title", "text"}` lines are a corpus, `{"id", "question", "gold_ids", "type"}` lines its questions."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from common.errors import InvalidInput, UnreadableFile
from knowledge.parsing.paths import normalise_path


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the documents that its answer needs, and what kind of question it is."""

    id: str
    question: str
    gold: frozenset[str]
    type: str


def cases_in(file: Path) -> list[Case]:
    """The questions of a file. Raises InvalidInput, naming the line that can't be used, or for a file without questions."""
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(_("%(file)s can't be read: %(why)s") % {"file": file, "why": error}) from None
    cases = [case_in(line, number) for number, line in enumerate(lines, start=1) if line.strip()]
    if not cases:
        raise InvalidInput(_("%(file)s holds no questions.") % {"file": file})
    return cases


def case_in(line: str, number: int) -> Case:
    try:
        row = json.loads(line)
        gold = frozenset(document_path(str(each)) for each in row["gold_ids"])
        return Case(str(row["id"]), str(row["question"]), gold, str(row.get("type") or "all"))
    except (ValueError, KeyError, TypeError):
        raise InvalidInput(
            _("Line %(number)d is not an object with “id”, “question” and “gold_ids”.") % {"number": number}
        ) from None


def ids_in(corpus: Path) -> Iterator[str]:
    """The paths that a corpus' ids become, in order. The way in says what is wrong with a line; this reads files that it has taken."""
    with corpus.open(encoding="utf-8-sig") as lines:
        yield from (document_path(str(json.loads(line)["id"])) for line in lines if line.strip())


def document_path(id: str) -> str:
    """The path of the document with this id; an id that the way in refuses stays as it is, and is never found."""
    try:
        return normalise_path(id)
    except UnreadableFile:
        return id
