"""Rules about documents: what breaks them is found, told, and mended where that can be done without a person."""

import pytest
from django.utils import timezone

from knowledge import invariants
from knowledge import tools as tools_of_process
from knowledge.models import Chunk, ChunkKeywords, ChunkVector, Document, Job, KeywordTerm, RunState, StageRun, Version
from tests.factories import Corpus, make_kb

pytestmark = pytest.mark.django_db

TEXT = "# Pump\n\n" + "\n\n".join(
    f"The pump P-{number} stops at {number} degrees, says the manual." for number in range(60)
)


@pytest.fixture
def document(tmp_path, monkeypatch):
    corpus = Corpus(make_kb(), tmp_path)
    monkeypatch.setattr(tools_of_process, "_made", [lambda: corpus.tools])
    tools_of_process.tools.cache_clear()
    yield corpus.read("pump.md", TEXT)
    tools_of_process.tools.cache_clear()


@pytest.mark.parametrize("rule", invariants.RULES, ids=lambda rule: rule.__name__)
def test_a_document_that_was_read_breaks_no_rule(document, rule):
    assert rule(True).broken == 0


def unfinished(document):
    run = StageRun.objects.filter(document=document, stage="embed")
    StageRun.objects.filter(document=document, stage="publish").update(state=RunState.WAITING)
    run.update(state=RunState.WAITING)
    Job.objects.update(finished_at=timezone.now())


MENDED = {
    "a chunk that readers miss": (
        invariants.readers_find_the_live_version,
        lambda document: Chunk.objects.filter(document=document, ordinal=0).update(is_live=False),
    ),
    "chunks of a binned document": (
        invariants.readers_find_the_live_version,
        lambda document: Document.objects.filter(pk=document.pk).update(state="binned"),
    ),
    "vectors": (invariants.chunks_have_vectors, lambda document: ChunkVector.objects.all().delete()),
    "keywords": (
        invariants.chunks_have_words,
        lambda document: (ChunkKeywords.objects.all().delete(), KeywordTerm.objects.all().delete()),
    ),
    "a job that is not over": (invariants.jobs_over_have_no_work, unfinished),
}


@pytest.mark.parametrize(("rule", "breaks"), MENDED.values(), ids=MENDED)
def test_what_breaks_a_rule_is_found_and_mended(document, rule, breaks):
    breaks(document)
    found = rule(False)
    assert found.broken > 0 == found.mended
    assert found.examples

    assert rule(True).is_well
    assert rule(False).broken == 0


ADVISED = {
    "a chunk with another text": (
        invariants.chunks_are_their_text,
        lambda document: Chunk.objects.filter(document=document, ordinal=0).update(text="something else"),
    ),
    "a version that nobody published": (
        invariants.published_versions_say_so,
        lambda document: Version.objects.filter(document=document).update(published_at=None),
    ),
}


@pytest.mark.parametrize(("rule", "breaks"), ADVISED.values(), ids=ADVISED)
def test_what_does_not_mend_by_itself_says_what_to_do(document, rule, breaks):
    breaks(document)
    found = rule(True)

    assert (found.broken, found.mended, found.is_well) == (1, 0, False)
    assert "reread" in found.advice


def test_mended_keywords_are_counted_as_they_were(document):
    before = sorted(KeywordTerm.objects.values_list("term", "documents"))
    ChunkKeywords.objects.all().delete()
    KeywordTerm.objects.all().delete()
    invariants.chunks_have_words(True)

    assert sorted(KeywordTerm.objects.values_list("term", "documents")) == before


def test_an_extraction_that_is_done_again_reopens_no_job(document):
    of_extraction = {"document": document, "version": document.live_version, "stage": "extract"}
    StageRun.objects.update_or_create(**of_extraction, defaults={"state": RunState.RUNNING})
    Job.objects.update(finished_at=timezone.now())

    assert invariants.jobs_over_have_no_work(False).broken == 0
