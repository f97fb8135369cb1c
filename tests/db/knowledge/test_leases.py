"""Leases: one holder at a time, fencing of those who lost theirs, and how each ending is recorded."""

import time
from collections.abc import Callable

import psycopg
import pytest
from django.db import connection, transaction

from common.errors import EngineUnavailable, LeaseLost, UnreadableFile
from knowledge import closing
from knowledge.conf import knowledge_settings
from knowledge.faults import in_words
from knowledge.holders import has_gone, this_worker
from knowledge.leases import LeaseTaken, WorkerClosing, WorkerVanished, connection_parameters, take
from knowledge.models import RunState, StageRun, Version
from knowledge.stage import StageFailed, stage

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def version(send) -> Version:
    return Version.objects.get(pk=send({"a.md": "Text."}).items.get().version_id)


@pytest.fixture
def run(version) -> StageRun:
    return StageRun.objects.get(version=version, stage="parse")


def wait_until(what: Callable[[], bool], patience_s: float = 20) -> None:
    end = time.monotonic() + patience_s
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


def again(run: StageRun) -> StageRun:
    return StageRun.objects.get(pk=run.pk)


def test_the_second_to_come_leaves(run):
    take(run)

    with pytest.raises(LeaseTaken):
        take(again(run))


def test_a_lease_that_ran_out_goes_to_the_next_and_the_first_stores_nothing_more(run):
    zombie = take(run)
    StageRun.objects.update(lease_until="2020-01-01T00:00:00Z", worker="elsewhere:1:0")

    successor = take(again(run))

    with transaction.atomic():
        successor.check()
    with pytest.raises(LeaseLost), transaction.atomic():
        zombie.check()


def test_the_lease_of_a_process_that_is_gone_is_free_at_once(run):
    take(run)
    StageRun.objects.update(worker=this_worker().replace(":", ":99999", 1))

    assert take(again(run)).token == 2


def test_a_worker_of_another_machine_is_never_declared_gone():
    assert not has_gone("another-machine:1:0.00")


def test_taking_over_waits_for_the_batch_that_is_being_stored(run):
    lease = take(run)
    with transaction.atomic():
        lease.check()
        with psycopg.connect(**connection_parameters()) as other, pytest.raises(psycopg.errors.LockNotAvailable):
            other.execute("SELECT 1 FROM knowledge_stagerun WHERE id = %s FOR UPDATE NOWAIT", [run.pk])


def test_signs_of_life_pass_by_the_batch_that_is_being_stored(run):
    lease = take(run)
    with transaction.atomic():
        lease.check()
        with psycopg.connect(**connection_parameters()) as other:
            other.execute("SET lock_timeout = '1s'")
            done = other.execute(
                "UPDATE knowledge_stagerun SET heartbeat_at = clock_timestamp() WHERE id = %s", [run.pk]
            )
            assert done.rowcount == 1


def test_what_cannot_be_read_fails_the_stage_with_its_reason(version, run):
    with pytest.raises(UnreadableFile), stage(version, "parse"):
        raise UnreadableFile("It is broken.", reason="broken_file")

    assert (again(run).state, in_words(again(run).error)) == (
        RunState.FAILED,
        {"code": "broken_file", "message": "It is broken."},
    )


def test_an_engine_that_is_away_puts_the_stage_off_longer_each_time(version, run):
    waits = []
    for _ in range(3):
        with pytest.raises(EngineUnavailable), stage(version, "parse"):
            raise EngineUnavailable("The embedder is away.")
        waits.append((again(run).retry_at - again(run).heartbeat_at).total_seconds())

    assert again(run).state == RunState.WAITING
    assert waits == pytest.approx([10, 20, 40], abs=1)


@pytest.mark.parametrize("fault", [ValueError("bug"), MemoryError()])
def test_what_nobody_foresaw_fails_the_stage_and_not_the_worker(version, run, fault):
    with pytest.raises(StageFailed if isinstance(fault, ValueError) else Exception), stage(version, "parse"):
        raise fault

    assert again(run).error["code"] == ("unexpected" if isinstance(fault, ValueError) else "out_of_memory")


def test_being_interrupted_gives_the_lease_back(version, run):
    with pytest.raises(KeyboardInterrupt), stage(version, "parse"):
        raise KeyboardInterrupt

    assert (again(run).state, again(run).attempts, again(run).lease_until) == (RunState.WAITING, 0, None)


def test_a_worker_that_is_asked_to_end_stores_no_further_batch(version, run):
    def begin_a_batch():
        with stage(version, "parse") as lease, transaction.atomic():
            closing.ask()
            lease.check()

    try:
        with pytest.raises(WorkerClosing):
            begin_a_batch()
    finally:
        closing._asked[0] = 0

    assert again(run).state == RunState.WAITING


def test_holders_that_vanish_again_and_again_fail_the_stage_with_that_reason(run):
    for _ in range(3):
        take(again(run))
        StageRun.objects.update(lease_until="2020-01-01T00:00:00Z")

    with pytest.raises(WorkerVanished):
        take(again(run))

    assert again(run).error["code"] == "worker_vanished"
    with pytest.raises(LeaseTaken):
        take(again(run))


def test_giving_back_after_progress_forgets_the_holders_that_vanished_before(run):
    take(run)
    StageRun.objects.update(lease_until="2020-01-01T00:00:00Z")
    lease = take(again(run))
    lease.progress(1, 9)

    lease.give_back()

    assert again(run).attempts == 0


def test_a_holder_that_is_killed_after_it_was_asked_to_end_is_not_held_against_the_file(run, monkeypatch):
    monkeypatch.setenv("TRELLIS_HEARTBEAT_S", "0.1")
    knowledge_settings.cache_clear()
    lease = take(run)
    try:
        closing.ask()
        lease.keep_alive()
        wait_until(lambda: again(run).attempts == 0)
    finally:
        closing._asked[0] = 0
        lease.rest()
        knowledge_settings.cache_clear()


def test_a_version_that_was_deleted_meanwhile_has_no_stage_to_work_at(version):
    StageRun.objects.filter(version=version).delete()
    Version.objects.filter(pk=version.pk).delete()

    with pytest.raises(LeaseTaken):
        stage(version, "parse")


def test_a_lost_lease_records_nothing(version, run):
    def lose_it():
        with stage(version, "parse"):
            StageRun.objects.filter(pk=run.pk).update(state=RunState.CANCELLED, token=99)
            raise LeaseLost("lost")

    with pytest.raises(LeaseLost):
        lose_it()

    assert (again(run).state, again(run).token) == (RunState.CANCELLED, 99)


def test_signs_of_life_come_from_a_connection_of_their_own(version, run, monkeypatch):
    monkeypatch.setenv("TRELLIS_HEARTBEAT_S", "0.1")
    knowledge_settings.cache_clear()
    try:
        with stage(version, "parse") as lease, transaction.atomic():
            lease.check()
            lease.progress(3, 9)
            with connection.cursor() as cursor:  # the batch takes its time
                cursor.execute("SELECT pg_sleep(0.5)")
            with psycopg.connect(**connection_parameters()) as other:
                seen = other.execute(
                    "SELECT done_units, total_units FROM knowledge_stagerun WHERE id = %s", [run.pk]
                ).fetchone()
    finally:
        knowledge_settings.cache_clear()

    assert seen == (3, 9)
