"""What all decisions about entities have in common: the entity is held, nobody has changed it since it was looked at, and who decided is kept."""

from collections.abc import Iterable
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import Conflict, InvalidInput, NotFound
from ontology.models import Entity
from ontology.rights import bases_of, require_graph_editor


def held(subject: Subject, ids: Iterable[UUID], *, revisions: dict[UUID, int] | None = None) -> list[Entity]:
    """The entities in the order of their ids, held until the end of the transaction.

    Raises NotFound for one that is gone or may not be seen, Conflict when one is of another revision than the editor had before them,
    InvalidInput for the revision of one that this is not about: what is not looked at guards nothing.
    """
    wanted = sorted(set(ids))
    if set(revisions or {}) - set(wanted):
        raise InvalidInput(_("A revision is given of an entity that this is not about."), field="revisions")
    found = list(Entity.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=wanted).order_by("pk"))
    if len(found) != len(wanted):
        raise NotFound(_("There is no such entity, or you may not see it."))
    for graph_id in {entity.graph_id for entity in found}:
        require_graph_editor(subject, graph_id)
    for entity in found:
        expected = (revisions or {}).get(entity.pk)
        if expected is not None and expected != entity.revision:
            raise changed_meanwhile(entity)
    return found


def changed_meanwhile(entity: Entity) -> Conflict:
    """Nothing is overwritten; the second editor is told by whom and may look again."""
    who = str(entity.decided_by or _("somebody"))
    return Conflict(
        _("%(who)s has changed “%(name)s” meanwhile. Look at it again, then repeat what you wanted to do.")
        % {"who": who, "name": entity.name},
        entity=str(entity.pk),
        revision=entity.revision,
    )


def decided(subject: Subject, entity: Entity, *fields: str) -> None:
    """Save these fields with who decided and when; the revision grows."""
    entity.revision += 1
    entity.decided_by_id, entity.decided_at = subject.user_id, timezone.now()
    entity.save(update_fields=[*fields, "revision", "decided_by", "decided_at", "updated_at"])


def on_record(subject: Subject, action: str, entity: Entity, *, before: object = None, after: object = None) -> None:
    """One line in the record of changes, under the first knowledge base that feeds the graph."""
    kb_id = bases_of(entity.graph_id).order_by("pk").values_list("pk", flat=True).first()
    audit(
        subject,
        action,
        entity,
        kb_id=kb_id,
        before={"value": before} if before is not None else None,
        after={"value": after} if after is not None else None,
    )
