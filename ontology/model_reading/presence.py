"""Whether a model answers in this process, and which, in bounded time: for pages that say so before anybody asks it anything."""

import asyncio

from common.errors import TrellisError
from ontology.model_reading.binding import Reader, reader

LIMIT_S = 3.0


def model_that_answers() -> str:
    """Its name; "" where there is none, or none that answers in time."""
    try:
        return asyncio.run(named(reader()))
    except TrellisError:
        return ""


async def named(model: Reader) -> str:
    """Raises what the engine raises."""
    try:
        async with asyncio.timeout(LIMIT_S):
            return (await model.engine.info()).model
    except TimeoutError:
        return ""
    finally:
        await model.let_go()
