"""The graph on a whole server: the explorer is walked, evidence opened, an entity put right; hundreds are laid out at once."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.faults import serious
from tests.browser.many import names_of_a_way, planted
from tests.browser.server import Server

SYSTEMS = """# Systems

| System | Owner | Purpose |
| --- | --- | --- |
| Kraan | Femke Oldenrade | orders |
| Loods | Femke Oldenrade | stock |
| Peil | Tobias Harmsund | metering |

Kraan uses Loods. Loods uses Peil.
"""
CROWD = 500  # from 400 on, the explorer draws them plainly and seldom
LAYOUT_MS = 120_000  # only so that a test ends

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module", autouse=True)
def documents(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the documents are."""
    folder = Path(tmp_path_factory.mktemp("plant"))
    (folder / "systems.md").write_text(SYSTEMS)
    server.ingest(folder, "systems")
    server.run(planted(CROWD))
    return folder


def explore(page: Page, server: Server, kb: str = "systems") -> None:
    page.goto(f"{server.url}/graph/?kb={kb}")
    expect(page.locator("[data-state]")).to_contain_text("entities")
    page.locator(".explorer-listing summary").click()


def shown(page: Page, name: str) -> None:
    page.locator("[data-shown-list] button", has_text=name).first.click()
    expect(page.locator("[data-panel-title]")).to_have_text(name)


def test_the_explorer_shows_who_is_connected_and_the_sentence_that_says_so(page: Page, server: Server) -> None:
    page.emulate_media(reduced_motion="no-preference")
    explore(page, server)
    shown(page, "Kraan")

    expect(page.locator(".graph-card mark").first).to_contain_text("Kraan")
    page.locator(".quote-source a").first.click()
    expect(page.locator("mark#evidence, #evidence mark, mark").first).to_contain_text("Kraan")


def test_an_entity_is_found_by_name_its_neighbours_added_and_its_class_hidden(page: Page, server: Server) -> None:
    explore(page, server)
    page.fill("#find", "krA")
    page.locator("[role=option]", has_text="Kraan").click()
    expect(page.locator("[data-panel-title]")).to_have_text("Kraan")

    page.locator("[data-expands]").click()
    expect(page.locator("[data-state]")).to_contain_text("relations")

    expect(page.locator("[data-shown-list] button", has_text="Kraan")).not_to_have_count(0)
    page.locator("input[name=class][value=System]").uncheck()

    expect(page.locator("[data-shown-list] button", has_text="Kraan")).to_have_count(0)


def test_a_way_between_two_of_many_is_told_in_words_and_all_are_laid_out_at_once(page: Page, server: Server) -> None:
    explore(page, server, "many")
    expect(page.locator("[data-state]")).to_contain_text("100 entities")
    start, end = names_of_a_way(CROWD)
    page.locator("summary", has_text="Way between two entities").click()
    for field, name in (("#path-source", start), ("#path-target", end)):
        page.fill(field, name)
        page.locator("[role=option]", has_text=name).first.click()
    page.locator("[data-path-form] button").click()
    expect(page.locator(".explorer-way")).to_have_text(f"{start} — is part of — {end}")

    page.select_option("[data-amount]", "2000")
    expect(page.locator("[data-state]")).to_contain_text(f"{CROWD} entities", timeout=LAYOUT_MS)
    assert page.evaluate("() => performance.getEntriesByName('graph-laid-out').length") == 3


def test_an_editor_confirms_renames_and_adds_right_there(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/entities/?kb=systems&q=Loods")
    page.locator(".entity-name a", has_text="Loods").click()
    page.locator(".entity-deeds button", has_text="Confirm").click()
    expect(page.locator(".entity-class .badge--fine")).to_have_text("confirmed")

    page.locator("[data-opens=add-value]").click()
    page.select_option("#value-name", "purpose")
    page.fill("#value-value", "keeps the stock")
    page.locator("#add-value .button--primary").click()
    expect(page.locator(".entity-values")).to_contain_text("keeps the stock")

    page.locator("[data-opens=rename]").click()
    page.fill("#rename-name", "Loods WMS")
    page.locator("#rename .button--primary").click()
    expect(page.locator("h1")).to_have_text("Loods WMS")
    expect(page.locator(".entity-names")).to_contain_text("Loods")


def test_a_click_before_the_scripts_are_there_is_done_when_they_are(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/entities/?kb=systems&q=Kraan")
    held: list[Route] = []
    page.route("**/js/graph/entity*.js", lambda route: held.append(route))
    with page.expect_request("**/js/graph/entity*.js"):
        page.locator(".entity-name a", has_text="Kraan").first.click(no_wait_after=True)
    page.locator(".entity-deeds button", has_text="Confirm").click(no_wait_after=True)
    page.locator("[data-opens=rename]").click(no_wait_after=True)
    for each in held:
        each.continue_()

    expect(page.locator(".entity-class .badge--fine")).to_have_text("confirmed")
    assert "revision=" not in page.url


def test_what_a_new_version_changed_is_told_passage_by_passage_and_fact_by_fact(
    page: Page, phone: Page, server: Server, faults: list[str], documents: Path
) -> None:
    (documents / "systems.md").write_text(
        SYSTEMS.replace("Tobias Harmsund", "Ilse Vandermeer").replace("Loods uses Peil.", "")
    )
    server.ingest(documents, "systems")
    page.goto(f"{server.url}/library/systems/")
    page.locator("main a[href*='/documents/']").first.click()
    page.locator(".version-changes").first.click()

    expect(page.locator("h1")).to_have_text("From version 1 to version 2")
    expect(page.locator(".changes-list")).to_contain_text("Ilse Vandermeer")
    expect(page.locator(".changes-facts")).to_contain_text("Peil")
    page.locator(".changes-choice button").click()
    expect(page.locator("h1")).to_have_text("From version 1 to version 2")
    phone.goto(page.url)
    expect(phone.locator("h1")).to_have_text("从版本 1 到版本 2")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for each in (page, phone):
        assert serious(each, faults) == []


@pytest.mark.parametrize("path", ["/graph/?kb=systems", "/entities/?kb=systems", "/graph/communities/?kb=systems"])
def test_pages_have_no_serious_fault_for_people_who_use_assistive_technology(
    page: Page, phone: Page, server: Server, faults: list[str], path: str
) -> None:
    for each in (page, phone):
        each.goto(server.url + path)
        each.wait_for_load_state("networkidle")
        assert serious(each, faults) == []


def test_the_entity_page_has_no_serious_fault_either(
    page: Page, phone: Page, server: Server, faults: list[str]
) -> None:
    for each in (page, phone):
        each.goto(f"{server.url}/entities/?kb=systems&q=Kraan")
        each.locator(".entity-name a").first.click()
        each.wait_for_load_state("networkidle")
        assert serious(each, faults) == []
