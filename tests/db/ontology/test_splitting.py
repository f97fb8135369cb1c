"""One entity that was two is parted by documents, stays so when they are read again, and is one again by merging."""

import pytest

from common.errors import Conflict, Forbidden, InvalidInput
from ontology.models import Alias, Entity, Evidence, Quarantined, Relation, SplitSuggestion, Suggestion
from ontology.selectors.facts import entities, facts
from ontology.services.facts import attribute_judge, relation_judge
from ontology.services.identity import entities_merge
from ontology.services.splitting import entity_split
from ontology.services.suggestions import split_decline, suggestions_refresh

pytestmark = pytest.mark.django_db


@pytest.fixture
def parted(read, graph):
    """A name in two documents, with values that contradict each other and different neighbours."""
    one = read("a.md", "# Log Server\n\nMemory: 64\n\nReleased: 2001-02-03\n\nLog Server calls Auth Server.")
    other = read("b.md", "# Log Server\n\nMemory: 128\n\nReleased: 2019-08-07\n\nLog Server calls Mail Gateway.")
    return Entity.objects.get(name="Log Server"), one, other


def known(subject, graph):
    """Values and targets of each Log Server."""
    rows = {row["id"]: sorted(str(each["value"]) for each in row["attributes"]) for row in entities(subject, graph.pk)}
    targets = {
        (str(each.source_id), each.target.name)
        for each in Relation.objects.filter(source__name="Log Server", support__gt=0).select_related("target")
    }
    return {id: (values, sorted(name for source, name in targets if source == id)) for id, values in rows.items()}


def test_what_the_chosen_document_says_goes_to_a_new_one_of_the_same_name(parted, graph, editor):
    entity, _one, other = parted

    new = entity_split(subject=editor, entity_id=entity.pk, document_ids=[other.pk])

    assert (new.name, new.class_name, new.sense) == ("Log Server", "System", 1)
    found = known(editor, graph)
    assert found[str(entity.pk)] == (["2001-02-03", "64"], ["Auth Server"])
    assert found[str(new.pk)] == (["128", "2019-08-07"], ["Mail Gateway"])


def test_the_counts_of_support_are_those_of_the_evidence(parted, editor):
    entity, _one, other = parted
    entity_split(subject=editor, entity_id=entity.pk, document_ids=[other.pk])

    for known in Entity.objects.all():
        assert known.support == Evidence.objects.filter(entity=known, is_live=True).count()
    for relation in Relation.objects.all():
        assert relation.support == relation.evidence.filter(is_live=True).count()


def test_reading_the_documents_again_finds_each_its_own(parted, graph, editor, read, tend):
    entity, _one, other = parted
    new = entity_split(subject=editor, entity_id=entity.pk, document_ids=[other.pk])

    read("b.md", "# Log Server\n\nMemory: 256\n\nLog Server calls Mail Gateway. Log Server calls Auth Server.")
    tend()

    found = known(editor, graph)
    assert found[str(new.pk)] == (["256"], ["Auth Server", "Mail Gateway"])
    assert found[str(entity.pk)] == (["2001-02-03", "64"], ["Auth Server"])
    assert not Quarantined.objects.filter(reason="homonym", state="open").exists()


def test_in_a_new_document_the_name_is_a_question(parted, editor, read):
    entity, _one, other = parted
    entity_split(subject=editor, entity_id=entity.pk, document_ids=[other.pk])

    read("c.md", "We restarted Log Server.")

    assert Quarantined.objects.filter(reason="homonym", document__path="c.md").exists()


def test_merging_takes_it_back(parted, graph, editor):
    entity, _one, other = parted
    before = list(facts(editor, graph.pk))
    new = entity_split(subject=editor, entity_id=entity.pk, document_ids=[other.pk])

    entities_merge(subject=editor, into_id=entity.pk, others=[new.pk])

    def plain(rows):
        return sorted((row["source"], row["relation"], row["target"], len(row["evidence"])) for row in rows)

    assert plain(facts(editor, graph.pk)) == plain(before)


def test_a_pair_that_was_parted_is_not_suggested_for_merging(parted, graph, editor):
    entity, _one, other = parted
    suggestions_refresh(graph_id=graph.pk)
    entity_split(subject=editor, entity_id=entity.pk, document_ids=[other.pk])

    suggestions_refresh(graph_id=graph.pk)

    assert not Suggestion.objects.filter(state="open").exists()
    assert not SplitSuggestion.objects.filter(state="open").exists()


def test_places_may_be_chosen_one_by_one(parted, editor):
    entity, _one, other = parted
    place = Evidence.objects.filter(entity=entity, document=other).first()

    new = entity_split(subject=editor, entity_id=entity.pk, evidence_ids=[place.pk])

    assert Evidence.objects.filter(entity=new).count() == 1


