"""`manage.py reconcile [--mend]`: every rule of the ledger, what breaks it, and what was mended. Exit code 1 while something is left."""

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser

from common.commands import PART_FAILED, TrellisCommand
from common.errors import Conflict
from common.findings import Finding
from knowledge import invariants as of_documents
from ontology import invariants as of_facts

# Those of documents first: evidence follows chunks, support follows evidence, the graph follows all.
RULES = (*of_documents.RULES, *of_facts.RULES)


class Command(TrellisCommand):
    help = "Check the rules that hold at every moment; with --mend put right what can be put right."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--mend", action="store_true", help="mend what is broken")

    def run(self, options: dict[str, Any]) -> int:
        try:
            findings = [self.looked(rule, options["mend"]) for rule in RULES]
        except Conflict as error:
            raise CommandError(str(error), returncode=PART_FAILED) from None
        ok = all(finding.is_well for finding in findings)
        if self.as_json:
            rules = [
                {
                    "rule": finding.rule,
                    "broken": finding.broken,
                    "mended": finding.mended,
                    "examples": finding.examples,
                    "advice": finding.advice,
                }
                for finding in findings
            ]
            self.stdout.write(json.dumps({"ok": ok, "rules": rules}, ensure_ascii=False))
        return 0 if ok else PART_FAILED

    def looked(self, rule: Any, mend: bool) -> Finding:
        finding: Finding = rule(mend)
        if not self.as_json:
            state = "kept" if not finding.broken else f"broken {finding.broken} times, {finding.mended} mended"
            lines = [
                f"{finding.rule}: {state}",
                *(f"  {example}" for example in finding.examples),
                f"  {finding.advice}",
            ]
            self.stdout.write("\n".join(lines[: None if finding.advice else -1]))
        return finding
