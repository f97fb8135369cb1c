"""`manage.py corpus_stats`: how long paragraphs are and how many tokens a character takes, by language, and the size of chunks that follows from it."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from accounts.subjects import subject_named
from accounts.types import Subject
from common.commands import TrellisCommand
from knowledge.chunking.stats import CorpusStats, LanguageStats, Spread, corpus_stats
from knowledge.models import StoredBlock, Version
from knowledge.selectors.documents import documents_for
from knowledge.tools import tools
from knowledge.types import BlockKind


class Command(TrellisCommand):
    help = "Print the distribution of paragraph lengths and of tokens per character, by language, and a target size for chunks."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--kb", metavar="SLUG", default="", help="only this knowledge base")
        parser.add_argument("--as", dest="user", metavar="USER", help="act as this person")

    def run(self, options: dict[str, Any]) -> int:
        subject = subject_named(options["user"]) if options["user"] else Subject.system()
        in_use = tools()
        stats = corpus_stats(paragraphs_for(subject, kb=options["kb"]), count_tokens=in_use.embedder.count_tokens)
        row = {**asdict(stats), "target_tokens": in_use.chunk_size.target_tokens}
        self.say(row, "\n".join(lines_of(stats, in_use.chunk_size.target_tokens)))
        return 0


def paragraphs_for(subject: Subject, *, kb: str) -> Iterator[str]:
    """The paragraphs of every live version that the subject may read, document by document."""
    live = documents_for(subject, kb=kb).exclude(live_version=None).values_list("live_version_id", flat=True)
    for version_id in live.iterator(chunk_size=500):
        text = Version.objects.values_list("text", flat=True).get(pk=version_id)
        blocks = StoredBlock.objects.filter(version_id=version_id, kind=BlockKind.PARAGRAPH.value).order_by("ordinal")
        for start, end in blocks.values_list("start", "end"):
            yield text[start:end]


def lines_of(stats: CorpusStats, target_tokens: int) -> Iterator[str]:
    """The same for people."""
    for language in stats.languages:
        yield from language_lines(language)
    yield f"{stats.paragraphs} paragraphs. Chunks aim at {target_tokens} tokens; for this corpus {stats.recommended_target_tokens} would keep most paragraphs whole."


def language_lines(language: LanguageStats) -> Iterator[str]:
    """Two rows of percentiles."""
    yield f"{language.language}: {language.paragraphs} paragraphs, {language.tokens_per_character:.3f} tokens per character"
    yield f"  characters  {spread_line(language.characters)}"
    yield f"  tokens      {spread_line(language.tokens)}"


def spread_line(spread: Spread) -> str:
    return f"p10 {spread.p10}  p50 {spread.p50}  p90 {spread.p90}  p99 {spread.p99}  max {spread.greatest}"
