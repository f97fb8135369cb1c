"""Facts that a new skeleton does not allow. Given a graph and both skeletons, gives their rows."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from ontology.models import AttributeValue, Entity, Graph, Relation
from ontology.types import CompiledSkeleton, EntityClass, RelationType


@dataclass(frozen=True, slots=True)
class Misfits:
    """Rows that the new skeleton does not allow."""

    entities: "QuerySet[Entity]"
    attributes: "QuerySet[AttributeValue]"
    relations: "QuerySet[Relation]"

    def confirmed(self) -> int:
        """How many of them people have vouched for."""
        return sum(rows.filter(is_confirmed=True).count() for rows in (self.entities, self.attributes, self.relations))


def misfits(graph: Graph, old: CompiledSkeleton, new: CompiledSkeleton) -> Misfits:
    """Entities of undeclared classes, values of undeclared or otherwise typed attributes, relations that may not join their ends or carry such values."""
    entities = Entity.objects.filter(graph=graph).exclude(class_name__in=new.classes)
    allowed = Q(pk__in=[])
    for name, each in new.classes.items():
        kept = [one.name for one in each.attributes if is_kept(old.classes.get(name), each, one.name)]
        allowed |= Q(entity__class_name=name, name__in=kept)
    joins = Q(pk__in=[])
    for name, relation in new.relations.items():
        before = old.relations.get(name)
        lost = [one.name for one in (before.attributes if before else ()) if not is_kept(before, relation, one.name)]
        fits = Q(type=name, source__class_name__in=relation.sources, target__class_name__in=relation.targets)
        joins |= fits & ~Q(attributes__has_any_keys=lost) if lost else fits
    return Misfits(
        entities,
        AttributeValue.objects.filter(entity__graph=graph).exclude(allowed),
        Relation.objects.filter(graph=graph).exclude(joins),
    )


def is_kept(old: EntityClass | RelationType | None, new: EntityClass | RelationType, attribute: str) -> bool:
    """Whether stored values of this attribute of a class or relation still are what it declares."""
    before = old.attribute(attribute) if old else None
    after = new.attribute(attribute)
    if before is None or after is None:
        return after is not None
    return (before.type, before.unit, before.to_class, set(before.options)) == (
        after.type,
        after.unit,
        after.to_class,
        set(after.options),
    )
