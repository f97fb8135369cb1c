"""Values that travel through extraction and between the skeleton and everything that is compiled from it. All offsets count code points of the version's canonical text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from re import Pattern
from uuid import UUID

Labels = Mapping[str, str]
"""Words for people by language: `{"en": …, "zh": …}`; at least one of them."""


class ValueType(StrEnum):
    """What an attribute's value may be."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    ENUM = "enum"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class AttributeType:
    """One typed attribute of a class or a relation. `unit` is the one values are kept in; `keys` are column names and keys (folded) that name it in documents."""

    name: str
    type: ValueType = ValueType.TEXT
    labels: Labels = field(default_factory=dict)
    description: Labels = field(default_factory=dict)
    unit: str = ""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    to_class: str = ""
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityClass:
    """One class of entities and the rules by which it is found without a model.

    `patterns` match a whole name in the text as it is written, and can't run away (`ontology/skeleton/regexes.py`). `suffixes` and
    `stop_names` are as the author wrote them; `columns` are folded as `AttributeType.keys` are, labels among them, and so is `also_named_in`:
    columns whose cell is another name of the row's entity. `is_as_written` says that a name is not meant by the same letters in lower case,
    `has_alias_in_brackets` that a name of the other script in brackets after a name is another name of it. `self_names` are what a document
    of this class calls itself.
    """

    name: str
    labels: Labels = field(default_factory=dict)
    description: Labels = field(default_factory=dict)
    attributes: tuple[AttributeType, ...] = ()
    is_subject: bool = False
    patterns: tuple[Pattern[str], ...] = ()
    suffixes: tuple[str, ...] = ()
    stop_names: frozenset[str] = frozenset()
    columns: tuple[str, ...] = ()
    record_headings: tuple[Pattern[str], ...] = ()
    also_named_in: tuple[str, ...] = ()
    is_as_written: bool = False
    has_alias_in_brackets: bool = False
    self_names: tuple[str, ...] = ()

    def attribute(self, name: str) -> AttributeType | None:
        """By its name, or None."""
        return next((each for each in self.attributes if each.name == name), None)


@dataclass(frozen=True, slots=True)
class RelationType:
    """One type of relation.

    `phrases` are regular expressions with the named groups `source` and `target` (and attributes' names), for text as it is written. A
    group for an end holds the words of the clause up to the phrase's own: the name meant is the one nearest to those (the last in a
    source that stands before them, the first in a target that stands after). `columns` (folded) lead from the row's subject to the cell,
    `inverse_columns` from the cell to the row's subject.
    """

    name: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    labels: Labels = field(default_factory=dict)
    inverse: Labels = field(default_factory=dict)
    description: Labels = field(default_factory=dict)
    attributes: tuple[AttributeType, ...] = ()
    phrases: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    inverse_columns: tuple[str, ...] = ()

    def attribute(self, name: str) -> AttributeType | None:
        """By its name, or None."""
        return next((each for each in self.attributes if each.name == name), None)

    def joins(self, source: str, target: str) -> bool:
        """Whether it may lead from the one class to the other."""
        return source in self.sources and target in self.targets


@dataclass(frozen=True, slots=True)
class CompiledSkeleton:
    """A skeleton that was checked. `fingerprint` is the same for the same meaning, however it is written."""

    classes: Mapping[str, EntityClass]
    relations: Mapping[str, RelationType]
    fingerprint: str
    title: str = ""

    @property
    def subject_class(self) -> EntityClass | None:
        """The class of a document's subject when nothing says more."""
        return next((each for each in self.classes.values() if each.is_subject), None)


class Extractor(StrEnum):
    """Who found a fact."""

    SUBJECT = "subject"
    GAZETTEER = "gazetteer"
    PATTERN = "pattern"
    PHRASE = "phrase"
    TABLE = "table"
    KEY_VALUE = "key_value"
    MODEL = "model"
    IMPORT = "import"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Named:
    """Who is meant: a name as it stands in the text and its class; `entity_id` where it is a known one."""

    name: str
    class_name: str
    entity_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """The stretch of a version's text that says so."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EntityFound:
    """A name stands there. `aliases` are other names that the same place gives it; `candidates`, where there are any, all whom it may name."""

    who: Named
    where: Where
    extractor: Extractor
    confidence: float = 1.0
    aliases: tuple[str, ...] = ()
    candidates: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class AttributeFound:
    """A value stands there, as it is written (`raw`); it is parsed to the declared type when it is checked."""

    who: Named
    attribute: str
    raw: str
    where: Where
    extractor: Extractor
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class RelationFound:
    """A relation stands there; `attributes` as they are written."""

    source: Named
    type: str
    target: Named
    where: Where
    extractor: Extractor
    confidence: float = 1.0
    attributes: Mapping[str, str] = field(default_factory=dict)


Found = EntityFound | AttributeFound | RelationFound


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a declared type. `key` is equal for equal values, whatever they are written like."""

    type: ValueType
    value: str | int | float | bool
    text: str
    unit: str = ""
    comparison: str = ""
    """`≥`, `≤`, `>`, `<` or `≈` where the text gives a bound and not the value itself."""

    @property
    def key(self) -> str:
        return f"{self.comparison}{self.value}" + (f" {self.unit}" if self.unit else "")


class Reason(StrEnum):
    """Why something found is not a fact."""

    UNKNOWN_CLASS = "unknown_class"
    UNKNOWN_RELATION = "unknown_relation"
    UNKNOWN_ATTRIBUTE = "unknown_attribute"
    WRONG_ENDS = "wrong_ends"
    NOT_IN_TEXT = "not_in_text"
    UNREADABLE_VALUE = "unreadable_value"
    BAD_NAME = "bad_name"
    HOMONYM = "homonym"
    SAME_ENDS = "same_ends"
    BROKEN_OUTPUT = "broken_output"


@dataclass(frozen=True, slots=True)
class Rejected:
    """Something found that does not fit the skeleton. `about` is the unknown class, relation or attribute by which such cases are grouped."""

    found: Found
    reason: Reason
    about: str = ""


@dataclass(frozen=True, slots=True)
class AcceptedEntity:
    """Checked: class allowed, name in the text and clean."""

    found: EntityFound


@dataclass(frozen=True, slots=True)
class AcceptedAttribute:
    """Checked: attribute declared, value parsed."""

    found: AttributeFound
    value: Value


@dataclass(frozen=True, slots=True)
class AcceptedRelation:
    """Checked: type declared, end points of the right classes, attributes parsed."""

    found: RelationFound
    attributes: Mapping[str, Value] = field(default_factory=dict)


Accepted = AcceptedEntity | AcceptedAttribute | AcceptedRelation


@dataclass(frozen=True, slots=True)
class Checked:
    """What may be stored, and what goes to quarantine."""

    accepted: tuple[Accepted, ...] = ()
    rejected: tuple[Rejected, ...] = ()


@dataclass(frozen=True, slots=True)
class Decisions:
    """What people decided about kinds of things that do not fit: what is ignored for ever, and what is taken for a declared class, relation or attribute."""

    ignored: frozenset[tuple[Reason, str]] = frozenset()
    becomes: Mapping[tuple[Reason, str], str] = field(default_factory=dict)
