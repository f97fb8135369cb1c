"""Communities follow the ledger: kept while their members are, told only from what a reader may read, gone with the documents they told of."""

import json
import random
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.subjects import subject_of_user
from accounts.types import Subject
from knowledge.ingest import ingest
from knowledge.models import Document, Role, Version
from knowledge.purge import purge
from knowledge.services.bin import document_bin
from knowledge.services.purging import purge_start
from knowledge.services.uploads import upload
from knowledge.uploading import IncomingFile
from ontology.communities.refresh import MANY, communities_refresh
from ontology.communities.tell import communities_tell
from ontology.model_reading import binding
from ontology.models import CommunitiesMade, Community, CommunityMember, Entity, GraphSource, ModelPolicy, Relation
from ontology.selectors.communities import communities_for, community_said
from tests.factories import make_kb, make_member
from tests.meters import ListMeter
from tests.ontology_rows import make_world
from tests.reading_model import reader_of, says
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db

GATEWAYS = "# Gateways\n\nThe Mail Gateway calls Auth Server at night. The Auth Server calls Log Server. The Mail Gateway calls Log Server."
PRINTERS = "# Printers\n\nThe Print Gateway calls Paper Server. The Paper Server calls Ink Server. The Print Gateway calls Ink Server."


def refresh(graph):
    return communities_refresh(graph_id=graph.pk, quiet_s=0)


def named(found):
    return [{each.name for each in community.entities} for community in found]


def rows_of(graph):
    """All that is stored of each community."""
    members = CommunityMember.objects.filter(community__graph=graph).order_by("rank")
    return {
        row["id"]: (row, tuple(members.filter(community=row["id"]).values_list("entity_id", "rank")))
        for row in Community.objects.filter(graph=graph).values()
    }


def long_ago(graph):
    """Everything in it was made an hour before its communities."""
    then = timezone.now() - timedelta(hours=1)
    Entity.objects.filter(graph=graph).update(updated_at=then, touched_at=then)
    Relation.objects.filter(graph=graph).update(updated_at=then)


@pytest.fixture
def meter():
    return ListMeter()


@pytest.fixture
def model(meter, graph):
    GraphSource.objects.filter(graph=graph).update(policy=ModelPolicy.ALL)
    with ScriptedModel(window_tokens=8192) as running:
        running.script = says("Calls at night\n\nGateways call servers.")
        binding.bind(lambda: reader_of(running, meter))
        yield running
    binding._made.clear()


@pytest.fixture
def both(read):
    return read("gateways.md", GATEWAYS), read("printers.md", PRINTERS)


def test_what_is_linked_stands_together_and_is_told_by_names_and_quotations(graph, both, editor):
    refresh(graph)

    found, is_cut = communities_for(editor, graph.pk)
    assert not is_cut
    assert len(found) == 2
    assert any({"Mail Gateway", "Auth Server", "Log Server"} <= names for names in named(found))
    gateways = next(each for each in found if "Mail Gateway" in str(named([each])))
    assert "The Mail Gateway calls Auth Server at night." in [each.sentence for each in gateways.told]
    assert gateways.summary
    assert not gateways.is_by_model


def test_nothing_that_stands_in_documents_is_kept_without_a_model(graph, both):
    refresh(graph)

    assert set(Community.objects.values_list("title", "summary")) == {("", "")}


def test_a_second_look_without_changes_writes_nothing(graph, both):
    refresh(graph)
    before = rows_of(graph)

    assert refresh(graph) is None
    CommunitiesMade.objects.update(pulse="")
    assert refresh(graph) == 0
    assert rows_of(graph) == before


def test_it_is_done_when_the_graph_has_been_quiet(graph, both):
    refresh(graph)
    Entity.objects.filter(name="Auth Server").update(updated_at=timezone.now())

    assert communities_refresh(graph_id=graph.pk, quiet_s=30) is None
    long_ago(graph)
    assert communities_refresh(graph_id=graph.pk, quiet_s=30) is not None


