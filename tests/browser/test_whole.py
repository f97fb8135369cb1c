"""The whole story on a whole server: an editor uploads a folder and waits for it, a reader asks and opens the citation at the marked sentence in the document, and somebody of another department sees nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP
from tests.browser.faults import serious
from tests.browser.server import Server, cookies_of, sign_in

PASSWORD = "a long enough sentence"
QUESTION = "At which outlet temperature does the press R-70 stop?"
SENTENCE = "stops by itself when its outlet reaches 95 °C"
WAIT_MS = 60_000
WIDE = "| Model | Explanation | Certificate | Manufacturer |\n| --- | --- | --- | --- |\n| R-70 | countercurrent | EN-10204-3.1 | Apparatebau-Harmsund |\n"
FILES = {
    "plant/presses/r70.md": f"# Press R-70\n\n## Limits\n\nThe press R-70 {SENTENCE}. It may be started again below 70 °C.\n\n{WIDE}",
    "plant/制度/年休假.md": "# 年休假制度\n\n新员工入职第一年享有 12 天年休假。\n",
}
PEOPLE = f"""
from accounts.models import Department, User
from knowledge.models import KnowledgeBase, Membership
plant, sales = (Department.objects.create(name=name) for name in ("Plant", "Sales"))
kb = KnowledgeBase.objects.create(slug="plant", name="Plant", department=plant)
for name, department, role in (("edith", plant, "editor"), ("vera", plant, "viewer"), ("stan", sales, None)):
    user = User(username=name, department=department)
    user.set_password({PASSWORD!r})
    user.save()
    if role:
        Membership.objects.create(kb=kb, user=user, role=role)
"""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module", autouse=True)
def planted(server: Server) -> None:
    server.run(PEOPLE)


@pytest.fixture(scope="module")
def page_of(chromium: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """`page_of("vera")`: a browser in which that person has signed in."""
    opened: dict[tuple[str, str], Page] = {}

    def page(name: str, language: str = "en-US") -> Page:
        if (name, language) not in opened:
            context = chromium.new_context(**{**DESKTOP, "locale": language})
            opened[name, language] = context.new_page()
            person = Server(server.url, name, PASSWORD)
            if name == "edith":
                sign_in(opened[name, language], person)
            else:
                context.add_cookies(cookies_of(person))  # type: ignore[arg-type]
        return opened[name, language]

    yield page
    for each in opened.values():
        each.context.close()


def ask(page: Page, question: str) -> None:
    page.fill("#question", question)
    page.click(".composer-send[type=submit]")
    expect(page.locator(".turn:last-child .answer-foot")).to_be_visible(timeout=WAIT_MS)


def test_from_a_folder_to_the_marked_sentence_and_not_to_a_stranger(page_of, server, tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    editor = page_of("edith")
    editor.goto(f"{server.url}/upload/?kb=plant")
    editor.set_input_files("#folder", Path(tmp_path / "plant"))
    editor.click("[data-send]")
    expect(editor.locator("tr", has_text="plant/presses/r70.md")).to_contain_text("new document", timeout=WAIT_MS)
    editor.click("[data-commit]")
    expect(editor.locator(".job-over")).to_be_visible(timeout=WAIT_MS)

    reader = page_of("vera")
    reader.goto(server.url)
    ask(reader, QUESTION)
    reader.locator(".turn .cite").first.click()
    expect(reader.locator("#evidence-body mark").first).to_contain_text("95 °C")
    reader.locator(".evidence-links a").first.click()
    expect(reader.locator("mark#evidence")).to_contain_text("95 °C")
    address = reader.url
    ask_in_chinese = page_of("vera", "zh-CN")
    ask_in_chinese.goto(server.url)
    ask(ask_in_chinese, "新员工入职第一年有多少天年休假？")
    expect(ask_in_chinese.locator(".turn:last-child")).to_contain_text("12 天年休假")

    stranger = page_of("stan")
    assert stranger.goto(address).status == 404
    assert stranger.goto(f"{server.url}/library/plant/").status == 404
    stranger.goto(f"{server.url}/library/")
    assert "Plant" not in stranger.locator("main").inner_text()
    stranger.goto(f"{server.url}/")
    expect(stranger.locator("#question")).to_be_disabled()
    assert "Plant" not in stranger.locator("main").inner_text()


@pytest.mark.parametrize(
    "path", ["library/", "library/plant/", "library/plant/?q=press", "search-test/?q=press+R-70", "account/keys/"]
)
def test_axe_finds_no_serious_fault_on_the_pages_of_an_editor(page_of, server, path):
    page = page_of("edith")
    assert page.goto(f"{server.url}/{path}").status == 200

    assert serious(page, []) == []


@pytest.mark.parametrize("query", ["", "?chunks=1"])
def test_axe_finds_no_serious_fault_on_a_document(page_of, server, query):
    page = page_of("edith")
    page.goto(f"{server.url}/library/plant/")
    page.goto(page.locator("td a", has_text="Press R-70").first.evaluate("link => link.href") + query)

    assert serious(page, []) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert serious(page, []) == []
