"""Empty the quarantine: ignore a kind of case for ever, take it for something declared, leave out one case, or say whom a name means."""

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import Conflict, InvalidInput, NotFound
from ontology import kick
from ontology.graphs import skeleton_of
from ontology.models import (
    Entity,
    ExtractedVersion,
    Graph,
    Quarantined,
    QuarantineRule,
    QuarantineState,
    RuleAction,
)
from ontology.rights import bases_of, require_graph_editor
from ontology.senses import line_at, senses_choose
from ontology.types import CompiledSkeleton, Reason

# What may be taken for something else; the rest is about one name or value and not about a kind.
MAPPED = {Reason.UNKNOWN_CLASS, Reason.UNKNOWN_RELATION, Reason.UNKNOWN_ATTRIBUTE}


@transaction.atomic
def quarantine_ignore(*, subject: Subject, graph_id: UUID, reason: str, about: str) -> int:
    """Nobody is asked about this kind again; gives how many cases were closed."""
    rule = decided(subject, graph_id, reason, about, RuleAction.IGNORE, "")
    closed = cases(graph_id, reason, about).update(state=QuarantineState.IGNORED)
    on_record(subject, "quarantine.ignore", rule, closed)
    return closed


@transaction.atomic
def quarantine_map(*, subject: Subject, graph_id: UUID, reason: str, about: str, becomes: str) -> int:
    """From now on, and in what was read, this is taken for `becomes`; gives how many documents are gone over again. Raises InvalidInput."""
    graph = Graph.objects.select_related("skeleton").get(pk=graph_id)
    require_declared(skeleton_of(graph), reason, about, becomes)
    rule = decided(subject, graph_id, reason, about, RuleAction.MAP, becomes)
    versions = list(cases(graph_id, reason, about).values_list("version_id", flat=True).distinct())
    again(versions)
    on_record(subject, "quarantine.map", rule, len(versions))
    return len(versions)


@transaction.atomic
def quarantine_reopen(*, subject: Subject, rule_id: UUID) -> None:
    """Take a decision for ever back: the kind is asked about again."""
    rule = QuarantineRule.objects.filter(pk=rule_id).first()
    if rule is None:
        raise NotFound(_("This decision is gone."))
    require_graph_editor(subject, rule.graph_id)
    touched = Quarantined.objects.filter(graph=rule.graph_id, reason=rule.reason, about=rule.about)
    versions = list(touched.values_list("version_id", flat=True).distinct())
    touched.filter(state=QuarantineState.IGNORED).update(state=QuarantineState.OPEN)
    again(versions)
    on_record(subject, "quarantine.reopen", rule, len(versions))
    rule.delete()


@transaction.atomic
def quarantine_dismiss(*, subject: Subject, case_id: UUID) -> None:
    """This one case is nothing; its kind stays."""
    case = held(subject, case_id)
    case.state = QuarantineState.IGNORED
    case.save(update_fields=["state", "updated_at"])
    audit(subject, "quarantine.dismiss", case, label=case.about, kb_id=case.document.kb_id)


@transaction.atomic
def quarantine_restore(*, subject: Subject, case_id: UUID) -> None:
    """Take `quarantine_dismiss` back."""
    case = held(subject, case_id, state=QuarantineState.IGNORED)
    case.state = QuarantineState.OPEN
    case.save(update_fields=["state", "updated_at"])
    audit(subject, "quarantine.restore", case, label=case.about, kb_id=case.document.kb_id)


@transaction.atomic
def quarantine_means(*, subject: Subject, case_id: UUID, entity_id: UUID, in_document: bool = False) -> list[UUID]:
    """In this line (or all through this document) the name means this one of those that bear it; the document is gone over again.

    Gives the cases that are decided by it. Raises InvalidInput for any other entity.
    """
    case = held(subject, case_id)
    entity = Entity.objects.filter(pk=entity_id, graph=case.graph_id, is_rejected=False).first()
    if case.reason != Reason.HOMONYM or entity is None or not bears(entity, case.about):
        raise InvalidInput(_("Choose one of the entities that bear this name."), field="entity")
    line = "" if in_document else line_at(case.version.text, case.start)
    senses_choose(
        {case.document_id}, class_name=entity.class_name, normals={case.about}, entity_id=entity.pk, lines=[line]
    )
    same = Quarantined.objects.filter(version=case.version_id, reason=case.reason, about=case.about)
    waiting = same.filter(state=QuarantineState.OPEN).values_list("pk", "start")
    settled = [pk for pk, start in waiting if not line or line_at(case.version.text, start) == line]
    same.filter(pk__in=settled).delete()
    again([case.version_id])
    told = {"document": str(case.document_id), "whole_document": in_document}
    audit(subject, "quarantine.means", entity, kb_id=case.document.kb_id, after=told)
    return settled


def bears(entity: Entity, form: str) -> bool:
    return entity.normal_name == form or entity.aliases.filter(normal=form, is_rejected=False).exists()


def again(versions: list[UUID]) -> None:
    """Rules and model go over them once more; what the model said is kept, so that it is only judged anew."""
    ExtractedVersion.objects.filter(version__in=versions).update(is_stale=True, model_skeleton="")
    transaction.on_commit(kick.tend)


def require_declared(skeleton: CompiledSkeleton, reason: str, about: str, becomes: str) -> None:
    """Raises InvalidInput when the skeleton has no such class, relation or attribute."""
    if reason not in MAPPED:
        raise InvalidInput(_("Only unknown classes, relations and attributes can be taken for others."), field="reason")
    owner = about.partition(".")[0]
    of_owner = skeleton.classes.get(owner) or skeleton.relations.get(owner)
    declared = {
        Reason.UNKNOWN_CLASS: becomes in skeleton.classes,
        Reason.UNKNOWN_RELATION: becomes in skeleton.relations,
        Reason.UNKNOWN_ATTRIBUTE: of_owner is not None and of_owner.attribute(becomes) is not None,
    }
    if not declared[Reason(reason)]:
        raise InvalidInput(_("“%(name)s” is not in the skeleton.") % {"name": becomes}, field="becomes")


def cases(graph_id: UUID, reason: str, about: str) -> "QuerySet[Quarantined]":
    return Quarantined.objects.filter(graph_id=graph_id, reason=reason, about=about, state=QuarantineState.OPEN)


def decided(
    subject: Subject, graph_id: UUID, reason: str, about: str, action: RuleAction, becomes: str
) -> QuarantineRule:
    require_graph_editor(subject, graph_id)
    rule, _made = QuarantineRule.objects.update_or_create(
        graph_id=graph_id,
        reason=reason,
        about=about,
        defaults={"action": action, "becomes": becomes, "created_by_id": subject.user_id},
    )
    return rule


def held(subject: Subject, case_id: UUID, *, state: QuarantineState = QuarantineState.OPEN) -> Quarantined:
    """Raises NotFound, Conflict for one that is decided already."""
    case = Quarantined.objects.select_for_update(of=("self",)).select_related("document").filter(pk=case_id).first()
    if case is None:
        raise NotFound(_("This case is gone; its document has been read again or deleted."))
    require_graph_editor(subject, case.graph_id)
    if case.state != state:
        raise Conflict(_("Somebody has decided this case meanwhile."))
    return case


def on_record(subject: Subject, action: str, rule: QuarantineRule, count: int) -> None:
    kb_id = bases_of(rule.graph_id).order_by("pk").values_list("pk", flat=True).first()
    audit(
        subject,
        action,
        rule,
        label=f"{rule.reason}: {rule.about}",
        kb_id=kb_id,
        after={"becomes": rule.becomes, "count": count},
    )
