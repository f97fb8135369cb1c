"""What browser tests share: Debian's Chromium, one server, and a page in which the administrator has signed in; each file fills a knowledge base of its own. Without Chromium they are skipped with one line, or fail where CI requires them."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.browser.chromium import ADVICE, find_chromium
from tests.browser.server import Server, cookies_of, own_server

HERE = Path(__file__).parent
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "locale": "zh-CN",
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
    "reduced_motion": "reduce",
}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "locale": "en-US", "reduced_motion": "reduce"}
CLEAR = "() => { localStorage.clear(); sessionStorage.clear(); }"

expect.set_options(timeout=30_000)  # other tests use the machine too
browsing = ExitStack()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the browser after the last of these tests: Playwright's loop holds the thread while it is open, which asynchronous tests elsewhere could not bear."""
    try:
        return (yield)
    finally:
        if nextitem is None or HERE not in nextitem.path.parents:
            browsing.close()


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where the browser is."""
    found = find_chromium()
    if found is None and os.environ.get("TRELLIS_REQUIRE_BROWSER"):
        pytest.fail(ADVICE, pytrace=False)
    if found is None:
        pytest.skip(ADVICE)
    return found


@pytest.fixture(scope="session")
def chromium(chromium_path: str) -> Browser:
    playwright = browsing.enter_context(sync_playwright())
    return browsing.enter_context(playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"]))


@pytest.fixture(scope="session")
def server(chromium_path: str) -> Iterator[Server]:
    """Starting one takes longer than most tests."""
    with own_server() as server:
        yield server


@pytest.fixture(scope="session")
def cookies(server: Server) -> list[dict[str, str]]:
    """Of the administrator, who has signed in."""
    return cookies_of(server)


@pytest.fixture(scope="session")
def complaints() -> list[str]:
    """All that the browser complained about."""
    return []


@pytest.fixture
def faults(complaints: list[str]) -> list[str]:
    """What the browser complained about in this test."""
    complaints.clear()
    return complaints


def is_complaint(said: ConsoleMessage) -> bool:
    """Not what the browser itself does on a slow machine ("[Intervention] Slow network is detected")."""
    return said.type in ("error", "warning") and not said.text.startswith("[Intervention]")


def tab_of(context: BrowserContext, server: Server, cookies: list[dict[str, str]], complaints: list[str]) -> Page:
    """A page of the administrator; it notes what the browser complains about, and what is asked of other hosts."""
    context.add_cookies(cookies)  # type: ignore[arg-type]
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if is_complaint(said) else None)
    page.on(
        "request",
        lambda sent: (
            complaints.append(f"asked {sent.url}") if not sent.url.startswith((server.url, "data:", "blob:")) else None
        ),
    )
    return page


def used(tab: Page, server: Server, faults: list[str]) -> Iterator[Page]:
    """The page for one test; in the end the browser has not complained, of our policy for scripts and styles neither, and has asked no other host."""
    yield tab
    tab.unroute_all()
    if tab.url.startswith(server.url):
        tab.evaluate(CLEAR)
    found = list(faults)
    tab.goto("about:blank")
    tab.emulate_media(reduced_motion="reduce")
    assert found == []


@pytest.fixture(scope="session")
def desktop(chromium: Browser, server: Server, cookies: list[dict[str, str]], complaints: list[str]) -> Page:
    """The page that these tests take turns with: what it has loaded once, it keeps."""
    return tab_of(chromium.new_context(**DESKTOP), server, cookies, complaints)


@pytest.fixture(scope="session")
def mobile(chromium: Browser, server: Server, cookies: list[dict[str, str]], complaints: list[str]) -> Page:
    return tab_of(chromium.new_context(**PHONE), server, cookies, complaints)


@pytest.fixture
def page(desktop: Page, server: Server, faults: list[str]) -> Iterator[Page]:
    """1440 px wide, in English and light."""
    yield from used(desktop, server, faults)


@pytest.fixture
def phone(mobile: Page, server: Server, faults: list[str]) -> Iterator[Page]:
    """390 px wide, in Chinese and dark."""
    yield from used(mobile, server, faults)
