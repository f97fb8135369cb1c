"""Markdown from documents and models, as HTML that is safe to show. Given text that nobody trusts, gives HTML in which a few tags remain and a stretch may be marked.

HTML in the text stays text; links keep only http, https and mailto; pictures are shown only where the caller knows an address for them.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from html import escape, unescape

import nh3
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

PictureUrl = Callable[[str], str | None]

TAGS = frozenset(
    [
        "p",
        "br",
        "ul",
        "ol",
        "li",
        "strong",
        "em",
        "del",
        "code",
        "pre",
        "blockquote",
        "h3",
        "h4",
        "h5",
        "h6",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "mark",
        "sub",
        "sup",
        "a",
        "img",
        "hr",
    ]
)
ATTRIBUTES = {"a": {"href"}, "img": {"src", "alt"}, "ol": {"start"}}
SCHEMES = ("http://", "https://", "mailto:")

# Noncharacters (Unicode 16, section 23.7): no text that is exchanged holds them, so they can stand for the two ends of a mark.
OPENS, CLOSES = "\ufdd0", "\ufdd1"
_ENDS = re.compile(f"[{OPENS}{CLOSES}]")
_BLOCK_PREFIX = re.compile(r"(?:[ \t]*(?:>|#{1,6}|[-*+]|\d{1,9}[.)])(?=[ \t]))*[ \t]*\|?[ \t]*(?:\*\*|__|`)?")
_FENCE = re.compile(r"(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]))*[ \t]*(?:`{3,}[^\n`]*|~{3,}[^\n]*)(?:\n|$)")
_TAG = re.compile(r"(<[^>]*>)")


def safe_html(
    text: str, *, marks: Sequence[tuple[int, int]] = (), mark_id: str = "", picture_url: PictureUrl | None = None
) -> SafeString:
    """HTML of a Markdown text; `marks` are offsets in it. The first piece of the first mark has the id `mark_id` when one is given."""
    tokens = parser().parse(with_ends(text, marks))
    for token in tokens:
        tame(token, picture_url)
    html = parser().renderer.render(tokens, parser().options, {})
    cleaned = nh3.clean(html, tags=set(TAGS), attributes=ATTRIBUTES, link_rel="noopener nofollow")
    return mark_safe(framed(marked(cleaned, mark_id)))  # noqa: S308 (cleaned above; what is added are our own tags)


def framed(html: str) -> str:
    """Tables and blocks of code are wider than some pages: each scrolls in a frame that keys reach too (WCAG 2.1.1)."""
    label = escape(_("Table"))
    frame = f'<div class="wide" tabindex="0" role="group" aria-label="{label}"><table>'
    return html.replace("<table>", frame).replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


def plain_text(text: str) -> str:
    """The words of a Markdown text without its marks, on one line; not HTML."""
    return " ".join(unescape(re.sub(_TAG, " ", safe_html(text))).split())


@cache
def parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def with_ends(text: str, marks: Sequence[tuple[int, int]]) -> str:
    """The text with both ends of each mark put into it, after what Markdown must find at a line's start."""
    text = _ENDS.sub("\ufffd", text)
    for start, end in sorted(marks, reverse=True):
        start, end = inside_fences(text, start, end)
        body = text[start:end]
        end -= len(body) - len(body.rstrip().rstrip("|").rstrip())
        prefix = _BLOCK_PREFIX.match(text, start) if start == 0 or text[start - 1] == "\n" else None
        start = min(prefix.end(), end) if prefix else start
        if start < end:
            text = f"{text[:start]}{OPENS}{text[start:end]}{CLOSES}{text[end:]}"
    return text


def inside_fences(text: str, start: int, end: int) -> tuple[int, int]:
    """The mark without lines that begin or end a block of code: with something else in it such a line would be one no more."""
    if fence := _FENCE.match(text, text.rfind("\n", 0, start) + 1):
        start = min(fence.end(), end)
    last = text.rfind("\n", start, len(text[:end].rstrip())) + 1
    return (start, last - 1) if last > start and _FENCE.match(text, last) else (start, end)


def tame(token: Token, picture_url: PictureUrl | None) -> None:
    """Headings below ours, links that leave only by known schemes, pictures only from us."""
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
    for child in token.children or []:
        if child.type == "link_open" and not str(child.attrs.get("href", "")).startswith(SCHEMES):
            child.attrs.pop("href", None)
        elif child.type == "image":
            tame_picture(child, picture_url)


def tame_picture(token: Token, picture_url: PictureUrl | None) -> None:
    """Our own address for it, or its caption as text."""
    url = picture_url(str(token.attrs.get("src", ""))) if picture_url else None
    if url:
        token.attrs["src"] = url
    else:
        token.type, token.tag, token.children = "text", "", None


def marked(html: str, mark_id: str) -> str:
    """Each piece of text between the ends of a mark in a `<mark>` of its own, so that no mark crosses another element."""
    pieces: list[str] = []
    inside = False
    first = True
    for part in _TAG.split(html):
        if part.startswith("<"):
            pieces.append(_ENDS.sub("", part))
            continue
        for piece in re.split(f"([{OPENS}{CLOSES}])", part):
            if piece in (OPENS, CLOSES):
                inside = piece == OPENS
            elif inside and piece.strip():
                named = f' id="{mark_id}"' if mark_id and first else ""
                first = False
                pieces.append(f"<mark{named}>{piece}</mark>")
            else:
                pieces.append(piece)
    return "".join(pieces)
