"""HTML: the page's own text without scripts, styles, menus and hidden parts, in document order, by selectolax's Lexbor parser."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from common.text import canonical
from knowledge.parsing import refusals
from knowledge.parsing.decode import decode, marked_encoding
from knowledge.parsing.html_walk import PageWalk
from knowledge.parsing.writer import Writer
from knowledge.types import SourceFile

_LEFT_OUT = (
    "script, style, noscript, template, nav, iframe, object, svg, canvas, button, input, select, textarea, rt, rp, link, meta, dialog, "
    "[hidden], [aria-hidden=true], [role=navigation], [role=banner], [role=contentinfo], [role=search], body > header, body > footer, "
    "[style*='display:none'], [style*='display: none']"
)
_MAIN_SHARE = 0.4
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
# What browsers take these names for; other names are not trusted.
_DECLARED = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "iso-8859-1": "cp1252",
    "windows-1252": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-15": "iso8859-15",
    "windows-1251": "cp1251",
    "koi8-r": "koi8-r",
    "shift_jis": "cp932",
    "euc-jp": "euc-jp",
    "euc-kr": "cp949",
}


def parse(source: SourceFile, writer: Writer) -> None:
    """Write what a page says."""
    if source.size_bytes > 4 * writer.limits.text_chars:
        raise refusals.text_too_long(source.name, limit=writer.limits.text_chars)
    data = source.path.read_bytes()
    write_html(canonical(_decode(data, source.name)), writer)


def write_html(text: str, writer: Writer) -> None:
    """Write the text of an HTML page that is already decoded."""
    tree = LexborHTMLParser(text)
    title = tree.css_first("title")
    body = tree.body
    if body is None:
        return
    for node in tree.css(_LEFT_OUT):
        if node.tag != "body":
            node.decompose()
    root = _main_part(body)
    heading = root.css_first("h1")
    writer.title = writer.title or (title.text() if title else "") or (heading.text() if heading else "")
    PageWalk(writer).flow(root, 0)


def _decode(data: bytes, name: str) -> str:
    """By its byte order mark, by what the page declares if that works, else by its bytes."""
    declared = _CHARSET.search(data[:4096])
    if declared and marked_encoding(data) is None:
        encoding = _DECLARED.get(declared[1].decode("ascii", "replace").lower())
        try:
            return data.decode(encoding) if encoding else decode(data, name)
        except UnicodeDecodeError:
            pass
    return decode(data, name)


def _main_part(body: LexborNode) -> LexborNode:
    """The page's main part when it is named and holds enough of the text, else all of it."""
    for name in ("main", "[role=main]", "article"):
        parts = body.css(name)
        if len(parts) == 1 and len(parts[0].text()) >= _MAIN_SHARE * len(body.text()):
            return parts[0]
    return body
