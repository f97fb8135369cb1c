"""Who may be one is suggested when it becomes known, and never again once a person has decided."""

import pytest

from common.errors import Conflict, Forbidden, NotFound
from ontology.models import Entity, Graph, SplitSuggestion, Suggestion, SuggestionState
from ontology.services.facts import attribute_add
from ontology.services.identity import (
    entities_keep_apart,
    entities_may_merge,
    entities_merge,
    entity_rename,
    entity_unmerge,
)
from ontology.services.suggestions import (
    changed_entities,
    suggestion_put_off,
    suggestion_reopen,
    suggestions_refresh,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def suggested(graph):
    """The pairs of names that are suggested now."""

    def found(state: str = "open") -> set[frozenset[str]]:
        suggestions_refresh(graph_id=graph.pk)
        rows = Suggestion.objects.filter(graph=graph, state=state).select_related("left", "right")
        return {frozenset((each.left.name, each.right.name)) for each in rows}

    return found


@pytest.fixture
def pair(read, graph):
    read("a.md", "The Mail Gateway calls Auth Server.")
    read("b.md", "The Mails Gateway calls Auth Server.")
    return tuple(Entity.objects.get(name=name) for name in ("Mail Gateway", "Mails Gateway"))


NAMES = frozenset(("Mail Gateway", "Mails Gateway"))


def test_names_that_are_nearly_one_are_suggested_with_reasons(pair, suggested):
    assert suggested() == {NAMES}
    assert [reason["kind"] for reason in Suggestion.objects.get().reasons] == ["spelling", "shared_neighbours"]


def test_only_what_has_changed_is_compared(pair, graph, read):
    suggestions_refresh(graph_id=graph.pk)
    assert changed_entities(Graph.objects.get(pk=graph.pk))[0] == []

    read("c.md", "The Post Gateway is new.")

    changed = changed_entities(Graph.objects.get(pk=graph.pk))[0]
    names = set(Entity.objects.filter(pk__in=changed).exclude(class_name="Paper").values_list("name", flat=True))
    assert names == {"Post Gateway"}


def test_a_late_comer_is_compared_with_those_that_were_there(pair, suggested, read):
    suggested()

    read("c.md", "The Auths Server is new.")

    assert frozenset(("Auth Server", "Auths Server")) in suggested()


def test_a_merged_pair_is_not_asked_about_and_comes_back_with_the_merge_taken_back(pair, suggested, editor):
    suggested()
    mail, mails = pair
    entities_merge(subject=editor, into_id=mail.pk, others=[mails.pk])
    assert suggested() == set()

    entity_unmerge(subject=editor, entity_id=mails.pk)

    assert suggested() == {NAMES}


def test_a_pair_that_was_declared_different_is_not_suggested_again_after_reading_again(pair, suggested, editor, read):
    suggested()
    entities_keep_apart(subject=editor, one_id=pair[0].pk, other_id=pair[1].pk)

    read("a.md", "The Mail Gateway calls Auth Server. And more.")
    assert suggested() == set()
    Suggestion.objects.all().delete()
    read("a.md", "The Mail Gateway calls Auth Server. And still more.")
    assert suggested() == set()

    entities_may_merge(subject=editor, one_id=pair[0].pk, other_id=pair[1].pk)
    read("a.md", "The Mail Gateway calls Auth Server. The last.")
    assert suggested() == {NAMES}


def test_a_suggestion_that_a_new_name_has_settled_goes(pair, suggested, editor):
    suggested()

    entity_rename(subject=editor, entity_id=pair[1].pk, name="Parcel Tower")

    found = Suggestion.objects.filter(state="open")
    suggested()
    assert all("Parcel Tower" not in str(each.reasons[0]) or each.reasons[0]["kind"] == "same_name" for each in found)


def test_putting_off_keeps_it_out_of_the_way_until_it_is_wanted(pair, suggested, editor):
    suggested()
    which = Suggestion.objects.get()
    suggestion_put_off(subject=editor, suggestion_id=which.pk)
    assert suggested() == set()
    assert suggested("later") == {NAMES}
    with pytest.raises(Conflict):
        suggestion_put_off(subject=editor, suggestion_id=which.pk)

    suggestion_reopen(subject=editor, suggestion_id=which.pk)

    assert suggested() == {NAMES}


def test_only_editors_decide_and_strangers_do_not_know(pair, suggested, viewer, stranger):
    suggested()
    which = Suggestion.objects.get()

    with pytest.raises(Forbidden):
        suggestion_put_off(subject=viewer, suggestion_id=which.pk)
    with pytest.raises(NotFound):
        suggestion_put_off(subject=stranger, suggestion_id=which.pk)
    which.refresh_from_db()
    assert which.state == SuggestionState.OPEN


def test_values_that_contradict_each_other_are_told(pair, suggested, editor):
    for entity, value in zip(pair, ("64", "128"), strict=True):
        attribute_add(subject=editor, entity_id=entity.pk, name="memory_limit", raw=value)

    assert suggested() == {NAMES}
    assert {"kind": "contradiction", "attribute": "memory_limit"} in Suggestion.objects.get().reasons


def test_tending_refreshes_the_suggestions(pair, tend):
    tend()

    assert Suggestion.objects.count() == 1


def test_one_name_with_two_lives_is_a_question(read, graph):
    read("a.md", "# Log Server\n\nMemory: 64\n\nReleased: 2001-02-03\n")
    read("b.md", "# Log Server\n\nMemory: 128\n\nReleased: 2019-08-07\n")

    suggestions_refresh(graph_id=graph.pk)

    found = SplitSuggestion.objects.get()
    assert found.entity.name == "Log Server"
    assert {reason["attribute"] for reason in found.reasons} == {"memory_limit", "released"}
    assert Entity.objects.filter(name="Log Server").count() == 1
