"""T18, T20–T22: workers are killed, messages are lost and doubled, the broker is away; the reading ends well, and finished work is not done twice."""

import os
import signal
import time

import pytest

from inference.models import UsageRecord
from knowledge import beats, queue
from knowledge.models import Chunk, ChunkVector, Document, RunState, StageRun
from knowledge.selectors.jobs import job_progress
from knowledge.services.bin import document_bin
from knowledge.services.purging import purge_start
from knowledge.sweeping import sweep
from tests.stories.knowledge.conftest import PATIENCE_S, is_read, long_text, until


def document_of(job):
    return Document.objects.get(pk=job.items.get().document_id)


def embedded_tokens():
    return sum(UsageRecord.objects.values_list("prompt_tokens", flat=True))


@pytest.mark.parametrize("place", ["parse:1", "chunk:2", "embed:2", "index:1"])
def test_a_worker_killed_in_a_stage_costs_at_most_the_batch_in_its_hands(workers, send, place):
    workers.start(pause_at=place)
    document = document_of(send("long.md", long_text(150)))

    os.kill(workers.paused(), signal.SIGKILL)
    until(lambda: is_read(document))

    chunks = Chunk.objects.filter(document=document)
    assert set(StageRun.objects.values_list("state", flat=True)) == {RunState.DONE}
    assert chunks.count() == document.versions.get().chunk_count > 128
    assert chunks.filter(is_live=True).count() == chunks.count()
    once = sum(chunks.values_list("tokens", flat=True))
    largest_batch = max(
        sum(t for t in chunks.order_by("ordinal").values_list("tokens", flat=True)[i : i + 64])
        for i in range(0, chunks.count(), 64)
    )
    assert once <= embedded_tokens() <= once + (largest_batch if place.startswith("embed") else 0)


def test_the_work_of_a_worker_that_was_killed_whole_is_found_by_the_sweep(workers, send, tools):
    first = workers.start(pause_at="embed:2")
    document = document_of(send("long.md", long_text(150)))
    workers.paused()
    workers.kill(first)
    stored = ChunkVector.objects.count()
    assert stored > 0

    workers.start()
    until(lambda: is_read(document) or sweep(tools))

    assert StageRun.objects.get(stage="embed").tokens <= sum(Chunk.objects.values_list("tokens", flat=True))


def test_a_doubled_message_changes_nothing(workers, send):
    document = document_of(send("a.md", "The pump stops."))
    queue.send_versions([document.versions.get().pk] * 3)

    workers.start()
    until(lambda: is_read(document) and queue.waiting_in(queue.INDEXING) == 0)

    assert set(StageRun.objects.exclude(stage="publish").values_list("token", flat=True)) == {1}


def test_a_lost_message_is_sent_again(workers, broker, send, tools):
    workers.start()
    document = document_of(send("a.md", "The pump stops.", enqueue=False))

    until(lambda: is_read(document) or sweep(tools))


def test_a_stage_that_outlives_the_visibility_timeout_has_its_effects_once(workers, send):
    workers.start(pause_at="embed:1", VISIBILITY_S="1")
    document = document_of(send("a.md", long_text(3)))
    workers.paused()
    time.sleep(2)  # a worker looks for what others have kept too long when it begins, and seldom afterwards
    workers.start(VISIBILITY_S="1")
    until(lambda: workers.ended_a_task("w1"))
    workers.go()
    until(lambda: is_read(document))

    assert StageRun.objects.get(stage="embed").token == 1
    assert embedded_tokens() == sum(Chunk.objects.values_list("tokens", flat=True))


def test_a_worker_that_is_asked_to_end_gives_its_lease_back_at_once(workers, send):
    worker = workers.start(pause_at="embed:2")
    send("long.md", long_text(150))
    workers.paused()

    worker.send_signal(signal.SIGTERM)
    workers.go()
    worker.wait(PATIENCE_S)

    run = StageRun.objects.get(stage="embed")
    assert (run.state, run.lease_until, run.attempts) == (RunState.WAITING, None, 0)


def test_what_is_thrown_away_for_good_is_deleted_by_a_worker(workers, send, editor, kb, tools):
    workers.start()
    document = document_of(send("a.md", "The pump stops."))
    until(lambda: is_read(document))

    document_bin(subject=editor, document=document, tools=tools)
    purge_start(subject=editor, kb=kb, documents=[document])

    until(lambda: not Document.objects.exists())
    assert not ChunkVector.objects.exists()


def test_a_document_that_needs_too_much_memory_fails_with_that_reason_and_the_others_are_read(workers, send):
    workers.start(pause_at="chunk:99")
    jobs = {name: send(name, f"# {name}\n\nText.") for name in ("dies.md", "eats.md", "good.md")}

    until(lambda: job_progress(jobs["dies.md"]).is_over and job_progress(jobs["eats.md"]).is_over)
    until(lambda: is_read(document_of(jobs["good.md"])))

    reasons = {
        name: StageRun.objects.get(document__path=name, stage="chunk").error["code"] for name in ("dies.md", "eats.md")
    }
    assert reasons == {"dies.md": "worker_vanished", "eats.md": "out_of_memory"}


def test_a_worker_is_seen_while_it_lives_and_missed_when_it_has_ended(workers, kb):
    assert not beats.is_served(queue.INDEXING)

    worker = workers.start()
    until(lambda: beats.is_served(queue.INDEXING))
    worker.send_signal(signal.SIGTERM)
    worker.wait(PATIENCE_S)

    assert not beats.is_served(queue.INDEXING)
