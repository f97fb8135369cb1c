"""As many calls as the engine bears: fewer when it can't keep up, more again when it can, none while it asks for rest."""

import asyncio
import time

from ontology.model_reading.gate import Gate


async def call(gate, seconds=0.01):
    async with gate.passed():
        await asyncio.sleep(seconds)
    gate.went_well()


async def many(gate, count):
    await asyncio.gather(*(call(gate) for _ in range(count)))


def test_never_more_than_the_setting_and_all_of_it_is_used():
    gate = Gate(16)

    asyncio.run(many(gate, 100))

    assert (gate.peak, gate.flying, gate.limit) == (16, 0, 16)


def test_calls_that_were_refused_together_halve_it_once():
    gate = Gate(16)
    gate.flying = 16

    for _ in range(16):
        gate.too_many()

    assert gate.limit == 8


def test_it_never_closes_for_good_and_grows_again():
    gate = Gate(4)
    for _ in range(9):
        gate.halved_at = float("-inf")
        gate.too_many()
    assert gate.limit == 1

    asyncio.run(many(gate, 20))

    assert gate.limit == 4


def test_while_the_engine_rests_nobody_passes():
    async def rested():
        gate = Gate(4)
        gate.close_for(0.15)
        begun = time.monotonic()
        await many(gate, 4)
        return time.monotonic() - begun

    assert asyncio.run(rested()) >= 0.15


def test_a_call_that_is_cancelled_gives_its_place_back():
    async def cancelled():
        gate = Gate(1)
        first = asyncio.create_task(call(gate, 60))
        await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        async with asyncio.timeout(1):
            await call(gate)

    asyncio.run(cancelled())
