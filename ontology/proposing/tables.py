"""Classes from tables: what the first column holds is a kind of thing, what the others say of it are its attributes. And attributes that known classes lack."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from knowledge.types import Block, BlockKind
from ontology.names import is_clean_name
from ontology.proposing.drafts import (
    Draft,
    Sample,
    attribute_name,
    class_name,
    examples_of,
    labels_for,
    typed,
)
from ontology.rules.keys import Keys, folded_key
from ontology.rules.tables import column_keys, row_of
from ontology.types import CompiledSkeleton

ATTRIBUTES = 12
ROWS = 200
NAMES_NOTHING = frozenset(
    {"#", "no", "no.", "nr", "id", "序号", "编号", "property", "quantity", "code", "项目", "指标"}
)


@dataclass(slots=True)
class Columns:
    """What tables with the same first column hold: its cells, and the cells under each other header."""

    header: str
    tables: int = 0
    cells: list[str] = field(default_factory=list)
    others: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    spelled: dict[str, str] = field(default_factory=dict)


def from_tables(samples: Iterable[Sample], skeleton: CompiledSkeleton) -> list[Draft]:
    """The most frequent first."""
    keys = Keys.of(skeleton)
    drafts = [draft for columns in gathered(samples).values() for draft in drafts_of(columns, keys, skeleton)]
    return sorted(drafts, key=lambda draft: -draft.count)


def gathered(samples: Iterable[Sample]) -> dict[str, Columns]:
    found: dict[str, Columns] = {}
    for sample in samples:
        for block in sample.blocks:
            if block.kind is BlockKind.TABLE and block.header_parts and len(block.parts) > block.header_parts:
                gather(sample.text, block, found)
    return found


def gather(text: str, block: Block, found: dict[str, Columns]) -> None:
    header = column_keys([row_of(text, *part) for part in block.parts[: block.header_parts]])
    if len(header) < 2 or not header[0]:
        return
    columns = found.setdefault(folded_key(header[0])[0], Columns(header[0]))
    columns.tables += 1
    for part in block.parts[block.header_parts :][:ROWS]:
        cells = [cell.words for cell in row_of(text, *part).cells]
        if cells and cells[0]:
            columns.cells.append(cells[0])
            for name, words in zip(header[1:], cells[1:], strict=False):
                if name and words:
                    key = folded_key(name)[0]
                    columns.spelled.setdefault(key, name)
                    columns.others[key].append(words)


def drafts_of(columns: Columns, keys: Keys, skeleton: CompiledSkeleton) -> Iterator[Draft]:
    """A class that there is none of yet, or what its tables say that the class does not know."""
    first = folded_key(columns.header)[0]
    known = keys.classes.get(first)
    lacking = [key for key in columns.others if not (known and is_known(keys, known, key, skeleton))]
    if known:
        for key in lacking:
            name, declared = attribute_of(columns, key)
            if skeleton.classes[known].attribute(name) is None:
                values = columns.others[key]
                shown = examples_of(values)
                yield Draft(name, declared, len(values), shown, "column", owner=known, values={name: shown})
        return
    names = Counter(each for each in columns.cells if is_clean_name(each))
    if first in NAMES_NOTHING or len(names) < 2 or len(names) * 2 < len(columns.cells):
        return
    found = [(*attribute_of(columns, key), examples_of(columns.others[key])) for key in lacking[:ATTRIBUTES]]
    attributes = {name: entry for name, entry, _values in found}
    examples = {name: shown for name, _entry, shown in found}
    declared = {"labels": labels_for(columns.header)}
    if attributes:
        declared["attributes"] = attributes
    declared["rules"] = {"columns": [columns.header]}
    cells = columns.cells
    yield Draft(class_name(columns.header), declared, len(cells), examples_of(cells), "table", values=examples)


def is_known(keys: Keys, class_of: str, key: str, skeleton: CompiledSkeleton) -> bool:
    return keys.meaning(class_of, key) is not None or key in keys.also_named[class_of] or key in keys.classes


def attribute_of(columns: Columns, key: str) -> tuple[str, dict[str, object]]:
    """Its name and entry."""
    spelled = folded_words(columns.spelled[key])
    kind = typed(columns.others[key])
    declared: dict[str, object] = {} if kind == "text" else {"type": kind}
    declared["labels"] = labels_for(spelled)
    return attribute_name(spelled), declared


def folded_words(header: str) -> str:
    """Without the unit in brackets behind it."""
    words = header.strip(" *_`:：|")
    return words[: words.rfind("(")].rstrip() or words if folded_key(words)[1] and "(" in words else words
