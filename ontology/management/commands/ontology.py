"""`manage.py ontology check|diff|apply|export`: skeletons as files, so that they can live in git; `import-entities`: entities from a table; `estimate|policy`: what a model reads and what that costs. What is wrong in a file is its result (exit code 1), on standard output."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts.subjects import subject_named
from accounts.types import Subject
from common.commands import PART_FAILED, WRONG_USE, TrellisCommand, whole_number
from knowledge.models import Role
from knowledge.selectors.bases import base_named
from ontology.graphs import source_of
from ontology.management.differences import difference_row, told_difference
from ontology.selectors.effects import Effect
from ontology.selectors.reading_cost import reading_costs
from ontology.selectors.skeletons import applied_skeleton
from ontology.services.reading import TOKEN_CAP_MAX, graph_source_set_policy
from ontology.services.skeletons import skeleton_apply, skeleton_dry_run
from ontology.services.table_import import INVALID, RowResult, entities_import
from ontology.skeleton.changes_in_words import sentences_of
from ontology.skeleton.compare import compare
from ontology.skeleton.faults import Fault
from ontology.skeleton.read import Reading, read_skeleton
from ontology.table_rows import rows_in

WHAT = ("check", "diff", "apply", "export", "import-entities", "estimate", "policy")


class Command(TrellisCommand):
    help = "Check an ontology.yaml, compare two of them, or print the one that a knowledge base uses."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("what", choices=WHAT)
        parser.add_argument("files", nargs="*", metavar="FILE", help="one to check, the old and the new one to compare")
        parser.add_argument("--kb", metavar="SLUG", help="knowledge base whose skeleton is printed")
        parser.add_argument("--dry-run", action="store_true", help="apply, import-entities: only say what would happen")
        parser.add_argument(
            "--drop-confirmed", action="store_true", help="apply: facts that people confirmed and that don't fit may go"
        )
        parser.add_argument(
            "--token-cap",
            type=whole_number(0, TOKEN_CAP_MAX),
            metavar="N",
            help="policy: tokens that a model may use in all",
        )
        parser.add_argument("--as", dest="user", metavar="USER", help="act as this person")

    def run(self, options: dict[str, Any]) -> int:
        files = [Path(each) for each in options["files"]]
        match options["what"], len(files):
            case "check", 1:
                return self.check_file(files[0])
            case "diff", 2:
                return self.tell_difference(*files)
            case "apply", 1 if options["kb"]:
                return self.apply(files[0], options)
            case "export", 0 if options["kb"]:
                return self.export(options)
            case "import-entities", 1 if options["kb"]:
                return self.import_entities(files[0], options)
            case "estimate", 0 if options["kb"]:
                return self.estimate(options)
            case "policy", 1 if options["kb"]:
                return self.policy(options["files"][0], options)
        raise CommandError(
            "Say: check FILE, diff OLD NEW, apply FILE --kb SLUG, import-entities FILE --kb SLUG, export --kb SLUG, estimate --kb SLUG, or policy off|titles|all --kb SLUG.",
            returncode=WRONG_USE,
        )

    def check_file(self, file: Path) -> int:
        """Its faults with their lines, or what is in it."""
        reading = read_file(file)
        return self.tell_reading(file, reading)

    def tell_reading(self, file: Path, reading: Reading) -> int:
        skeleton = reading.skeleton
        row = {"file": str(file), "ok": skeleton is not None, "faults": [fault_row(each) for each in reading.faults]}
        lines = [f"{file}: {each}" for each in reading.faults]
        if skeleton is not None:
            counts = {"classes": len(skeleton.classes), "relations": len(skeleton.relations)}
            row |= counts | {"fingerprint": skeleton.fingerprint}
            lines.append(f"{file}: {counts['classes']} classes, {counts['relations']} relations")
        self.say(row, "\n".join(lines))
        return 0 if skeleton is not None else PART_FAILED

    def tell_difference(self, old: Path, new: Path) -> int:
        """What changes from one to the other, when both can be read."""
        readings = {file: read_file(file) for file in (old, new)}
        for file, reading in readings.items():
            if reading.skeleton is None:
                return self.tell_reading(file, reading)
        before, after = (reading.skeleton for reading in readings.values())
        assert before is not None
        assert after is not None
        difference = compare(before, after)
        self.say(difference_row(difference, before, after), "\n".join(told_difference(difference, before, after)))
        return 0

    def apply(self, file: Path, options: dict[str, Any]) -> int:
        """Make it the skeleton of the knowledge base's graph, or say what that would do."""
        reading = read_file(file)
        if reading.skeleton is None:
            return self.tell_reading(file, reading)
        subject = subject_named(options["user"]) if options["user"] else Subject.system()
        graph = source_of(base_named(subject, options["kb"], least=Role.EDITOR).pk).graph
        text = file.read_text(encoding="utf-8-sig")
        trial = skeleton_dry_run(subject=subject, graph_id=graph.pk, text=text)
        row = {"kb": options["kb"], "changes": sentences_of(trial.difference), "effect": asdict(trial.effect)}
        lines = [*sentences_of(trial.difference), effect_line(trial.effect)]
        if not options["dry_run"]:
            applied = skeleton_apply(
                subject=subject, graph_id=graph.pk, text=text, drop_confirmed=options["drop_confirmed"]
            )
            row["version"] = applied.number
            lines.append(f"Version {applied.number} is in use.")
        self.say(row, "\n".join(lines))
        return 0

    def import_entities(self, file: Path, options: dict[str, Any]) -> int:
        """Entities, other names and values from a CSV or XLSX file; a line each, and 1 when some were left out."""
        subject = subject_named(options["user"]) if options["user"] else Subject.system()
        graph_id = source_of(base_named(subject, options["kb"], least=Role.EDITOR).pk).graph_id
        try:
            rows = rows_in(file)
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error}.", returncode=WRONG_USE) from None
        results = entities_import(
            subject=subject, graph_id=graph_id, rows=rows, file_name=file.name, dry_run=options["dry_run"]
        )
        for each in results:
            self.say({**asdict(each), "class": each.class_name, "stored": is_stored(each, options)}, row_line(each))
        self.note(import_line(results, is_trial=options["dry_run"]))
        return PART_FAILED if any(each.status == INVALID for each in results) else 0

    def export(self, options: dict[str, Any]) -> int:
        """The text as it was applied."""
        subject = subject_named(options["user"]) if options["user"] else Subject.system()
        version = applied_skeleton(subject, kb=options["kb"])
        row = {"kb": options["kb"], "version": version.number, "fingerprint": version.fingerprint, "text": version.text}
        self.say(row, version.text.rstrip("\n"))
        return 0

    def estimate(self, options: dict[str, Any]) -> int:
        """What each policy would cost."""
        subject = subject_named(options["user"]) if options["user"] else Subject.system()
        kb = base_named(subject, options["kb"], least=Role.EDITOR)
        source, costs = source_of(kb.pk), reading_costs(subject, kb)
        now = {"policy": source.policy, "token_cap": source.token_cap, "tokens_used": source.tokens_used}
        row = {"kb": kb.slug, **now, "costs": [{**asdict(each), "fits": each.fits(source)} for each in costs]}
        cap = "no cap" if source.token_cap is None else f"a cap of {source.token_cap:,} tokens"
        lines = [f"A model reads: {source.policy}, with {cap}; {source.tokens_used:,} tokens used so far."]
        lines += [
            f"{each.policy}: {each.calls:,} calls for {each.chunks:,} passages, about {each.tokens:,} tokens, {each.price:g} at the prices set"
            + ("" if each.fits(source) else ": more than the cap allows")
            for each in costs
        ]
        self.say(row, "\n".join(lines))
        return 0

    def policy(self, chosen: str, options: dict[str, Any]) -> int:
        """Set what a model reads; the workers begin at once."""
        subject = subject_named(options["user"]) if options["user"] else Subject.system()
        kb = base_named(subject, options["kb"], least=Role.OWNER)
        job = graph_source_set_policy(subject=subject, kb=kb, policy=chosen, token_cap=options["token_cap"])
        count = job.items.count() if job else 0
        row = {
            "kb": kb.slug,
            "policy": chosen,
            "token_cap": options["token_cap"],
            "job": job and str(job.pk),
            "documents": count,
        }
        self.say(row, f"A model reads: {chosen}. {count} documents wait for it.")
        return 0


