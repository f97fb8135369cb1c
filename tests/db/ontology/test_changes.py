"""T06: a new version keeps the facts of unchanged passages, and what differs between two versions is said: passages, facts, cost."""

from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from common.errors import InvalidInput, NotFound
from inference.models import UsageRecord
from inference.types import Purpose
from knowledge.chunking.types import ChunkSize
from knowledge.models import Version
from knowledge.selectors.changes import PAGE, chunk_changes, compare_versions, reading_spent
from knowledge.services.bin import document_bin
from knowledge.services.chunks import chunk_switch
from ontology.model_reading import binding, reading
from ontology.models import AttributeValue, Entity, GraphSource, ModelPolicy, Relation
from ontology.selectors import fact_words
from ontology.selectors.fact_changes import fact_changes
from ontology.selectors.fact_words import facts_shown
from tests.cases import cases
from tests.meters import ListMeter
from tests.reading_model import reader_of, says_facts
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db

FIRST = """# Gateways

The Mail Gateway calls Auth Server at night.

# Mail Gateway

Memory: 4096

# Logs

The Log Server calls Auth Server.
"""
SECOND = FIRST.replace("4096", "8192").replace("Gateway calls Auth", "Gateway calls Billing")


@pytest.fixture
def two(read, graph):
    read("a.md", FIRST)
    return read("a.md", SECOND)


def told(changes):
    """(action, kind, entity, before, after) of each fact."""

    def said(side):
        row = side.row if side else None
        match row:
            case AttributeValue():
                return row.value
            case Relation():
                return f"{row.type} {side.other.name}"
            case Entity():
                return row.name
            case _:
                return None

    return {
        (each.action, each.kind, each.entity.name, said(each.before), said(each.after)) for each in facts_shown(changes)
    }


def client_of(subject):
    client = Client()
    client.force_login(User.objects.get(pk=subject.user_id), backend="accounts.backends.NameOrEmailBackend")
    return client


def test_one_changed_passage_is_a_pair_and_the_others_stay(read, graph, editor):
    read("a.md", FIRST)
    document = read("a.md", FIRST.replace("4096", "8192"))

    found = compare_versions(editor, document.pk)

    counts = found.alignment
    assert (counts.unchanged, counts.changed, counts.removed, counts.added) == (2, 1, 0, 0)
    (change,) = chunk_changes(found)
    assert [piece.text for piece in change.text[0] if piece.differs] == ["4096"]
    assert [piece.text for piece in change.text[1] if piece.differs] == ["8192"]


def test_facts_come_go_and_change_each_with_its_words_and_those_of_unchanged_passages_stay(
    two, editor, relations, values
):
    changes = fact_changes(editor, compare_versions(editor, two.pk))

    assert told(changes) == {
        ("changed", "attribute", "Mail Gateway", 4096, 8192),
        ("withdrawn", "relation", "Mail Gateway", "calls Auth Server", None),
        ("added", "relation", "Mail Gateway", None, "calls Billing Server"),
        ("added", "entity", "Billing Server", None, "Billing Server"),
    }
    assert changes.counts["relation"] == {"added": 1, "withdrawn": 1, "changed": 0}
    assert changes.is_whole
    assert values("memory_limit") == [8192]
    assert ("Log Server", "calls", "Auth Server") in relations()
    (changed,) = [each for each in facts_shown(changes) if each.action == "changed"]

    assert (changed.before.quote.version, changed.after.quote.version) == (1, 2)
    assert "4096" in changed.before.quote.quote
    assert "8192" in changed.after.quote.quote


def test_what_another_document_still_says_is_told(two, read, editor):
    read("b.md", "The Mail Gateway calls Auth Server.")

    changes = fact_changes(editor, compare_versions(editor, two.pk))

    (gone,) = [each for each in facts_shown(changes) if each.action == "withdrawn"]
    assert gone.before.is_still_known


def test_versions_of_one_text_differ_in_nothing(read, graph, editor):
    document = read("a.md", FIRST)
    found = compare_versions(editor, document.pk, number=1)
    assert (found.before, found.alignment.added) == (None, 3)

    document = read("a.md", FIRST + "\n")
    found = compare_versions(editor, document.pk)

    assert found.alignment.places == ()
    assert fact_changes(editor, found).all == []


def test_any_two_are_compared_the_older_one_first(two, read, editor):
    read("a.md", FIRST + "\n# 账单系统\n\n内存: 512\n")

    found = compare_versions(editor, two.pk, number=1, against=3)

    assert (found.before.number, found.after.number) == (1, 3)
    assert found.alignment.added == 1
    assert ("added", "attribute", "账单系统", None, 512) in told(fact_changes(editor, found))


