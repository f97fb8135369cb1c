"""Bring ready-made triples into a graph: checked and recorded as everything that is found, with a result for each line. One transaction a document."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import InvalidInput
from knowledge import policy
from knowledge.models import KnowledgeBase, Version
from knowledge.selectors.documents import documents_for
from ontology.check import check
from ontology.decisions import decisions_of
from ontology.graphs import skeleton_of, source_of
from ontology.importing import Line, found_in
from ontology.models import ExtractedVersion, Graph
from ontology.record import record
from ontology.types import Checked, Reason, Rejected

NOTHING = Checked()
STORED, ACCEPTED, REJECTED, IGNORED, INVALID = "stored", "accepted", "rejected", "ignored", "invalid"

SENTENCES: dict[Reason, Promise] = {
    Reason.UNKNOWN_CLASS: gettext_lazy("The skeleton has no such class."),
    Reason.UNKNOWN_RELATION: gettext_lazy("The skeleton has no such relation."),
    Reason.UNKNOWN_ATTRIBUTE: gettext_lazy("The skeleton has no such attribute."),
    Reason.WRONG_ENDS: gettext_lazy("The relation can't join these classes."),
    Reason.NOT_IN_TEXT: gettext_lazy("A name does not stand in the quotation."),
    Reason.UNREADABLE_VALUE: gettext_lazy("The value can't be read as its declared type."),
    Reason.BAD_NAME: gettext_lazy("This can't be a name."),
    Reason.HOMONYM: gettext_lazy("Several entities bear this name."),
    Reason.SAME_ENDS: gettext_lazy("Both ends are one entity; a relation joins two."),
    Reason.BROKEN_OUTPUT: gettext_lazy("It is broken."),
}


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of a line. A dry run says `accepted` where a real one says `stored`; `reason` is the quarantine's, `message` says it in words."""

    line: int
    status: str
    reason: str = ""
    about: str = ""
    message: str = ""


def triples_import(
    *, subject: Subject, kb: KnowledgeBase, lines: Sequence[Line], dry_run: bool = False
) -> list[LineResult]:
    """In the order of the lines. Raises Forbidden, NotFound for somebody who may not edit the knowledge base."""
    policy.require_editor(subject, kb.pk)
    graph = source_of(kb.pk).graph
    results: list[LineResult] = []
    for version_id, group in by_version(subject, kb, lines, results).items():
        results += read_into(graph, version_id, group, dry_run=dry_run)
    stored = sum(result.status == STORED for result in results)
    if stored:
        audit(subject, "graph.import", graph, kb_id=kb.pk, after={"lines": len(lines), "stored": stored})
    return sorted(results, key=lambda result: result.line)


def by_version(
    subject: Subject, kb: KnowledgeBase, lines: Iterable[Line], results: list[LineResult]
) -> dict[UUID, list[Line]]:
    """The lines of each document, by the version that readers see; what has none is told at once."""
    named: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        try:
            named[line.document].append(line)
        except InvalidInput as error:
            results.append(LineResult(line.number, INVALID, message=str(error)))
    versions = live_versions(subject, kb, named)
    groups: dict[UUID, list[Line]] = defaultdict(list)
    for name, group in named.items():
        if version_id := versions.get(name):
            groups[version_id] += group
        else:
            missing = _("There is no document “%(name)s” here that was read.") % {"name": name[:200]}
            results += [LineResult(line.number, INVALID, message=missing) for line in group]
    return groups


def live_versions(subject: Subject, kb: KnowledgeBase, names: Iterable[str]) -> Mapping[str, UUID]:
    """By path, and by id where it is one."""
    wanted = list(names)
    ids = [id for name in wanted if (id := as_uuid(name))]
    rows = documents_for(subject, kb=kb.slug).filter(Q(path__in=wanted) | Q(pk__in=ids), live_version__isnull=False)
    found: dict[str, UUID] = {}
    for pk, path, version in rows.values_list("pk", "path", "live_version_id"):
        found |= {str(pk): version, path: version}
    keys = {name: name if name in found else str(as_uuid(name)) for name in wanted}
    return {name: found[key] for name, key in keys.items() if key in found}


def as_uuid(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None


def read_into(graph: Graph, version_id: UUID, lines: Sequence[Line], *, dry_run: bool) -> list[LineResult]:
    """One document's lines: judged each, stored together. A dry run does the same and takes it back."""
    version = Version.objects.select_related("document").get(pk=version_id)
    judged = [judge(graph, version, line) for line in lines]
    whole = Checked(
        tuple(accepted for each in judged for accepted in each.checked.accepted),
        tuple(rejected for each in judged for rejected in each.checked.rejected),
    )
    with transaction.atomic():
        reading = ExtractedVersion.objects.filter(version=version).first()
        refused = record(graph.pk, version, reading.round if reading else 0, whole, skeleton_of(graph))
        transaction.set_rollback(dry_run)
    late = {id(each.found): each for each in refused}
    return [each.told(late, ACCEPTED if dry_run else STORED) for each in judged]


@dataclass(frozen=True, slots=True)
class Judged:
    """A line with what the check said, or what is wrong with it."""

    line: int
    checked: Checked = NOTHING
    fault: str = ""

    def told(self, late: Mapping[int, Rejected], accepted: str) -> LineResult:
        """`late` are those that turned out to have no one meaning when they were to be stored."""
        if self.fault:
            return LineResult(self.line, INVALID, message=self.fault)
        refused = next(iter(self.checked.rejected), None)
        for each in self.checked.accepted:
            refused = late.get(id(each.found), refused)
        if refused:
            return LineResult(self.line, REJECTED, refused.reason.value, refused.about, str(SENTENCES[refused.reason]))
        if not self.checked.accepted:
            return LineResult(self.line, IGNORED, message=_("People decided to ignore what is of this kind."))
        return LineResult(self.line, accepted)


def judge(graph: Graph, version: Version, line: Line) -> Judged:
    try:
        found = found_in(line, version.text)
    except InvalidInput as error:
        return Judged(line.number, fault=str(error))
    decisions = decisions_of(graph.pk)
    return Judged(line.number, check([found], version.text, skeleton_of(graph), decisions, title=version.title))
