"""Who is who, decided by people: confirm, reject, rename, merge, take a merge back, keep apart. Evidence is never rewritten."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import Conflict, InvalidInput
from common.text import visible
from ontology import outbox
from ontology.models import Alias, Entity, NeverMerge, Suggestion, SuggestionState
from ontology.names import is_clean_name, normal
from ontology.roots import roots_of
from ontology.services.deciding import decided, held, on_record
from ontology.services.known_from import known_from

Revisions = dict[UUID, int]


@transaction.atomic
def entity_confirm(*, subject: Subject, entity_id: UUID, revisions: Revisions | None = None) -> Entity:
    """It is there, whatever the documents say from now on."""
    return judged(subject, entity_id, revisions, confirmed=True, rejected=False, action="entity.confirm")


@transaction.atomic
def entity_reject(*, subject: Subject, entity_id: UUID, revisions: Revisions | None = None) -> Entity:
    """It is no entity, however often it is found again."""
    return judged(subject, entity_id, revisions, confirmed=False, rejected=True, action="entity.reject")


@transaction.atomic
def entity_leave(*, subject: Subject, entity_id: UUID, revisions: Revisions | None = None) -> Entity:
    """Take a confirmation or a rejection back: the documents alone decide again."""
    return judged(subject, entity_id, revisions, confirmed=False, rejected=False, action="entity.leave")


def judged(
    subject: Subject, entity_id: UUID, revisions: Revisions | None, *, confirmed: bool, rejected: bool, action: str
) -> Entity:
    (entity,) = held(subject, [entity_id], revisions=revisions)
    entity.is_confirmed, entity.is_rejected = confirmed, rejected
    decided(subject, entity, "is_confirmed", "is_rejected")
    known_from("entity", [entity.pk])
    outbox.whole_group_changed([entity.pk])
    on_record(subject, action, entity)
    return entity


@transaction.atomic
def entity_rename(*, subject: Subject, entity_id: UUID, name: str, revisions: Revisions | None = None) -> Entity:
    """Another name for readers; the old one stays as another name, so that documents that use it are still understood."""
    (entity,) = held(subject, [entity_id], revisions=revisions)
    fresh = " ".join(visible(name).split())
    if not is_clean_name(fresh):
        raise InvalidInput(
            _("“%(name)s” can't be a name: write letters on one line, without markup.") % {"name": name[:80]},
            field="name",
        )
    same = Entity.objects.filter(
        graph=entity.graph_id, class_name=entity.class_name, normal_name=normal(fresh), sense=entity.sense
    )
    if same.exclude(pk=entity.pk).exists():
        raise Conflict(_("Another entity of this class has that name. Merge the two instead."), field="name")
    old = entity.name
    if normal(old) != normal(fresh):
        alias, _made = Alias.objects.update_or_create(
            entity=entity,
            normal=entity.normal_name,
            defaults={"graph_id": entity.graph_id, "text": old, "is_confirmed": True},
        )
        known_from("alias", [alias.pk], as_whom_it_is_about=True)
    kept_apart(entity.graph_id, identity(entity), f"{entity.class_name}/{normal(fresh)}/{entity.sense}")
    entity.name, entity.normal_name, entity.is_sought = fresh, normal(fresh), False
    decided(subject, entity, "name", "normal_name", "is_sought")
    outbox.whole_group_changed([entity.pk])
    on_record(subject, "entity.rename", entity, before=old, after=fresh)
    return entity


@transaction.atomic
def entities_merge(
    *, subject: Subject, into_id: UUID, others: Sequence[UUID], revisions: Revisions | None = None
) -> Entity:
    """From now on readers see these as one. Raises Conflict for a pair that was declared different, InvalidInput across graphs."""
    found = {entity.pk: entity for entity in held(subject, [into_id, *others], revisions=revisions)}
    root = roots_of([into_id])[into_id]
    into = found.get(root) or held(subject, [root])[0]
    joining = [entity for entity in found.values() if entity.pk not in (into.pk, into_id)]
    require_mergeable(into, joining)
    for entity in joining:
        entity.merged_into = into
        decided(subject, entity, "merged_into")
        on_record(subject, "entity.merge", entity, after=str(into.pk))
    decided(subject, into)
    settle_suggestions([into.pk, *(entity.pk for entity in joining)], subject, SuggestionState.MERGED)
    outbox.whole_group_changed([into.pk])
    return into


def require_mergeable(into: Entity, joining: Sequence[Entity]) -> None:
    """Raises InvalidInput, Conflict."""
    if not joining:
        raise InvalidInput(_("Choose at least two entities to merge."))
    for entity in joining:
        if entity.graph_id != into.graph_id:
            raise InvalidInput(_("Entities of different graphs can't be merged."))
        if entity.merged_into_id:
            raise Conflict(_("“%(name)s” was merged already. Take that back first.") % {"name": entity.name})
        if NeverMerge.objects.filter(graph=into.graph_id, **pair(into, entity)).exists():
            raise Conflict(
                _("“%(one)s” and “%(other)s” were declared different. Take that back first.")
                % {"one": into.name, "other": entity.name}
            )


@transaction.atomic
def entity_unmerge(*, subject: Subject, entity_id: UUID, revisions: Revisions | None = None) -> Entity:
    """Take one merge back; both are exactly what they would be without it."""
    (entity,) = held(subject, [entity_id], revisions=revisions)
    if entity.merged_into_id is None:
        raise Conflict(_("“%(name)s” is not merged with another.") % {"name": entity.name})
    outbox.whole_group_changed([entity.pk])
    before = entity.merged_into_id
    entity.merged_into = None
    decided(subject, entity, "merged_into")
    pairs = Q(left=entity, right=before) | Q(left=before, right=entity)
    Suggestion.objects.filter(pairs, state=SuggestionState.MERGED).update(
        state=SuggestionState.OPEN, decided_by=None, decided_at=None
    )
    on_record(subject, "entity.unmerge", entity, before=str(before))
    return entity


@transaction.atomic
def entities_keep_apart(
    *, subject: Subject, one_id: UUID, other_id: UUID, revisions: Revisions | None = None
) -> NeverMerge:
    """They are different, for good: remembered by their names, so that reading again does not suggest it again."""
    one, other = pair_held(subject, one_id, other_id, revisions)
    if roots_of([one.pk])[one.pk] == roots_of([other.pk])[other.pk]:
        raise Conflict(_("These two are merged. Take that back first."))
    kept, _made = NeverMerge.objects.get_or_create(
        graph_id=one.graph_id, **pair(one, other), defaults={"created_by_id": subject.user_id}
    )
    settle_suggestions([one.pk, other.pk], subject, SuggestionState.REJECTED)
    on_record(subject, "entity.keep_apart", one, after=str(other.pk))
    return kept


@transaction.atomic
def entities_may_merge(*, subject: Subject, one_id: UUID, other_id: UUID, revisions: Revisions | None = None) -> None:
    """Take `entities_keep_apart` back."""
    one, other = pair_held(subject, one_id, other_id, revisions)
    NeverMerge.objects.filter(graph_id=one.graph_id, **pair(one, other)).delete()
    Entity.objects.filter(pk__in=(one.pk, other.pk)).update(touched_at=timezone.now())
    asked_again = Suggestion.objects.filter(left__in=(one, other), right__in=(one, other))
    asked_again.filter(state=SuggestionState.REJECTED).update(
        state=SuggestionState.OPEN, decided_by=None, decided_at=None
    )
    on_record(subject, "entity.may_merge", one, after=str(other.pk))


def pair_held(subject: Subject, one_id: UUID, other_id: UUID, revisions: Revisions | None) -> list[Entity]:
    """Raises InvalidInput for one and the same."""
    if one_id == other_id:
        raise InvalidInput(_("Choose two different entities."))
    return held(subject, [one_id, other_id], revisions=revisions)


def kept_apart(graph_id: UUID, old: str, new: str) -> None:
    """Whoever was declared different stays so under another name."""
    for kept in NeverMerge.objects.filter(Q(left=old) | Q(right=old), graph=graph_id):
        other = kept.right if kept.left == old else kept.left
        kept.left, kept.right = sorted((new, other))
        kept.save(update_fields=["left", "right", "updated_at"])


def identity(entity: Entity) -> str:
    """What outlives the row."""
    return f"{entity.class_name}/{entity.normal_name}/{entity.sense}"


def pair(one: Entity, other: Entity) -> dict[str, str]:
    left, right = sorted((identity(one), identity(other)))
    return {"left": left, "right": right}


def settle_suggestions(ids: Sequence[UUID], subject: Subject, state: SuggestionState) -> None:
    """Open suggestions among these entities."""
    undecided = (SuggestionState.OPEN, SuggestionState.LATER)
    among = Suggestion.objects.filter(left__in=ids, right__in=ids, state__in=undecided)
    among.update(state=state, decided_by_id=subject.user_id, decided_at=timezone.now())
