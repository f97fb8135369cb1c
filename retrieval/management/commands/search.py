"""`manage.py search QUESTION --kb SLUG`: the chunks that fit best, with every arm's rank and score."""

from typing import Any

from django.core.management.base import CommandParser

from common.commands import TrellisCommand, whole_number
from common.markdown import plain_text
from common.templatetags.look import left_out
from retrieval.asking import (
    Asked,
    add_question_arguments,
    answered,
    arms_named,
    question_from,
    questions_in,
    who_and_where,
)
from retrieval.search import SearchResult, search
from retrieval.tools import Tools

SHOWN = 240
LIMIT_MAX = 1000


class Command(TrellisCommand):
    help = "Search knowledge bases and show what each arm found."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_question_arguments(parser)
        parser.add_argument("--limit", type=whole_number(most=LIMIT_MAX), default=10, help="most hits")
        parser.add_argument("--arms", default="", metavar="ARM[,ARM]", help="only these arms (vector, keyword)")

    def run(self, options: dict[str, Any]) -> int:
        subject, view = who_and_where(options)
        arms = arms_named(options["arms"])

        async def found(asked: Asked, used: Tools) -> SearchResult:
            return await search(question_from(asked.text, subject), view, used, limit=options["limit"], arms=arms)

        for asked, result in answered(questions_in(options), found):
            row = result.as_dict() if asked.id is None else {"id": asked.id, **result.as_dict()}
            self.say(row, for_people(asked, result))
        return 0


def for_people(asked: Asked, result: SearchResult) -> str:
    lines = [asked.text] if asked.id is not None else []
    for rank, found in enumerate(result.found, start=1):
        source, hit = found.source, found.hit
        arms = " · ".join(f"{name} #{place.rank} {place.score:.3f}" for name, place in hit.arms.items())
        where = f" p. {source.page}" if source.page else ""
        text = " ".join(source.text.split())
        lines.append(f"{rank:2}. {hit.score:.3f}  {plain_text(source.title)}{where}  ({arms})")
        lines.append(f"    {text[:SHOWN]}{'…' if len(text) > SHOWN else ''}")
    lines.extend(f"Left out: {left_out(part)}" for part in result.degraded)
    return "\n".join(lines or ["Nothing found."])
