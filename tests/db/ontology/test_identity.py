"""People decide who is who, and can take it back."""

import pytest

from common.errors import Conflict, Forbidden, InvalidInput, NotFound
from knowledge.models import Document
from knowledge.services.bin import document_bin
from ontology.models import Alias, AttributeValue, Entity, Evidence, Quarantined, Relation
from ontology.roots import members_of, roots_of
from ontology.selectors.facts import entities, facts
from ontology.services.facts import attribute_add, relation_add
from ontology.services.identity import (
    entities_keep_apart,
    entities_merge,
    entity_confirm,
    entity_reject,
    entity_rename,
    entity_unmerge,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(read, graph):
    read("a.md", "The Mail Gateway calls Auth Server.")
    read("b.md", "The Post Gateway calls Auth Server.")
    return tuple(Entity.objects.get(name=name) for name in ("Mail Gateway", "Post Gateway"))


def sources(subject, graph):
    return [row["source"] for row in facts(subject, graph.pk)]


def test_merged_entities_are_one_to_readers(pair, graph, editor, viewer):
    mail, post = pair
    entities_merge(subject=editor, into_id=mail.pk, others=[post.pk])

    assert sources(viewer, graph) == ["Mail Gateway", "Mail Gateway"]
    known = {row["name"]: row for row in entities(viewer, graph.pk)}
    assert "Post Gateway" not in known
    assert known["Mail Gateway"]["aliases"] == ["Post Gateway"]
    assert len(known["Mail Gateway"]["evidence"]) > len(mail.evidence.all())


def test_taking_a_merge_back_restores_both_exactly(pair, graph, editor, viewer):
    mail, post = pair
    before = [list(entities(viewer, graph.pk)), list(facts(viewer, graph.pk))]
    entities_merge(subject=editor, into_id=mail.pk, others=[post.pk])

    entity_unmerge(subject=editor, entity_id=post.pk)

    assert [list(entities(viewer, graph.pk)), list(facts(viewer, graph.pk))] == before


def test_a_chain_of_merges_is_followed_and_each_is_taken_back_by_itself(pair, graph, editor, read):
    mail, post = pair
    read("c.md", "The Letter Gateway is new.")
    letter = Entity.objects.get(name="Letter Gateway")
    entities_merge(subject=editor, into_id=post.pk, others=[letter.pk])
    entities_merge(subject=editor, into_id=mail.pk, others=[post.pk])
    assert roots_of([letter.pk]) == {letter.pk: mail.pk}
    assert members_of([mail.pk])[mail.pk] == {mail.pk, post.pk, letter.pk}

    entity_unmerge(subject=editor, entity_id=post.pk)

    assert roots_of([letter.pk, mail.pk]) == {letter.pk: post.pk, mail.pk: mail.pk}


def test_two_that_were_declared_different_are_not_merged_even_after_a_rename(pair, editor):
    mail, post = pair
    entities_keep_apart(subject=editor, one_id=mail.pk, other_id=post.pk)
    entity_rename(subject=editor, entity_id=post.pk, name="Parcel Gateway")

    with pytest.raises(Conflict, match="different"):
        entities_merge(subject=editor, into_id=mail.pk, others=[post.pk])


def test_a_renamed_entity_is_still_understood_under_its_old_name(pair, graph, editor, read, relations):
    mail, _post = pair
    entity_rename(subject=editor, entity_id=mail.pk, name="Letter Box")

    read("c.md", "The Mail Gateway calls Auth Server every day.")

    assert relations()[("Letter Box", "calls", "Auth Server")] == 2


def test_the_second_of_two_editors_is_told_who_changed_what(pair, editor):
    mail, _post = pair
    entity_rename(subject=editor, entity_id=mail.pk, name="Letter Box", revisions={mail.pk: 1})

    with pytest.raises(Conflict, match="edith"):
        entity_rename(subject=editor, entity_id=mail.pk, name="Mail Box", revisions={mail.pk: 1})
    assert Entity.objects.get(pk=mail.pk).name == "Letter Box"


def test_a_rejected_entity_stays_away_and_takes_nothing_else_with_it(pair, graph, editor, read, names):
    mail, _post = pair
    entity_reject(subject=editor, entity_id=mail.pk)

    read("c.md", "The Mail Gateway is here again.")

    assert names() == {"Post Gateway", "Auth Server"}
    assert sources(editor, graph) == ["Post Gateway"]


def test_a_confirmed_entity_outlives_its_documents(pair, editor, tools, names, graph):
    mail, _post = pair
    entity_confirm(subject=editor, entity_id=mail.pk)

    for document in Document.objects.all():
        document_bin(subject=editor, document=document, tools=tools)

    assert names() == {"Mail Gateway"}


def test_a_correction_by_hand_outlives_extraction_and_says_who(read, graph, editor, tend, values):
    read("a.md", "# Mail Gateway\n\nMemory: 12")
    wrong = AttributeValue.objects.get()
    right = attribute_add(subject=editor, entity_id=wrong.entity_id, name="memory_limit", raw="24", instead_of=wrong.pk)

    read("a.md", "# Mail Gateway\n\nMemory: 12\n\nMore.")

    assert values("memory_limit") == [24]
    assert right.decided_by.username == "edith"


def test_a_relation_by_hand_must_fit_the_skeleton(pair, editor, relations):
    mail, post = pair
    relation_add(subject=editor, source_id=mail.pk, type="calls", target_id=post.pk)
    assert relations()[("Mail Gateway", "calls", "Post Gateway")] == 0

    with pytest.raises(InvalidInput, match="keeps"):
        relation_add(subject=editor, source_id=mail.pk, type="keeps", target_id=post.pk)


def test_a_name_that_both_of_a_merged_pair_bear_is_no_homonym(pair, graph, editor, read, tend):
    mail, post = pair
    entity_rename(subject=editor, entity_id=post.pk, name="Letter Gateway")
    entity_rename(subject=editor, entity_id=mail.pk, name="Parcel Gateway")
    Alias.objects.create(graph=graph, entity=mail, text="The Postman", normal="the postman", is_confirmed=True)
    Alias.objects.create(graph=graph, entity=post, text="The Postman", normal="the postman", is_confirmed=True)
    entities_merge(subject=editor, into_id=mail.pk, others=[post.pk])

    read("c.md", "Ask The Postman about it.")
    tend()

    assert not Quarantined.objects.exists()
    assert Evidence.objects.filter(entity=mail, document__path="c.md").exists()


@pytest.mark.parametrize(("who", "error"), [("viewer", Forbidden), ("stranger", NotFound)])
def test_only_editors_decide(pair, request, who, error):
    with pytest.raises(error):
        entity_confirm(subject=request.getfixturevalue(who), entity_id=pair[0].pk)


def test_a_stranger_sees_no_fact(pair, graph, stranger):
    assert (list(facts(stranger, graph.pk)), list(entities(stranger, graph.pk))) == ([], [])


def test_relations_of_a_merged_pair_with_each_other_are_left_out(pair, graph, editor, viewer):
    mail, post = pair
    relation_add(subject=editor, source_id=mail.pk, type="calls", target_id=post.pk)
    entities_merge(subject=editor, into_id=mail.pk, others=[post.pk])

    assert ("Mail Gateway", "Mail Gateway") not in [(row["source"], row["target"]) for row in facts(viewer, graph.pk)]
    assert Relation.objects.filter(source=mail, target=post).exists()
