"""A table in HTML: given its node, gives rows of texts in which merged cells repeat their value, so that each row can stand alone."""

from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborNode

from knowledge.parsing.grids import Grid

_SPAN_LIMIT = 200


class HtmlTable:
    """The rows and cells of one table, without those of tables inside it."""

    def __init__(self, node: LexborNode, words: Callable[[LexborNode], str]) -> None:
        self.node = node
        self.words = words
        self.lines = list(_rows_of(node))
        captions = [child for child in node.iter() if child.tag == "caption"]
        self.caption = words(captions[0]).strip() if captions else ""

    @property
    def is_layout(self) -> bool:
        """Whether it only places things on the page: it says so, has one cell, or holds tables or headings."""
        if self.node.attributes.get("role") == "presentation" or sum(1 for _ in self.cells()) <= 1:
            return True
        return self.node.css_first("td table, td h1, td h2, td h3, td pre") is not None

    @property
    def header_rows(self) -> int:
        """Leading rows that stand in `<thead>` or consist of `<th>` alone."""
        count = 0
        for row in self.lines:
            cells = _cells_of(row)
            is_head = row.parent is not None and row.parent.tag == "thead"
            if not is_head and not (cells and all(cell.tag == "th" for cell in cells)):
                break
            count += 1
        return count if count < len(self.lines) else 0

    def cells(self) -> Iterator[LexborNode]:
        """All its cells in reading order."""
        return (cell for row in self.lines for cell in _cells_of(row))

    def rows(self) -> list[list[str]]:
        """Its texts as a full grid."""
        grid = Grid()
        for number, row in enumerate(self.lines):
            for cell in _cells_of(row):
                across, down = _span(cell, "colspan"), min(_span(cell, "rowspan"), len(self.lines) - number)
                grid.add(self.words(cell), across=across, down=down)
            grid.end_row()
        return grid.rows


def _rows_of(table: LexborNode) -> Iterator[LexborNode]:
    for child in table.iter():
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child.iter() if row.tag == "tr")


def _cells_of(row: LexborNode) -> list[LexborNode]:
    return [cell for cell in row.iter() if cell.tag in ("td", "th")]


def _span(cell: LexborNode, name: str) -> int:
    value = (cell.attributes.get(name) or "1").strip()
    return min(max(int(value), 1), _SPAN_LIMIT) if value.isdecimal() and len(value) < 7 else 1
