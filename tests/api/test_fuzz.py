"""R4 in small: odd requests made from the description never get an answer of 500. `benchmarks/fuzz_api.py` sends ten thousand."""

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.fuzzed import ASKING, answers, answers_of_questions, broken, fuzzer_for

pytestmark = pytest.mark.django_db


def test_no_odd_request_is_answered_by_500(world):
    answered = answers(world, fuzzer_for(world, seed=7, without=ASKING).requests(240))

    assert not broken(answered)
    assert sum(status < 300 for _request, status in answered) > 24


def test_no_odd_question_is_answered_by_500(world):
    assert not broken(answers_of_questions(world, fuzzer_for(world, seed=11, only=ASKING).requests(60)))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60), tags=st.lists(st.text(max_size=20), max_size=3))
def test_no_text_breaks_a_list(world, text, tags):
    client = Client(headers={"Authorization": f"Bearer {world.keys['key']}"})
    sent = {"q": text, "folder": text, "tag": tags}
    query = {
        name: value.encode("utf-8", "replace")
        if isinstance(value, str)
        else [each.encode("utf-8", "replace") for each in value]
        for name, value in sent.items()
    }

    assert client.get("/api/v1/documents/", query).status_code in (200, 400)
