"""How the reading of a version stands, as a list shows it: a word with its colour, and the stage, the reason or the fault under it."""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from knowledge.models import RunState
from knowledge.selectors.progress import VersionProgress

KINDS = {RunState.DONE: "fine", RunState.FAILED: "fault", RunState.CANCELLED: "warning", RunState.RUNNING: "accent"}


def reading_shown(progress: VersionProgress | None) -> SafeString:
    """HTML; everything that comes from files is escaped."""
    if progress is None:
        return format_html("{}", "–")
    word = gettext("read") if progress.state == RunState.DONE else str(progress.state_label)
    return format_html(
        '<span class="ad-badge ad-badge--{}">{}</span>{}', KINDS.get(progress.state, "none"), word, rest_of(progress)
    )


def rest_of(progress: VersionProgress) -> SafeString:
    """What stands under the word."""
    if progress.state == RunState.DONE:
        return SafeString("")
    lines = [str(progress.stage_label)] if progress.stage else []
    if progress.total and not progress.is_over:
        lines[-1:] = [f"{progress.stage_label} {progress.done} / {progress.total}"]
    why = (progress.error or {}).get("message", "") or str(progress.why)
    return format_html('<br><span class="ad-soft">{}</span>', " · ".join([*lines, *([why] if why else [])]))
