"""A grid of cells that is filled row by row; a cell that reaches over several columns or rows stands in each of them."""


class Grid:
    """Add cells from left to right with `add`, close each row with `end_row`; `rows` is the full grid."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self._row: list[str] = []
        self._hanging: dict[int, tuple[str, int]] = {}

    def add(self, text: str, *, across: int = 1, down: int = 1) -> None:
        """The next cell of the row, over `across` columns and `down` rows."""
        self._take_hanging()
        for _ in range(across):
            if down > 1:
                self._hanging[len(self._row)] = (text, down)
            self._row.append(text)

    def end_row(self) -> None:
        """Close the row."""
        self._take_hanging()
        self.rows.append(self._row)
        self._row = []
        self._hanging = {column: (text, left - 1) for column, (text, left) in self._hanging.items() if left > 1}

    def _take_hanging(self) -> None:
        """Cells of rows above that reach down to here."""
        while len(self._row) in self._hanging:
            self._row.append(self._hanging[len(self._row)][0])
