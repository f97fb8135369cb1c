"""What waits in quarantine, by kinds: a reason and the class, relation or attribute it is about, with how often and examples. Kinds that were decided for ever are left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, QuerySet
from django.db.models.functions import Greatest, Substr
from django.urls import reverse

from accounts.types import Subject
from knowledge import policy
from ontology.models import Alias, Entity, Quarantined, QuarantineRule, QuarantineState
from ontology.selectors.around import AROUND, shown_words

EXAMPLES = 3
FIELDS = (
    "pk",
    "found",
    "document_id",
    "document__path",
    "document__title",
    "document__language",
    "version__number",
    "start",
    "end",
)
WORDS = Substr("version__text", Greatest(F("start") - AROUND, 0) + 1, F("end") - F("start") + 2 * AROUND)


@dataclass(frozen=True, slots=True)
class CaseShown:
    """One case at its place: `before`, `quote` and `after` are the document's own words."""

    id: UUID
    found: dict[str, Any]
    document_id: UUID
    path: str
    title: str
    language: str
    version: int
    start: int
    end: int
    before: str
    quote: str
    after: str

    @property
    def shown(self) -> tuple[str, str, str]:
        """Before, quote and after as people read them."""
        return shown_words(self.before, self.quote, self.after, start=self.start)

    @property
    def url(self) -> str:
        """The document, with these words marked."""
        place = f"?version={self.version}&start={self.start}&end={self.end}#evidence"
        return reverse("document", args=[self.document_id]) + place


@dataclass(frozen=True, slots=True)
class QuarantineGroup:
    """Cases that are decided together."""

    kind: str
    reason: str
    about: str
    count: int
    documents: int
    examples: tuple[CaseShown, ...] = ()


def quarantined_for(subject: Subject, graph_id: UUID) -> "QuerySet[Quarantined]":
    """Open cases from live versions of documents that the subject may read."""
    decided = QuarantineRule.objects.filter(graph=OuterRef("graph"), reason=OuterRef("reason"), about=OuterRef("about"))
    return Quarantined.objects.filter(
        ~Exists(decided),
        policy.kb_filter(subject, prefix="document__kb__"),
        graph_id=graph_id,
        state=QuarantineState.OPEN,
        document__state="live",
        document__live_version=F("version"),
    )


def quarantine_counts(subject: Subject, graph_id: UUID, *, reason: str = "") -> "QuerySet[Any, Any]":
    """Kinds with their counts, the most frequent first."""
    rows = quarantined_for(subject, graph_id)
    counted = (rows.filter(reason=reason) if reason else rows).values("kind", "reason", "about")
    return counted.annotate(count=Count("pk"), documents=Count("document", distinct=True)).order_by(
        "-count", "reason", "about", "kind"
    )


def with_examples(subject: Subject, graph_id: UUID, counted: Sequence[dict[str, Any]]) -> list[QuarantineGroup]:
    """The same with some cases of each."""
    return [
        QuarantineGroup(
            **row,
            examples=tuple(
                cases_shown(
                    subject, graph_id, reason=row["reason"], about=row["about"], kind=row["kind"], limit=EXAMPLES
                )
            ),
        )
        for row in counted
    ]


def cases_of(subject: Subject, graph_id: UUID, *, reason: str, about: str, kind: str = "") -> "QuerySet[Quarantined]":
    """Cases of one kind, those that were found first."""
    rows = quarantined_for(subject, graph_id).filter(reason=reason, about=about).order_by("pk")
    return rows.filter(kind=kind) if kind else rows


def cases_shown(
    subject: Subject,
    graph_id: UUID,
    *,
    reason: str,
    about: str,
    kind: str = "",
    after: UUID | None = None,
    limit: int = 50,
) -> list[CaseShown]:
    """Cases of one kind, those that were found first; `after` is the id of the last one already given."""
    rows = cases_of(subject, graph_id, reason=reason, about=about, kind=kind)
    return told(rows.filter(pk__gt=after) if after else rows, limit=limit)


def told(rows: "QuerySet[Quarantined]", *, limit: int) -> list[CaseShown]:
    """At most so many of these cases with the words where they stand, in their order."""
    return [shown(*row) for row in rows.annotate(words=WORDS).values_list(*FIELDS, "words")[:limit]]


def shown(id: UUID, found: dict[str, Any], document: UUID, *rest: Any) -> CaseShown:
    path, title, language, version, start, end, words = rest
    lead = min(start, AROUND)
    stop = lead + end - start
    before, after = words[:lead].rpartition("\n")[2], words[stop:].partition("\n")[0]
    return CaseShown(
        id, found, document, path, title, language, version, start, end, before, words[lead:stop], after
    )  # fmt: skip


def bearers(graph_id: UUID, form: str) -> list[Entity]:
    """The entities that a name may mean."""
    named = Entity.objects.filter(graph=graph_id, is_rejected=False, normal_name=form, merged_into=None)
    also = Alias.objects.filter(graph=graph_id, normal=form, is_rejected=False).values("entity")
    others = Entity.objects.filter(pk__in=also, is_rejected=False, merged_into=None)
    return list((named | others).distinct().order_by("-support", "pk")[:10])


def rules_of(graph_id: UUID) -> "QuerySet[QuarantineRule]":
    """What people decided for ever, the newest first."""
    return QuarantineRule.objects.filter(graph_id=graph_id).select_related("created_by").order_by("-created_at")
