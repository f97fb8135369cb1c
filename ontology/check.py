"""The one check between what was found, by whatever means, and what may be stored: nothing that the skeleton does not allow ever passes.

Classes, relations and attributes must be declared, ends of the right classes, names clean and really there, values readable as the declared type. What
people decided for a kind of misfit (`Decisions`) is applied on the way. Whatever does not pass comes back with its reason.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from common.text import fold
from ontology.names import is_clean_name, normal
from ontology.rules.gazetteer import marked
from ontology.rules.plain import plain
from ontology.types import (
    Accepted,
    AcceptedAttribute,
    AcceptedEntity,
    AcceptedRelation,
    AttributeFound,
    AttributeType,
    Checked,
    CompiledSkeleton,
    Decisions,
    EntityFound,
    Extractor,
    Found,
    Named,
    Reason,
    Rejected,
    RelationFound,
    Value,
    Where,
)
from ontology.values.parse import parse
from ontology.values.unreadable import UnreadableValue

RESERVED = frozenset(["Document", "Chunk", "Entity"])
RAW_CHARACTERS = 2000
_NO_DECISIONS = Decisions()
_LATIN = re.compile(r"[^\W_]", re.ASCII)
# Rules know what a line or row is about from a heading, a title or another cell, which need not stand in the evidence itself.
_NAMED_ELSEWHERE = frozenset([Extractor.SUBJECT, Extractor.TABLE, Extractor.KEY_VALUE])
_NEEDS_NO_TEXT = frozenset([Extractor.HAND])
# What people give, they can put right; what a text says of something and itself is kept, so that a merge is taken back whole.
JOINS_TWO = frozenset([Extractor.HAND, Extractor.IMPORT])


def check(
    found: Iterable[Found],
    text: str,
    skeleton: CompiledSkeleton,
    decisions: Decisions = _NO_DECISIONS,
    *,
    title: str = "",
) -> Checked:
    """What may be stored and what may not, in order; what is ignored for ever is in neither. `title` is the document's, which may name its subject."""
    judge = _Judge(text, skeleton, decisions, title)
    accepted: list[Accepted] = []
    rejected: list[Rejected] = []
    for each in found:
        try:
            accepted.append(judge.judged(each))
        except _Refused as refused:
            if (refused.reason, refused.about) not in decisions.ignored:
                rejected.append(Rejected(each, refused.reason, refused.about))
    return Checked(tuple(accepted), tuple(rejected))


class _Refused(Exception):
    """What was found is not a fact."""

    def __init__(self, reason: Reason, about: str = "") -> None:
        super().__init__(reason)
        self.reason, self.about = reason, about


