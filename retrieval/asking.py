"""What the commands share: questions from the command line or a file, in one event loop that ends with its connections closed."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import CommandError, CommandParser

from accounts.subjects import subject_named
from accounts.types import Subject
from common.commands import WRONG_USE
from inference.types import Charge, Purpose
from knowledge.policy import CorpusView
from retrieval.selectors import view_for
from retrieval.tools import Tools, tools
from retrieval.types import Question

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and, from a file, the id of its line."""

    text: str
    id: Any = None


def add_question_arguments(parser: CommandParser) -> None:
    """The arguments of `search` and `ask`."""
    parser.add_argument("question", nargs="?", metavar="QUESTION")
    parser.add_argument(
        "--kb", metavar="SLUG[,SLUG]", default="", help="knowledge bases; all that may be read without it"
    )
    parser.add_argument("--as", dest="user", metavar="USER", help="ask as this person")
    parser.add_argument(
        "--file", metavar="FILE", help='lines of {"id", "question"} (- for standard input), answered in one process'
    )


def questions_in(options: dict[str, Any]) -> Iterator[Asked]:
    """The question of the command line, or those of the file."""
    if (options["question"] is None) == (options["file"] is None):
        raise CommandError("Give a question, or --file FILE.", returncode=WRONG_USE)
    if options["file"] is None:
        yield Asked(required(options["question"], "The question is empty."))
        return
    lines = sys.stdin.read().splitlines() if options["file"] == "-" else opened(options["file"])
    # All are looked at before the first is asked: a file with a fault gives no half of its answers.
    yield from [asked_in(line, number) for number, line in enumerate(lines, start=1) if line.strip()]


def required(question: str, otherwise: str) -> str:
    """The question, when something is asked."""
    if not question.strip():
        raise CommandError(otherwise, returncode=WRONG_USE)
    return question


def opened(name: str) -> Sequence[str]:
    try:
        return Path(name).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise CommandError(f"{name} can't be read: {error.strerror}.", returncode=WRONG_USE) from None


def asked_in(line: str, number: int) -> Asked:
    try:
        row = json.loads(line)
        return Asked(required(row["question"], f"The question of line {number} is empty."), row.get("id", number))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CommandError(f'Line {number} is not of the form {{"id", "question"}}.', returncode=WRONG_USE) from None


def who_and_where(options: dict[str, Any]) -> tuple[Subject, CorpusView]:
    """Who asks, and what they may search. Raises NotFound."""
    subject = subject_named(options["user"]) if options["user"] else Subject.system()
    return subject, view_for(subject, slugs=[slug.strip() for slug in options["kb"].split(",") if slug.strip()])


def question_from(text: str, subject: Subject) -> Question:
    """A question that its asker's department pays for."""
    charge = Charge(Purpose.ASK, department_id=subject.department_id, user_id=subject.user_id, key_id=subject.key_id)
    return Question(text.strip(), charge)


def answered(
    asked: Iterator[Asked], answer: Callable[[Asked, Tools], Awaitable[Result]]
) -> Iterator[tuple[Asked, Result]]:
    """Each question with its result, one after the other, in one loop."""
    with asyncio.Runner() as runner:
        used = tools()
        try:
            for each in asked:
                yield each, runner.run(_awaited(answer, each, used))
        finally:
            runner.run(used.close())


async def _awaited(answer: Callable[[Asked, Tools], Awaitable[Result]], asked: Asked, used: Tools) -> Result:
    return await answer(asked, used)


def arms_named(names: str) -> frozenset[str] | None:
    """The arms by name; None for all. Wrong use for one that there is not."""
    wanted = frozenset(name.strip() for name in names.split(",") if name.strip())
    known = [arm.name for arm in tools().arms]
    if unknown := wanted.difference(known):
        raise CommandError(f"There is no arm “{min(unknown)}”; there are: {', '.join(known)}.", returncode=WRONG_USE)
    return wanted or None
