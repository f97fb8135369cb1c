"""What browser tests share: Debian's Chromium, and one server; each file fills a knowledge base of its own on it. Without Chromium they are skipped with one line, or fail where CI requires them."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import ADVICE, find_chromium
from tests.browser.server import Server, cookies_of, own_server

expect.set_options(timeout=30_000)  # other tests use the machine too


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where the browser is."""
    found = find_chromium()
    if found is None and os.environ.get("TRELLIS_REQUIRE_BROWSER"):
        pytest.fail(ADVICE, pytrace=False)
    if found is None:
        pytest.skip(ADVICE)
    return found


@pytest.fixture(scope="module")
def chromium(chromium_path: str) -> Iterator[Browser]:
    """A browser for one file of tests: Playwright's loop holds the thread while it is open, which asynchronous tests elsewhere could not bear."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(chromium_path: str) -> Iterator[Server]:
    """Starting one takes longer than most tests."""
    with own_server() as server:
        yield server


@pytest.fixture(scope="session")
def cookies(server: Server) -> list[dict[str, str]]:
    """Of the administrator, who has signed in."""
    return cookies_of(server)


@pytest.fixture
def faults() -> list[str]:
    """What the browser complained about."""
    return []
