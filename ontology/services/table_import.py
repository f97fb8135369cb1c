"""Bring entities with their other names and values in from a table: each a person's word, all in one transaction with one line on record, and to be taken back as a whole."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import AuditEvent
from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import Conflict, InvalidInput, NotFound
from common.text import fold, visible
from ontology import kick, outbox, support
from ontology.contradictions import contradictions
from ontology.graphs import skeleton_of
from ontology.models import Alias, AttributeValue, Entity, Graph
from ontology.names import is_clean_name, normal
from ontology.recording.facts import AttributeKey, AttributeRow, attribute_ids
from ontology.rights import bases_of, require_graph_editor
from ontology.rules.keys import folded_key
from ontology.services.facts import parsed, referred
from ontology.services.known_from import known_from
from ontology.table_rows import TableRow
from ontology.types import AttributeType, CompiledSkeleton, EntityClass

IMPORT, UNDO = "entities.import", "entities.import_undo"
NEW, KNOWN, INVALID = "new", "known", "invalid"
Given = tuple[str, AttributeKey]


@dataclass(frozen=True, slots=True)
class RowResult:
    """What became (or would become) of a line; `message` says all that is wrong with it, `warnings` what a person should know of one that is taken."""

    row: int
    status: str
    class_name: str
    name: str
    aliases: int = 0
    values: int = 0
    message: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class Made:
    """What an import has vouched for, to be taken back; `lines` are those that gave each value."""

    at: datetime
    entities: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    attributes: list[str] = field(default_factory=list)
    lines: dict[AttributeKey, int] = field(default_factory=dict)

    def on_record(self) -> dict[str, Any]:
        return {
            "at": self.at.isoformat(),
            "entities": self.entities,
            "aliases": self.aliases,
            "attributes": self.attributes,
        }


def entities_import(
    *, subject: Subject, graph_id: UUID, rows: Sequence[TableRow], file_name: str, dry_run: bool = False
) -> list[RowResult]:
    """Line by line; a line with a fault is left out as a whole. A dry run does the same and takes it back."""
    require_graph_editor(subject, graph_id)
    graph = Graph.objects.select_related("skeleton").get(pk=graph_id)
    skeleton, made = skeleton_of(graph), Made(timezone.now())
    with transaction.atomic():
        results = [one_row(subject, graph, skeleton, row, made) for row in rows]
        for kind, ids in (("entity", made.entities), ("alias", made.aliases), ("attribute", made.attributes)):
            known_from(kind, [UUID(each) for each in ids])
        changed = sorted({UUID(each) for each in made.entities} | owners(made))
        outbox.whole_group_changed(changed)
        counts = Counter(each.status for each in results)
        if counts[NEW] + counts[KNOWN]:
            kb_id = bases_of(graph_id).order_by("pk").values_list("pk", flat=True).first()
            after = {"file": file_name[:200], "rows": len(rows), **counts, "made": made.on_record()}
            audit(subject, IMPORT, graph, kb_id=kb_id, after=after)
            transaction.on_commit(kick.tend)
        transaction.set_rollback(dry_run)
    return results


def one_row(subject: Subject, graph: Graph, skeleton: CompiledSkeleton, row: TableRow, made: Made) -> RowResult:
    """All of it or nothing."""
    of = class_called(row.class_name, skeleton)
    try:
        with transaction.atomic():
            if of is None:
                raise InvalidInput(_("There is no class “%(name)s” in the skeleton.") % {"name": row.class_name[:80]})
            entity, is_new, own = entity_of(subject, graph, of, row, made.at)
            named = [partial(alias_of, entity, words) for words in row.aliases]
            valued = [
                partial(value_of, subject, entity, of, header, words, made.at) for header, words in row.values.items()
            ]
            aliases, values = all_or_faults(named, valued)
    except InvalidInput as error:
        return RowResult(row.number, INVALID, row.class_name, row.name, message=str(error))
    made.entities += own
    made.aliases += [alias for alias in aliases if alias]
    made.attributes += [value for value, _key in values if value]
    warnings = contradictions(row.number, [key for _value, key in values], made.lines)
    status = NEW if is_new else KNOWN
    return RowResult(row.number, status, of.name, entity.name, len(row.aliases), len(row.values), warnings=warnings)


def all_or_faults(
    named: Sequence[Callable[[], str]], valued: Sequence[Callable[[], Given]]
) -> tuple[list[str], list[Given]]:
    """What each of them gives. Raises InvalidInput with the faults of all, so that a line is mended in one go."""
    faults: list[str] = []
    aliases = [given for each in named for given in or_fault(each, faults)]
    values = [given for each in valued for given in or_fault(each, faults)]
    if faults:
        raise InvalidInput(" ".join(dict.fromkeys(faults)))
    return aliases, values


def or_fault(give: Callable[[], Any], faults: list[str]) -> list[Any]:
    """What it gives, or nothing and its fault among the others."""
    try:
        return [give()]
    except InvalidInput as error:
        faults.append(str(error))
        return []


def class_called(words: str, skeleton: CompiledSkeleton) -> EntityClass | None:
    """By its name or a label."""
    wanted = " ".join(fold(words).split())
    for each in skeleton.classes.values():
        if wanted in (fold(each.name), *map(fold, each.labels.values())):
            return each
    return None


def entity_of(
    subject: Subject, graph: Graph, of: EntityClass, row: TableRow, at: datetime
) -> tuple[Entity, bool, list[str]]:
    """Made or vouched for; with its id where nobody had vouched for it before."""
    name = " ".join(visible(row.name).split())
    if not is_clean_name(name):
        raise InvalidInput(
            _("“%(name)s” can't be a name: write letters on one line, without markup.") % {"name": name[:80]}
        )
    entity, is_new = Entity.objects.select_for_update(of=("self",)).get_or_create(
        graph=graph, class_name=of.name, normal_name=normal(name), sense=0, defaults={"name": name}
    )
    if entity.is_rejected:
        raise InvalidInput(_("An editor has rejected “%(name)s”.") % {"name": entity.name})
    if entity.is_confirmed:
        return entity, is_new, []
    entity.is_confirmed, entity.decided_by_id, entity.decided_at = True, subject.user_id, at
    entity.revision += 1
    entity.save(update_fields=["is_confirmed", "decided_by", "decided_at", "revision", "updated_at"])
    return entity, is_new, [str(entity.pk)]


def alias_of(entity: Entity, words: str) -> str:
    """The id of a name that nobody had vouched for; "" where there is nothing to do."""
    form = normal(words)
    if not is_clean_name(words):
        raise InvalidInput(
            _("“%(name)s” can't be a name: write letters on one line, without markup.") % {"name": words[:80]}
        )
    if form == entity.normal_name:
        return ""
    other = Entity.objects.filter(graph_id=entity.graph_id, class_name=entity.class_name, normal_name=form)
    if other.exclude(merged_into=entity).filter(is_rejected=False).exists():
        raise InvalidInput(
            _("“%(name)s” is an entity of its own. Merge the two at the desk if they are one.") % {"name": words}
        )
    alias, _made = Alias.objects.get_or_create(
        entity=entity, normal=form, defaults={"graph_id": entity.graph_id, "text": visible(words)}
    )
    if alias.is_confirmed:
        return ""
    alias.is_confirmed, alias.is_rejected = True, False
    alias.save(update_fields=["is_confirmed", "is_rejected", "updated_at"])
    return str(alias.pk)


def value_of(subject: Subject, entity: Entity, of: EntityClass, header: str, words: str, at: datetime) -> Given:
    """Likewise, with what tells it from others. Raises InvalidInput for a column that means nothing and a value that can't be read."""
    declared = attribute_called(header, of)
    if declared is None:
        raise InvalidInput(
            _("“%(class)s” has no attribute “%(name)s” in this skeleton.") % {"class": of.name, "name": header[:80]}
        )
    row = AttributeRow(entity.pk, declared.name, parsed(words, declared), referred(entity, words, declared))
    value = AttributeValue.objects.select_for_update().get(pk=attribute_ids([row])[row.key])
    if value.is_confirmed:
        return "", row.key
    value.is_confirmed, value.is_rejected = True, False
    value.decided_by_id, value.decided_at = subject.user_id, at
    value.save(update_fields=["is_confirmed", "is_rejected", "decided_by", "decided_at", "updated_at"])
    return str(value.pk), row.key


