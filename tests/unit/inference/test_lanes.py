"""Questions overtake indexing, whatever waits; who has gone is not worked for; what does not fit is refused. By order, not by time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from inference.embedder.lanes import LaneFull, Lanes
from tests.gated_model import GatedModel


@asynccontextmanager
async def running(model: GatedModel, *, waiting_texts: int = 100) -> AsyncIterator[Lanes]:
    lanes = Lanes(model, slice_texts=4, waiting_texts=waiting_texts)
    feeding = asyncio.create_task(lanes.run())
    try:
        yield lanes
    finally:
        model.gate.set()
        model.questions_gate.set()
        feeding.cancel()
        with suppress(asyncio.CancelledError):
            await feeding


async def until_taken(model: GatedModel, slices: int) -> None:
    while len(model.slices) < slices:
        await asyncio.sleep(0.001)


def passages(count: int) -> list[str]:
    return [f"passage {number}" for number in range(count)]


async def test_a_question_is_answered_while_a_flood_of_indexing_waits_and_works():
    model = GatedModel()
    async with running(model) as lanes:
        flood = [asyncio.create_task(lanes.vectors(passages(20), "passage")) for _ in range(4)]
        await until_taken(model, 1)

        assert len(await lanes.vectors(["question"], "query")) == 1
        assert model.slices == [passages(4), ["question"]]

        model.gate.set()
        await asyncio.gather(*flood)


async def test_no_further_slice_of_passages_begins_while_a_question_is_worked_on():
    model = GatedModel()
    async with running(model) as lanes:
        flood = asyncio.create_task(lanes.vectors(passages(8), "passage"))
        await until_taken(model, 1)
        model.questions_gate.clear()
        question = asyncio.create_task(lanes.vectors(["question"], "query"))
        await until_taken(model, 2)
        model.gate.set()
        while lanes.waiting("passage") != 4 or len(model.done) < 1:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        assert len(model.slices) == 2

        model.questions_gate.set()
        await asyncio.gather(flood, question)

    assert model.slices == [passages(4), ["question"], passages(8)[4:]]


async def test_each_request_gets_its_own_vectors_in_order():
    model = GatedModel()
    model.gate.set()
    async with running(model) as lanes:
        first, second = await asyncio.gather(
            lanes.vectors(["a", "bb", "ccc", "dddd", "eeeee"], "passage"), lanes.vectors(["ffffff"], "passage")
        )

    assert first[:, 0].tolist() == [1, 2, 3, 4, 5]
    assert second[:, 0].tolist() == [6]


async def test_questions_that_wait_together_share_a_slice():
    model = GatedModel()
    model.questions_gate.clear()
    async with running(model) as lanes:
        first = asyncio.create_task(lanes.vectors(["first"], "query"))
        await until_taken(model, 1)
        others = [asyncio.create_task(lanes.vectors([f"q{number}"], "query")) for number in range(3)]
        await asyncio.sleep(0)
        model.questions_gate.set()
        await asyncio.gather(first, *others)

    assert model.slices == [["first"], ["q0", "q1", "q2"]]


async def test_the_rest_of_a_request_whose_caller_has_gone_is_dropped():
    model = GatedModel()
    async with running(model) as lanes:
        gone = asyncio.create_task(lanes.vectors(passages(40), "passage"))
        await until_taken(model, 1)
        gone.cancel()
        stays = asyncio.create_task(lanes.vectors(["stays"], "passage"))
        await asyncio.sleep(0)
        model.gate.set()
        await stays

    assert model.slices == [passages(4), ["stays"]]


async def test_what_does_not_fit_into_a_lane_is_refused_at_once_and_the_other_lane_is_open():
    model = GatedModel()
    async with running(model, waiting_texts=10) as lanes:
        taken = asyncio.create_task(lanes.vectors(passages(12), "passage"))
        await until_taken(model, 1)
        assert lanes.waiting("passage") == 8
        with pytest.raises(LaneFull) as refused:
            await lanes.vectors(passages(3), "passage")
        question = asyncio.create_task(lanes.vectors(["question"], "query"))
        model.gate.set()
        await asyncio.gather(taken, question)

    assert refused.value.retry_after_s >= 1


async def test_a_request_larger_than_a_lane_is_taken_when_nothing_waits():
    model = GatedModel()
    model.gate.set()
    async with running(model, waiting_texts=2) as lanes:
        assert len(await lanes.vectors(passages(30), "passage")) == 30


async def test_a_text_that_the_model_chokes_on_fails_its_request_alone():
    model = GatedModel()
    model.gate.set()
    async with running(model) as lanes:
        with pytest.raises(ValueError, match="broken"):
            await lanes.vectors(["broken"], "passage")

        assert len(await lanes.vectors(["fine"], "passage")) == 1