def test_entities_that_were_merged_count_as_one(read, graph, editor):
    read("a.md", "The Mail Gateway calls Auth Server.")
    document = read("a.md", "The Post Gateway calls Auth Server.")
    mail, post = (Entity.objects.get(name=name) for name in ("Mail Gateway", "Post Gateway"))
    Entity.objects.filter(pk=post.pk).update(merged_into=mail)

    changes = fact_changes(editor, compare_versions(editor, document.pk))

    assert told(changes) == set()


def test_what_both_say_by_other_rows_of_one_entity_is_no_change(read, graph, editor):
    read("a.md", "The Mail Gateway calls Auth Server.")
    document = read("a.md", "The Mail Gateway calls Auth Server. The Post Gateway calls Auth Server.")
    mail, post = (Entity.objects.get(name=name) for name in ("Mail Gateway", "Post Gateway"))
    Entity.objects.filter(pk=post.pk).update(merged_into=mail)

    assert told(fact_changes(editor, compare_versions(editor, document.pk))) == set()


def test_what_people_rejected_or_switched_off_is_no_change(two, editor, tools):
    Relation.objects.filter(target__name="Billing Server").update(is_rejected=True)
    chunk = two.live_version.chunks.get(text__contains="8192")
    chunk_switch(subject=editor, chunk=chunk, is_disabled=True, tools=tools)

    assert told(fact_changes(editor, compare_versions(editor, two.pk))) == {
        ("withdrawn", "attribute", "Mail Gateway", 4096, None),
        ("withdrawn", "relation", "Mail Gateway", "calls Auth Server", None),
        ("added", "entity", "Billing Server", None, "Billing Server"),
    }


def test_only_what_changed_is_read_by_models_and_the_page_says_what_it_cost(read, graph, kb, editor, viewer, tools):
    GraphSource.objects.filter(kb=kb).update(policy=ModelPolicy.ALL)
    meter = ListMeter()
    object.__setattr__(tools, "afterwards", (reading,))
    with ScriptedModel(window_tokens=8192) as model:
        model.script = says_facts()
        binding.bind(lambda: reader_of(model, meter))
        read("a.md", FIRST)
        before = len(model.requests)
        document = read("a.md", FIRST.replace("4096", "8192"))
    binding._made.clear()

    assert (before, len(model.requests)) == (3, 4)
    second = Version.objects.get(document=document, number=2)
    for purpose in (Purpose.INDEX, Purpose.EXTRACT):
        UsageRecord.objects.create(purpose=purpose, document_id=document.pk, prompt_tokens=7, completion_tokens=1)
    UsageRecord.objects.create(purpose=Purpose.EXTRACT, document_id=uuid4(), prompt_tokens=99)
    UsageRecord.objects.filter(document_id=document.pk, purpose=Purpose.EXTRACT).update(at=second.created_at)

    spent = reading_spent(compare_versions(editor, document.pk))
    assert (spent.contents, spent.new_contents) == (3, 1)
    assert [(each.purpose, each.calls) for each in spent.totals if each.purpose == "extract"] == [("extract", 1)]
    assert reading_spent(compare_versions(viewer, document.pk)) is None


def test_what_was_charged_after_the_next_version_came_is_not_this_ones(two, editor):
    UsageRecord.objects.all().delete()
    UsageRecord.objects.create(purpose=Purpose.INDEX, document_id=two.pk, prompt_tokens=7)

    assert reading_spent(compare_versions(editor, two.pk, number=1)).totals == []
    assert [each.prompt_tokens for each in reading_spent(compare_versions(editor, two.pk, number=2)).totals] == [7]


def test_readers_see_published_versions_only(two, send, editor, viewer, stranger):
    send({"a.md": FIRST + "\n# More\n\nText.\n"})

    assert compare_versions(viewer, two.pk).after.number == 2
    assert not compare_versions(editor, two.pk, number=3).is_whole
    with pytest.raises(NotFound):
        compare_versions(viewer, two.pk, number=3)
    with pytest.raises(NotFound):
        compare_versions(viewer, two.pk, number=2, against=3)
    with pytest.raises(NotFound):
        compare_versions(stranger, two.pk)


def test_a_version_is_not_compared_with_one_that_is_none_or_with_itself(two, editor):
    for number, against in ((0, None), (9, None), (2, 9)):
        with pytest.raises(NotFound):
            compare_versions(editor, two.pk, number=number, against=against)
    with pytest.raises(InvalidInput):
        compare_versions(editor, two.pk, number=2, against=2)
    assert "From version 1 to version 2" in page(editor, two, "?version=2&against=2")


