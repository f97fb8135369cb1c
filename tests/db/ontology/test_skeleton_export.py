"""The skeleton that a knowledge base uses is printed as it was applied, to those who may see the knowledge base."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.types import Subject
from common.errors import NotFound
from ontology.graphs import made
from ontology.selectors.skeletons import applied_skeleton
from tests.factories import make_kb

pytestmark = pytest.mark.django_db


def test_the_text_in_use_is_exported():
    kb = make_kb()
    version = made(kb.pk).graph.skeleton
    out = StringIO()

    call_command("ontology", "export", "--kb", kb.slug, "--json", stdout=out)

    assert json.loads(out.getvalue())["text"] == version.text


def test_a_base_without_a_skeleton_is_told_so():
    kb = make_kb()

    with pytest.raises(NotFound):
        applied_skeleton(Subject.system(), kb=kb.slug)


def test_a_stranger_is_told_that_there_is_no_such_base():
    kb = make_kb()
    made(kb.pk)

    with pytest.raises(NotFound):
        applied_skeleton(Subject.nobody(), kb=kb.slug)
