"""What axe-core finds on a page."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

RUN = "options => axe.run(document, options)"


def violations(page: Page, faults: list[str], rule: str | None = None) -> list[str]:
    """By all rules, or one. What the browser says of axe itself (it tries inline styles, and addresses that there are not) is dropped."""
    before = len(faults)
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rule:
        options["runOnly"] = {"type": "rule", "values": [rule]}
    if page.evaluate("() => !window.axe"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(RUN, options)["violations"]
    page.wait_for_timeout(200)
    del faults[before:]
    return [f"{each['impact']} {each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"][:3]]


def serious(page: Page, faults: list[str], rule: str | None = None) -> list[str]:
    """Those that axe-core calls serious or critical."""
    return [each for each in violations(page, faults, rule) if each.startswith(("serious", "critical"))]