def is_stored(result: RowResult, options: dict[str, Any]) -> bool:
    """Whether the line is in the ledger now."""
    return result.status != INVALID and not options["dry_run"]


def row_line(result: RowResult) -> str:
    """What became of a line, with what a person should know of it."""
    line = f"line {result.row}: {result.status:8} {result.class_name} {result.name} {result.message}".rstrip()
    return " ".join([line, *(f"Warning: {each}" for each in result.warnings)])


def import_line(results: Sequence[RowResult], *, is_trial: bool) -> str:
    """How many lines were stored, or would be."""
    faulty = sum(each.status == INVALID for each in results)
    words = ("would be stored", "would be left out") if is_trial else ("stored", "left out")
    return f"{len(results) - faulty} lines {words[0]}, {faulty} {words[1]} because of a fault."


def effect_line(effect: Effect) -> str:
    """The counts in one line."""
    return (
        f"Would not fit: {effect.entities} entities, {effect.attributes} values, {effect.relations} relations ({effect.confirmed} of them confirmed by "
        f"people).{may_go_words(effect)} Would fit: {effect.fitting} of {effect.waiting} in quarantine. To read again: {effect.documents} documents, {effect.passages} passages"
        f"{cost_words(effect)}.{recut_words(effect)}"
    )


def may_go_words(effect: Effect) -> str:
    """How many facts reading again may not find; nothing where none is in question."""
    if not effect.may_go:
        return ""
    return f" Read again and may go: {effect.may_go} facts that only rules have found which change."


def recut_words(effect: Effect) -> str:
    """How many documents become new versions; nothing where none does."""
    if not effect.recut:
        return ""
    return f" Records begin elsewhere in {effect.recut} documents, which become new versions."


def cost_words(effect: Effect) -> str:
    """What a model's part of it would cost; nothing where only rules read."""
    if not effect.calls:
        return ""
    words = f", by a model about {effect.tokens:,} tokens in {effect.calls:,} calls, {effect.price:g} at the prices set"
    return words + (": more than the cap allows" if effect.is_beyond_cap else "")


def read_file(file: Path) -> Reading:
    """Raises CommandError for a file that can't be opened or is no text."""
    try:
        return read_skeleton(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise CommandError(f"There is no file {file}.", returncode=WRONG_USE) from None
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}.", returncode=WRONG_USE) from None
    except UnicodeDecodeError as error:
        raise CommandError(f"{file} can't be read as UTF-8 text: {error}.", returncode=WRONG_USE) from None


def fault_row(fault: Fault) -> dict[str, Any]:
    """One fault as JSON."""
    return {
        "line": fault.line,
        "column": fault.column,
        "message": fault.message,
        "instead": fault.instead,
        "warning": fault.is_warning,
    }
