"""Cancel, retry, read again; switch passages off; what publishing moves and what it keeps."""

import contextlib

import pytest

from common.errors import Conflict, Forbidden, UnreadableFile
from inference.models import UsageRecord
from knowledge.ingest import ingest
from knowledge.leases import LeaseTaken
from knowledge.models import Chunk, Document, Job, KnowledgeBase, RunState, StageRun, Version
from knowledge.selectors.jobs import job_progress, jobs_to_notice
from knowledge.services.chunks import chunk_switch
from knowledge.services.jobs import jobs_seen
from knowledge.services.reading import documents_reread, job_cancel, reading_cancel, reading_retry
from knowledge.spending import CostCapReached

TEXT = "# Pump\n\nFirst part.\n\n# Valve\n\nSecond part.\n"


def version_of(job) -> Version:
    return Version.objects.select_related("document__kb").get(pk=job.items.get().version_id)


def test_a_cancelled_reading_does_not_begin_again_by_itself(send, editor, tools):
    version = version_of(send({"a.md": TEXT}))

    reading_cancel(subject=editor, version=version)

    with pytest.raises(LeaseTaken):
        ingest(version, tools)
    assert not Chunk.objects.exists()


def test_a_cancelled_reading_goes_on_when_it_is_tried_again(send, editor, tools):
    version = version_of(send({"a.md": TEXT}))
    reading_cancel(subject=editor, version=version)

    reading_retry(subject=editor, version=version, tools=tools)
    ingest(version, tools)

    assert Document.objects.get().live_version_id == version.pk


def test_a_failed_stage_is_tried_again_and_the_finished_ones_are_not(send, editor, tools):
    version = version_of(send({"a.md": TEXT}))
    ingest(version, tools)
    StageRun.objects.filter(version=version, stage="publish").update(state="failed")
    spent = UsageRecord.objects.count()

    assert reading_retry(subject=editor, version=version, tools=tools) == 1
    ingest(version, tools)

    assert UsageRecord.objects.count() == spent
    assert StageRun.objects.get(version=version, stage="parse").token == 1


def test_from_a_stage_on_everything_is_done_anew(send, editor, tools):
    version = version_of(send({"a.md": TEXT}))
    for step in tools.way_in[:2]:
        from knowledge.stage import stage

        with stage(version, step.name) as lease:
            step.run(version, lease, tools)

    reading_retry(subject=editor, version=version, tools=tools, from_stage="parse")

    assert not Chunk.objects.exists()
    assert not Version.objects.get(pk=version.pk).text
    ingest(version, tools)
    assert Document.objects.get().live_version_id == version.pk


def test_the_version_that_readers_see_is_not_taken_apart(read, editor, tools):
    with pytest.raises(Conflict):
        reading_retry(subject=editor, version=read("a.md", TEXT).live_version, tools=tools, from_stage="chunk")


def test_a_viewer_may_not_cancel(send, viewer):
    with pytest.raises(Forbidden):
        reading_cancel(subject=viewer, version=version_of(send({"a.md": TEXT})))


def test_a_newer_upload_ends_the_reading_of_the_older_one(send, tools):
    old = version_of(send({"a.md": "Old."}))
    new = version_of(send({"a.md": "New."}))

    with pytest.raises(LeaseTaken):
        ingest(old, tools)
    ingest(new, tools)

    assert StageRun.objects.filter(version=old, state=RunState.CANCELLED, error__code="superseded").exists()
    assert Document.objects.get().live_version_id == new.pk


def test_a_file_that_fails_does_not_touch_what_readers_see(read, send, tools):
    document = read("a.pdf.md", TEXT)
    StageRun.objects.all()
    broken = version_of(send({"a.pdf.md": b"# Fine\n\n" + b"text " * 10}))
    tools.storage.remove(broken.original.key)

    with pytest.raises(Exception, match="missing"):
        ingest(broken, tools)

    assert Document.objects.get().live_version_id == document.live_version_id
    assert Chunk.objects.filter(is_live=True).exists()


def test_reading_again_does_nothing_while_the_parser_is_the_same(read, editor, kb):
    read("a.md", TEXT)

    assert documents_reread(subject=editor, kb=kb) is None


