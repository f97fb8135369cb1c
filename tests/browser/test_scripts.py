"""The scripts of the chat page by themselves, in a real browser under the real policy: reading streams, drawing text that is still arriving."""

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

STATIC = Path(__file__).resolve().parents[2] / "static"
POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'"
HOSTILE = "<img src=x onerror=alert(1)> [x](javascript:alert(2)) <script>alert(3)</script>"

pytestmark = pytest.mark.browser


class StaticFiles(SimpleHTTPRequestHandler):
    """Our static folder, and an empty page at `/blank`."""

    def do_GET(self) -> None:
        if self.path != "/blank":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(b"<!doctype html><html lang=en><title>blank</title><div id=place></div></html>")

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the test says what went wrong."""


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(StaticFiles, directory=str(STATIC)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def blank(chromium: Browser, origin: str) -> Iterator[Page]:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{origin}/blank")
    yield page
    context.close()


@pytest.fixture
def page(blank: Page) -> Page:
    """The empty page, which has loaded the scripts once for all tests."""
    blank.evaluate("document.body.innerHTML = '<div id=place></div>'")
    return blank


READ = """async (pieces) => {
  const { events } = await import("/js/chat/sse.js");
  const bytes = pieces.map((piece) => Uint8Array.from(piece));
  const body = new ReadableStream({ start(out) { bytes.forEach((piece) => out.enqueue(piece)); out.close(); } });
  const read = [];
  for await (const event of events(new Response(body))) read.push([event.name, event.data]);
  return read;
}"""
STREAM = ': ping\n\nevent: delta\ndata: {"text": "泵 P-100 \\n[1]"}\n\nid: 7\nevent: done\r\ndata: {"found":\r\ndata: true}\r\n\r\n'
EXPECTED = [["delta", {"text": "泵 P-100 \n[1]"}], ["done", {"found": True}]]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_stream_reads_the_same_however_it_is_cut(page: Page, size: int) -> None:
    stream = STREAM.encode()
    pieces = [list(stream[start : start + size]) for start in range(0, len(stream), size)]

    assert page.evaluate(READ, pieces) == EXPECTED


def test_an_event_that_was_cut_off_is_not_given(page: Page) -> None:
    assert page.evaluate(READ, [list(b'event: done\ndata: {"found": true}\n')]) == []


DRAW = """async (pieces) => {
  const { GrowingText } = await import("/js/chat/growing-text.js");
  const place = document.getElementById("place");
  const chip = (n) => Object.assign(document.createElement("b"), { textContent: n, className: "cite" });
  const text = new GrowingText(place, chip);
  const first = [];
  for (const piece of pieces) {
    text.add(piece);
    text.draw();
    first.push(place.firstElementChild);
  }
  text.finish();
  return { html: place.innerHTML, isSteady: new Set(first.filter(Boolean)).size <= 1 };
}"""


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("At **80 °C** [1][2].", '<p>At <strong>80 °C</strong> <b class="cite">1</b><b class="cite">2</b>.</p>'),
        ("One.\n\nTwo `E-07`.", "<p>One.</p><p>Two <code>E-07</code>.</p>"),
        ("Do:\n\n- a\n- b [3]", '<p>Do:</p><ul><li>a</li><li>b <b class="cite">3</b></li></ul>'),
        ("2. two\n3. three", '<ol start="2"><li>two</li><li>three</li></ol>'),
        ("> said\n\n```\n- no list [1]\n```", "<blockquote>said</blockquote><pre><code>- no list [1]</code></pre>"),
        ("## Head\ntext", "<h3>Head</h3><p>text</p>"),
        (
            "| a | b |\n|---|:-:|\n| 1 [1] | x \\| y |",
            "<table><thead><tr><th>a</th><th>b</th></tr></thead>"
            '<tbody><tr><td>1 <b class="cite">1</b></td><td>x | y</td></tr></tbody></table>',
        ),
    ],
)
def test_arriving_text_ends_as_the_same_nodes_however_it_is_cut(
    page: Page, markdown: str, html: str, size: int
) -> None:
    pieces = [markdown[start : start + size] for start in range(0, len(markdown), size)]

    assert page.evaluate(DRAW, pieces)["html"] == html


def test_a_paragraph_that_grows_stays_the_same_node(page: Page) -> None:
    assert page.evaluate(DRAW, list("The pump stops at **80 °C** [1], and `E-07` is shown.\n\nThen wait."))["isSteady"]


def test_hostile_text_stays_text(page: Page) -> None:
    alerts: list[str] = []
    page.on("dialog", lambda dialog: alerts.append(dialog.message))

    html = page.evaluate(DRAW, [HOSTILE])["html"]

    assert json.dumps(html).count("&lt;") == 3
    assert page.locator("#place img, #place script, #place a").count() == 0
    assert alerts == []


def test_a_name_that_ends_in_a_full_stop_ends_the_sentence_too(page: Page) -> None:
    page.reload()  # the words of a page are read once
    said = page.evaluate(
        """async (all) => {
            document.body.innerHTML = '<template data-words><i data-word="known">Known as {names}.</i></template>';
            const { say } = await import("/js/words.js");
            return all.map((names) => say("known", { names }));
        }""",
        ["Kraan", "Kraan, Kraan Pumps B.V.", ""],
    )

    assert said == ["Known as Kraan.", "Known as Kraan, Kraan Pumps B.V.", "Known as ."]
