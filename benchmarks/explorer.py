"""The explorer with 2,000 entities in a browser: how soon they are laid out, when they rest, and how many frames a second are drawn while a person zooms and pans.

It starts a server of its own and Debian's Chromium; without a browser it is left out. Drawing is by software where the machine has no graphics.
"""

import argparse
import time
from collections.abc import Callable
from statistics import median

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.measure import Figure, say, write
from tests.browser.chromium import ADVICE, find_chromium
from tests.browser.many import MANY, planted
from tests.browser.server import Server, cookies_of, own_server

PATIENCE_MS = 120_000
WATCHED_S = 4
STEPS, STEP_MS = 60, 50
WATCH = f"""() => {{
  window.frames_seen = new Promise((resolve) => {{
    const gaps = [], begun = performance.now();
    let last = begun;
    const frame = (now) => {{
      gaps.push(now - last);
      last = now;
      now - begun < {1000 * WATCHED_S} ? requestAnimationFrame(frame) : resolve(gaps.slice(1));
    }};
    requestAnimationFrame(frame);
  }});
}}"""
SETTLED = "(before) => performance.getEntriesByName('graph-settled').length > before"


def opened(page: Page, server: Server) -> None:
    """The explorer with all of them; returns when they rest."""
    page.goto(f"{server.url}/graph/?kb=many")
    page.wait_for_function(SETTLED, arg=0, timeout=PATIENCE_MS)
    before = page.evaluate("() => performance.getEntriesByName('graph-settled').length")
    begun = time.perf_counter()
    page.select_option("[data-amount]", str(MANY))
    expect(page.locator("[data-state]")).to_contain_text(f"{MANY:,} entities", timeout=PATIENCE_MS)
    page.wait_for_function(SETTLED, arg=before, timeout=PATIENCE_MS)
    settled = time.perf_counter() - begun
    laid_out = page.evaluate("() => performance.getEntriesByName('graph-laid-out').at(-1).duration / 1000")
    write(Figure("2,000 entities are laid out after", round(laid_out, 2), "s"))
    write(
        Figure(
            "2,000 entities rest after", round(settled, 1), "s", note="loading included; they can be used on the way"
        )
    )


def watched(page: Page, name: str, act: Callable[[Page], None]) -> None:
    """Frames while somebody does this."""
    page.evaluate(WATCH)
    act(page)
    gaps = page.evaluate("() => window.frames_seen")
    note = f"{WATCHED_S} s; half of the frames within {median(gaps):.0f} ms, the longest {max(gaps):.0f} ms"
    write(Figure(f"frames while {name}", round(len(gaps) / WATCHED_S, 1), "frames/s", note=note))


def zoom(page: Page) -> None:
    for step in range(STEPS):
        page.mouse.wheel(0, -60 if step % 20 < 10 else 60)
        page.wait_for_timeout(STEP_MS)


def pan(page: Page) -> None:
    left, top = corner(page)
    page.mouse.move(left, top)
    page.mouse.down()
    for step in range(STEPS):
        page.mouse.move(left + 5 * step, top + 3 * step)
        page.wait_for_timeout(STEP_MS)
    page.mouse.up()


def corner(page: Page) -> tuple[float, float]:
    """A place in the picture without entities, near its left upper end."""
    box = page.locator("canvas").last.bounding_box()
    assert box
    return box["x"] + 10, box["y"] + 10


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_known_args()
    path = find_chromium()
    if path is None:
        say(ADVICE)
        return
    with own_server() as server, sync_playwright() as playwright:
        server.run(planted())
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-US")
        context.add_cookies(cookies_of(server))  # type: ignore[arg-type]
        page = context.new_page()
        opened(page, server)
        box = page.locator("canvas").last.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        watched(page, "zooming", zoom)
        watched(page, "panning", pan)
        browser.close()


if __name__ == "__main__":
    main()
