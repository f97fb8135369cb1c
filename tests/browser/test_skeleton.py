"""The ontology's editor on a whole server: a fault is told at its line, a form changes the text, a dry run says what would happen, applying makes a version."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.faults import violations
from tests.browser.server import Server

SYSTEMS = "# Systems\n\n| System | Owner |\n| --- | --- |\n| Kraan | Femke Oldenrade |\n\nKraan uses Loods.\n"

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module", autouse=True)
def planted(server: Server, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = Path(tmp_path_factory.mktemp("plant"))
    (folder / "systems.md").write_text(SYSTEMS)
    server.ingest(folder, "fleet")


def test_the_skeleton_is_edited_tried_and_applied(page: Page, server: Server, faults: list[str]) -> None:
    page.goto(f"{server.url}/ontology/fleet/edit/")
    text = page.input_value("#skeleton-text")

    page.fill("#skeleton-text", text.replace("type: integer", "type: intger", 1))
    expect(page.locator("#checked")).to_contain_text("Did you mean “integer”?")
    expect(page.locator(".skeleton-numbers .is-fault")).to_have_count(1)
    page.click("#checked [data-goes-to]")
    assert page.evaluate("document.activeElement.id") == "skeleton-text"

    page.fill("#skeleton-text", text)
    expect(page.locator("#checked")).to_contain_text("The text can be used.")
    page.click("[name=part][value=classes]")
    expect(page.locator("#part-title")).to_be_focused()
    page.fill("#part-name", "two words")
    page.press("#part-name", "Enter")
    expect(page.locator("#part-name_error")).to_contain_text("can't be a name")
    expect(page.locator("#part-name")).to_be_focused()
    page.fill("#part-name", "Ship")
    page.fill("#part-zh", "船")
    page.press("#part-zh", "Enter")
    expect(page.locator("#drawn svg")).to_contain_text("船")
    page.click("[name=part][value='classes/Ship/attributes']")
    expect(page.locator("#part-title")).to_have_text("A new attribute of Ship")
    page.fill("#part-name", "flag")
    page.select_option("#part-type", "enum")
    page.fill("#part-options", "red\nwhite: blank | 白")
    page.click("#part-write-attribute")
    expect(page.locator(".skeleton-attribute-list")).to_contain_text("flag")
    page.click(".skeleton-more summary >> nth=0")
    page.fill("#part-patterns", "MS [A-Z][a-z]+")
    page.click("#part-write-rules")
    expect(page.locator("#skeleton-text")).to_have_value(re.compile(r"patterns: \['MS \[A-Z"))
    expect(page.locator("#part-write-rules")).to_be_focused()
    assert "white: [blank, 白]" in page.input_value("#skeleton-text")
    assert violations(page, faults) == []

    page.click(".skeleton-writing .actions button")
    expect(page.locator("#outcome")).to_contain_text("The class Ship is new.")
    expect(page.locator("#outcome")).to_contain_text("none: rules alone read")
    page.click("#outcome button")

    page.wait_for_url(f"{server.url}/ontology/fleet/")
    expect(page.locator("#versions tbody tr")).to_have_count(2)
    expect(page.locator("#class-Ship")).to_be_visible()
    page.click("#versions button")
    expect(page.locator(".skeleton-differences")).to_contain_text("The class Ship is new.")
    assert violations(page, faults) == []
