"""All addresses × everybody: who is a stranger to something gets the answer that they would get if it did not exist."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import transaction
from django.test import AsyncClient, Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from retrieval.talk import settled
from retrieval.tools import tools as asking_tools
from tests.api.routes import EVERYBODY, KEYS, PREFIXES, ROUTES, ROWS, Call
from tests.api.world import SECRETS, World

CONVERTER = re.compile(r"<(?:\w+:)?(\w+)>")
INSIDERS = {"administrator", "owner", "editor", "viewer", "key", "reading key"}
UNKNOWN = "^api/"
SEARCHING = ("/api/v1/ask", "/api/v1/search", "/library/secret/", "/search-test/")


def addresses(
    resolver: URLResolver, before: str = "", *, prefixes: tuple[str, ...] = PREFIXES
) -> Iterator[tuple[str, Any]]:
    for each in resolver.url_patterns:
        path = before + str(each.pattern)
        if prefixes and path.startswith(prefixes):
            continue
        if isinstance(each, URLPattern):
            yield path, each.callback
        else:
            yield from addresses(each, path, prefixes=prefixes)


def test_every_address_and_method_has_a_line():
    found = dict(addresses(get_resolver()))

    assert set(found) - {UNKNOWN} == set(ROUTES)
    for path, view in found.items():
        wanted = {
            name.upper()
            for name in ("get", "post", "put", "patch", "delete")
            if hasattr(getattr(view, "cls", None), name)
        }
        wanted &= {name.upper() for name in getattr(getattr(view, "cls", None), "http_method_names", ())}
        assert wanted <= {call.method for call in ROUTES.get(path, ())}, path


def filled(path: str, world: World) -> str:
    rows = next((names for start, names in ROWS.items() if path.startswith(start)), {})
    return "/" + CONVERTER.sub(lambda found: world.ids.get(rows.get(found[1], found[1]), "1"), path)


def with_ids(value: Any, world: World) -> Any:
    match value:
        case str():
            return value.format_map(world.ids) if "{" in value else value
        case dict():
            return {with_ids(name, world): with_ids(inner, world) for name, inner in value.items()}
        case list():
            return [with_ids(inner, world) for inner in value]
        case _:
            return value


def answered(who: str, call: Call, path: str, world: World) -> tuple[int, str]:
    """Status and text of one call; what it did is rolled back."""
    headers = {"Authorization": f"Bearer {world.keys[who]}"} if who in world.keys else {}
    address = f"{path}?{with_ids(call.query, world)}" if call.query else path
    kind = {} if call.form else {"content_type": call.kind}
    body = {} if call.body is None else call.body if isinstance(call.body, str) else with_ids(call.body, world)
    more = {} if call.method == "GET" else {"data": body, **kind}
    with transaction.atomic():
        try:
            if path in SEARCHING:
                return async_to_sync(searching)(world.people.get(who), call.method.lower(), address, headers, more)
            response = getattr(world.client(who), call.method.lower())(address, **more)
            return response.status_code, response.getvalue().decode(errors="replace")
        finally:
            transaction.set_rollback(True)


async def searching(user: User | None, method: str, address: str, headers: Any, more: Any) -> tuple[int, str]:
    """The same where the database is asked over connections that belong to an event loop."""
    client = AsyncClient()
    if user is not None:
        await client.aforce_login(user)
    response = await getattr(client, method)(address, headers=headers, **more)
    await settled()
    await asking_tools().close()
    return response.status_code, response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "call"),
    [
        pytest.param(path, call, id=f"{call.method} {path} {call.query}")
        for path, calls in ROUTES.items()
        for call in calls
    ],
)
def test_only_those_get_in_who_may(world, path, call):
    is_page = not path.startswith("api/v1/")
    got = {who: answered(who, call, filled(path, world), world) for who in EVERYBODY}

    wrong = {
        who: (status, call.expected(who, is_page=is_page))
        for who, (status, _text) in got.items()
        if status not in call.expected(who, is_page=is_page)
    }
    assert not wrong
    about_department = {"manager"} if "audit" in path else set()
    told = {who for who, (_status, text) in got.items() if any(word in text for word in SECRETS)}
    assert told <= INSIDERS | about_department
    if told and "nobody" not in told:
        assert got["idle key"][1].count("Zyntharion") == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    sorted(path for path, calls in ROUTES.items() if "<uuid:id>" in path and calls[0].level != "signed in, or a key"),
)
def test_a_stranger_cannot_tell_what_exists_from_what_does_not(world, path):
    call = ROUTES[path][0]
    address = filled(path, world)
    nowhere = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "01900000-0000-7000-8000-000000000000", address)

    assert answered("stranger", call, address, world) == answered("stranger", call, nowhere, world)


OUTSIDERS = [who for who in EVERYBODY if who not in INSIDERS]
BEHIND = ("viewer", *KEYS, "stranger", "nobody")


def administration() -> Iterator[str]:
    """The addresses below /admin/ that need no row."""
    for path, _view in addresses(get_resolver(), prefixes=()):
        if (
            path.startswith("admin/")
            and not CONVERTER.search(path)
            and "(?" not in path
            and not path.endswith("/logout/")
        ):
            yield f"/{path}"


@pytest.mark.django_db
@pytest.mark.parametrize("who", sorted({*OUTSIDERS, *BEHIND}))
def test_the_administration_shows_nothing_of_what_one_may_not_read(world, who):
    client = world.client(who)
    rows = [
        f"/admin/knowledge/document/{world.ids['document']}/change/",
        f"/admin/knowledge/chunk/{world.ids['chunk']}/change/",
    ]
    for path in (*administration(), *rows):
        response = client.get(path)
        is_open = path in ("/admin/login/", "/admin/jsi18n/")
        assert is_open or who not in BEHIND or response.status_code in (301, 302, 403, 404), path
        assert "Zyntharion" not in response.getvalue().decode(), path


@pytest.mark.django_db
def test_an_unknown_address_answers_the_same_to_everybody(world):
    client = Client()

    for method in ("get", "post", "put", "patch", "delete"):
        response = getattr(client, method)("/api/v1/nothing")
        assert response.status_code == 404
        assert response.json()["error"]["code"] == "not_found"