def attribute_called(header: str, of: EntityClass) -> AttributeType | None:
    """By its name, a label or a key."""
    wanted = folded_key(header)[0]
    for each in of.attributes:
        if wanted in {folded_key(name)[0] for name in (each.name, *each.labels.values(), *each.keys)}:
            return each
    return None


def owners(made: Made) -> set[UUID]:
    found = set(Entity.objects.filter(aliases__in=[UUID(each) for each in made.aliases]).values_list("pk", flat=True))
    return found | set(AttributeValue.objects.filter(pk__in=made.attributes).values_list("entity_id", flat=True))


@transaction.atomic
def entities_import_undo(*, subject: Subject, graph_id: UUID, import_id: UUID) -> int:
    """Take one import back; what people have decided since and what documents say stays. Gives how many facts lost a person's word."""
    require_graph_editor(subject, graph_id)
    event = AuditEvent.objects.filter(pk=import_id, action=IMPORT, target_id=graph_id).first()
    if event is None:
        raise NotFound(_("There is no such import."))
    if AuditEvent.objects.filter(action=UNDO, target_id=graph_id, before__import=str(event.pk)).exists():
        raise Conflict(_("This import was taken back already."))
    made = event.after["made"]
    at = datetime.fromisoformat(made["at"])
    entities = Entity.objects.filter(pk__in=made["entities"], decided_at=at)
    attributes = AttributeValue.objects.filter(pk__in=made["attributes"], decided_at=at)
    aliases = Alias.objects.filter(pk__in=made["aliases"])
    changes = support.Changes()
    count = 0
    for kind, rows in (("alias", aliases), ("attribute", attributes), ("entity", entities)):
        ids = list(rows.values_list("pk", flat=True))
        count += len(ids)
        for pk in ids:
            changes.add(kind, pk, 0)
        rows.update(is_confirmed=False)
    outbox.whole_group_changed(changes.ids("entity"))
    support.remove_unheld(changes)
    kb_id = bases_of(graph_id).order_by("pk").values_list("pk", flat=True).first()
    graph = Graph.objects.get(pk=graph_id)
    audit(subject, UNDO, graph, kb_id=kb_id, before={"import": str(event.pk)}, after={"facts": count})
    return count
