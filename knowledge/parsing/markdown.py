"""Markdown: the source itself is the canonical text (without its front matter); markdown-it gives the structure by lines, which become offsets.

Long texts are taken in pieces cut before headings, so that the parser's tokens never cover more than one piece. What no token covers but holds
words (link definitions that are none, for instance) becomes a paragraph: nothing that was written is lost to search.
"""

import base64
import binascii
import itertools
import re
from collections.abc import Iterator, Sequence

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from knowledge.parsing import faq
from knowledge.parsing.sources import text_of
from knowledge.parsing.writer import Writer
from knowledge.types import BlockKind, SourceFile

PIECE_CHARS = 200_000

_FRONT_MATTER = re.compile(r"\A---[^\S\n]*\n(?P<body>.*?)\n(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL)
_DATA_PICTURE = re.compile(r"\(data:(?P<type>image/[\w.+-]+);base64,(?P<data>[A-Za-z0-9+/=\s]+)\)")
_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}|~{3,})")
_ATX_HEADING = re.compile(r"^#{1,6}[^\S\n]")
_NOT_PROSE = re.compile(r"\A(?:<!--.*-->|\[[^\]]+\]:\s+\S+:\S+(?:\s+[\"'(].*)?|(?:[-*_]\s*){3,})\Z", re.DOTALL)
_ONLY_PICTURES = re.compile(r"(?:!\[[^\]]{0,500}\](?:\([^)\s]{0,500}(?:\s[^)]{0,300})?\)|\[[^\]]{0,100}\])\s*){1,20}")
_CELL_BAR = re.compile(r"(?<!\\)\|")
_KINDS = {
    "heading_open": BlockKind.HEADING,
    "paragraph_open": BlockKind.PARAGRAPH,
    "blockquote_open": BlockKind.PARAGRAPH,
    "html_block": BlockKind.PARAGRAPH,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "table_open": BlockKind.TABLE,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
}

Span = tuple[int, int]


def parse(source: SourceFile, writer: Writer) -> None:
    """Write a Markdown file's text and blocks; front matter becomes title, tags and metadata."""
    text = _take_front_matter(text_of(source, writer.limits), writer)
    text, kept = _take_data_pictures(text)
    write_markdown(text.strip("\n").rstrip(), writer)
    for at, data in kept:
        writer.pictures.keep(data, at=at)


def write_markdown(text: str, writer: Writer) -> None:
    """Write canonical text that is Markdown, with its blocks."""
    if not text.strip():
        return
    base = writer.verbatim(text)
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": 50}).enable("table")
    # Blocks are all that is asked for: what stands inside of lines stays as it is, and hostile lines can't cost time.
    parser.core.ruler.enableOnly(["normalize", "block"])
    for start, piece in _pieces(text):
        _Piece(piece, base + start, writer).mark(parser.parse(piece))


def _take_front_matter(text: str, writer: Writer) -> str:
    found = _FRONT_MATTER.match(text)
    if not found:
        return text
    try:
        values = yaml.safe_load(found["body"])
    except (yaml.YAMLError, ValueError, RecursionError):
        return text
    if not isinstance(values, dict):
        return text
    for key, value in values.items():
        writer.metadata[str(key)] = ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
    writer.title = writer.metadata.pop("title", "")
    return text[found.end() :]


