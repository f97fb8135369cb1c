"""What templates need to show our values to people: `{% icon %}`, durations in the reader's language, and in words what an answer had to leave out."""

from django import template
from django.templatetags.static import static
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

register = template.Library()

SPRITE = "vendor/lucide-1.62.0/icons.svg"

PARTS: dict[str, Promise] = {
    "embed": gettext_lazy("the meaning of the question"),
    "cache": gettext_lazy("earlier answers"),
    "vector": gettext_lazy("search by meaning"),
    "keyword": gettext_lazy("search by words"),
    "graph": gettext_lazy("search in the graph"),
    "rerank": gettext_lazy("the second sorting"),
    "pack": gettext_lazy("the text around the passages"),
    "generate": gettext_lazy("the language model"),
    "model": gettext_lazy("the language model"),
    "quote": gettext_lazy("the choice of excerpts"),
    "cite": gettext_lazy("the check of the sources"),
}
REASONS: dict[str, Promise] = {
    "timeout": gettext_lazy("took too long"),
    "unavailable": gettext_lazy("could not be reached"),
    "failed": gettext_lazy("failed"),
    "refused": gettext_lazy("was refused"),
    "unsupported": gettext_lazy("gave nothing that the sources support"),
    "off": gettext_lazy("is switched off"),
}


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """An icon of the sprite: hidden from screen readers unless it is given a label of its own."""
    url = f"{static(SPRITE)}#{name}"
    if label:
        return format_html('<svg class="icon" role="img" aria-label="{}"><use href="{}"></use></svg>', label, url)
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}"></use></svg>', url)


@register.filter
def seconds(milliseconds: float | None) -> str:
    """Milliseconds as people say them: `0.4 s`, `12 s`; empty for nothing."""
    if milliseconds is None:
        return ""
    value = milliseconds / 1000
    return _("%(seconds)s s") % {"seconds": number_format(value, decimal_pos=1 if value < 10 else 0)}


@register.filter
def figure(count: int) -> str:
    """A count with its thousands set apart: `1,204`, in English and Chinese alike (Django's Chinese format has no mark)."""
    return f"{count:,}"


@register.filter
def left_out(code: str) -> str:
    """`"graph:timeout"` as "search in the graph (took too long)"; an unknown code stays readable."""
    part, _colon, reason = code.partition(":")
    return _("%(part)s (%(reason)s)") % {
        "part": PARTS.get(part, part),
        "reason": REASONS.get(reason, reason or REASONS["failed"]),
    }
