"""From the lists that a model wrote about one chunk to findings with the place where each stands. Given an output and the chunk's ground; gives findings, and what can be no finding.

A finding's place is the quotation together with the nearest mention of each name, inside the chunk; names that only the chunk's context holds (title, headings) need none. What
is not there is put aside as NOT_IN_TEXT, what has no form as BROKEN_OUTPUT. Whether the skeleton allows it is left to the one check.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ontology.model_reading.ground import Ground, closed, hull, nearest
from ontology.model_reading.output import LISTS, Output
from ontology.names import normal
from ontology.types import AttributeFound, EntityFound, Extractor, Found, Named, Reason, Rejected, RelationFound, Where

CONFIDENCE = 0.7
MENTIONS = 20
ITEMS = 200
NEAR = 300
SHOWN = 200
_CLASS = ("class", "type", "entity_type", "label")
_TYPE = ("type", "relation", "predicate")

Item = Mapping[str, Any]


class _Refused(Exception):
    """What a model wrote is no finding."""

    def __init__(self, reason: Reason, about: str = "") -> None:
        super().__init__(reason)
        self.reason, self.about = reason, about


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found, for the check, and what was put aside before it."""

    found: tuple[Found, ...] = ()
    rejected: tuple[Rejected, ...] = ()


def findings(output: Output, ground: Ground, where: Where, context: str) -> Findings:
    """Everything in the output, each thing on one side or the other."""
    return _Chunk(ground, where, closed(context), classes_of(output)).findings(output)


def broken(where: Where, about: str, said: str = "") -> Rejected:
    """An output, or a piece of one, that has no form."""
    return Rejected(EntityFound(Named(said[:SHOWN], ""), where, Extractor.MODEL, 0.0), Reason.BROKEN_OUTPUT, about)


def classes_of(output: Output) -> dict[str, set[str]]:
    """The classes under which each name is listed."""
    listed: dict[str, set[str]] = {}
    for item in output.lists.get("entities", ())[:ITEMS]:
        if isinstance(item, dict) and (name := word(item, ("name",))) and (class_name := word(item, _CLASS)):
            listed.setdefault(normal(name), set()).add(class_name)
    return listed


