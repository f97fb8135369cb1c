"""What browser tests share: Debian's Chromium. Where there is none they are skipped with one line, or fail where CI requires them."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import ADVICE, find_chromium

expect.set_options(timeout=30_000)  # the servers of two files may share the machine


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
