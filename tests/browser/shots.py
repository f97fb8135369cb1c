"""Screenshots of every page, in English and Chinese, light and dark, 1440 and 390 px wide: `make shots`, or `python -m tests.browser.shots --url … --name … --password …`.

Without a URL it starts a server of its own with the demo, in a temporary folder, and ends it again. The pictures go into `var/shots/` and are looked at by a person.
"""

import argparse
import re
import sys
from collections.abc import Callable
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import ADVICE, find_chromium
from tests.browser.server import Server, own_server, sign_in

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = {"en": "en-US", "zh": "zh-CN"}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SIZES = {1440: 900, 390: 844}
ANSWER_MS = 60_000
SETTLE_MS = 600
VERSIONED = """# Systems

| System | Owner | Purpose |
| --- | --- | --- |
| Kraan | Femke Oldenrade | orders |
| Peil | Tobias Harmsund | metering |

Kraan uses Loods. Loods uses Peil.
"""


def ask(page: Page) -> None:
    """The first question that the start page offers, else one that no document answers."""
    offered = page.locator("[data-asks]")
    if offered.count():
        offered.first.click()
    else:
        page.fill("#question", "?")
        page.click(".composer-send[type=submit]")
    page.wait_for_selector(".turn .answer-foot, .turn .answer-failed", timeout=ANSWER_MS)


def open_evidence(page: Page) -> None:
    if page.locator(".turn .cite").count():
        page.locator(".turn .cite").first.click()
        page.wait_for_selector("#evidence-body .evidence-text")


def open_document(page: Page) -> None:
    """From the evidence to the document."""
    link = page.locator(".evidence-links a").first
    if link.count():
        page.goto(page.evaluate("link => link.href", link.element_handle()))


def at(path: str) -> Callable[[Page], None]:
    def go(page: Page) -> None:
        page.goto(re.sub(r"(://[^/]+).*", r"\1", page.url) + path)

    return go


def graph(page: Page) -> None:
    """With what is known of the best supported entity beside the picture."""
    at("/graph/?kb=demo")(page)
    page.wait_for_function("() => performance.getEntriesByName('graph-settled').length", timeout=ANSWER_MS)
    page.locator(".explorer-listing summary").click()
    page.locator("[data-shown-list] button").first.click()
    page.wait_for_selector("[data-panel] article")


def changes(page: Page) -> None:
    """What the second version of a document changed; only where `two_versions` made one."""
    at("/library/releases/")(page)
    document = page.locator("main td a, main a[href*='/documents/']")
    if document.count():
        document.first.click()
        page.locator(".version-changes").first.click()
        page.wait_for_selector(".changes-list")


def two_versions(server: Server) -> None:
    """A document that was read, changed and read again."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "systems.md"
        for text in (
            VERSIONED,
            VERSIONED.replace("Tobias Harmsund", "Ilse Vandermeer").replace("Loods uses Peil.", ""),
        ):
            file.write_text(text, encoding="utf-8")
            server.ingest(file, "releases")


def entity(page: Page) -> None:
    at("/entities/?kb=demo")(page)
    page.locator(".entity-name a").first.click()
    page.wait_for_selector(".entity-timeline")


# In this order, each from where the one before it ended.
STEPS: dict[str, Callable[[Page], None]] = {
    "1-start": at("/"),
    "2-answer": ask,
    "3-evidence": open_evidence,
    "4-document": open_document,
    "4a-changes": changes,
    "5-library": at("/library/"),
    "5a-graph": graph,
    "5b-entities": at("/entities/?kb=demo"),
    "5c-entity": entity,
    "5d-communities": at("/graph/communities/?kb=demo"),
    "6-search-test": at("/search-test/?q=warranty"),
    "7-administration": at("/admin/"),
    "7a-documents": at("/admin/knowledge/document/"),
    "7b-knowledge-base": at("/admin/knowledge/knowledgebase/add/"),
    "7c-chunks": at("/admin/knowledge/chunk/"),
    "7d-person": at("/admin/accounts/user/add/"),
    "7e-key": at("/admin/accounts/apikey/add/"),
    "7f-queues": at("/admin/queues/"),
    "7g-usage": at("/admin/usage/"),
    "7h-upload": at("/upload/"),
    "7i-jobs": at("/jobs/"),
    "7j-desk": at("/desk/"),
    "7k-homonyms": at("/desk/homonyms/"),
    "7l-desk-entities": at("/desk/entities/"),
    "7m-merged": at("/desk/merged/"),
    "7n-desk-history": at("/desk/history/"),
    "7o-quarantine": at("/quarantine/"),
    "7p-decisions": at("/quarantine/decisions/"),
    "7q-ontology": at("/ontology/demo/"),
    "7r-ontology-edit": at("/ontology/demo/edit/"),
    "7s-proposals": at("/ontology/demo/propose/"),
    "7t-import": at("/ontology/demo/import/"),
    "7u-model": at("/ontology/demo/model/"),
    "8-password": at("/accounts/password/change/"),
    "9-nothing-here": at("/nothing-here/"),
}


def shoot(browser: Browser, server: Server, folder: Path) -> int:
    """All pages in all dresses; gives how many pictures were made."""
    made = 0
    for language, theme, width in product(LANGUAGES, THEMES, SIZES):
        dress = f"{language}-{theme}-{width}"
        context = browser.new_context(
            viewport={"width": width, "height": SIZES[width]},
            locale=LANGUAGES[language],
            color_scheme=theme,
            has_touch=width < 1000,
            is_mobile=width < 1000,
        )
        page = context.new_page()
        page.goto(f"{server.url}/accounts/login/")
        page.screenshot(path=folder / f"0-sign-in-{dress}.png")
        sign_in(page, server)
        for name, step in STEPS.items():
            step(page)
            page.wait_for_timeout(SETTLE_MS)
            page.screenshot(path=folder / f"{name}-{dress}.png")
        made += 1 + len(STEPS)
        context.close()
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="a server that is running already")
    parser.add_argument("--name", default="admin")
    parser.add_argument("--password", default="")
    parser.add_argument("--out", type=Path, default=ROOT / "var" / "shots")
    chosen = parser.parse_args()
    chromium = find_chromium()
    if chromium is None:
        sys.exit(ADVICE)
    chosen.out.mkdir(parents=True, exist_ok=True)
    given = Server(chosen.url.rstrip("/"), chosen.name, chosen.password) if chosen.url else None
    with nullcontext(given) if given else own_server("--demo") as server, sync_playwright() as playwright:
        if given is None:
            two_versions(server)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        print(f"{shoot(browser, server, chosen.out)} pictures in {chosen.out}")
        browser.close()


if __name__ == "__main__":
    main()
