"""Footnotes and endnotes: marks are given in the order in which the text refers to them, and each note waits to be written at its section's end."""

from collections import deque
from collections.abc import Iterator
from typing import Any

from docx.oxml import parse_xml

from knowledge.parsing.docx.inline import words_of
from knowledge.parsing.docx.names import w

_KINDS = ("footnote", "endnote")


class Notes:
    """The notes of one document."""

    def __init__(self, main_part: Any) -> None:
        self._bodies: dict[tuple[str, str], Any] = {}
        self._marks: dict[tuple[str, str], str] = {}
        self._waiting: deque[tuple[str, str]] = deque()
        self._counts = dict.fromkeys(_KINDS, 0)
        for relation in main_part.rels.values():
            kind = relation.reltype.rsplit("/", 1)[-1].removesuffix("s")
            if kind in _KINDS and not relation.is_external:
                root = parse_xml(relation.target_part.blob)
                self._bodies.update({(kind, note.get(w("id"), "")): note for note in root.iter(w(kind))})

    def mark(self, kind: str, note_id: str) -> str:
        """The mark for a reference; nothing when the note does not exist."""
        key = (kind, note_id)
        if key not in self._bodies:
            return ""
        if key not in self._marks:
            number = self._counts[kind] = self._counts[kind] + 1
            self._marks[key] = f"[^{number}]" if kind == "footnote" else f"[^e{number}]"
            self._waiting.append(key)
        return self._marks[key]

    def take(self) -> Iterator[str]:
        """The notes referred to since the last time, each with its mark."""
        while self._waiting:
            key = self._waiting.popleft()
            paragraphs = (words_of(paragraph, self.mark).text.strip() for paragraph in self._bodies[key].iter(w("p")))
            yield f"{self._marks[key]}: " + "\n".join(words for words in paragraphs if words)
