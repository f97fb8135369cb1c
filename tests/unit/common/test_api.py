"""Every error of the API has one form."""

import pytest
from django.http import Http404
from rest_framework import exceptions
from rest_framework.test import APIRequestFactory

from common.api import answer_error
from common.errors import Conflict, TooManyRequests, UnreadableFile

CONTEXT = {"request": APIRequestFactory().get("/api/v1/x"), "view": None}


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Conflict("taken"), 409, "conflict"),
        (UnreadableFile("locked", reason="encrypted"), 422, "encrypted"),
        (Http404("gone"), 404, "not_found"),
        (exceptions.NotAuthenticated(), 401, "not_authenticated"),
        (exceptions.ValidationError({"name": ["needed"]}), 400, "invalid_input"),
        (ValueError("a bug"), 500, "unexpected"),
    ],
)
def test_an_error_answers_with_code_message_and_extra(error: Exception, status: int, code: str) -> None:
    response = answer_error(error, CONTEXT)

    assert (response.status_code, response.data["error"]["code"]) == (status, code)
    assert set(response.data["error"]) == {"code", "message", "extra"}


def test_a_bug_tells_nothing_of_itself() -> None:
    assert "secret" not in str(answer_error(ValueError("secret"), CONTEXT).data)


def test_a_nested_fault_becomes_a_sentence() -> None:
    response = answer_error(exceptions.ValidationError({"items": [{"name": ["needed"]}]}), CONTEXT)

    assert response.data["error"]["message"] == "items: name: needed"


def test_a_limit_says_when_to_come_back() -> None:
    assert answer_error(TooManyRequests("later", retry_after_s=7), CONTEXT).headers["Retry-After"] == "7"