def test_something_must_go_and_something_must_stay(parted, editor):
    entity, one, other = parted

    with pytest.raises(InvalidInput):
        entity_split(subject=editor, entity_id=entity.pk)
    with pytest.raises(InvalidInput):
        entity_split(subject=editor, entity_id=entity.pk, document_ids=[one.pk, other.pk])


def test_the_second_of_two_editors_is_told(parted, editor):
    entity, _one, other = parted

    with pytest.raises(Conflict):
        entity_split(subject=editor, entity_id=entity.pk, document_ids=[other.pk], revision=entity.revision + 1)


def test_a_viewer_may_not(parted, viewer):
    entity, _one, other = parted

    with pytest.raises(Forbidden):
        entity_split(subject=viewer, entity_id=entity.pk, document_ids=[other.pk])


def test_what_an_editor_keeps_whole_is_not_asked_again(parted, graph, editor, read):
    suggestions_refresh(graph_id=graph.pk)
    split_decline(subject=editor, entity_id=parted[0].pk)

    read("a.md", "# Log Server\n\nMemory: 64\n\nReleased: 2001-02-03\n\nLog Server calls Auth Server. Again.")
    suggestions_refresh(graph_id=graph.pk)

    assert SplitSuggestion.objects.get().state == "rejected"


@pytest.mark.parametrize("by", ["documents", "places"])
def test_what_was_rejected_of_the_one_stays_rejected_of_the_new_one(parted, graph, editor, read, tend, by):
    entity, _one, other = parted
    relation = Relation.objects.get(source=entity, target__name="Mail Gateway")
    value = entity.attributes.get(value=128)
    relation_judge(subject=editor, relation_id=relation.pk, is_right=False)
    attribute_judge(subject=editor, value_id=value.pk, is_right=False)
    places = list(Evidence.objects.filter(document=other, entity=entity).values_list("pk", flat=True))

    chosen = {"document_ids": [other.pk]} if by == "documents" else {"evidence_ids": places}
    new = entity_split(subject=editor, entity_id=entity.pk, **chosen)
    read("b.md", "# Log Server\n\nMemory: 128\n\nReleased: 2019-08-07\n\nLog Server calls Mail Gateway. Again.")
    tend()

    moved = [Relation.objects.get(source=new), new.attributes.get(value=128)]
    assert [(each.is_rejected, each.decided_by_id, each.support > 0) for each in moved] == [
        (True, editor.user_id, True)
    ] * 2
    assert known(editor, graph)[str(new.pk)][0] == ["2019-08-07"]
    assert "Mail Gateway" not in str([row for row in facts(editor, graph.pk) if row["source"] == "Log Server"])


def test_what_was_rejected_of_the_other_places_is_no_rejection_of_the_new_one(parted, editor):
    entity, _one, other = parted
    value = entity.attributes.get(value=64)
    attribute_judge(subject=editor, value_id=value.pk, is_right=False)

    new = entity_split(subject=editor, entity_id=entity.pk, document_ids=[other.pk])

    assert not new.attributes.filter(is_rejected=True).exists()
    assert entity.attributes.get(value=64).is_rejected


def test_a_rejected_other_name_stays_rejected(parted, graph, editor, read):
    entity, _one, other = parted
    alias = Alias.objects.create(graph=graph, entity=entity, text="Logger", normal="logger", is_rejected=True)
    place = Evidence.objects.filter(entity=entity, document=other).first()
    fields = {
        name: getattr(place, name) for name in ("graph", "document", "version", "chunk", "start", "end", "is_live")
    }
    Evidence.objects.create(alias=alias, extractor="table", **fields)
    Alias.objects.filter(pk=alias.pk).update(support=int(place.is_live))

    new = entity_split(subject=editor, entity_id=entity.pk, document_ids=[other.pk])

    assert new.aliases.get(normal="logger").is_rejected


def test_what_was_confirmed_goes_along_where_all_its_places_go(parted, graph, editor):
    entity, _one, other = parted
    attribute_judge(subject=editor, value_id=entity.attributes.get(value=128).pk, is_right=True)
    attribute_judge(subject=editor, value_id=entity.attributes.get(value=64).pk, is_right=True)

    new = entity_split(subject=editor, entity_id=entity.pk, document_ids=[other.pk])

    assert list(new.attributes.filter(is_confirmed=True).values_list("value", "decided_by")) == [(128, editor.user_id)]
    assert list(entity.attributes.filter(is_confirmed=True).values_list("value", flat=True)) == [64]
    assert known(editor, graph)[str(entity.pk)][0] == ["2001-02-03", "64"]
