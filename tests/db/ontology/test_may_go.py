"""What a dry run says of facts that only changed rules have found, and what becomes of them."""

import pytest

from ontology.management.commands.ontology import effect_line
from ontology.models import AttributeValue, Entity, Evidence, Relation
from ontology.services.skeletons import skeleton_apply, skeleton_dry_run
from tests.db.ontology.conftest import SKELETON

pytestmark = pytest.mark.django_db

OTHER_PHRASE = SKELETON.replace("{source} calls {target}", "{source} reaches {target}")


@pytest.fixture
def document(read, graph):
    return read("a.md", "# Mail Gateway\n\nThe Mail Gateway calls Auth Server.\n\nMemory: 2")


def effect_of(editor, graph, text):
    return skeleton_dry_run(subject=editor, graph_id=graph.pk, text=text).effect


def test_a_fact_of_a_changed_phrase_is_told_and_goes(document, graph, editor, relations, tend):
    effect = effect_of(editor, graph, OTHER_PHRASE)

    assert (effect.relations, effect.may_go) == (0, 1)
    assert "may go: 1 facts" in effect_line(effect)
    skeleton_apply(subject=editor, graph_id=graph.pk, text=OTHER_PHRASE)
    tend()
    assert relations() == {}


@pytest.mark.parametrize("extractor", ["model", "import"])
def test_what_others_have_said_too_is_not_in_question(document, graph, editor, extractor):
    Evidence.objects.filter(relation__isnull=False).update(extractor=extractor)
    assert effect_of(editor, graph, OTHER_PHRASE).may_go == 0


def test_what_people_have_confirmed_is_not_in_question(document, graph, editor):
    Relation.objects.update(is_confirmed=True)
    assert effect_of(editor, graph, OTHER_PHRASE).may_go == 0


def test_a_changed_class_puts_its_names_values_and_relations_in_question(document, graph, editor):
    changed = SKELETON.replace("Gateway", "网关")
    assert changed != SKELETON

    facts = Entity.objects.count() + AttributeValue.objects.count() + Relation.objects.count()
    assert effect_of(editor, graph, changed).may_go == facts > 3


def test_what_does_not_fit_is_counted_once(document, graph, editor):
    effect = effect_of(editor, graph, SKELETON.replace("type: integer", "type: text"))

    assert (effect.attributes, effect.may_go) == (1, 0)


def test_the_same_skeleton_puts_nothing_in_question(document, graph, editor):
    effect = effect_of(editor, graph, SKELETON)

    assert effect.may_go == 0
    assert "may go" not in effect_line(effect)
