"""The entity desk on a whole server, by keyboard alone: a pair is merged and the merge taken back, many are judged and that is undone, quarantine is emptied; a second editor overwrites nothing."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.faults import serious
from tests.browser.server import Server

FILES = {
    "gateways.md": "# Gateways\n\nThe Mail Gateway calls Auth Server.\n\n| System | Purpose |\n| --- | --- |\n| Mail Gateway | sends mail |\n",
    "network.md": "# Network\n\n| System | Purpose |\n| --- | --- |\n| Mail-Gateways | sends letters |\n| Ledger Service | accounts |\n",
}
PLANT = """
from knowledge.models import Chunk, Version
from ontology.models import Graph, Quarantined
from ontology.quarantine import key_of, kind_of, payload
from ontology.services.suggestions import suggestions_refresh
from ontology.types import EntityFound, Extractor, Named, Where
graph = Graph.objects.get(sources__kb__slug="gateways")
version = Version.objects.get(document__path__endswith="network.md")
for name in ("Mail-Gateways", "Ledger Service"):
    at = version.text.index(name)
    found = payload(EntityFound(Named(name, "Gateway device"), Where(at, at + len(name)), Extractor.MODEL))
    Quarantined.objects.create(graph=graph, document=version.document, version=version, chunk=Chunk.objects.filter(version=version).first(),
        start=at, end=at + len(name), kind="entity", reason="unknown_class", about="Gateway device", found=found, found_key=key_of(found), extractor="model")
suggestions_refresh(graph_id=graph.pk)
"""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module", autouse=True)
def planted(server: Server, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = Path(tmp_path_factory.mktemp("plant"))
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    server.ingest(folder, "gateways")
    server.run(PLANT)


def opened(page: Page, server: Server, path: str) -> Page:
    page.goto(f"{server.url}/{path}?kb=gateways")
    return page


def test_a_pair_is_merged_and_the_merge_taken_back_by_keyboard(page, server, faults):
    opened(page, server, "desk/")
    pair = page.locator("[data-suggestion]", has_text="Mail-Gateways")
    expect(pair).to_have_count(1)
    expect(pair.locator(".pair-cell--differs")).not_to_have_count(0)

    page.keyboard.press("m")
    expect(page.locator("#desk-merge [data-would] li").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(pair).to_have_count(0)

    opened(page, server, "desk/merged/")
    row = page.locator("tr[data-merged]")
    expect(row).to_contain_text("Mail")
    assert serious(page, faults) == []
    page.keyboard.press("b")
    expect(row).to_have_count(0)
    expect(opened(page, server, "desk/").locator("[data-suggestion]")).to_have_count(1)


def test_different_is_undone_by_one_key(page, server):
    opened(page, server, "desk/")
    page.keyboard.press("d")
    expect(page.locator("[data-suggestion]")).to_have_count(0)

    page.keyboard.press("u")

    expect(page.locator("[data-suggestion]")).to_have_count(1)


def test_many_are_judged_with_a_look_before_and_undo_after(page, server, faults):
    opened(page, server, "desk/entities/")
    assert serious(page, faults) == []
    rows = page.locator("tr[data-entity]")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("[data-count]")).to_have_text("2 chosen")

    page.keyboard.press("c")
    expect(page.locator("#desk-bulk [data-preview] tr")).to_have_count(2)
    page.keyboard.press("Enter")
    expect(rows.filter(has_text="confirmed")).to_have_count(2)

    page.keyboard.press("u")
    expect(rows.filter(has_text="confirmed")).to_have_count(0)


def test_a_second_editor_sees_what_the_first_has_done_and_overwrites_nothing(page, server, faults):
    opened(page, server, "desk/")
    other = opened(page.context.new_page(), server, "desk/entities/")
    other.locator("tr[data-entity]", has_text="Mail-Gateways").click()
    other.keyboard.press("c")
    expect(other.locator("#desk-bulk [data-preview] tr")).to_have_count(1)
    other.keyboard.press("Enter")
    expect(other.locator("tr[data-entity]", has_text="confirmed")).to_have_count(1)

    page.keyboard.press("d")

    expect(page.locator(".pair-meanwhile")).to_contain_text("Mail-Gateways")
    expect(page.locator(".pair-meanwhile")).to_contain_text("confirmed")
    expect(page.locator("[data-suggestion]")).to_have_count(2)
    page.keyboard.press("d")
    expect(page.locator(".pair--fresh")).to_have_count(0)
    page.keyboard.press("u")
    other.keyboard.press("u")
    expect(other.locator("tr[data-entity]", has_text="confirmed")).to_have_count(0)
    other.close()
    faults.clear()  # the browser tells of the conflict too


def test_a_kind_of_quarantine_is_emptied_and_brought_back(page, server, faults):
    opened(page, server, "quarantine/")
    kind = page.locator("[data-about='Gateway device']")
    expect(kind.locator("[data-case]")).to_have_count(2)
    expect(kind.locator("mark").first).to_have_text("Mail-Gateways")
    assert serious(page, faults) == []

    while page.locator("[aria-current=true][data-about='Gateway device']").count() == 0:
        page.keyboard.press("j")
    page.keyboard.press("i")
    expect(kind).to_have_count(0)
    expect(opened(page, server, "quarantine/decisions/").locator("tr[data-rule]")).to_contain_text("Gateway device")
    assert serious(page, faults) == []

    page.keyboard.press("u")
    expect(page.locator("tr[data-rule]")).to_have_count(0)
    expect(opened(page, server, "quarantine/").locator("[data-about='Gateway device']")).to_have_count(1)


def test_the_example_leads_to_the_marked_words(page, server):
    opened(page, server, "quarantine/")
    page.locator("[data-about='Gateway device'] .quote-source a").first.click()

    expect(page.locator("mark#evidence, #evidence mark").first).to_contain_text("Mail-Gateways")


def test_the_keys_are_listed_by_a_question_mark(page, server, faults):
    opened(page, server, "desk/")
    assert serious(page, faults) == []
    page.keyboard.press("?")

    expect(page.locator("#desk-keys")).to_be_visible()
    expect(page.locator("#desk-keys")).to_contain_text("merge")


@pytest.mark.parametrize("path", ["desk/homonyms/", "desk/history/"])
def test_axe_finds_no_serious_fault_on_the_other_pages(page, server, faults, path):
    opened(page, server, path)

    assert serious(page, faults) == []
