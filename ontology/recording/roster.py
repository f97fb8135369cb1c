"""Which entity a name means. Given names with their classes, finds or makes their rows; a name of several entities means none of them."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from common.text import visible
from ontology.models import Alias, Entity
from ontology.names import normal
from ontology.roots import roots_of
from ontology.senses import Senses, line_at
from ontology.types import Named


class Name(NamedTuple):
    class_name: str
    normal: str


def name_of(who: Named) -> Name:
    return Name(who.class_name, normal(who.name))


@dataclass(slots=True)
class Roster:
    """The entities of one graph that a batch is about. `senses`: what people decided that names mean in its document, whose text is `text`."""

    graph_id: UUID
    senses: Senses = field(default_factory=Senses)
    text: str = ""
    known: dict[Name, set[UUID]] = field(default_factory=lambda: defaultdict(set))
    given: set[UUID] = field(default_factory=set)

    def read(self, whos: Collection[Named]) -> None:
        """Find those that are there and make those that are not, in one order for all writers."""
        wanted = {name_of(who): who.name for who in whos if who.entity_id is None}
        self.look_up(wanted)
        missing = sorted(name for name in wanted if not self.known.get(name))
        Entity.objects.bulk_create(
            [
                Entity(
                    graph_id=self.graph_id,
                    class_name=name.class_name,
                    normal_name=name.normal,
                    name=visible(wanted[name]),
                )
                for name in missing
            ],
            ignore_conflicts=True,
        )
        self.look_up(missing)
        ids = {who.entity_id for who in whos if who.entity_id}
        self.given = set(Entity.objects.filter(graph_id=self.graph_id, pk__in=ids).values_list("pk", flat=True))

    def look_up(self, names: Iterable[Name]) -> None:
        """By name first; by another name only where no entity of the class has it as its own."""
        forms = {name.normal for name in names}
        rows = Entity.objects.filter(graph_id=self.graph_id, normal_name__in=forms)
        own = set()
        for class_name, form, pk in rows.values_list("class_name", "normal_name", "pk"):
            own.add(Name(class_name, form))
            self.known[Name(class_name, form)].add(pk)
        others = Alias.objects.filter(graph_id=self.graph_id, normal__in=forms, is_rejected=False)
        for class_name, form, pk in others.values_list("entity__class_name", "normal", "entity_id"):
            if Name(class_name, form) not in own:
                self.known[Name(class_name, form)].add(pk)

    def entity(self, who: Named, at: int) -> UUID | None:
        """The one that is meant at this place; None when there are several, or it has gone."""
        if who.entity_id is not None:
            return who.entity_id if who.entity_id in self.given else None
        found = self.known.get(name_of(who), set())
        if len(found) < 2:
            return next(iter(found), None)
        return self.senses.meant(name_of(who), line_at(self.text, at)) or first_of_one(found)

    def are_one(self, ids: Collection[UUID]) -> bool:
        """Whether they are one entity, or were merged into one."""
        return len(set(roots_of(ids).values())) == 1


def first_of_one(ids: set[UUID]) -> UUID | None:
    """The first of several that were merged; None when they are not one."""
    return min(ids) if len(set(roots_of(ids).values())) == 1 else None