def test_reading_again_makes_a_new_version_from_the_same_original_without_a_model_call(read, editor, kb, tools):
    document = read("a.md", TEXT)
    Version.objects.update(parser="markdown/0")
    spent = UsageRecord.objects.count()

    ingest(version_of(documents_reread(subject=editor, kb=kb, enqueue=False)), tools)

    document.refresh_from_db()
    assert document.live_version.number == 2
    assert document.originals.count() == 1
    assert UsageRecord.objects.count() == spent


def test_a_switched_off_passage_stays_off_in_later_versions_while_its_content_is_the_same(read, editor, tools):
    document = read("a.md", TEXT)
    chunk_switch(subject=editor, chunk=Chunk.objects.get(text__contains="First"), is_disabled=True, tools=tools)

    read("a.md", TEXT.replace("Second part", "Another part"))

    live = Chunk.objects.filter(document=document, is_live=True)
    assert [chunk.text for chunk in live if "First" in chunk.text] == []
    assert Chunk.objects.get(version__number=2, text__contains="First").is_disabled

    read("a.md", TEXT.replace("First part", "A new part"))

    assert Chunk.objects.get(version__number=3, text__contains="A new part").is_live


def test_switching_off_and_on_moves_the_corpus_each_time(read, editor, tools, kb):
    read("a.md", TEXT)
    chunk = Chunk.objects.get(text__contains="First")
    begun = KnowledgeBase.objects.get(pk=kb.pk).corpus_version

    chunk_switch(subject=editor, chunk=chunk, is_disabled=True, tools=tools)
    chunk_switch(subject=editor, chunk=chunk, is_disabled=True, tools=tools)
    chunk = chunk_switch(subject=editor, chunk=chunk, is_disabled=False, tools=tools)

    assert chunk.is_live
    assert KnowledgeBase.objects.get(pk=kb.pk).corpus_version == begun + 2


def test_the_bell_tells_of_a_job_that_is_over_until_it_is_looked_at(send, editor, tools):
    job = send({"a.md": TEXT})
    assert not jobs_to_notice(editor).exists()

    ingest(version_of(job), tools)
    assert list(jobs_to_notice(editor)) == [job]

    jobs_seen(subject=editor)
    assert not jobs_to_notice(editor).exists()


def test_a_job_counts_each_file_by_how_it_stands(send, editor, tools):
    job = send({"a.md": TEXT, "b.md": "Other.", "empty.md": ""})
    version = Version.objects.select_related("document__kb").get(document__path="a.md")
    ingest(version, tools)

    progress = job_progress(job)

    assert progress.counts == {"done": 1, "waiting": 1, "refused": 1}
    assert (progress.total, progress.left, progress.failed, progress.is_over) == (3, 1, 1, False)


def test_a_whole_job_is_cancelled_at_once(send, editor):
    job = send({"a.md": TEXT, "b.md": "Other."})

    job_cancel(subject=editor, job=job)

    assert job_progress(job).counts == {"cancelled": 2}
    assert Job.objects.get(pk=job.pk).finished_at is not None


def test_an_unreadable_file_fails_with_what_to_do(send, tools):
    version = version_of(send({"a.json": b'{"broken": '}))

    with pytest.raises(UnreadableFile):
        ingest(version, tools)

    assert "a.json" in StageRun.objects.get(version=version, stage="parse").error["message"]


def test_a_job_that_costs_more_than_it_may_stops_and_says_so_and_goes_on_when_granted_again(send, editor, tools):
    job = send({"a.md": "\n\n".join(f"# Part {n}\n\n" + f"Sentence {n} of the part. " * 30 for n in range(200))})
    Job.objects.update(token_allowance=20_000, token_limit=20_000)
    version = version_of(job)

    with pytest.raises(CostCapReached):
        ingest(version, tools)

    used = sum(UsageRecord.objects.values_list("prompt_tokens", flat=True))
    assert 10_000 < used <= 20_000
    assert StageRun.objects.get(version=version, stage="embed").error["code"] == "cost_cap"

    for _ in range(5):
        reading_retry(subject=editor, version=version, tools=tools)
        with contextlib.suppress(CostCapReached):
            ingest(version, tools)

    assert Document.objects.get().live_version_id == version.pk
    assert sum(UsageRecord.objects.values_list("prompt_tokens", flat=True)) == sum(
        Chunk.objects.values_list("tokens", flat=True)
    )
