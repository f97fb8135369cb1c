"""What of an entity is compared with others: its names, its exact values, its neighbours."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID

from ontology.names import normal
from ontology.resolution.forms import Form, forms_of
from ontology.types import ValueType
from ontology.values.agreement import Exact

SINGLE = {ValueType.DATE, ValueType.INTEGER, ValueType.NUMBER, ValueType.BOOLEAN, ValueType.ENUM}
"""Types of which one thing has one exact value; a text may be written in many ways."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A relation as it is seen from the entity: its type, whether it leads away, and to whom."""

    type: str
    is_outgoing: bool
    id: UUID


@dataclass(frozen=True)
class Profile:
    """`names` are as they were written, the entity's own first. `values` are the exact values by attribute, `single` the attributes that have one value."""

    id: UUID
    class_name: str
    names: tuple[str, ...]
    values: Mapping[str, frozenset[Exact]] = field(default_factory=dict)
    single: frozenset[str] = frozenset()
    neighbours: frozenset[Neighbour] = frozenset()

    @property
    def name(self) -> str:
        return self.names[0]

    @cached_property
    def normal(self) -> str:
        return normal(self.name)

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """Every way in which it is written, each once."""
        found = {form.text: form for name in reversed(self.names) for form in reversed(forms_of(name))}
        return tuple(reversed(found.values()))
