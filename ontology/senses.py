"""Which of several entities of one name is meant in a document, as people decided: in all of it, or in single lines (the rows of a table, paragraphs).

A line is known again by its words, wherever it stands. One that has changed goes where the line went that it stands for now: one that is gone, and most of whose words it has.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from uuid import UUID

from common.text import fold
from ontology.models import SenseChoice

Name = tuple[str, str]
"""A class and a normal name."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Senses:
    """What was decided for one document. `lines`: by name, the words of lines and whom each means; `now`: all lines of the text that is read."""

    whole: Mapping[Name, UUID] = field(default_factory=dict)
    lines: Mapping[Name, Mapping[str, UUID]] = field(default_factory=dict)
    now: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.whole or self.lines)

    def meant(self, name: Name, line: str) -> UUID | None:
        """Whom the name means in a line (its words); None where that is a question."""
        known = self.lines.get(name, {})
        return known.get(line) or self.whole.get(name) or self._followed(name, line, known)

    def _followed(self, name: Name, line: str, known: Mapping[str, UUID]) -> UUID | None:
        own = set(words_of(name[1]).split())
        words = set(line.split()) - own
        gone = {entity for old, entity in known.items() if old not in self.now and alike(words, set(old.split()) - own)}
        return next(iter(gone)) if len(gone) == 1 else None


def alike(one: Collection[str], other: Collection[str]) -> bool:
    """At least half of the words of the shorter stand in the other."""
    shared = len(set(one) & set(other))
    return shared > 0 and 2 * shared >= min(len(one), len(other))


def words_of(text: str) -> str:
    """By which a line is known again, whatever its marks, width and case."""
    return " ".join(_WORD.findall(fold(text)))


def line_at(text: str, place: int) -> str:
    """The words of the line in which this character stands."""
    end = text.find("\n", place)
    return words_of(text[text.rfind("\n", 0, place) + 1 : end if end >= 0 else len(text)])


def senses_in(document_id: UUID, text: str = "") -> Senses:
    """For a text of the document."""
    whole: dict[Name, UUID] = {}
    lines: dict[Name, dict[str, UUID]] = defaultdict(dict)
    rows = SenseChoice.objects.filter(document=document_id).order_by("updated_at", "pk")
    for class_name, form, line, entity in rows.values_list("class_name", "normal", "line", "entity_id"):
        if line:
            lines[class_name, form][line] = entity
        else:
            whole[class_name, form] = entity
    now = frozenset(map(words_of, text.splitlines())) if lines else frozenset()
    return Senses(whole, dict(lines), now)


def senses_choose(
    document_ids: Collection[UUID],
    *,
    class_name: str,
    normals: Collection[str],
    entity_id: UUID,
    lines: Iterable[str] = ("",),
) -> None:
    """From now on these documents mean this entity by these names: in these lines, or ("") wherever nothing else was decided."""
    SenseChoice.objects.bulk_create(
        [
            SenseChoice(
                document_id=document,
                entity_id=entity_id,
                class_name=class_name,
                normal=form,
                line=line,
                place=place_of(line),
            )
            for document in sorted(document_ids)
            for form in sorted(normals)
            for line in sorted(set(lines))
        ],
        update_conflicts=True,
        unique_fields=("document", "class_name", "normal", "place"),
        update_fields=("entity",),
    )


def place_of(line: str) -> str:
    return sha256(line.encode()).hexdigest() if line else ""
