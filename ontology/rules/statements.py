"""What "key: value" says of an entity, in a table's cell as in a line: a typed attribute, or relations to the names that the value holds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ontology.names import is_clean_name, normal
from ontology.rules.brackets import alias_after
from ontology.rules.gazetteer import named
from ontology.rules.keys import KeyedRelation, Keys, Meaning, folded_key
from ontology.rules.patterns import without_article
from ontology.rules.subject import Names
from ontology.types import AttributeFound, AttributeType, EntityFound, Extractor, Found, Named, RelationFound, Where

CONFIDENCE = 0.9
NAME_IN_CELL = 80
VALUE_CHARACTERS = 500
_NOTHING = frozenset(
    ["", "-", "--", "—", "–", "/", "n/a", "na", "none", "无", "暂无", "未知", "tbd", "?", "…", "...", "null"]
)
_SEPARATORS = re.compile(r"\s*[、;；\n]\s*|\s+/\s+|[,，]\s*|\s*<br\s*/?>\s*")
_SENTENCE = re.compile(r"[。！？!?]|\.\s")
_ANY_NAME = frozenset(["name", "title", "item", "file", "名称", "标题", "名词", "事项", "单位"])
"""Columns of a class by the table that they stand in; before a colon they name anything."""
_BARE_NUMBER = re.compile(r"[<>≤≥≈~约]*\s*[\d.,，]+\s*[kKmMbB万亿千]?")


@dataclass(frozen=True, slots=True)
class Said:
    """A key and its value in plain words; `where` is the row or line, `value_where` the value alone."""

    key: str
    value: str
    where: Where
    value_where: Where


@dataclass(frozen=True, slots=True)
class Statements:
    """Reads what is said, by one skeleton and the names that are known."""

    keys: Keys
    names: Names

    def within(self, row: str) -> "Statements":
        """For words of this line alone: it may say which of several that bear a name is meant."""
        if self.names.gazetteer.meant is None:
            return self
        return replace(self, names=replace(self.names, gazetteer=self.names.gazetteer.within(row)))

    def about(self, who: Named, said: Said, extractor: Extractor) -> Iterator[Found]:
        """Nothing where the key means nothing for this class, or the value says nothing."""
        meaning = self.keys.meaning(who.class_name, said.key)
        value = said.value.strip()
        if meaning is None or value.casefold() in _NOTHING or len(value) > VALUE_CHARACTERS:
            return
        if isinstance(meaning, AttributeType):
            raw = with_unit(value, folded_key(said.key)[1]) if meaning.unit else value
            yield AttributeFound(who, meaning.name, raw, said.where, extractor, CONFIDENCE)
        else:
            yield from self._relations(who, meaning, value, said, extractor)

    def knows(self, who: Named | None, key: str) -> Meaning | None:
        """What the key says of this entity."""
        return self.keys.meaning(who.class_name, key) if who else None

    def who_knows(self, whos: Sequence[Named], key: str) -> Named | None:
        """The first of whom the key says something."""
        return next((each for each in whos if self.keys.meaning(each.class_name, key)), None)

    def labelled(self, key: str, words: str) -> Named | None:
        """Whom “System: Orchid” names: the key is a class, the rest a name that may be one of it."""
        class_name = self.keys.classes.get(folded_key(key)[0])
        if class_name is None or folded_key(key)[0] in _ANY_NAME or not words or words[0].islower():
            return None
        return self.one_named(words, (class_name,))

    def labelled_title(self, title: str) -> Named | None:
        """Likewise, of a title or heading as a whole."""
        key, mark, rest = title.partition("：" if "：" in title else ":")
        return self.labelled(key, rest.strip()) if mark else None

    def _relations(
        self, who: Named, meaning: KeyedRelation, value: str, said: Said, extractor: Extractor
    ) -> Iterator[Found]:
        for other in self.named_in(value, meaning.other_ends):
            aliases = self.other_names(other, value)
            yield EntityFound(other, said.value_where, extractor, CONFIDENCE, aliases)
            source, target = (other, who) if meaning.is_inverse else (who, other)
            yield RelationFound(source, meaning.relation.name, target, said.where, extractor, CONFIDENCE)

    def named_in(self, value: str, classes: tuple[str, ...]) -> list[Named]:
        """The names in a cell: the whole of it when it is one that is known, else its parts."""
        whole = self.one_named(value, classes, must_be_known=True)
        if whole:
            return [whole]
        parts = [part.strip() for part in _SEPARATORS.split(value)]
        return [who for part in parts if part and (who := self.one_named(part, classes))]

    def one_named(self, name: str, classes: tuple[str, ...], *, must_be_known: bool = False) -> Named | None:
        """Who is meant by a whole cell or part of one, of these classes; None where that stays open."""
        called = self.names.gazetteer.called(name) or self.names.gazetteer.called(without_article(name))
        known = [each for each in called if each.class_name in classes]
        if known or must_be_known:
            return named(known[0], name) if len(known) == 1 else None
        name = self.names.patterns.bared(name)
        if name.casefold() in _NOTHING:
            return None
        if bare := self._bare(name, classes):
            return bare
        if not is_clean_name(name) or len(name) > NAME_IN_CELL or _SENTENCE.search(name):
            return None
        fitting = [each for each in self.names.patterns.classes_of(name) if each in classes] or list(classes)
        allowed = [each for each in fitting if self.names.patterns.is_name(name, each)]
        return Named(name, allowed[0]) if len(allowed) == 1 else None

    def says_no_name(self, words: str) -> bool:
        """Whether a cell that should hold a name says something, but nothing that may be one."""
        has_letters = any(each.isalpha() for each in words[:VALUE_CHARACTERS])
        return has_letters and words.casefold() not in _NOTHING and not is_clean_name(words)

    def _bare(self, name: str, classes: tuple[str, ...]) -> Named | None:
        """The name of a cell that says more: one with another name in brackets, or the one place in it that a class's patterns fit."""
        before, bracket, _after = name.partition("（" if "（" in name else "(")
        own = before.rstrip()
        if bracket and own and self.names_in_brackets(classes) and alias_after(name, 0, len(own))[0]:
            return self.one_named(own, classes)
        formed = {
            (name[start:end], of)
            for start, end, of in self.names.patterns.names_by_pattern(name)
            if of in classes and end - start < len(name)
        }
        return Named(*formed.pop()) if len(formed) == 1 else None

    def names_in_brackets(self, classes: tuple[str, ...]) -> bool:
        """Whether one of these classes has other names in brackets."""
        return not self.keys.in_brackets.isdisjoint(classes)

    def is_other_name(self, words: str, who: Named) -> bool:
        """Whether a cell of its own can hold another name of it."""
        return (
            words.casefold() not in _NOTHING
            and len(words) <= NAME_IN_CELL
            and normal(words) != normal(who.name)
            and self.names.patterns.is_name(words, who.class_name)
        )

    def other_names(self, who: Named, words: str) -> tuple[str, ...]:
        """Those that stand in brackets after the name."""
        at = words.find(who.name) if who.class_name in self.keys.in_brackets else -1
        alias = alias_after(words, at, at + len(who.name))[0] if at >= 0 else ""
        return (alias,) if alias and normal(alias) != normal(who.name) else ()


def with_unit(value: str, unit: str) -> str:
    """A bare number takes the unit that stands at its key."""
    return f"{value} {unit}" if unit and _BARE_NUMBER.fullmatch(value) else value
