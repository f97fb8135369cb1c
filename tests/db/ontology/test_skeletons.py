"""Applying a skeleton: what it allows no more goes at once, what fits now is taken up, and only what it touches is read again."""

import pytest

from common.errors import Conflict, Forbidden, NotFound
from ontology.models import AttributeValue, Entity, ExtractedVersion, Quarantined, Relation, SkeletonVersion
from ontology.services.facts import attribute_judge
from ontology.services.identity import entity_confirm
from ontology.services.skeletons import skeleton_apply, skeleton_dry_run
from ontology.skeleton.faults import SkeletonRefused
from tests.db.ontology.conftest import SKELETON

pytestmark = pytest.mark.django_db

CALLS = ("Mail Gateway", "calls", "Auth Server")
WITHOUT_CALLS = SKELETON.replace("  calls:", "  reaches:").replace(
    "{source} calls {target}", "{source} reaches {target}"
)
OTHER_WORDS = SKELETON.replace("zh: 人员}", "zh: 人员}\n    description: {en: Somebody who works here}")
MEMORY_IN_WORDS = SKELETON.replace("type: integer", "type: text")


@pytest.fixture
def document(read, graph):
    return read("a.md", "# Mail Gateway\n\nThe Mail Gateway calls Auth Server.\n\nMemory: plenty")


def test_a_dry_run_says_what_would_go_and_what_would_fit_and_changes_nothing(document, graph, editor, relations):
    gone = skeleton_dry_run(subject=editor, graph_id=graph.pk, text=WITHOUT_CALLS).effect
    fits = skeleton_dry_run(subject=editor, graph_id=graph.pk, text=MEMORY_IN_WORDS).effect

    assert (gone.relations, gone.documents) == (1, 1)
    assert (fits.fitting, fits.waiting) == (1, 1)
    assert relations() == {CALLS: 1}
    assert SkeletonVersion.objects.count() == 1


def test_what_a_new_skeleton_does_not_allow_goes_at_once(document, graph, editor, relations, names):
    skeleton_apply(subject=editor, graph_id=graph.pk, text=WITHOUT_CALLS)

    assert relations() == {}
    assert names() == {"Mail Gateway", "Auth Server"}


def test_a_relation_whose_attribute_is_declared_no_more_goes_and_is_found_without_it(
    document, graph, editor, relations, tend
):
    weighed = SKELETON.replace(
        "labels: {en: calls, zh: 调用}", "labels: {en: calls, zh: 调用}\n    attributes: {load: {type: integer}}"
    )
    skeleton_apply(subject=editor, graph_id=graph.pk, text=weighed)
    Relation.objects.update(attributes={"load": {"value": 5, "text": "5"}}, attributes_key="5")

    assert skeleton_dry_run(subject=editor, graph_id=graph.pk, text=SKELETON).effect.relations == 1
    skeleton_apply(subject=editor, graph_id=graph.pk, text=SKELETON)
    assert relations() == {}

    tend()
    assert relations() == {CALLS: 1}
    assert Relation.objects.get().attributes == {}


def test_what_fits_now_is_taken_out_of_quarantine_when_the_document_is_gone_over(document, graph, editor, tend, values):
    skeleton_apply(subject=editor, graph_id=graph.pk, text=MEMORY_IN_WORDS)
    tend()

    assert values("memory_limit") == ["plenty"]
    assert not Quarantined.objects.exists()


def test_other_words_for_people_cause_no_reading(document, graph, editor, tend):
    tend()
    before = ExtractedVersion.objects.get().round

    skeleton_apply(subject=editor, graph_id=graph.pk, text=OTHER_WORDS)

    assert tend() == 0
    assert ExtractedVersion.objects.get().round == before


def test_facts_that_people_confirmed_go_only_when_that_is_said(document, graph, editor, names):
    for entity in Entity.objects.filter(class_name="System"):
        entity_confirm(subject=editor, entity_id=entity.pk)
    without_systems = "classes:\n  Paper: {subject: true}\n"

    with pytest.raises(Conflict, match="confirmed"):
        skeleton_apply(subject=editor, graph_id=graph.pk, text=without_systems)
    assert names() == {"Mail Gateway", "Auth Server"}

    skeleton_apply(subject=editor, graph_id=graph.pk, text=without_systems, drop_confirmed=True)
    assert names() == set()


def test_the_second_of_two_who_edit_is_told_and_overwrites_nothing(document, graph, editor):
    skeleton_apply(subject=editor, graph_id=graph.pk, text=OTHER_WORDS, based_on=1)

    with pytest.raises(Conflict, match="2"):
        skeleton_apply(subject=editor, graph_id=graph.pk, text=WITHOUT_CALLS, based_on=1)


def test_the_same_text_again_is_no_new_version(document, graph, editor):
    assert skeleton_apply(subject=editor, graph_id=graph.pk, text=SKELETON).number == 1


def test_a_skeleton_with_faults_is_refused_with_their_lines(document, graph, editor):
    with pytest.raises(SkeletonRefused, match="line 3"):
        skeleton_apply(subject=editor, graph_id=graph.pk, text="classes:\n  A:\n    colour: red\n")


@pytest.mark.parametrize(("who", "error"), [("viewer", Forbidden), ("stranger", NotFound)])
def test_only_editors_apply(document, graph, request, who, error):
    with pytest.raises(error):
        skeleton_apply(subject=request.getfixturevalue(who), graph_id=graph.pk, text=OTHER_WORDS)


def test_a_value_that_a_person_rejected_stays_away_when_it_is_found_again(read, graph, editor, tend, values):
    read("b.md", "# Mail Gateway\n\nMemory: 12")
    attribute_judge(subject=editor, value_id=AttributeValue.objects.get().pk, is_right=False)
    ExtractedVersion.objects.update(is_stale=True)
    tend()

    assert values("memory_limit") == []
