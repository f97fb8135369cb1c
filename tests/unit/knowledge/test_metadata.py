"""What a file or its sender says of a document, in its clean form."""

import pytest

from common.errors import InvalidInput
from knowledge.metadata import apply, from_file, from_sender
from knowledge.models import Document
from knowledge.selectors.documents import Folder, tree


@pytest.mark.parametrize(
    ("said", "clean"),
    [
        ({}, {}),
        ({"tags": "a, b，c、a"}, {"tags": ["a", "b", "c"]}),
        ({"Keywords": "x"}, {"tags": ["x"]}),
        ({"valid-until": "2026-01-31"}, {"expires_on": "2026-01-31"}),
        ({"effective": "2026-01-31T10:00:00"}, {"effective_on": "2026-01-31"}),
        ({"expires": "when it is done"}, {}),
        ({"source": "https://x.example/a"}, {"source_url": "https://x.example/a"}),
        ({"url": "javascript:alert(1)"}, {}),
        ({"author": "somebody", "title": "elsewhere"}, {}),
    ],
)
def test_of_a_file_what_can_be_used_is_taken_and_the_rest_left(said, clean):
    assert from_file(said) == clean


@pytest.mark.parametrize(
    "said",
    [{"expires_on": "soon"}, {"source_url": "ftp://x"}, {"source_url": "javascript:1"}, {"tags": ["x" * 101]}],
)
def test_of_a_sender_what_cannot_be_used_is_refused_and_named(said):
    with pytest.raises(InvalidInput) as refused:
        from_sender(said)

    assert refused.value.extra["field"] == next(iter(said))


def test_a_senders_empty_fields_say_nothing():
    assert from_sender({"title": "", "tags": [], "expires_on": None}) == {}


def test_what_was_set_by_hand_is_left_alone():
    document = Document(title="Mine", tags=["mine"], set_by_hand=["tags"])

    assert apply(document, {"title": "Its", "tags": ["its"]}) == ["title"]
    assert (document.title, document.tags) == ("Its", ["mine"])


def test_folders_that_hold_only_folders_are_in_the_tree():
    root = tree([("a/b/c", 2), ("", 1)])

    assert root == Folder("", "", 3, [Folder("a", "a", 2, [Folder("b", "a/b", 2, [Folder("c", "a/b/c", 2)])])])
