"""The demo as `up` sees it: a command that loads it, and questions that it answers."""

import json
import subprocess
import sys
from dataclasses import dataclass

from config.conf import PROJECT, environment_with
from knowledge import demo
from knowledge.models import KnowledgeBase

SHOWN = 3


@dataclass(frozen=True, slots=True)
class Demo:
    """Whether it can be asked, and what is wrong with it (in one line, empty when nothing is)."""

    is_there: bool
    fault: str = ""


def load_demo(environment: dict[str, str]) -> Demo:
    """Load the demo unless it has been (or was removed by somebody), and wait until it can be asked."""
    if demo.demo_base() is None and demo.was_removed():
        return Demo(is_there=False)
    if all(is_settled(of) for of in demo.BASES):  # without the cost of another process
        return Demo(is_there=True)
    done = subprocess.run(
        [sys.executable, str(PROJECT / "manage.py"), "demo", "load", "--wait", "--json"],
        env=environment_with(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,  # Ctrl-C is for us; we end it
        check=False,
    )
    try:
        report = json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        said = [line for line in done.stderr.splitlines() if any(letter.isalpha() for letter in line)]
        return Demo(False, said[-1].strip() if said else f"its command ended with {done.returncode}")
    failed = report.get("failed", 0)
    return Demo(report["status"] == "loaded", f"{failed} of its documents could not be read" if failed else "")


def is_settled(of: demo.DemoBase) -> bool:
    """Loaded and read; or not wanted, or in the way of somebody else's."""
    kb = demo.demo_base(of)
    if kb is None:
        return demo.was_removed(of) or KnowledgeBase.objects.filter(slug=of.slug).exists()
    return kb.documents.exists() and not demo.unread(kb)


def suggested_questions() -> list[str]:
    """A few questions that the demo answers."""
    return demo.questions()[:SHOWN]
