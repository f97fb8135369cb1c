"""Walks a page in document order and writes it: headings, paragraphs, lists, tables, code, figures, questions with their answers."""

import base64
import binascii
import re
from collections.abc import Callable, Mapping

from selectolax.lexbor import LexborNode

from knowledge.parsing.html_tables import HtmlTable
from knowledge.parsing.html_words import BLOCK_TAGS, DEPTH_AT_MOST, inline, tidy
from knowledge.parsing.markup import Item
from knowledge.parsing.tables import write_table
from knowledge.parsing.writer import Writer

_DATA_PICTURE = re.compile(r"data:image/[\w.+-]+;base64,(?P<data>.+)", re.DOTALL)


class PageWalk:
    """Inline text is gathered until a block begins or ends."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.pending: list[str] = []
        self.pictures: list[LexborNode] = []
        self.blocks: Mapping[str, Callable[[LexborNode, int], None]] = {
            **dict.fromkeys(["h1", "h2", "h3", "h4", "h5", "h6"], self._heading),
            **dict.fromkeys(["ul", "ol"], self._list),
            "dl": self._definitions,
            "table": self._table,
            "pre": self._code,
            "figure": self._figure,
            "details": self._details,
        }

    def flow(self, node: LexborNode, depth: int) -> None:
        """Write what stands in a container."""
        if depth > DEPTH_AT_MOST:
            self.pending.append(node.text(separator=" "))
            return
        for child in node.iter(include_text=True):
            tag = str(child.tag)
            if tag in self.blocks:
                self._flush()
                self.blocks[tag](child, depth)
            elif tag in BLOCK_TAGS:
                self._flush()
                self.flow(child, depth + 1)
                self._flush()
            elif _holds_blocks(child):
                self.flow(child, depth + 1)
            else:
                self.pending.append(self._inline(child))
        if depth == 0:
            self._flush()

    def _flush(self) -> None:
        self.writer.paragraph(tidy("".join(self.pending)))
        self.pending = []
        for picture in self.pictures:
            self._picture(picture, "")
        self.pictures = []

    def _inline(self, node: LexborNode) -> str:
        return inline(node, self.pictures)

    def _heading(self, node: LexborNode, depth: int) -> None:
        self.writer.heading(tidy(self._inline(node)), int(str(node.tag)[1]))
        self._flush()

    def _list(self, node: LexborNode, depth: int) -> None:
        if node.css_first("h1, h2, h3, h4, h5, h6, table, pre, figure") is not None:
            for item in node.iter():
                self._flush()
                self.flow(item, depth + 1)
            self._flush()
            return
        self.writer.list(self._items(node, depth))
        self._flush()

    def _items(self, node: LexborNode, depth: int) -> list[Item]:
        number = _whole(node.attributes.get("start"), 1)
        items: list[Item] = []
        for child in node.iter():
            if child.tag in ("ul", "ol") and items:
                items[-1] = Item(
                    items[-1].text, items[-1].marker, [*items[-1].children, *self._items(child, depth + 1)]
                )
                continue
            number = _whole(child.attributes.get("value"), number)
            marker = f"{number}." if node.tag == "ol" else "-"
            items.append(self._item(child, marker, depth))
            number += 1
        return items

    def _item(self, node: LexborNode, marker: str, depth: int) -> Item:
        if depth > DEPTH_AT_MOST:
            return Item(tidy(node.text(separator=" ")), marker)
        words: list[str] = []
        children: list[Item] = []
        for child in node.iter(include_text=True):
            if child.tag in ("ul", "ol"):
                children += self._items(child, depth + 1)
            else:
                words.append(self._inline(child))
        return Item(tidy("".join(words)), marker, children)

    def _definitions(self, node: LexborNode, depth: int) -> None:
        """Terms with their definitions as items; terms that are all questions as pairs."""
        entries: list[tuple[str, list[str]]] = []
        for child in node.css("dt, dd"):
            words = tidy(self._inline(child))
            if child.tag == "dt" or not entries:
                entries.append((words, []))
            else:
                entries[-1][1].append(words)
        if entries and all(term.endswith(("?", "？")) and found for term, found in entries):
            for term, found in entries:
                self.writer.faq(term, "\n".join(found))
        else:
            self.writer.list(Item(f"{term}: {'; '.join(found)}" if found else term) for term, found in entries)
        self._flush()

    def _table(self, node: LexborNode, depth: int) -> None:
        table = HtmlTable(node, self._inline)
        if table.is_layout:
            for cell in table.cells():
                self.flow(cell, depth + 1)
                self._flush()
            return
        self.writer.paragraph(table.caption)
        write_table(self.writer, table.rows(), table.header_rows or None)
        self._flush()

    def _code(self, node: LexborNode, depth: int) -> None:
        code = node.css_first("code")
        names = str((code.attributes.get("class") if code else node.attributes.get("class")) or "")
        language = re.search(r"(?:language|lang)-([\w+#-]+)", names)
        self.writer.code(node.text(), language[1] if language else "")

    def _figure(self, node: LexborNode, depth: int) -> None:
        captions = node.css("figcaption")
        caption = tidy(" ".join(self._inline(found) for found in captions))
        pictures = node.css("img")
        if len(pictures) != 1 or node.css_first("table, pre") is not None:
            self.flow(node, depth + 1)
            self._flush()
            return
        self.pictures = []
        self._picture(pictures[0], caption)

    def _details(self, node: LexborNode, depth: int) -> None:
        summary = node.css_first("summary")
        asked = tidy(self._inline(summary)) if summary else ""
        if (
            summary is None
            or not asked.endswith(("?", "？"))
            or node.css_first("table, pre, ul, ol, h1, h2, h3, h4") is not None
        ):
            self.flow(node, depth + 1)
            self._flush()
            return
        answer = tidy("".join(self._inline(child) for child in node.iter(include_text=True) if child.tag != "summary"))
        self.writer.faq(asked, answer)

    def _picture(self, node: LexborNode, caption: str) -> None:
        source = node.attributes.get("src") or ""
        self.writer.image(_embedded(source), caption, node.attributes.get("alt") or "")


def _holds_blocks(node: LexborNode) -> bool:
    """Whether an inline element was put around blocks, as with links around cards."""
    return node.is_element_node and any(
        found.tag in BLOCK_TAGS for found in node.css("p, div, ul, ol, table, h1, h2, h3, h4, h5, h6, pre, section")
    )


def _embedded(source: str) -> bytes | None:
    found = _DATA_PICTURE.match(source)
    if not found:
        return None
    try:
        return base64.b64decode(found["data"])
    except (binascii.Error, ValueError):
        return None


def _whole(value: str | None, otherwise: int) -> int:
    return int(value) if value and re.fullmatch(r"-?\d{1,6}", value.strip()) else otherwise
