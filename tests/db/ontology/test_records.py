"""Record headings of the skeleton decide how documents are cut; a changed one reads again only the documents in which records begin elsewhere."""

from dataclasses import replace

import pytest

from knowledge.chunk import stored_sections
from knowledge.ingest import ingest
from knowledge.models import Chunk, Document, Job, KnowledgeBase, Section, Version
from knowledge.recut import records_tend
from knowledge.stage import stage
from ontology.model_reading import schedule
from ontology.models import AttributeValue, GraphSource, ModelPolicy
from ontology.records import SkeletonRecords
from ontology.services.skeletons import skeleton_apply, skeleton_dry_run
from ontology.tend_graphs import tend_graphs
from tests.db.ontology.conftest import SKELETON

pytestmark = pytest.mark.django_db

RULE = "record_headings: ['^System: (?P<name>.+)']"
WITH_RECORDS = SKELETON.replace("rules: {patterns: ['[A-Z]", f"rules: {{{RULE}, patterns: ['[A-Z]", 1)
CATALOGUE = """# Catalogue

## System: Mail Gateway

### Limits

Memory: 4096

### Dates

Released: 2026-03-01

## System: 账单网关

### Limits

Memory: 512
"""
PLAIN = "# Notes\n\n## About\n\nThe Mail Gateway calls Auth Server.\n"


@pytest.fixture
def tools(tools):
    return replace(tools, records=SkeletonRecords())


@pytest.fixture
def apply(graph, editor):
    return lambda text: skeleton_apply(subject=editor, graph_id=graph.pk, text=text)


def cut(document):
    document.refresh_from_db()
    return list(Chunk.objects.filter(version=document.live_version).order_by("ordinal").values_list("text", flat=True))


def read_jobs(tools):
    """What a worker would do."""
    for version in Version.objects.filter(published_at=None).select_related("document__kb"):
        ingest(version, tools)


def test_a_record_of_the_skeleton_is_one_chunk_and_its_name_the_subject_of_its_lines(read, apply, graph):
    apply(WITH_RECORDS)
    document = read("a.md", CATALOGUE)

    first, second = cut(document)
    assert "System: Mail Gateway" in first
    assert "Released: 2026-03-01" in first
    assert second.startswith("## System: 账单网关")
    values = AttributeValue.objects.filter(name="memory_limit").values_list("entity__name", "value")
    assert set(values) == {("Mail Gateway", 4096), ("账单网关", 512)}


def test_a_new_rule_reads_again_only_the_documents_in_which_it_finds_records(read, apply, graph, editor, tools):
    catalogue, notes = read("a.md", CATALOGUE), read("b.md", PLAIN)
    assert len(cut(catalogue)) == 3

    dry = skeleton_dry_run(subject=editor, graph_id=graph.pk, text=WITH_RECORDS).effect
    apply(WITH_RECORDS)
    tend_graphs(tools)
    read_jobs(tools)

    assert dry.recut == 1
    assert len(cut(catalogue)) == 2
    assert (catalogue.live_version.number, notes.versions.count()) == (2, 1)
    job = Job.objects.get(kind="reread")
    assert job.label == "records begin elsewhere"


def test_what_was_looked_at_or_read_again_is_not_looked_at_once_more(read, apply, tools, kb):
    read("a.md", CATALOGUE)
    read("b.md", PLAIN)
    apply(WITH_RECORDS)

    assert records_tend(kb, tools) is not None
    assert records_tend(kb, tools) is None  # a newer version is on its way
    read_jobs(tools)
    assert records_tend(kb, tools) is None
    assert set(
        Version.objects.filter(document__live_version__isnull=False).values_list("document__path", "number")
    ) == {
        ("a.md", 1),
        ("a.md", 2),
        ("b.md", 1),
    }


def test_a_rule_that_is_taken_back_takes_the_records_apart(read, apply, tools):
    apply(WITH_RECORDS)
    document = read("a.md", CATALOGUE)

    apply(SKELETON)
    tend_graphs(tools)
    read_jobs(tools)

    assert len(cut(document)) == 3


def test_another_change_of_the_skeleton_cuts_nothing(read, apply, graph, editor, tools):
    apply(WITH_RECORDS)
    document = read("a.md", CATALOGUE)
    other = WITH_RECORDS.replace("type: integer", "type: text")

    assert skeleton_dry_run(subject=editor, graph_id=graph.pk, text=other).effect.recut == 0
    apply(other)
    tend_graphs(tools)

    assert document.versions.count() == 1


def test_unchanged_records_keep_their_vectors(read, apply, graph):
    apply(WITH_RECORDS)
    document = read("a.md", CATALOGUE)
    before = set(Chunk.objects.filter(document=document).values_list("content_hash", flat=True))

    document = read("a.md", CATALOGUE.replace("512", "1024"))

    after = set(Chunk.objects.filter(version=document.live_version).values_list("content_hash", flat=True))
    assert len(before & after) == 1


def test_a_rule_that_changes_while_a_version_is_cut_waits_for_the_next_one(send, apply, tools, kb):
    apply(WITH_RECORDS)
    version = Version.objects.select_related("document__kb").get(pk=send({"a.md": CATALOGUE}).items.get().version_id)
    parse, chunk = tools.way_in[:2]
    with stage(version, parse.name) as lease:
        parse.run(version, lease, tools)
    with stage(version, chunk.name) as lease:
        stored_sections(Version.objects.get(pk=version.pk), lease, tools)  # and then the worker is killed

    apply(SKELETON)
    ingest(version, tools)

    document = Document.objects.get(pk=version.document_id)
    assert len(cut(document)) == 2
    assert Section.objects.filter(version=version, is_record=True).count() == 2
    assert records_tend(KnowledgeBase.objects.get(pk=kb.pk), tools) is not None


def test_a_model_does_not_read_what_a_newer_version_is_about_to_replace(read, apply, tools, kb, graph):
    read("a.md", CATALOGUE)
    GraphSource.objects.filter(kb=kb).update(policy=ModelPolicy.ALL)
    source = GraphSource.objects.select_related("graph__skeleton").get(kb=kb)
    assert schedule.due(source).count() == 1

    apply(WITH_RECORDS)
    records_tend(kb, tools)
    source = GraphSource.objects.select_related("graph__skeleton").get(kb=kb)

    assert schedule.due(source).count() == 0
