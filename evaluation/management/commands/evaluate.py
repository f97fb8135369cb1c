"""`manage.py evaluate retrieval`: how well a corpus and its questions are found, per arm and fused, by the ordinary way in and the ordinary search.
`manage.py evaluate extraction`: how well what documents say is extracted inside of a schema.
"""

from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts.types import Subject
from common.commands import PART_FAILED, WRONG_USE, TrellisCommand, whole_number
from evaluation import extraction_report, retrieval_report
from evaluation.corpora import corpus_base, corpus_read, slug_for
from evaluation.extraction_files import documents_in, schemas_in
from evaluation.extraction_run import DocumentResult, extractor_named, run
from evaluation.files import cases_in
from evaluation.retrieval_run import CaseResult, run_case
from knowledge.tools import tools as knowledge_tools
from retrieval.asking import Asked, answered, arms_named
from retrieval.selectors import view_for
from retrieval.tools import Tools

SAY_EVERY = 100
NAMES_SHOWN = 5
EXTRACTORS = ("rules", "model")


class Command(TrellisCommand):
    help = "Measure how well questions find the documents that answer them, and how well facts are extracted."

    def add_arguments(self, parser: CommandParser) -> None:
        kinds = parser.add_subparsers(dest="what", required=True)
        retrieval = kinds.add_parser("retrieval", help="recall and rank of documents, per arm and fused")
        super().add_arguments(retrieval)
        retrieval.add_argument("--corpus", type=Path, required=True, help='lines of {"id", "title", "text"}')
        retrieval.add_argument(
            "--questions", type=Path, required=True, help='lines of {"id", "question", "gold_ids", "type"}'
        )
        retrieval.add_argument("--arms", default="", metavar="ARM[,ARM]", help="only these arms")
        retrieval.add_argument(
            "--details", type=Path, metavar="FILE", help="write the ranked ids of each question here"
        )
        retrieval.add_argument("--sample", type=whole_number(), metavar="N", help="only the first N questions")
        extraction = kinds.add_parser("extraction", help="precision and recall of facts inside of a schema")
        super().add_arguments(extraction)
        extraction.add_argument("--docs", type=Path, required=True, help='lines of {"id", "text", "triples"}')
        extraction.add_argument("--schema", type=Path, required=True, help="a schema, or a list that documents name")
        extraction.add_argument("--extractor", choices=EXTRACTORS, default="rules", help="what extracts")
        extraction.add_argument(
            "--details", type=Path, metavar="FILE", help="write what was found in each document here"
        )
        extraction.add_argument("--sample", type=whole_number(), metavar="N", help="only the first N documents")

    def run(self, options: dict[str, Any]) -> int:
        is_retrieval = options["what"] == "retrieval"
        for name in ("corpus", "questions") if is_retrieval else ("docs", "schema"):
            if not options[name].is_file():
                raise CommandError(f"There is no file {options[name]}.", returncode=WRONG_USE)
        return self.retrieval(options) if is_retrieval else self.extraction(options)

    def extraction(self, options: dict[str, Any]) -> int:
        """Nothing is stored; a fact outside of its schema would be a fault of the check."""
        extract, schemas = extractor_named(options["extractor"]), schemas_in(options["schema"])
        documents = islice(documents_in(options["docs"]), options["sample"])
        results: list[DocumentResult] = []
        for result in run(documents, schemas, extract):
            results.append(result)
            self.told(len(results))
        if not results:
            raise CommandError(f"{options['docs']} holds no documents.", returncode=WRONG_USE)
        if unknown := sorted({name for each in results for name in each.unknown}):
            self.note(
                f"Warning: the schema has no relation of these names, so that nothing finds what the documents say by them: {named(unknown)}"
            )
        row = extraction_report.report(results, options["extractor"])
        self.say(row, extraction_report.lines(row))
        if options["details"]:
            extraction_report.write_details(options["details"], results)
        return PART_FAILED if row["conformance"] < 1 else 0

    def retrieval(self, options: dict[str, Any]) -> int:
        subject, cases = Subject.system(), cases_in(options["questions"])[: options["sample"]]
        kb = corpus_base(subject, slug_for(options["corpus"]))
        corpus_read(subject, kb, options["corpus"], knowledge_tools(), self.told)
        arms = arms_named(options["arms"])
        view = view_for(subject, slugs=[kb.slug])
        by_id = {case.id: case for case in cases}

        async def ask(asked: Asked, used: Tools) -> CaseResult:
            return await run_case(by_id[asked.id], subject, view, used, arms)

        asked = (Asked(case.question, case.id) for case in by_id.values())
        results = [result for _asked, result in answered(asked, ask)]
        row = retrieval_report.report(kb, results)
        self.say(row, retrieval_report.lines(row, results))
        if options["details"]:
            retrieval_report.write_details(options["details"], results)
        return PART_FAILED if any(result.degraded for result in results) else 0

    def told(self, documents: int) -> None:
        if documents % SAY_EVERY == 0:
            self.note(f"{documents} documents read")


def named(names: list[str]) -> str:
    """The first of them, and how many more there are."""
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more." if more > 0 else ".")