def _take_data_pictures(text: str) -> tuple[str, list[tuple[int, bytes]]]:
    """The text with the bytes of embedded pictures taken out, and these with their places."""
    kept: list[tuple[int, bytes]] = []
    pieces: list[str] = []
    length = after = 0
    for found in _DATA_PICTURE.finditer(text):
        between = text[after : found.start()]
        length += len(between)
        try:
            kept.append((length, base64.b64decode(found["data"])))
        except binascii.Error:
            kept.append((length, b""))
        pieces += [between, "(#)"]
        length += len("(#)")
        after = found.end()
    return "".join([*pieces, text[after:]]), kept


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text in pieces that begin at headings outside of code, or at some empty line where there are none, with their offsets."""
    start = offset = 0
    fence = ""
    for line in text.splitlines(keepends=True) if len(text) > PIECE_CHARS else ():
        if mark := _FENCE.match(line):
            fence = "" if fence and mark["mark"].startswith(fence) else fence or mark["mark"]
        elif (
            not fence
            and offset - start > PIECE_CHARS
            and (_ATX_HEADING.match(line) or (offset - start > 2 * PIECE_CHARS and not line.strip()))
        ):
            yield start, text[start:offset]
            start = offset
        offset += len(line)
    yield start, text[start:]


class _Piece:
    """Marks the blocks of one piece of Markdown: lines become offsets in the whole text."""

    def __init__(self, text: str, base: int, writer: Writer) -> None:
        self.text = text
        self.base = base
        self.writer = writer
        self.line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.covered = 0

    def mark(self, tokens: Sequence[Token]) -> None:
        for index, token in enumerate(tokens):
            if token.level == 0 and token.map and token.type in _KINDS:
                start, end = self._span(token.map, is_code=token.type == "code_block")
                self._mark_gap(start)
                self._mark_block(tokens, index, start, end)
                self.covered = max(self.covered, end)
        self._mark_gap(len(self.text))

    def _mark_block(self, tokens: Sequence[Token], index: int, start: int, end: int) -> None:
        token = tokens[index]
        kind = _KINDS[token.type]
        if start >= end or (token.type == "html_block" and _NOT_PROSE.match(self.text[start:end])):
            return
        if kind is BlockKind.HEADING:
            if token.markup in ("=", "-"):
                # The line under a heading is no part of it.
                end = start + len(self.text[start:end].rpartition("\n")[0].rstrip())
            self._add(kind, start, end, level=int(token.tag[1]))
            self.writer.title = self.writer.title or (tokens[index + 1].content if token.tag == "h1" else "")
        elif kind is BlockKind.LIST:
            self._add(kind, start, end, parts=self._parts(tokens, index, "list_item_open", 1))
        elif kind is BlockKind.TABLE:
            self._mark_table(start, end, self._parts(tokens, index, "tr_open", 2))
        elif token.type == "paragraph_open" and _ONLY_PICTURES.fullmatch(self.text[start:end]):
            self._add(BlockKind.IMAGE, start, end)
        else:
            self._add(kind, start, end)

    def _mark_table(self, start: int, end: int, rows: list[Span]) -> None:
        """A table; one whose columns are questions and answers is marked pair by pair."""
        header = [self.text[first:last].strip() for first, last in self._cells(rows[0])]
        pair = faq.columns(header)
        if pair is None:
            self._add(BlockKind.TABLE, start, end, parts=rows, header_parts=1)
            return
        for row in rows[1:]:
            cells = self._cells(row)
            if len(cells) > max(pair):
                self._add(BlockKind.FAQ, *row, parts=[self._trimmed(*cells[index]) for index in sorted(pair)])
            else:
                self._add(BlockKind.PARAGRAPH, *row)

    def _cells(self, row: Span) -> list[Span]:
        bars = [row[0] + found.start() for found in _CELL_BAR.finditer(self.text[slice(*row)])]
        edges = [row[0] - 1, *bars, row[1]]
        cells = [(first + 1, last) for first, last in itertools.pairwise(edges)]
        return cells[1 if cells[0][0] >= cells[0][1] else 0 : -1 if cells[-1][0] >= cells[-1][1] else None]

    def _parts(self, tokens: Sequence[Token], index: int, kind: str, level: int) -> list[Span]:
        """The spans of the items or rows inside the block that begins at this token."""
        parts: list[Span] = []
        for token in tokens[index + 1 :]:
            if token.level == 0 and token.nesting == -1:
                break
            if token.type == kind and token.level == level and token.map:
                span = self._span(token.map)
                if span[0] < span[1] and (not parts or parts[-1][1] <= span[0]):
                    parts.append(span)
        return parts

    def _mark_gap(self, end: int) -> None:
        """Words that no token covered are paragraphs too."""
        for found in re.finditer(r"\S(?:.|\n(?!\s*\n))*", self.text[self.covered : end]):
            words = found[0].rstrip()
            if not _NOT_PROSE.match(words):
                start = self.covered + found.start()
                self._add(BlockKind.PARAGRAPH, start, start + len(words))
        self.covered = max(self.covered, end)

    def _span(self, lines: Sequence[int], *, is_code: bool = False) -> Span:
        """Offsets of a stretch of lines without the white space around it; in code the indentation counts."""
        start = self.line_starts[lines[0]]
        end = self.line_starts[lines[1]] if lines[1] < len(self.line_starts) else len(self.text)
        first, last = self._trimmed(start, end)
        return (min(start, last) if is_code else first), last

    def _trimmed(self, start: int, end: int) -> Span:
        words = self.text[start:end]
        return start + len(words) - len(words.lstrip()), start + len(words.rstrip())

    def _add(
        self,
        kind: BlockKind,
        start: int,
        end: int,
        *,
        level: int = 0,
        parts: Sequence[Span] = (),
        header_parts: int = 0,
    ) -> None:
        if start >= end:
            return
        moved = [(self.base + first, self.base + last) for first, last in parts if first < last]
        self.writer.mark(
            kind,
            self.base + start,
            self.base + end,
            level=level,
            parts=moved,
            header_parts=min(header_parts, len(moved)),
        )