def test_what_lies_in_the_bin_is_for_editors(two, editor, viewer, tools):
    document_bin(subject=editor, document=two, tools=tools)

    assert compare_versions(editor, two.pk).after.number == 2
    with pytest.raises(NotFound):
        compare_versions(viewer, two.pk)


def test_a_long_list_of_changes_comes_in_pages_and_counts_stay_whole(
    read, graph, editor, tools, django_assert_max_num_queries
):
    object.__setattr__(tools, "chunk_size", ChunkSize(target_tokens=16, max_tokens=64))
    read("a.md", "".join(f"# Part {n}\n\nThe part number {n} is old.\n\n" for n in range(60)))
    document = read("a.md", "".join(f"# Part {n}\n\nThe part number {n} is new.\n\n" for n in range(60)))
    with django_assert_max_num_queries(12):
        found = compare_versions(editor, document.pk)
        pages = [chunk_changes(found, page=number) for number in (1, 3, 4)]

    assert found.alignment.changed == 60
    assert [len(each) for each in pages] == [PAGE, PAGE, 0]
    assert "number 20 is" not in str(pages[0])
    assert "number 59 is new" in pages[1][-1].after.text


def test_facts_come_in_pages_too(read, graph, editor, monkeypatch):
    monkeypatch.setattr(fact_words, "PAGE", 2)
    document = read("a.md", FIRST)
    changes = fact_changes(editor, compare_versions(editor, document.pk))

    pages = [facts_shown(changes, page=number) for number in range(1, len(changes.all) // 2 + 3)]
    assert sum(len(each) for each in pages) == len(changes.all)
    assert pages[-1] == []


def page(subject, document, query=""):
    answer = client_of(subject).get(f"/documents/{document.pk}/changes/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_marks_what_differs_leads_to_entities_and_places_and_takes_odd_addresses(two, editor, viewer):
    html = page(editor, two)
    gateway = Entity.objects.get(name="Mail Gateway")

    assert "<del>4096</del>" in html
    assert "<ins>8192</ins>" in html
    assert f"/entities/{gateway.pk}/" in html
    assert f"/documents/{two.pk}/?version=1&amp;start=" in html
    assert "Cost of reading version 2" in html
    assert "Cost of reading" not in page(viewer, two)

    for query in ("?page=x&facts=-1", "?version=x&against=-1", "?page=99&facts=99"):
        assert "From version 1 to version 2" in page(editor, two, query), query


def test_the_document_leads_to_its_changes_also_in_chinese(two, editor, viewer):
    html = client_of(viewer).get(f"/documents/{two.pk}/").content.decode()

    assert f"/documents/{two.pk}/changes/?version=2" in html
    assert f"/documents/{two.pk}/changes/?version=1" not in html

    html = client_of(editor).get(f"/documents/{two.pk}/changes/", headers={"accept-language": "zh-hans"})

    assert "文本的变化" in html.content.decode()


def test_nothing_in_a_document_acts_on_the_page(read, graph, editor):
    read("a.md", "# A\n\nThe <b>Mail Gateway</b> calls Auth Server. {{ 1 }}")
    document = read("a.md", "# A\n\n<script>alert(1)</script> [x](javascript:alert(1)) {% load x %} </del></p>")
    html = page(editor, document)

    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html or "&lt;" in html
    assert "<b>Mail" not in html
    assert 'href="javascript:' not in html
    assert html.count("<del>") == html.count("</del>")


def test_programs_get_the_same(two, editor, viewer):
    answer = client_of(editor).get(f"/api/v1/documents/{two.pk}/versions/2/changes").json()

    assert answer["chunks"]["counts"] == {"unchanged": 1, "changed": 2, "removed": 0, "added": 0}
    assert answer["facts"]["counts"]["attribute"]["changed"] == 1
    changed = next(each for each in answer["facts"]["results"] if each["action"] == "changed")
    assert (changed["before"]["value"], changed["after"]["value"]) == (4096, 8192)
    assert changed["after"]["evidence"]["version"] == 2
    assert answer["cost"]["new_contents"] == 2
    assert client_of(viewer).get(f"/api/v1/documents/{two.pk}/versions/2/changes").json()["cost"] is None


@cases("query", ["?against=2", "?against=x", "?page=0", "?facts_page=-1"])
def test_bad_input_of_programs_is_refused(two, editor, query):
    assert client_of(editor).get(f"/api/v1/documents/{two.pk}/versions/2/changes{query}").status_code == 400
