"""Below a sub-path both kinds of proxy work: one that passes the whole path on, and one that strips it."""

import asyncio

import pytest

from config.sub_path import SubPath


def path_given(prefix, path, kind="http"):
    seen = []

    async def application(scope, receive, send):
        seen.append(scope["path"])

    asyncio.run(SubPath(application, prefix)({"type": kind, "path": path}, None, None))
    return seen[0]


@pytest.mark.parametrize(
    ("prefix", "path", "given"),
    [
        ("", "/library/", "/library/"),
        ("/docs/kb", "/library/", "/docs/kb/library/"),
        ("/docs/kb", "/docs/kb/library/", "/docs/kb/library/"),
        ("/docs/kb", "/docs/kb", "/docs/kb"),
        ("/docs/kb", "/", "/docs/kb/"),
        ("/docs/kb", "/docs/kbx/", "/docs/kb/docs/kbx/"),
    ],
)
def test_django_is_given_the_whole_path(prefix, path, given):
    assert path_given(prefix, path) == given


def test_what_is_no_request_is_passed_on():
    assert path_given("/docs", "/x", kind="websocket") == "/x"
