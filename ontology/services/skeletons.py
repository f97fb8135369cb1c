"""Apply a skeleton: what it allows no more goes, what its change touches is read again, everything else stays as it is."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import Conflict
from ontology import kick, outbox
from ontology.graphs import skeleton_in_use, skeleton_of
from ontology.keeper import forget_evidence
from ontology.models import (
    AttributeValue,
    Entity,
    ExtractedVersion,
    Graph,
    Relation,
    SkeletonVersion,
)
from ontology.rights import bases_of, require_graph_editor
from ontology.selectors.effects import Effect, effect, ids, is_read_again
from ontology.selectors.misfits import Misfits, misfits
from ontology.skeleton.compare import Difference, compare
from ontology.skeleton.read import compiled_skeleton


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a person sees before they apply."""

    difference: Difference
    effect: Effect


def skeleton_dry_run(*, subject: Subject, graph_id: UUID, text: str) -> DryRun:
    """Change nothing. Raises SkeletonRefused with the lines that are wrong."""
    require_graph_editor(subject, graph_id)
    graph = Graph.objects.select_related("skeleton").get(pk=graph_id)
    old, new = skeleton_of(graph), compiled_skeleton(text)
    difference = compare(old, new)
    return DryRun(difference, effect(graph, old, new, difference))


@transaction.atomic
def skeleton_apply(
    *, subject: Subject, graph_id: UUID, text: str, based_on: int | None = None, drop_confirmed: bool = False
) -> SkeletonVersion:
    """Make this the skeleton in use; the same text again changes nothing.

    `based_on` is the number of the version that was edited. Raises SkeletonRefused with the lines that are wrong, Conflict when somebody has applied
    another meanwhile, or when facts that people confirmed would go and `drop_confirmed` is not said.
    """
    require_graph_editor(subject, graph_id)
    Graph.objects.select_for_update(no_key=True).get(pk=graph_id)
    graph = Graph.objects.select_related("skeleton").get(pk=graph_id)
    before = skeleton_in_use(graph)
    if before.text == text:
        return before
    if based_on is not None and based_on != before.number:
        raise Conflict(
            _(
                "Version %(number)d of the skeleton was applied meanwhile by %(who)s. Load it and make your change again."
            )
            % {"number": before.number, "who": before.created_by or _("somebody")}
        )
    old, new = skeleton_of(graph), compiled_skeleton(text)
    difference = compare(old, new)
    wrong = misfits(graph, old, new)
    require_word(wrong, drop_confirmed=drop_confirmed)
    remove(wrong)
    applied = SkeletonVersion.objects.create(
        graph=graph, number=before.number + 1, text=text, fingerprint=new.fingerprint, created_by_id=subject.user_id
    )
    graph.skeleton = applied
    graph.save(update_fields=["skeleton", "updated_at"])
    if not is_read_again(difference, new):
        ExtractedVersion.objects.filter(skeleton=before).update(skeleton=applied)
        ExtractedVersion.objects.filter(skeleton=applied, model_skeleton=before.fingerprint).update(
            model_skeleton=applied.fingerprint
        )
    outbox.entities_changed(ids(Entity.objects.filter(graph=graph, class_name__in=difference.touched.classes)))
    on_record(subject, before, applied)
    transaction.on_commit(kick.tend)
    return applied


def require_word(wrong: Misfits, *, drop_confirmed: bool) -> None:
    """Raises Conflict."""
    count = wrong.confirmed()
    if count and not drop_confirmed:
        raise Conflict(
            ngettext(
                "This would remove %(count)d fact that somebody has confirmed. Say that it may go, or keep its class, attribute or relation.",
                "This would remove %(count)d facts that people have confirmed. Say that they may go, or keep their classes, attributes and relations.",
                count,
            )
            % {"count": count},
            confirmed=count,
        )


def remove(wrong: Misfits) -> None:
    """The facts with their evidence; the graph database is told first, while it can still be said which rows they were."""
    entities, attributes, relations = ids(wrong.entities), ids(wrong.attributes), ids(wrong.relations)
    hanging = list(Relation.objects.filter(source__in=entities).values_list("pk", flat=True))
    hanging += list(Relation.objects.filter(target__in=entities).values_list("pk", flat=True))
    owners = list(AttributeValue.objects.filter(pk__in=attributes).values_list("entity", flat=True).distinct())
    outbox.whole_group_changed([*entities, *owners])
    outbox.relations_changed([*relations, *hanging])
    for column, gone in (
        ("relation_id", [*relations, *hanging]),
        ("attribute_id", attributes),
        ("entity_id", entities),
    ):
        forget_evidence(f"{column} = ANY(%(gone)s)", gone=list(gone))
    Relation.objects.filter(pk__in=[*relations, *hanging]).delete()
    AttributeValue.objects.filter(pk__in=attributes).delete()
    Entity.objects.filter(pk__in=entities).delete()


def on_record(subject: Subject, before: SkeletonVersion, applied: SkeletonVersion) -> None:
    kb_id = bases_of(applied.graph_id).order_by("pk").values_list("pk", flat=True).first()
    audit(
        subject,
        "skeleton.apply",
        applied,
        kb_id=kb_id,
        before={"version": before.number, "fingerprint": before.fingerprint},
        after={"version": applied.number, "fingerprint": applied.fingerprint},
    )
