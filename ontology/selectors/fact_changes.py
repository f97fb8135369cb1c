"""What two readings of one document say differently: entities that are first or no longer named, values and relations that came, went or became others.

Given a comparison that the subject may see, gives all of them with their first places; `fact_words` shows them. A fact of a version is one that its evidence supports, whether readers see that version
now or not; what people rejected is no fact. Merged entities count as one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Model, Q

from accounts.types import Subject
from knowledge.models import RunState, StageRun, Version
from knowledge.runs import AFTERWARDS
from knowledge.selectors.changes import Compared
from ontology.models import AttributeValue, Entity, ExtractedVersion, Graph, Relation
from ontology.roots import members_of, roots_of
from ontology.selectors.views import GraphView, view_of

KINDS = ("entity", "attribute", "relation")
ROWS: dict[str, type[Model]] = {"entity": Entity, "attribute": AttributeValue, "relation": Relation}
# Their rows with what they are the same by; not those that people rejected.
UNREJECTED = {
    "entity": "SELECT id, id FROM ontology_entity WHERE id = ANY(%(facts)s) AND NOT is_rejected",
    "attribute": "SELECT id, entity_id, name, value_key FROM ontology_attributevalue WHERE id = ANY(%(facts)s) AND NOT is_rejected",
    "relation": "SELECT id, source_id, type, target_id, attributes_key FROM ontology_relation WHERE id = ANY(%(facts)s) AND NOT is_rejected",
}
# Of each fact that one of two versions states and the other does not, the first place where it stands.
DIFFERING = """
WITH said AS (
    SELECT DISTINCT ON (evidence.{kind}_id, evidence.version_id) evidence.{kind}_id AS fact, evidence.version_id AS version, evidence.id, evidence.start
    FROM ontology_evidence AS evidence JOIN knowledge_chunk AS chunk ON chunk.id = evidence.chunk_id
    WHERE evidence.version_id = ANY(%(versions)s) AND evidence.{kind}_id IS NOT NULL AND (evidence.is_live OR NOT chunk.is_disabled) {more}
    ORDER BY evidence.{kind}_id, evidence.version_id, evidence.start, evidence.id
)
SELECT fact, version, id, start FROM said {only} ORDER BY start, fact
"""
ONLY_ONE_SIDE = (
    "WHERE NOT EXISTS (SELECT 1 FROM said AS other WHERE other.fact = said.fact AND other.version <> said.version)"
)
OF_THESE = "AND evidence.{kind}_id = ANY(%(facts)s)"


class Said(NamedTuple):
    """A fact as a version states it: its row, its first place, and what it is the same by."""

    fact: UUID
    place: UUID
    start: int
    key: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class FactChange:
    """One fact that came (`before` is None), went (`after` is None) or became another."""

    kind: str
    before: Said | None
    after: Said | None

    @property
    def action(self) -> str:
        """“added”, “withdrawn” or “changed”."""
        return "added" if self.before is None else "withdrawn" if self.after is None else "changed"

    @property
    def start(self) -> int:
        """By which they are told in the order of the text."""
        said = self.after or self.before
        return said.start if said else 0


@dataclass(frozen=True, slots=True)
class FactChanges:
    """All of them. `is_whole`: both versions have been read for facts to their end. `skeletons` are the numbers of those under which they were read, where these differ."""

    view: GraphView
    all: Sequence[FactChange]
    is_whole: bool
    skeletons: tuple[int, int] | None

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """By kind and action."""
        counted = Counter((each.kind, each.action) for each in self.all)
        return {kind: {action: counted[kind, action] for action in ("added", "withdrawn", "changed")} for kind in KINDS}


def fact_changes(subject: Subject, found: Compared) -> FactChanges | None:
    """None while the knowledge base has no graph."""
    graph = Graph.objects.select_related("skeleton").filter(sources__kb=found.document.kb_id).first()
    if graph is None or graph.skeleton is None:
        return None
    versions = [each for each in (found.before, found.after) if each]
    changes = [each for kind in KINDS for each in changes_of(kind, found.before, found.after)]
    changes.sort(key=lambda each: (each.start, KINDS.index(each.kind)))
    read = {
        row.version_id: row for row in ExtractedVersion.objects.filter(version__in=versions).select_related("skeleton")
    }
    numbers = [row.skeleton.number for each in versions if (row := read.get(each.pk))]
    differ = len(numbers) == 2 and numbers[0] != numbers[1]
    return FactChanges(
        view_of(subject, graph),
        changes,
        all(is_read(read.get(each.pk)) for each in versions),
        (numbers[0], numbers[1]) if differ else None,
    )


def is_read(row: ExtractedVersion | None) -> bool:
    """Whether rules, and a model where one is to read it, have come to its end."""
    if row is None or row.finished_at is None:
        return False
    left = StageRun.objects.filter(version=row.version_id, stage__in=AFTERWARDS).exclude(state=RunState.DONE)
    return not left.exists()


def changes_of(kind: str, before: Version | None, after: Version) -> list[FactChange]:
    """Of one kind of fact."""
    old, new = differing(kind, before, after)
    gone = {key: said for key, said in old.items() if key not in new}
    come = {key: said for key, said in new.items() if key not in old}
    return list(matched(kind, gone, come))


def matched(
    kind: str, gone: Mapping[tuple[Any, ...], Said], come: Mapping[tuple[Any, ...], Said]
) -> Iterable[FactChange]:
    """What went and what came in its place: another value of the same attribute, the same relation with other attributes."""
    waiting: dict[tuple[Any, ...], list[Said]] = defaultdict(list)
    for key, said in gone.items():
        waiting[key[:-1] if kind != "entity" else key].append(said)
    for key, said in come.items():
        instead = waiting[key[:-1]] if kind != "entity" else []
        yield FactChange(kind, instead.pop(0) if instead else None, said)
    for left in waiting.values():
        yield from (FactChange(kind, said, None) for said in left)


def differing(
    kind: str, before: Version | None, after: Version
) -> tuple[dict[tuple[Any, ...], Said], dict[tuple[Any, ...], Said]]:
    """What each side states and the other does not, by what a fact is the same by; where entities were merged also what both state by other rows."""
    versions = [each.pk for each in (before, after) if each]
    rows = asked(kind, DIFFERING.format(kind=kind, only=ONLY_ONE_SIDE, more=""), versions=versions)
    keys = keys_of(kind, {fact for fact, *_rest in rows})
    twins = twins_of(kind, keys)
    if twins:
        more = DIFFERING.format(kind=kind, only="", more=OF_THESE.format(kind=kind))
        rows += asked(kind, more, versions=versions, facts=list(twins))
    keys |= twins
    old: dict[tuple[Any, ...], Said] = {}
    new: dict[tuple[Any, ...], Said] = {}
    for fact, version, place, start in rows:
        if fact in keys:
            side = new if version == after.pk else old
            side.setdefault(keys[fact], Said(fact, place, start, keys[fact]))
    return old, new


def asked(kind: str, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    assert kind in KINDS
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def keys_of(kind: str, facts: Iterable[UUID]) -> dict[UUID, tuple[Any, ...]]:
    """What each fact is the same by, entities followed to those that readers see. Rejected ones are left out."""
    rows = asked(kind, UNREJECTED[kind], facts=list(facts))
    roots = roots_of({part for _fact, *parts in rows for part in parts if isinstance(part, UUID)})
    standing = {root for root, _id in asked("entity", UNREJECTED["entity"], facts=list({*roots.values()}))}
    keys = {fact: tuple(roots.get(part, part) for part in parts) for fact, *parts in rows}
    return {fact: key for fact, key in keys.items() if all(part in standing for part in key if isinstance(part, UUID))}


def twins_of(kind: str, keys: Mapping[UUID, tuple[Any, ...]]) -> dict[UUID, tuple[Any, ...]]:
    """Other rows that say the same as these, because entities were merged."""
    roots = {part for key in keys.values() for part in key if isinstance(part, UUID)}
    merged = {member for ids in members_of(roots).values() if len(ids) > 1 for member in ids}
    if not merged:
        return {}
    at = {"entity": Q(pk__in=merged), "attribute": Q(entity__in=merged)}
    where = at.get(kind, Q(source__in=merged) | Q(target__in=merged))
    ids = ROWS[kind]._default_manager.filter(where).values_list("pk", flat=True)
    wanted = set(keys.values())
    return {pk: key for pk, key in keys_of(kind, ids).items() if key in wanted}
