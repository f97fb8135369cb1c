"""Documents with known structure, written block by block, a strategy that makes them up in both languages, and a counter of tokens.

The counter behaves like the real ones: marks of its own for every text, words cut into parts, Chinese characters one by one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from knowledge.types import Block, BlockKind

_PARTS = re.compile(r"[a-zA-Z0-9]{1,4}|[^\sa-zA-Z0-9]")


def count_by_parts(texts: Sequence[str]) -> list[int]:
    """Five for the counter's own marks, and one for each part of a word."""
    return [5 + len(_PARTS.findall(text)) for text in texts]


@dataclass(slots=True)
class Written:
    """A text that grows by blocks, with a blank line between two."""

    text: str = ""
    blocks: list[Block] = field(default_factory=list)

    def _put(
        self,
        kind: BlockKind,
        text: str,
        *,
        parts: tuple[tuple[int, int], ...] = (),
        level: int = 0,
        header_parts: int = 0,
    ) -> "Written":
        self.text += "\n\n" if self.text else ""
        start = len(self.text)
        self.text += text
        shifted = tuple((start + first, start + last) for first, last in parts)
        self.blocks.append(Block(kind, start, len(self.text), level=level, parts=shifted, header_parts=header_parts))
        return self

    def heading(self, level: int, title: str) -> "Written":
        return self._put(BlockKind.HEADING, f"{'#' * level} {title}", level=level)

    def paragraph(self, text: str) -> "Written":
        return self._put(BlockKind.PARAGRAPH, text)

    def code(self, text: str) -> "Written":
        return self._put(BlockKind.CODE, f"```\n{text}\n```")

    def image(self, caption: str) -> "Written":
        return self._put(BlockKind.IMAGE, f"![{caption}](p.png)")

    def items(self, items: list[str]) -> "Written":
        lines, parts = _lines([f"- {item}" for item in items])
        return self._put(BlockKind.LIST, lines, parts=tuple(parts))

    def table(self, header: list[str], rows: list[list[str]]) -> "Written":
        cells = [f"| {' | '.join(row)} |" for row in rows]
        if not header:
            lines, parts = _lines(cells)
            return self._put(BlockKind.TABLE, lines, parts=tuple(parts))
        head = f"| {' | '.join(header)} |"
        lines, parts = _lines([head, f"|{' --- |' * len(header)}", *cells])
        return self._put(BlockKind.TABLE, lines, parts=(parts[0], *parts[2:]), header_parts=1)

    def faq(self, question: str, answer: str) -> "Written":
        text = f"Q: {question}\nA: {answer}"
        middle = text.index("\nA: ")
        return self._put(BlockKind.FAQ, text, parts=((0, middle), (middle + 1, len(text))))


def _lines(lines: list[str]) -> tuple[str, list[tuple[int, int]]]:
    parts, at = [], 0
    for line in lines:
        parts.append((at, at + len(line)))
        at += len(line) + 1
    return "\n".join(lines), parts


SENTENCES = st.sampled_from(
    [
        "水泵在八十度时停机。",
        "操作员须先关闭阀门，再切断电源；否则会损坏密封圈！",
        "The pump stops at 80 degrees. ",
        "Dr. Hall wrote, e.g. in No. 5, that it does not restart by itself. ",
        "为什么？",
        "Really?! ",
        "an endless line without any stop " * 12,
        "没有标点的一整段文字" * 40,
        "x" * 700,
        "https://example.com/" + "a/b?c=d&" * 60,
        "👩\u200d🔧👍🏽🇨🇳e\u0301" * 40,
        "a\u0301\u0302" * 200,
        " \t ",
        "𠮷野家",
    ]
)
TEXTS = st.lists(SENTENCES, min_size=1, max_size=8).map("".join).filter(lambda text: bool(text.strip()))
WORDS = st.sampled_from(["Pump", "泵", "规格参数", "A very long title that goes on " * 12, "E-42", "x" * 300])
STEPS = st.one_of(
    st.tuples(st.just("heading"), st.integers(1, 4), WORDS),
    st.tuples(st.just("paragraph"), TEXTS),
    st.tuples(st.just("items"), st.lists(TEXTS, min_size=1, max_size=6)),
    st.tuples(
        st.just("table"),
        st.lists(WORDS, min_size=2, max_size=2),
        st.lists(st.lists(WORDS | SENTENCES, min_size=2, max_size=2), max_size=12),
    ),
    st.tuples(st.just("table"), st.just([]), st.lists(st.lists(WORDS, min_size=2, max_size=2), min_size=1, max_size=5)),
    st.tuples(st.just("faq"), TEXTS, TEXTS),
    st.tuples(st.just("code"), TEXTS),
    st.tuples(st.just("image"), WORDS),
)


def written(steps: list[tuple[object, ...]]) -> Written:
    document = Written()
    for name, *arguments in steps:
        getattr(document, str(name))(*arguments)
    return document


DOCUMENTS = st.lists(STEPS, max_size=14).map(written)