def test_it_is_done_without_quiet_after_many_changes_and_a_while(graph, both, monkeypatch):
    refresh(graph)
    Entity.objects.update(updated_at=timezone.now())
    monkeypatch.setattr("ontology.communities.refresh.MANY", 3)

    assert MANY > 3
    assert communities_refresh(graph_id=graph.pk, quiet_s=30) is None
    CommunitiesMade.objects.update(made_at=timezone.now() - timedelta(hours=1))
    assert communities_refresh(graph_id=graph.pk, quiet_s=30) is not None


def test_a_merged_entity_stands_behind_its_root(graph, both, editor):
    ink, auth = Entity.objects.get(name="Ink Server"), Entity.objects.get(name="Auth Server")
    Entity.objects.filter(pk=ink.pk).update(merged_into=auth, updated_at=timezone.now())
    refresh(graph)

    assert not CommunityMember.objects.filter(entity=ink).exists()
    assert CommunityMember.objects.filter(entity=auth, community__level=0).count() == 1


def test_a_rejected_entity_leaves_its_community(graph, both):
    refresh(graph)
    Entity.objects.filter(name="Ink Server").update(is_rejected=True, updated_at=timezone.now())
    refresh(graph)

    assert not CommunityMember.objects.filter(entity__name="Ink Server").exists()


def test_one_new_document_among_a_hundred_leaves_four_fifths_of_the_rows_untouched(db):
    world, chance = make_world(None), random.Random(4)
    topics = [[world.entity(f"e{topic}-{number}") for number in range(8)] for topic in range(24)]

    def document(topic):
        (chunk,) = world.document(chunks=1)
        names = chance.sample(topics[topic], 5)
        if chance.random() < 0.3:
            names.append(chance.choice(topics[chance.randrange(24)]))
        for entity in dict.fromkeys(names):
            world.says(chunk, entity)
        return names

    for number in range(96):
        document(number % 24)
    long_ago(world.graph)
    refresh(world.graph)
    before = rows_of(world.graph)

    Entity.objects.filter(pk__in=[each.pk for each in document(7)]).update(touched_at=timezone.now())
    assert refresh(world.graph) is not None

    after = rows_of(world.graph)
    untouched = [id for id, row in before.items() if after.get(id) == row]
    assert len(before) > 12
    assert after != before
    assert len(untouched) >= 0.8 * len(before)


def test_a_model_tells_of_each_community_once(graph, both, model, meter, editor):
    refresh(graph)

    assert communities_tell(graph_id=graph.pk) == 2
    assert communities_tell(graph_id=graph.pk) == 0
    assert len(model.requests) == 2
    found, _more = communities_for(editor, graph.pk)
    assert {(each.title, each.summary, each.is_by_model) for each in found} == {
        ("Calls at night", "Gateways call servers.", True)
    }
    assert {usage.charge.purpose for usage in meter.usages} == {"extract"}
    assert GraphSource.objects.get(graph=graph).tokens_used > 0


def test_it_is_told_again_only_where_members_have_changed(graph, both, model, read):
    refresh(graph)
    communities_tell(graph_id=graph.pk)
    long_ago(graph)
    CommunitiesMade.objects.update(made_at=timezone.now() - timedelta(minutes=30))
    read("more.md", "# Inks\n\nThe Colour Server calls Ink Server. The Colour Server calls Paper Server.")
    refresh(graph)
    communities_tell(graph_id=graph.pk)

    told = [request["messages"][0]["content"] for request in model.requests]
    assert sum("Mail Gateway" in each for each in told) == 1
    assert sum("Ink Server" in each for each in told) >= 2


@pytest.mark.parametrize(
    "given",
    [{"policy": ModelPolicy.OFF}, {"policy": ModelPolicy.ALL, "token_cap": 100}],
    ids=["not allowed", "no means"],
)
def test_no_model_is_asked_where_none_may_read(graph, both, model, given):
    GraphSource.objects.filter(graph=graph).update(**given)
    refresh(graph)

    assert communities_tell(graph_id=graph.pk) == 0
    assert model.requests == []