@dataclass(slots=True)
class _Judge:
    """Judges what was found in one text. `seen` remembers which names stand somewhere in it."""

    text: str
    skeleton: CompiledSkeleton
    decisions: Decisions
    title: str
    whole: "_Ground | None" = None
    seen: dict[str, bool] = field(default_factory=dict)

    def judged(self, found: Found) -> Accepted:
        """Raises _Refused."""
        if not 0 <= found.where.start < found.where.end <= len(self.text):
            raise _Refused(Reason.NOT_IN_TEXT)
        if isinstance(found, EntityFound):
            return self._entity(found)
        if isinstance(found, AttributeFound):
            return self._attribute(found)
        return self._relation(found)

    def _entity(self, found: EntityFound) -> AcceptedEntity:
        if len({(each.class_name, each.entity_id) for each in found.candidates}) > 1:
            raise _Refused(Reason.HOMONYM, normal(found.who.name))
        who = self._who(found.who, found.where, found.extractor)
        aliases = tuple(
            each for each in found.aliases if is_clean_name(each) and self._stands(each, found.where, found.extractor)
        )
        return AcceptedEntity(replace(found, who=who, aliases=aliases, candidates=()))

    def _attribute(self, found: AttributeFound) -> AcceptedAttribute:
        who = self._who(found.who, found.where, found.extractor)
        declared = self.skeleton.classes[who.class_name].attribute
        name = self._taken_for(
            Reason.UNKNOWN_ATTRIBUTE, f"{who.class_name}.{found.attribute}", found.attribute, declared
        )
        attribute = declared(name)
        assert attribute is not None
        if found.extractor is Extractor.MODEL and not _Ground.of(found.raw).says(self._ground(found.where)):
            raise _Refused(Reason.NOT_IN_TEXT, f"{who.class_name}.{name}")
        value = read_value(found.raw, attribute, f"{who.class_name}.{name}")
        return AcceptedAttribute(replace(found, who=who, attribute=name), value)

    def _relation(self, found: RelationFound) -> AcceptedRelation:
        type_name = self._taken_for(Reason.UNKNOWN_RELATION, found.type, found.type, self.skeleton.relations.get)
        relation = self.skeleton.relations[type_name]
        source = self._who(found.source, found.where, found.extractor)
        target = self._who(found.target, found.where, found.extractor)
        if not relation.joins(source.class_name, target.class_name):
            raise _Refused(Reason.WRONG_ENDS, f"{source.class_name} {type_name} {target.class_name}")
        if found.extractor in JOINS_TWO and same_name(source, target):
            raise _Refused(Reason.SAME_ENDS, type_name)
        values: dict[str, Value] = {}
        for written, raw in found.attributes.items():
            name = self._taken_for(Reason.UNKNOWN_ATTRIBUTE, f"{type_name}.{written}", written, relation.attribute)
            attribute = relation.attribute(name)
            assert attribute is not None
            values[name] = read_value(raw, attribute, f"{type_name}.{name}")
        return AcceptedRelation(replace(found, source=source, type=type_name, target=target), values)

    def _who(self, who: Named, where: Where, extractor: Extractor) -> Named:
        """The one who is meant, under a declared class and a clean name that is there."""
        class_name = self._taken_for(Reason.UNKNOWN_CLASS, who.class_name, who.class_name, self.skeleton.classes.get)
        if not is_clean_name(who.name):
            raise _Refused(Reason.BAD_NAME, class_name)
        if not self._stands(who.name, where, extractor):
            raise _Refused(Reason.NOT_IN_TEXT, class_name)
        return replace(who, class_name=class_name)

    def _taken_for(self, reason: Reason, about: str, name: str, declared: Callable[[str], object | None]) -> str:
        """The declared name: as it was found, or as people decided. Names that our own labels use are never declared."""
        taken = name if declared(name) is not None else self.decisions.becomes.get((reason, about), "")
        if taken in RESERVED or declared(taken) is None:
            raise _Refused(reason, about)
        return taken

    def _stands(self, name: str, where: Where, extractor: Extractor) -> bool:
        """Whether the name is written there, or in the title; for rules that look further, anywhere in the text."""
        if extractor in _NEEDS_NO_TEXT or self._ground(where).names(name) or _Ground.of(self.title).names(name):
            return True
        return extractor in _NAMED_ELSEWHERE and self._stands_somewhere(name)

    def _ground(self, where: Where) -> "_Ground":
        return _Ground.of(plain(self.text, where.start, where.end).text)

    def _stands_somewhere(self, name: str) -> bool:
        if name not in self.seen:
            self.whole = self.whole or _Ground.of(plain(self.text).text)
            self.seen[name] = self.whole.names(name)
        return self.seen[name]


@dataclass(frozen=True, slots=True)
class _Ground:
    """Words in which something may be written: without any space, and with the edges of its words marked."""

    closed: str
    bounded: str

    @classmethod
    def of(cls, words: str) -> "_Ground":
        spaced = " ".join(fold(words).split())
        return cls(spaced.replace(" ", ""), marked(spaced).text)

    def names(self, name: str) -> bool:
        """Whether it is written there, whatever its case, width, script and spaces; a Latin word only whole."""
        own = _Ground.of(name)
        return own.bounded in self.bounded if _LATIN.search(own.closed) else own.says(self)

    def says(self, words: "_Ground") -> bool:
        """Whether other words hold all of these."""
        return bool(self.closed) and self.closed in words.closed


def same_name(source: Named, target: Named) -> bool:
    """Whether both are one by class and name (which may be written in two ways)."""
    return (source.class_name, normal(source.name)) == (target.class_name, normal(target.name))


def read_value(raw: str, attribute: AttributeType, about: str) -> Value:
    """Raises _Refused for what can't be read as the declared type."""
    if not raw.strip() or len(raw) > RAW_CHARACTERS:
        raise _Refused(Reason.UNREADABLE_VALUE, about)
    try:
        return parse(raw, attribute)
    except UnreadableValue:
        raise _Refused(Reason.UNREADABLE_VALUE, about) from None


def conforms(accepted: Accepted, skeleton: CompiledSkeleton) -> bool:
    """Whether an accepted fact is inside of a skeleton: the measure of conformance, told from the fact alone."""
    return all(_faults(accepted, skeleton))


def _faults(accepted: Accepted, skeleton: CompiledSkeleton) -> Iterator[bool]:
    found = accepted.found
    if isinstance(found, RelationFound):
        relation = skeleton.relations.get(found.type)
        yield relation is not None and relation.joins(found.source.class_name, found.target.class_name)
        names: Mapping[str, Value] = accepted.attributes if isinstance(accepted, AcceptedRelation) else {}
        yield relation is not None and all(relation.attribute(name) for name in names)
        ends: tuple[Named, ...] = (found.source, found.target)
    else:
        ends = (found.who,)
    yield all(who.class_name in skeleton.classes and who.class_name not in RESERVED for who in ends)
    if isinstance(found, AttributeFound):
        of = skeleton.classes.get(found.who.class_name)
        yield of is not None and of.attribute(found.attribute) is not None
