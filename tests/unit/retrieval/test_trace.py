"""Limits and fallbacks: what is late, dead or refused is left out and named, and never waited for."""

import asyncio
import socket

import pytest

from common.errors import EngineRefused, EngineTimeout, EngineUnavailable
from retrieval.answer import StageNews
from retrieval.trace import Limits, Trace, limited


async def value(result, delay_s=0.0):
    await asyncio.sleep(delay_s)
    return result


async def failing(error):
    raise error


async def deaf():
    """Takes no notice of being cancelled."""
    while True:
        try:
            await asyncio.sleep(0.3)
            return "late"
        except asyncio.CancelledError:
            continue


def trace(**stages) -> Trace:
    return Trace(Limits(whole_s=60, stages=stages, fallback_s=0.1))


async def test_a_step_in_time_gives_its_value_and_is_timed():
    made = trace()

    assert await made.run("embed", value("vector"), otherwise=None) == "vector"
    assert [(stage.name, stage.outcome) for stage in made.stages] == [("embed", "done")]
    assert made.degraded == []


@pytest.mark.parametrize(
    ("step", "limit_s", "outcome"),
    [
        (lambda: value("x", 60), 0.05, "timeout"),
        (lambda: deaf(), 0.05, "timeout"),
        (lambda: failing(EngineUnavailable("gone")), 30, "unavailable"),
        (lambda: failing(EngineTimeout("slow")), 30, "timeout"),
        (lambda: failing(EngineRefused("no")), 30, "refused"),
    ],
    ids=["late", "deaf to cancelling", "dead", "late on the server", "refused"],
)
async def test_a_step_that_fails_gives_its_fallback_and_is_named(step, limit_s, outcome):
    made = trace(vector=limit_s)

    assert await made.run("vector", step(), otherwise="nothing") == "nothing"
    assert made.degraded == [f"vector:{outcome}"]
    assert made.stages[0].outcome == outcome


async def test_a_fault_of_our_own_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        await trace().run("fuse", failing(ZeroDivisionError()), otherwise=None)


async def test_steps_run_side_by_side_and_each_has_its_own_limit():
    made = trace(slow=0.05)

    values = await made.run_all({"slow": value("a", 60), "fast": value("b", 0.1)}, otherwise=lambda name: f"no {name}")

    assert values == ["no slow", "b"]
    assert made.degraded == ["slow:timeout"]


async def test_no_step_gets_more_than_what_is_left_of_the_whole():
    made = Trace(Limits(whole_s=0.05, stages={"generate": 60}))

    assert await made.run("generate", value("x", 60), otherwise=None) is None
    assert made.took_ms < 30_000


async def test_a_hung_server_is_given_up():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()

        async def asked():
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            try:
                return await reader.read()
            finally:
                writer.close()

        made = trace(graph=0.1)
        assert await made.run("graph", asked(), otherwise=b"") == b""
        assert made.degraded == ["graph:timeout"]


async def pieces(*delays):
    for number, delay_s in enumerate(delays):
        await asyncio.sleep(delay_s)
        yield number


async def test_a_stream_ends_quietly_when_its_next_event_is_late():
    made = trace(generate=1)

    got = [event async for event in made.stream("generate", pieces(0, 0, 60), part="model")]

    assert got == [0, 1]
    assert made.degraded == ["model:timeout"]
    assert made.stages[-1].outcome == "timeout"


async def test_the_time_a_reader_takes_between_events_is_nobodys_delay():
    made = trace(generate=1)
    got = []
    async for event in made.stream("generate", pieces(0, 0), part="model"):
        got.append(event)
        await asyncio.sleep(1.1)

    assert got == [0, 1]
    assert made.degraded == []


async def test_closing_a_stream_closes_what_it_reads():
    closed = asyncio.Event()

    async def endless():
        try:
            while True:
                yield 1
        finally:
            closed.set()

    stream = trace().stream("generate", endless(), part="model")
    await anext(stream)
    await stream.aclose()

    assert closed.is_set()


async def test_a_stream_that_is_not_the_last_leaves_time_to_the_next():
    made = Trace(Limits(whole_s=10.3, stages={"generate": 60}, fallback_s=10))

    assert [event async for event in made.stream("generate", pieces(60), part="model", is_last=False)] == []
    assert made.allowed_s("generate") > 5


async def test_being_cancelled_cancels_the_step():
    cancelled = asyncio.Event()

    async def step():
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    task = asyncio.ensure_future(limited(step(), 9))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)

    assert cancelled.is_set()


async def test_whoever_watches_hears_of_each_stage():
    heard: list[StageNews] = []
    made = Trace(Limits(whole_s=5), listener=heard.append)

    await made.run("embed", value(1), otherwise=None)

    assert [(news.name, news.state) for news in heard] == [("embed", "started"), ("embed", "done")]