def test_an_answer_that_is_none_leaves_quotations_and_is_not_asked_for_again(graph, both, model, editor):
    model.script = says("Only a title")
    refresh(graph)
    communities_tell(graph_id=graph.pk)
    communities_tell(graph_id=graph.pk)

    assert len(model.requests) == 2
    assert not any(each.is_by_model for each in communities_for(editor, graph.pk)[0])


def test_an_engine_that_is_away_is_asked_another_time(graph, both, model):
    model.script = says(status=503)
    refresh(graph)
    assert communities_tell(graph_id=graph.pk) == 0

    model.script = says("Calls\n\nThey call.")
    assert communities_tell(graph_id=graph.pk) == 2


def test_after_a_document_is_deleted_no_words_of_it_are_left(graph, both, model, editor, kb, tools):
    model.answering = lambda asked: says(
        "Night\n\nMail Gateway calls." if "Mail Gateway" in str(asked) else "Printers\n\nThey print."
    )
    refresh(graph)
    communities_tell(graph_id=graph.pk)
    document = both[0]

    document_bin(subject=editor, document=document, tools=tools)
    assert "Mail Gateway" not in json.dumps([community_said(each) for each in communities_for(editor, graph.pk)[0]])

    purge_start(subject=editor, kb=kb, documents=[document])
    purge(Document.objects.get(pk=document.pk), tools)
    assert list(Community.objects.exclude(title="").values_list("title", flat=True)) == ["Printers"]
    refresh(graph)
    communities_tell(graph_id=graph.pk)
    assert len(model.requests) == 2
    assert Community.objects.filter(graph=graph, level=0).count() == 1
    assert set(CommunityMember.objects.values_list("entity", flat=True)) <= set(
        Entity.objects.values_list("pk", flat=True)
    )


def read_into(kb, tools, path, text):
    """Upload, read, publish, in this knowledge base."""
    files = [IncomingFile(path, text.encode())]
    item = upload(subject=Subject.system(), kb=kb, files=files, tools=tools, enqueue=False).items.get()
    ingest(Version.objects.select_related("document__kb").get(pk=item.version_id), tools)


@pytest.fixture
def other_base(graph, department):
    other = make_kb("other")
    GraphSource.objects.create(kb=other, graph=graph, policy=ModelPolicy.ALL)
    return other


def test_who_reads_a_part_sees_only_what_that_part_says(graph, both, model, other_base, read, kb):
    refresh(graph)
    communities_tell(graph_id=graph.pk)
    reader = subject_of_user(make_member("other-reader", other_base, Role.VIEWER))

    assert communities_for(reader, graph.pk)[0] == []


def test_a_models_words_are_shown_only_to_who_may_read_all_they_were_made_from(graph, model, kb, other_base, tools):
    read_into(kb, tools, "secret.md", GATEWAYS)
    read_into(other_base, tools, "open.md", "# Open\n\nThe Mail Gateway calls Auth Server always.")
    refresh(graph)
    communities_tell(graph_id=graph.pk)
    reader = subject_of_user(make_member("open-reader", other_base, Role.VIEWER))

    (seen,) = [each for each in communities_for(reader, graph.pk)[0] if "Mail Gateway" in str(named([each]))]
    told = json.dumps(community_said(seen))
    assert Community.objects.exclude(title="").exists()
    assert not seen.is_by_model
    assert "always" in told
    assert "night" not in told
    assert "Log Server" not in told


def test_only_bases_that_a_model_may_read_are_shown_to_it(graph, model, kb, other_base, tools):
    GraphSource.objects.filter(kb=kb).update(policy=ModelPolicy.OFF)
    read_into(kb, tools, "secret.md", GATEWAYS)
    read_into(other_base, tools, "open.md", "# Open\n\nThe Mail Gateway calls Auth Server always.")
    refresh(graph)
    communities_tell(graph_id=graph.pk)

    told = json.dumps(model.requests)
    assert "always" in told
    assert "night" not in told
    assert "Log Server" not in told
