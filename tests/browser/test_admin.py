"""The administration on a whole server: a folder is uploaded and read, documents are changed together, a person is invited; nothing comes from elsewhere, and axe finds no serious fault."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.faults import serious
from tests.browser.server import Server

READ_MS = 60_000
PASSWORD = "a long enough sentence"
LIST = "/admin/knowledge/document/"
FILES = {
    "plant/boilers/b100.md": "# Boiler B-100\n\nThe boiler stops at 80 °C.\n",
    "plant/boilers/b200.md": "# Boiler B-200\n\nThe boiler stops at 95 °C.\n",
    "plant/notes.txt": "The filter is cleaned each month.\n",
    "plant/empty.md": "",
}
PAGES = [
    "/admin/",
    "/admin/knowledge/knowledgebase/",
    "/admin/knowledge/knowledgebase/add/",
    LIST,
    f"{LIST}?state=binned",
    "/admin/knowledge/chunk/",
    "/admin/accounts/user/",
    "/admin/accounts/user/add/",
    "/admin/accounts/department/",
    "/admin/accounts/department/add/",
    "/admin/accounts/apikey/",
    "/admin/accounts/apikey/add/",
    "/admin/inference/embeddingspace/",
    "/admin/queues/",
    "/admin/usage/",
    "/upload/",
    "/jobs/",
]

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module", autouse=True)
def planted(server: Server, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = Path(tmp_path_factory.mktemp("start"))
    (folder / "first.md").write_text("# First\n\nA document that was there before.\n")
    server.ingest(folder, "works")


def test_a_folder_is_looked_at_then_added_and_watched_to_its_end(
    page: Page, server: Server, faults: list[str], tmp_path: Path
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    page.goto(f"{server.url}/upload/?kb=works")
    page.set_input_files("#folder", tmp_path / "plant")
    expect(page.locator("[data-summary]")).to_contain_text("4 files")
    page.click("[data-send]")

    expect(page.locator("h1")).to_have_text("What will be added", timeout=READ_MS)
    expect(page.locator("tr", has_text="plant/boilers/b100.md")).to_contain_text("new document")
    expect(page.locator("tr", has_text="plant/empty.md")).to_contain_text("refused")
    assert serious(page, faults) == []
    page.click("[data-commit]")

    expect(page.locator(".job-over")).to_be_visible(timeout=READ_MS)
    expect(page.locator("tr", has_text="plant/boilers/b200.md")).to_contain_text("done")
    expect(page.locator("tr", has_text="plant/empty.md")).to_contain_text("refused")
    assert serious(page, faults) == []
    page.goto(f"{server.url}/library/works/?folder=plant/boilers")
    expect(page.get_by_role("link", name="Boiler B-100", exact=True)).to_be_visible()


def test_a_folder_that_is_dropped_keeps_its_paths(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/upload/?kb=works")
    page.evaluate(
        """() => {
          const transfer = new DataTransfer();
          transfer.items.add(new File(["# Dropped\\n\\nText."], "dropped.md", { type: "text/markdown" }));
          transfer.items.add(new File(["hidden"], ".hidden"));
          document.querySelector("[data-drop]").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }"""
    )

    expect(page.locator("[data-summary]")).to_contain_text("1 file,")
    expect(page.locator(".chosen-path")).to_have_text("dropped.md")
    page.click(".chosen-list button")
    expect(page.locator("[data-chosen]")).to_be_hidden()


def test_documents_are_changed_together_after_a_preview_and_it_is_undone(
    page: Page, server: Server, faults: list[str]
) -> None:
    page.goto(f"{server.url}{LIST}?q=first")
    page.check("tbody input.action-select")
    page.select_option("select[name=action]", "edit")
    page.get_by_role("button", name="Run").click()
    page.fill("[name=add_tags]", "checked")
    page.get_by_role("button", name="Show what will change").click()
    expect(page.locator("ins")).to_have_text("checked")
    assert serious(page, faults) == []
    page.get_by_role("button", name="Change 1 document").click()
    expect(page.locator("tbody tr", has_text="first.md")).to_contain_text("checked")
    page.get_by_role("link", name="Undo").click()
    page.get_by_role("button", name="Undo").click()

    expect(page.locator("tbody tr", has_text="first.md")).not_to_contain_text("checked")


def test_an_invited_viewer_comes_in_by_the_link_and_not_into_the_administration(
    page: Page, server: Server, faults: list[str], chromium: Browser
) -> None:
    page.goto(f"{server.url}/admin/accounts/user/add/")
    page.fill("[name=username]", "victor")
    page.get_by_role("button", name="Save", exact=True).click()
    link = page.input_value("#shown-link")
    assert serious(page, faults) == []

    context = chromium.new_context(locale="en-US")
    guest = context.new_page()
    guest.goto(link)
    guest.fill("[name=new_password1]", PASSWORD)
    guest.fill("[name=new_password2]", PASSWORD)
    guest.locator("main button.button--primary, main form button").first.click()
    guest.wait_for_url(f"{server.url}/")
    refused = guest.goto(f"{server.url}/admin/")
    assert refused is not None
    assert refused.status == 403
    assert "First" not in guest.content()
    guest.goto(f"{server.url}/")
    assert guest.get_by_role("link", name="Administration").count() == 0
    context.close()


def test_no_page_of_the_administration_has_a_serious_fault(page: Page, server: Server, faults: list[str]) -> None:
    found = {}
    for path in PAGES:
        page.goto(f"{server.url}{path}")
        page.wait_for_load_state("networkidle")
        found[path] = serious(page, faults)
    page.emulate_media(color_scheme="dark")
    for path in PAGES[::3]:
        page.goto(f"{server.url}{path}")
        page.wait_for_load_state("networkidle")
        found[f"{path} in the dark"] = serious(page, faults, rule="color-contrast")  # the rest is as in the light
    page.emulate_media(color_scheme="light")
    assert found == {place: [] for place in found}
