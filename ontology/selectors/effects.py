"""What applying a skeleton would do: which facts it allows no more, which cases in quarantine would fit, and what is to be read again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, QuerySet

from knowledge.models import Chunk, DocumentState, Version
from knowledge.recut import differing
from ontology.check import check
from ontology.model_reading.question import Questions
from ontology.models import (
    AttributeValue,
    Entity,
    Graph,
    GraphSource,
    ModelPolicy,
    Quarantined,
    QuarantineState,
    Relation,
)
from ontology.quarantine import found_from
from ontology.records import record_headings
from ontology.selectors.may_go import may_go
from ontology.selectors.misfits import misfits
from ontology.selectors.reading_cost import ReadingCost, cost_of
from ontology.skeleton.compare import Difference
from ontology.types import CompiledSkeleton

CASES_TRIED = 2000


@dataclass(frozen=True, slots=True)
class Effect:
    """Counts for a person to decide by. `recut` are the documents in which records begin elsewhere, so that they become new versions; `may_go` are facts that fit but that only changed rules have found, so that reading again may not find them. `calls`, `tokens` and `price` (in the currency of the settings) are what a model's reading again is estimated to cost: none of it for
    what a model has said already under a skeleton that it would be told of in the same words. `is_beyond_cap`: some knowledge base may not spend as much.
    """

    entities: int
    attributes: int
    relations: int
    confirmed: int
    fitting: int
    waiting: int
    documents: int
    passages: int
    recut: int = 0
    may_go: int = 0
    is_read_by_model: bool = False
    calls: int = 0
    tokens: int = 0
    price: float = 0
    is_beyond_cap: bool = False


def effect(graph: Graph, old: CompiledSkeleton, new: CompiledSkeleton, difference: Difference) -> Effect:
    """All of it in a bounded number of statements; at most 2,000 cases in quarantine are tried."""
    wrong = misfits(graph, old, new)
    cases = Quarantined.objects.filter(graph=graph, state=QuarantineState.OPEN)
    is_again = is_read_again(difference, new)
    again = Chunk.objects.filter(version__in=versions_read(graph)) if is_again else Chunk.objects.none()
    sources = list(GraphSource.objects.filter(graph=graph).exclude(policy=ModelPolicy.OFF))
    costs = costs_of(sources, new) if is_again else []
    return Effect(
        entities=wrong.entities.count(),
        attributes=wrong.attributes.count(),
        relations=wrong.relations.count(),
        confirmed=wrong.confirmed(),
        fitting=sum(fits(cases, new)),
        waiting=cases.count(),
        documents=again.values("document").distinct().count(),
        passages=again.count(),
        recut=recut(graph, old, new),
        may_go=may_go(graph, difference.touched, wrong),
        is_read_by_model=bool(sources),
        calls=sum(cost.calls for cost in costs),
        tokens=sum(cost.tokens for cost in costs),
        price=round(sum(cost.price for cost in costs), 4),
        is_beyond_cap=any(not cost.fits(source) for source, cost in zip(sources, costs, strict=False)),
    )


def recut(graph: Graph, old: CompiledSkeleton, new: CompiledSkeleton) -> int:
    """How many documents would be cut otherwise; nothing is looked at where no form of a record heading has changed."""
    headings = record_headings(new)
    if headings.fingerprint == record_headings(old).fingerprint:
        return 0
    return len(differing(versions_read(graph), headings))


def costs_of(sources: Sequence[GraphSource], new: CompiledSkeleton) -> list[ReadingCost]:
    """Of each knowledge base under its policy, as `ontology estimate` would say once the skeleton is applied."""
    if not sources:
        return []
    questions = Questions(new)
    return [cost_of(source, questions, source.policy) for source in sources]


def is_read_again(difference: Difference, new: CompiledSkeleton) -> bool:
    """Whether texts may give other facts; also where a relation has lost an attribute, because it is found without it then."""
    return bool(difference.touched) or any(owner in new.relations for owner, _name in difference.gone.attributes)


def versions_read(graph: Graph) -> "QuerySet[Version]":
    """Live versions of the documents that feed the graph."""
    return Version.objects.filter(
        document__live_version=F("pk"), document__state=DocumentState.LIVE, document__kb__graph_source__graph=graph
    )


def fits(cases: "QuerySet[Quarantined]", skeleton: CompiledSkeleton) -> Iterator[bool]:
    """Each of the first cases: whether it would pass the check."""
    by_version: dict[UUID, list[Quarantined]] = {}
    for case in cases.order_by("version", "pk")[:CASES_TRIED]:
        by_version.setdefault(case.version_id, []).append(case)
    for version_id, rows in by_version.items():
        read = Version.objects.only("text", "title").get(pk=version_id)
        yield from (would_pass(row, read, skeleton) for row in rows)


def would_pass(case: Quarantined, read: Version, skeleton: CompiledSkeleton) -> bool:
    return bool(check([found_from(case.found)], read.text, skeleton, title=read.title).accepted)


def ids(rows: "QuerySet[Entity] | QuerySet[AttributeValue] | QuerySet[Relation]") -> Sequence[UUID]:
    return list(rows.values_list("pk", flat=True))
