"""Sends fuzzed requests to the server inside this process, as a key that may everything in the small world; what they do is rolled back."""

from collections.abc import Iterable

from asgiref.sync import async_to_sync
from django.db import transaction
from django.test import AsyncClient, Client
from drf_spectacular.generators import SchemaGenerator

from retrieval.talk import settled
from retrieval.tools import tools as asking_tools
from tests.api.fuzzing import FuzzedRequest, Fuzzer
from tests.api.routes import ROWS
from tests.api.world import World

Answered = tuple[FuzzedRequest, int]

ASKING = ("ask", "search")  # over connections that belong to an event loop


def fuzzer_for(world: World, *, seed: int, only: Iterable[str] = (), without: Iterable[str] = ()) -> Fuzzer:
    """Knows the description and the rows of the world. `only` and `without` are names of operations."""
    places = {f"/{start}": {name: world.ids[row] for name, row in rows.items()} for start, rows in ROWS.items()}
    fuzzer = Fuzzer(
        SchemaGenerator().get_schema(request=None, public=True),
        [*world.ids.values(), "secret"],
        seed,
        tuple(without),
        places | {"/api/v1/": {"slug": world.ids["slug"]}},
    )
    if only:
        fuzzer.operations = [each for each in fuzzer.operations if each[2]["operationId"] in only]
    return fuzzer


def answers(world: World, requests: Iterable[FuzzedRequest]) -> list[Answered]:
    """Each request with its status."""
    return [(request, status_of(world, request)) for request in requests]


def broken(answered: Iterable[Answered]) -> list[FuzzedRequest]:
    """Those that were answered by 500 or more."""
    return [request for request, status in answered if status >= 500]


def status_of(world: World, request: FuzzedRequest) -> int:
    client = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {world.keys['key']}"})
    with transaction.atomic():
        try:
            response = client.generic(
                request.method, request.path, request.body, content_type=request.content_type, headers=request.headers
            )
            response.getvalue()
            return response.status_code
        finally:
            transaction.set_rollback(True)


@async_to_sync
async def answers_of_questions(world: World, requests: Iterable[FuzzedRequest]) -> list[Answered]:
    """The same for questions and searches."""
    client = AsyncClient(raise_request_exception=False)
    found = []
    for request in requests:
        headers = {**request.headers, "Authorization": f"Bearer {world.keys['key']}"}
        response = await client.generic(
            request.method, request.path, request.body, content_type=request.content_type, headers=headers
        )
        if response.streaming:
            async for _piece in response.streaming_content:
                pass
        found.append((request, response.status_code))
    await settled()
    await asking_tools().close()
    return found
