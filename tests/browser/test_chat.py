"""The chat page on a whole server: a question is asked, its answer read, its evidence opened."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.faults import serious
from tests.browser.server import Server

PUMP = """# Pump P-100

## Temperature limits

The pump P-100 stops by itself when its outlet reaches 80 °C. It may be started again below 60 °C.

## Cleaning

The filter is cleaned each month. Close the inlet valve first.
"""
LEAVE = """# 年休假制度

## 天数

新员工入职第一年享有 12 天年休假。工龄满五年后增加到 15 天。
"""
QUESTION = "At which outlet temperature does the pump P-100 stop?"
SENTENCE = "stops by itself when its outlet reaches 80 °C"
ANSWER_MS = 30_000

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module", autouse=True)
def planted(server: Server, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = Path(tmp_path_factory.mktemp("plant"))
    (folder / "pump.md").write_text(PUMP)
    (folder / "leave.md").write_text(LEAVE)
    server.ingest(folder, "pumps")


@pytest.fixture
def page(page: Page, server: Server) -> Page:
    """A new conversation, with all that moves."""
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{server.url}/")
    return page


@pytest.fixture
def phone(phone: Page, server: Server) -> Page:
    phone.goto(f"{server.url}/")
    return phone


def ask(page: Page, question: str) -> None:
    page.fill("#question", question)
    page.click(".composer-send[type=submit]")
    expect(page.locator(".turn:last-child .answer-foot")).to_be_visible(timeout=ANSWER_MS)


def test_enter_before_the_scripts_are_there_asks_when_they_are(page: Page, server: Server) -> None:
    held: list[Route] = []
    page.route("**/js/chat/page*.js", lambda route: held.append(route))
    with page.expect_request("**/js/chat/page*.js"):
        page.goto(server.url, wait_until="commit")
    page.locator("#question").fill(QUESTION)
    page.keyboard.press("Enter")
    for each in held:
        each.continue_()

    expect(page.locator(".turn .answer-foot")).to_be_visible(timeout=ANSWER_MS)
    expect(page.locator(".turn")).to_have_count(1)


def test_an_answer_is_cited_and_mouse_and_keys_open_the_marked_sentence(page: Page, faults: list[str]) -> None:
    found = {"start": serious(page, faults)}
    ask(page, QUESTION)
    found["answer"] = serious(page, faults)
    page.locator(".turn .cite").first.click()

    mark = page.locator("#evidence-panel mark#evidence")
    expect(mark).to_be_in_viewport()
    expect(mark).to_contain_text(SENTENCE)
    expect(page.locator("#evidence-panel .evidence-where")).to_contain_text("Temperature limits")
    found["evidence"] = serious(page, faults)
    page.keyboard.press("Escape")
    expect(page.locator("#evidence-panel")).not_to_be_visible()

    page.locator(".turn .cite").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#cite-card")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#evidence-panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#evidence-panel")).not_to_be_visible()
    page.wait_for_function("document.activeElement.matches('.cite')")  # a dialog says that it is closed a moment later

    page.locator(".turn [data-rates='-1']").click()
    found["feedback"] = serious(page, faults)
    assert found == {place: [] for place in found}


def test_a_conversation_is_the_same_after_a_reload_and_can_be_renamed_and_deleted(page: Page) -> None:
    ask(page, QUESTION)
    before = page.locator(".turn .answer-text").inner_text()
    page.reload()
    assert page.locator(".message--answer .answer-text").inner_text() == before

    item = page.locator(".conversations li:has([aria-current])")
    item.hover()
    item.locator("summary").click()
    item.locator("[data-renames]").click()
    page.fill("#rename-input", "Warm pumps")
    page.click("#rename-dialog [value=send]")
    expect(page.locator("#talk-title")).to_have_text("Warm pumps")

    item.hover()
    item.locator("summary").click()
    item.locator("[data-deletes]").click()
    page.click("#delete-dialog [value=send]")
    expect(page.locator("#start")).to_be_visible()
    expect(page.locator(".conversations a", has_text="Warm pumps")).to_have_count(0)


def test_what_no_document_says_is_not_answered(page: Page) -> None:
    ask(page, "Who won the football world cup of 1998?")

    expect(page.locator(".turn .not-found")).to_be_visible()
    assert page.locator(".turn .cite").count() == 0


def test_a_chinese_question_is_answered_in_chinese(page: Page) -> None:
    ask(page, "新员工第一年有多少天年休假？")

    expect(page.locator(".turn .answer-text")).to_contain_text("12 天年休假")
    assert page.locator(".turn .answer-text").get_attribute("lang") == "zh"


def test_enter_sends_nothing_while_an_input_method_is_composing(page: Page) -> None:
    page.fill("#question", "ceshi")
    page.evaluate(
        """() => {
          const box = document.getElementById("question");
          for (const state of [{ isComposing: true }, { keyCode: 229 }])
            box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...state }));
        }"""
    )

    assert page.locator(".turn").count() == 0
    assert page.input_value("#question") == "ceshi"


def test_a_draft_survives_a_reload(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("half a quest")
    page.reload()

    assert page.input_value("#question") == "half a quest"


def test_on_a_phone_return_is_a_new_line_and_the_evidence_is_a_sheet(phone: Page, faults: list[str]) -> None:
    phone.fill("#question", QUESTION)
    phone.locator("#question").press("Enter")
    assert "\n" in phone.input_value("#question")

    phone.locator(".composer-send[type=submit]").tap()
    expect(phone.locator(".turn .answer-foot")).to_be_visible(timeout=ANSWER_MS)
    assert serious(phone, faults) == []
    phone.locator(".turn .cite").first.tap()
    expect(phone.locator("#evidence-panel:modal mark#evidence")).to_be_in_viewport()
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
