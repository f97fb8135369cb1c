"""`manage.py ask QUESTION --kb SLUG`: an answer with its sources, in the terminal."""

from contextlib import aclosing
from typing import Any

from django.core.management.base import CommandParser

from common.commands import TrellisCommand
from common.markdown import plain_text
from common.templatetags.look import left_out
from retrieval.answer import Answer, Citation
from retrieval.ask import ask
from retrieval.asking import Asked, add_question_arguments, answered, question_from, questions_in, who_and_where
from retrieval.services import trace_keep_later
from retrieval.tools import Tools


class Command(TrellisCommand):
    help = "Ask knowledge bases and print the answer with its sources."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_question_arguments(parser)
        parser.add_argument(
            "--answerer", choices=["quote", "model"], default="", help="who writes; the best there is without it"
        )

    def run(self, options: dict[str, Any]) -> int:
        subject, view = who_and_where(options)

        async def answer(asked: Asked, used: Tools) -> Answer:
            trace = used.trace()
            async with aclosing(
                ask(question_from(asked.text, subject), view, used, trace=trace, answerer=options["answerer"])
            ) as events:
                finished = await anext(event async for event in events if isinstance(event, Answer))
            await trace_keep_later(
                subject=subject, view=view, trace=trace, found=finished.found, answerer=finished.answerer
            )
            return finished

        for asked, finished in answered(questions_in(options), answer):
            row = finished.as_dict() if asked.id is None else {"id": asked.id, **finished.as_dict()}
            self.say(row, for_people(asked, finished))
        return 0


def for_people(asked: Asked, answer: Answer) -> str:
    """The answer, where it stands, and what was left out."""
    lines = [asked.text, ""] if asked.id is not None else []
    if answer.answerer == "quote" and answer.found:
        lines.append("Excerpts")
        lines.append("")
    lines.append(answer.text)
    if answer.citations:
        lines.extend(["", "Sources"])
        lines.extend(source_line(citation) for citation in answer.citations)
    if answer.nearest:
        lines.extend(["", "Nearest: " + " · ".join(plain_text(each.title) for each in answer.nearest)])
    lines.extend(f"Left out: {left_out(part)}" for part in answer.degraded)
    if answer.dropped:
        lines.append(f"Statements dropped, because their sources don't support them: {answer.dropped}")
    return "\n".join(lines)


def source_line(citation: Citation) -> str:
    place = " › ".join(plain_text(part) for part in (citation.document_title, *citation.heading_path))
    page = f", p. {citation.page}" if citation.page else ""
    return (
        f"[{citation.n}] {place}{page} (version {citation.version}, {citation.start}–{citation.end}, {citation.path})"
    )