@dataclass(slots=True)
class _Chunk:
    ground: Ground
    where: Where
    context: str
    classes: Mapping[str, set[str]]
    places: dict[str, list[Where]] = field(default_factory=dict)

    def findings(self, output: Output) -> Findings:
        found: list[Found] = []
        rejected: list[Rejected] = []
        for kind in LISTS:
            items = output.lists.get(kind, ())
            for item in items[:ITEMS]:
                try:
                    found += self._found(kind, item, rejected)
                except _Refused as refused:
                    rejected.append(self._aside(kind, item, refused))
            if len(items) > ITEMS:
                rejected.append(broken(self.where, "too_many", f"{len(items)} {kind}"))
        return Findings(tuple(found), tuple(rejected))

    def _found(self, kind: str, item: Any, rejected: list[Rejected]) -> list[Found]:
        """Raises _Refused."""
        if not isinstance(item, dict):
            raise _Refused(Reason.BROKEN_OUTPUT, kind)
        if kind == "entities":
            return list(self._entity(item, rejected))
        return [self._attribute(item) if kind == "attributes" else self._relation(item)]

    def _entity(self, item: Item, rejected: list[Rejected]) -> Iterator[Found]:
        """A finding for each mention (none for a name that only stands above); other names each with the stretch that holds both."""
        who = Named(required(item, ("name",)), required(item, _CLASS))
        mentions = self._mentions(who.name)
        if not mentions and not self._is_above(who.name):
            raise _Refused(Reason.NOT_IN_TEXT, who.class_name)
        for where in mentions[:MENTIONS]:
            yield EntityFound(who, where, Extractor.MODEL, CONFIDENCE)
        others = item.get("aliases")
        for other in others[:MENTIONS] if isinstance(others, list) else ():
            if isinstance(other, str) and other.strip() and normal(other) != normal(who.name):
                try:
                    yield self._alias(who, other.strip(), mentions)
                except _Refused as refused:
                    finding = EntityFound(who, self.where, Extractor.MODEL, CONFIDENCE, (other.strip()[:SHOWN],))
                    rejected.append(Rejected(finding, refused.reason, refused.about))

    def _alias(self, who: Named, other: str, mentions: list[Where]) -> EntityFound:
        """One that stands near the name and is nobody else's name here. Raises _Refused."""
        if normal(other) in self.classes:
            raise _Refused(Reason.HOMONYM, normal(other))
        pairs = [hull([one, two]) for one in mentions for two in self._mentions(other)[:MENTIONS]]
        closest = min(pairs, key=lambda each: each.end - each.start, default=None)
        if closest is None or closest.end - closest.start > NEAR:
            raise _Refused(Reason.NOT_IN_TEXT, who.class_name)
        return EntityFound(who, closest, Extractor.MODEL, CONFIDENCE, (other,))

    def _attribute(self, item: Item) -> AttributeFound:
        name = required(item, ("entity", "name", "subject"))
        who = self._named(name, word(item, _CLASS))
        attribute, raw = required(item, ("attribute", "key", "property")), required(item, ("value",))
        where = self._place(item, [who.name], [raw], f"{who.class_name}.{attribute}")
        return AttributeFound(who, attribute, raw, where, Extractor.MODEL, CONFIDENCE)

    def _relation(self, item: Item) -> RelationFound:
        source = self._named(required(item, ("source", "head", "subject")), word(item, ("source_class",)))
        target = self._named(required(item, ("target", "tail", "object")), word(item, ("target_class",)))
        type_name = required(item, _TYPE)
        given = item.get("attributes")
        own = (
            {str(key): text for key, each in given.items() if (text := spoken(each))} if isinstance(given, dict) else {}
        )
        where = self._place(item, [source.name, target.name], list(own.values()), type_name)
        return RelationFound(source, type_name, target, where, Extractor.MODEL, CONFIDENCE, own)

    def _named(self, name: str, class_name: str) -> Named:
        """Under the one class that the list of entities has it under, else the one given here. Raises _Refused."""
        listed = self.classes.get(normal(name), set())
        chosen = next(iter(listed)) if len(listed) == 1 else class_name
        if not chosen:
            raise _Refused(Reason.BROKEN_OUTPUT, "class")
        return Named(name, chosen)

    def _place(self, item: Item, names: list[str], values: list[str], about: str) -> Where:
        """Where it stands: the quotation with the names and values near it. Raises _Refused when something is nowhere."""
        quote = word(item, ("quote", "evidence", "sentence"))
        stated = self.ground.quote(quote) if quote else None
        if quote and stated is None:
            raise _Refused(Reason.NOT_IN_TEXT, about)
        parts = [stated] if stated else []
        for each in names:
            places = self._mentions(each)
            if not places and not self._is_above(each):
                raise _Refused(Reason.NOT_IN_TEXT, about)
            if found := nearest(places, hull(parts) if parts else self.where):
                parts.append(found)
        for each in values:
            found = self._value(each, parts)
            if found is None:
                raise _Refused(Reason.NOT_IN_TEXT, about)
            parts.append(found)
        if not parts:
            raise _Refused(Reason.NOT_IN_TEXT, about)
        return hull(parts)

    def _value(self, raw: str, parts: list[Where]) -> Where | None:
        """A written value, near what it belongs to; inside of a longer word too, as in “128K-token”."""
        places = self._mentions(raw) or ([one] if (one := self.ground.quote(raw)) else [])
        return nearest(places, hull(parts) if parts else self.where)

    def _mentions(self, name: str) -> list[Where]:
        key = closed(name)
        if key not in self.places:
            self.places[key] = list(self.ground.names(name))
        return self.places[key]

    def _is_above(self, name: str) -> bool:
        """In the title or a heading over the chunk."""
        return bool(key := closed(name)) and key in self.context

    def _aside(self, kind: str, item: Any, refused: _Refused) -> Rejected:
        """As much of it as has a form."""
        if refused.reason is Reason.BROKEN_OUTPUT or not isinstance(item, dict):
            return broken(self.where, refused.about or kind, str(item))
        finding = self._unplaced(kind, item)
        return Rejected(finding, refused.reason, refused.about)

    def _unplaced(self, kind: str, item: Item) -> Found:
        if kind == "relations":
            source = Named(word(item, ("source", "head", "subject"))[:SHOWN], word(item, ("source_class",))[:SHOWN])
            target = Named(word(item, ("target", "tail", "object"))[:SHOWN], word(item, ("target_class",))[:SHOWN])
            return RelationFound(source, word(item, _TYPE)[:SHOWN], target, self.where, Extractor.MODEL, CONFIDENCE)
        who = Named(word(item, ("entity", "name", "subject"))[:SHOWN], word(item, _CLASS)[:SHOWN])
        if kind == "entities":
            return EntityFound(who, self.where, Extractor.MODEL, CONFIDENCE)
        attribute, raw = word(item, ("attribute", "key", "property"))[:SHOWN], word(item, ("value",))[:SHOWN]
        return AttributeFound(who, attribute, raw, self.where, Extractor.MODEL, CONFIDENCE)


def spoken(value: Any) -> str:
    """A word or number as it is written; "" for anything else."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    return value.strip() if isinstance(value, str) else ""


def word(item: Item, keys: tuple[str, ...]) -> str:
    """What stands under the first of these keys that has something."""
    return next((text for key in keys if (text := spoken(item.get(key)))), "")


def required(item: Item, keys: tuple[str, ...]) -> str:
    """Raises _Refused when there is nothing."""
    if not (text := word(item, keys)):
        raise _Refused(Reason.BROKEN_OUTPUT, keys[0])
    return text
