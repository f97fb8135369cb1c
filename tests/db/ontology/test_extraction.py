"""Facts come with documents and go with them."""

import pytest

from knowledge.models import Chunk, Document
from knowledge.purge import purge
from knowledge.services.bin import document_bin, document_restore
from knowledge.services.chunks import chunk_switch
from knowledge.services.purging import purge_start
from ontology import extract
from ontology.models import Alias, AttributeValue, Entity, Evidence, ExtractedVersion, Quarantined, Relation

pytestmark = pytest.mark.django_db


def test_reading_a_document_gives_its_facts_with_their_places(read, graph, names, relations):
    document = read("a.md", "# Gateways\n\nThe Mail Gateway calls Auth Server at night.")

    assert names() == {"Mail Gateway", "Auth Server"}
    assert relations() == {("Mail Gateway", "calls", "Auth Server"): 1}
    evidence = Evidence.objects.get(relation__isnull=False)
    text = document.live_version.text
    assert "calls" in text[evidence.start : evidence.end]


def test_the_subject_of_a_document_is_an_entity(read, graph):
    read("a.md", "# Leave policy\n\nText.")

    assert Entity.objects.get(class_name="Paper").name == "Leave policy"


def test_of_three_documents_that_say_the_same_one_less_leaves_the_fact_with_two(read, graph, editor, tools, relations):
    documents = [read(f"{n}.md", f"# Note {n}\n\nThe Mail Gateway calls Auth Server. Note {n}.") for n in "abc"]
    fact = ("Mail Gateway", "calls", "Auth Server")
    assert relations() == {fact: 3}

    document_bin(subject=editor, document=documents[0], tools=tools)
    assert relations() == {fact: 2}

    document_restore(subject=editor, document=documents[0], tools=tools)
    assert relations() == {fact: 3}


def test_what_only_one_document_says_goes_with_it(read, graph, editor, tools, names, relations):
    document = read("a.md", "The Mail Gateway calls Auth Server.")
    read("b.md", "The Auth Server is old.")

    document_bin(subject=editor, document=document, tools=tools)

    assert (names(), relations()) == ({"Auth Server"}, {})


def test_switching_a_passage_off_and_on_takes_its_facts_and_gives_them_back(read, graph, editor, tools, relations):
    document = read("a.md", "The Mail Gateway calls Auth Server.")
    chunk = Chunk.objects.get(document=document)

    chunk_switch(subject=editor, chunk=chunk, is_disabled=True, tools=tools)
    assert relations() == {}

    chunk_switch(subject=editor, chunk=chunk, is_disabled=False, tools=tools)
    assert relations() == {("Mail Gateway", "calls", "Auth Server"): 1}


def test_a_new_version_replaces_the_facts_of_the_old_one(read, graph, relations):
    read("a.md", "The Mail Gateway calls Auth Server.")

    read("a.md", "The Auth Server calls Mail Gateway.")

    assert relations() == {("Auth Server", "calls", "Mail Gateway"): 1}


def test_deleting_for_good_leaves_nothing_that_was_read_from_it(read, graph, editor, tools, kb):
    document = read("a.md", "# Secret paper\n\nThe Mail Gateway calls Auth Server.\n\nMemory: unreadable")
    document_bin(subject=editor, document=document, tools=tools)
    purge_start(subject=editor, kb=kb, documents=[document])

    purge(Document.objects.get(pk=document.pk), tools)

    left = [model.objects.count() for model in (Entity, Alias, AttributeValue, Relation, Evidence, Quarantined)]
    assert left == [0] * 6


def test_values_are_kept_as_their_type_and_two_that_disagree_are_both_kept(read, graph, values):
    read("a.md", "# Mail Gateway\n\nMemory: 128K")
    read("b.md", "# Mail Gateway\n\nMemory: 4096")

    assert 4096 in values("memory_limit")
    assert len(values("memory_limit")) == 2


def test_a_value_that_cant_be_read_goes_to_quarantine_and_not_into_the_graph(read, graph, values):
    read("a.md", "# Mail Gateway\n\nMemory: plenty")

    assert values("memory_limit") == []
    assert Quarantined.objects.get().reason == "unreadable_value"


def test_a_name_that_becomes_known_later_is_found_in_what_was_read_before(read, graph, tend, relations):
    read("old.md", "Our Billing calls Auth Server every night.")
    assert relations() == {}

    read("new.md", "# Billing\n\n| System | Memory |\n|---|---|\n| Billing | 12 |")
    tend()

    assert relations() == {("Billing", "calls", "Auth Server"): 1}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (
            "| System | Memory |\n| --- | --- |\n| Kraan | 1 |\n| Loods | 2 |\n\nKraan calls Loods.",
            ("Kraan", "calls", "Loods"),
        ),
        (
            "Kraan calls Loods.\n\n| System | Memory |\n| --- | --- |\n| Kraan | 1 |\n| Loods | 2 |",
            ("Kraan", "calls", "Loods"),
        ),
        ("| 系统 | 内存 |\n| --- | --- |\n| 云台 | 1 |\n| 青鸟 | 2 |\n\n云台调用青鸟。", ("云台", "calls", "青鸟")),
    ],
)
def test_a_name_that_a_table_makes_known_is_found_in_the_sentences_of_the_same_document(
    read, graph, relations, tend, text, fact
):
    document = read("a.md", text)

    assert relations() == {fact: 1}
    assert Evidence.objects.filter(version=document.live_version, attribute__isnull=False).count() == 2
    assert tend() == 0


def test_what_the_first_look_took_for_a_shorter_name_is_forgotten_when_a_longer_one_is_known(read, graph, names):
    read("b.md", "| System | Memory |\n| --- | --- |\n| Kraan | 1 |")
    document = read("a.md", "We use Kraan Haven.\n\n| System | Memory |\n| --- | --- |\n| Kraan Haven | 1 |")

    found = Evidence.objects.filter(version=document.live_version, entity__name="Kraan")
    assert names() == {"Kraan", "Kraan Haven"}
    assert not found.exists()


def test_another_name_that_becomes_known_later_is_found_where_its_bearer_stands_already(read, graph, tend, relations):
    read("a.md", "# Note\n\nThe Mail Gateway is old.\n\nPostbode calls Auth Server.")
    assert relations() == {}

    entity = Entity.objects.get(name="Mail Gateway")
    Alias.objects.create(graph=graph, entity=entity, text="Postbode", normal="postbode", is_confirmed=True)
    assert tend() == 1

    assert relations() == {("Mail Gateway", "calls", "Auth Server"): 1}
    assert tend() == 0


def test_another_name_is_kept_as_it_is_seen(read, graph):
    read("a.md", "# Night\u200b Shift Handbook (NSH)\n\nRest before it.")

    assert set(Alias.objects.values_list("text", flat=True)) == {"Night Shift Handbook", "NSH"}


def test_a_document_without_names_of_its_own_is_read_once(read, graph, monkeypatch):
    looked = []
    find = extract.find
    monkeypatch.setattr(extract, "find", lambda *args, **named: looked.append(1) or find(*args, **named))
    read("a.md", "The Mail Gateway calls Auth Server.")

    assert len(looked) == 1


def test_going_over_a_version_again_changes_nothing(read, graph, tools, tend, relations):
    read("a.md", "The Mail Gateway calls Auth Server.")
    before = (relations(), set(Evidence.objects.values_list("pk", "start", "end")))
    ExtractedVersion.objects.update(is_stale=True)

    assert tend() == 1

    assert (relations(), set(Evidence.objects.values_list("pk", "start", "end"))) == before
