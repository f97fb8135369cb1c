"""The OpenAPI description: made without a warning, complete, and shown on a page that needs no network."""

import re

import pytest
from django.core.management import call_command
from django.test import Client

from config.api_docs import description
from tests.api.routes import API
from tests.api.test_access import filled


def test_the_description_is_made_without_a_warning(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", file=str(tmp_path / "schema.yaml"))


def test_every_address_is_described_with_each_method():
    described = description("en")["paths"]
    found = {(path, method.upper()) for path, calls in described.items() for method in calls}
    wanted = {
        (re.sub(r"<\w+:(\w+)>", r"{\1}", f"/api/v1/{path}"), call.method)
        for path, calls in API.items()
        for call in calls
        if path != "schema/"
    }

    assert found == wanted


def lists_described():
    """Addresses that are described as pages of rows."""
    described = description("en")["paths"]
    for path, calls in described.items():
        if "Paginated" in answer_of(calls).get("$ref", ""):
            yield path


def test_every_plain_list_is_described_as_pages():
    described = description("en")["paths"]
    assert [path for path, calls in described.items() if answer_of(calls).get("type") == "array"] == []


def answer_of(calls):
    """The schema of what GET answers with 200."""
    content = calls.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
    return content.get("application/json", {}).get("schema", {})


@pytest.mark.django_db
def test_every_list_answers_a_page_and_the_next_one(world):
    client = Client()
    client.force_login(world.people["owner"])
    assert len(list(lists_described())) > 15
    wrong = []
    for path in lists_described():
        address = re.sub(r"\{(\w+)\}", r"<x:\1>", path).removeprefix("/")
        query = "reason=homonym&about=x&" if "quarantine/cases" in path else ""
        answer = client.get(f"{filled(address, world)}?{query}limit=1")
        if answer.status_code != 200 or set(answer.json()) != {"next", "previous", "results"}:
            wrong.append((path, answer.status_code, answer.content[:80]))
        elif (follow := answer.json()["next"]) and client.get(follow).status_code != 200:
            wrong.append((path, "next"))
        elif client.get(f"{filled(address, world)}?{query}cursor=no").status_code != 400:
            wrong.append((path, "cursor"))

    assert wrong == []


@pytest.mark.django_db
def test_the_page_takes_everything_from_this_server(world):
    client = Client()
    client.force_login(world.people["viewer"])
    page = client.get("/api/docs/")
    text = page.content.decode()

    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", text)
    assert not re.findall(r"<script(?![^>]*\bsrc=)", text)
    assert "script-src 'self'" in page["Content-Security-Policy"]
    assert client.get("/api/v1/schema/?format=json").json()["openapi"].startswith("3.")


@pytest.mark.django_db
def test_the_description_is_kept_for_the_languages_there_are_and_no_more(world):
    client = Client()
    client.force_login(world.people["viewer"])
    description.cache_clear()

    told = {
        language: client.get(f"/api/v1/schema/?format=json&lang={language}").content
        for language in ("en", "zh-hans", "de", "x" * 3000, "zh-CN")
    }

    assert description.cache_info().currsize == 2
    assert told["en"] == told["de"] == told["x" * 3000]
    assert told["zh-hans"] == told["zh-CN"] != told["en"]
