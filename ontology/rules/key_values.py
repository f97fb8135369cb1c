"""Lines and list items that say "key: value" or "键：值" about the document's subject, the record whose heading stands above, or whom a line above named by its class (“System: Orchid”, “系统：订单管理系统”)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ontology.rules.plain import Plain, address_in
from ontology.rules.statements import CONFIDENCE, Said, Statements
from ontology.types import EntityFound, Extractor, Found, Named, Where

MOST_NAMED = 5
_LINE = re.compile(
    r"^[^\S\n]*(?:[-*+•·]|\d{1,3}[.)、])?[^\S\n]*(?P<key>[^\s:：。；;,，][^:：\n。；;]{0,39}?)[^\S\n]*[:：][^\S\n]*(?P<value>(?:[^\s][^\n]{0,500})?)$",
    re.MULTILINE,
)


@dataclass(slots=True)
class Lines:
    """Lines of one document. `named` are those whom lines under the last heading named, the last one first; `unsaid` keeps the places of those of whom nothing is said so far."""

    text: str
    statements: Statements
    named: list[Named] = field(default_factory=list)
    unsaid: dict[Named, EntityFound] = field(default_factory=dict)

    def close(self) -> None:
        """What stands under the next heading is about somebody else."""
        self.named.clear()

    def found(self, words: Plain, spoken_of: Sequence[Named]) -> Iterator[Found]:
        """What the lines of a stretch of plain words say. `spoken_of` are those whom they may speak of besides, the nearest first; keys that mean nothing for their classes say nothing."""
        for said, line in self._said(words):
            here = self.statements.within(line)
            who = self.statements.who_knows((*self.named, *spoken_of), said.key)
            if who is None:
                self._name(said, here)
                continue
            if who in self.unsaid:
                yield self.unsaid.pop(who)
            yield from here.about(who, said, Extractor.KEY_VALUE)

    def _said(self, words: Plain) -> Iterator[tuple[Said, str]]:
        """Line by line, with the line's words. An address is no plain word, but it may be a value."""
        for line in _LINE.finditer(words.text):
            start, end = line.span("value")
            if start == end:
                first = words.span(line.end("key") - 1, line.end("key"))[1]
                first = self.text.find(":", first) if ":" in line.group() else self.text.find("：", first)
                stop = self.text.find("\n", first)
                address = address_in(self.text, first + 1, stop if stop >= 0 else len(self.text))
                if address:
                    value_where = Where(*address)
                    where = Where(words.span(*line.span("key"))[0], address[1])
                    yield Said(line["key"], self.text[slice(*address)], where, value_where), line[0]
                continue
            where = Where(*words.span(line.start("key"), end))
            value = line["value"].strip().rstrip("。;；")
            yield Said(line["key"], value, where, Where(*words.span(start, end))), line[0]

    def _name(self, said: Said, here: Statements) -> None:
        """“System: Orchid” says what the lines under it are about. It becomes a name only when one of them says something of it."""
        who = here.labelled(said.key, said.value)
        if who is not None:
            self.named = [who, *(each for each in self.named if each != who)][:MOST_NAMED]
            self.unsaid[who] = EntityFound(who, said.where, Extractor.KEY_VALUE, CONFIDENCE)
