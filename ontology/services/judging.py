"""Many entities confirmed or rejected at once, and back: what each was before is told, so that the same call with that undoes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import InvalidInput
from ontology import outbox
from ontology.models import Entity
from ontology.services.deciding import decided, held, on_record
from ontology.services.known_from import known_from

STATES = {"confirmed": (True, False), "rejected": (False, True), "found": (False, False)}
"""By name: whether it is confirmed, and whether it is rejected."""
ACTIONS = {"confirmed": "entity.confirm", "rejected": "entity.reject", "found": "entity.leave"}
MOST = 500


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an entity is to be, and the revision that the editor had before them."""

    entity_id: UUID
    state: str
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """An entity with what it was and what it is (or would be)."""

    entity: Entity
    before: str
    after: str


@transaction.atomic
def entities_judge(*, subject: Subject, judgements: Sequence[Judgement], preview: bool = False) -> list[Judged]:
    """All or none. With `preview` nothing is changed. Raises InvalidInput, NotFound, Conflict."""
    wanted = {each.entity_id: each for each in judgements}
    if not wanted or len(wanted) > MOST:
        raise InvalidInput(_("Choose between one and %(count)d entities.") % {"count": MOST})
    if len(wanted) < len(judgements):
        raise InvalidInput(_("An entity stands there twice; say once what it is to be."), field="judgements")
    revisions = {id: each.revision for id, each in wanted.items() if each.revision is not None}
    judged = [
        Judged(entity, state_of(entity), wanted[entity.pk].state)
        for entity in held(subject, wanted, revisions=revisions)
    ]
    moving = [] if preview else [each for each in judged if each.before != each.after]
    for each in moving:
        each.entity.is_confirmed, each.entity.is_rejected = STATES[each.after]
        decided(subject, each.entity, "is_confirmed", "is_rejected")
        on_record(subject, ACTIONS[each.after], each.entity)
    known_from("entity", [each.entity.pk for each in moving])
    outbox.whole_group_changed([each.entity.pk for each in moving])
    return judged


def state_of(entity: Entity) -> str:
    return "confirmed" if entity.is_confirmed else "rejected" if entity.is_rejected else "found"
