"""Everything that is found in a document without a model, as one stream in reading order: block by block, so that memory does not grow with the document.

Each block is read as plain words: known names and names by form are mentions, sentences are searched for phrases, lines for "key: value", tables row by
row. Headings say what the lines and tables under them are about. Offsets count code points of the canonical text.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from re import Pattern

from knowledge.chunking.sections import heading_title
from knowledge.types import Block, BlockKind
from ontology.rules.brackets import alias_after
from ontology.rules.gazetteer import Gazetteer
from ontology.rules.key_values import Lines
from ontology.rules.keys import Keys
from ontology.rules.mentions import Mention, longest, mentions
from ontology.rules.patterns import NamePatterns
from ontology.rules.phrases import Phrases, Spoken
from ontology.rules.plain import Plain, plain
from ontology.rules.self_names import self_names, self_names_in
from ontology.rules.statements import CONFIDENCE, Statements
from ontology.rules.subject import Names, subject_of
from ontology.rules.tables import found_in_table
from ontology.types import CompiledSkeleton, EntityFound, Extractor, Found, Named, RelationFound, Where

FIRST_BLOCKS = 20
PIECE = 20_000
PATTERN_CONFIDENCE = 0.7
_kept: "deque[Rules]" = deque(maxlen=8)


def find(
    text: str, blocks: Iterable[Block], skeleton: CompiledSkeleton, gazetteer: Gazetteer, title: str
) -> Iterator[Found]:
    """All that the rules find in one version; a text without blocks is one paragraph."""
    return compiled_rules(skeleton).find(text, blocks, gazetteer, title)


def compiled_rules(skeleton: CompiledSkeleton) -> "Rules":
    """The rules of a skeleton, kept for the next document: compiling them takes longer than reading a short one with them."""
    for kept in tuple(_kept):
        if kept.skeleton is skeleton:
            return kept
    rules = Rules.of(skeleton)
    _kept.append(rules)
    return rules


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a skeleton, compiled."""

    skeleton: CompiledSkeleton
    patterns: NamePatterns
    keys: Keys
    phrases: Phrases
    self_names: Mapping[str, Pattern[str]]

    @classmethod
    def of(cls, skeleton: CompiledSkeleton) -> "Rules":
        """Those that it brings, and what the stock lends to relations without phrases (see `stock`)."""
        patterns = NamePatterns.of(skeleton)
        return cls(skeleton, patterns, Keys.of(skeleton), Phrases.of(skeleton, patterns), self_names(skeleton))

    def find(self, text: str, blocks: Iterable[Block], gazetteer: Gazetteer, title: str) -> Iterator[Found]:
        """See the function of that name."""
        rest = iter(blocks)
        first = list(islice(rest, FIRST_BLOCKS)) or [Block(BlockKind.PARAGRAPH, 0, len(text))]
        statements = Statements(self.keys, Names(gazetteer, self.patterns))
        subject = subject_of(text, first, self.skeleton, statements.names, title, statements.labelled_title)
        if subject:
            yield subject
        yield from _Reading(self, text, statements, subject.who if subject else None).all(chain(first, rest))


@dataclass(slots=True)
class _Reading:
    """One document being read. `records` are the headings above that name something, innermost last: (level, what it is)."""

    rules: Rules
    text: str
    statements: Statements
    subject: Named | None
    records: list[tuple[int, Named]] = field(default_factory=list)
    labelled: set[Named] = field(default_factory=set)
    lines: Lines = field(init=False)

    def __post_init__(self) -> None:
        self.lines = Lines(self.text, self.statements)

    @property
    def about(self) -> Named | None:
        """What is spoken of: the record above, or else the document's subject."""
        return self.records[-1][1] if self.records else self.subject

    @property
    def spoken_of(self) -> tuple[Named, ...]:
        """Whom a key may speak of, the nearest first: whom lines named, then the record above. One that only its class's label marks lets those above it be spoken of too."""
        found = list(self.lines.named)
        for _level, who in reversed(self.records):
            found.append(who)
            if who not in self.labelled:
                return tuple(found)
        return (*found, self.subject) if self.subject else tuple(found)

    def all(self, blocks: Iterable[Block]) -> Iterator[Found]:
        for block in blocks:
            if block.kind is BlockKind.HEADING:
                yield from self._heading(block)
            elif block.kind is BlockKind.TABLE:
                yield from found_in_table(self.text, block, self.spoken_of, self.statements)
            for start, end in pieces(self.text, block):
                yield from self._words(plain(self.text, start, end), block)

    def _words(self, words: Plain, block: Block) -> Iterator[Found]:
        """Names, phrases and lines of plain words. Code and tables hold no sentences."""
        found = mentions(words.text, self.statements.names.gazetteer, self.rules.patterns)
        if self.subject and (own := self.rules.self_names.get(self.subject.class_name)):
            found = longest([*found, *self_names_in(words.text, own, self.subject)])
        yield from (said for mention in found for said in self._mentioned(mention, words))
        if block.kind in (BlockKind.CODE, BlockKind.TABLE, BlockKind.IMAGE):
            return
        for spoken in self.rules.phrases.spoken(words.text, found):
            yield from relation_found(spoken, words)
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST):
            yield from self.lines.found(words, self.spoken_of)

    def _mentioned(self, mention: Mention, words: Plain) -> Iterator[Found]:
        """A name that is known, or whose form fits one class. A form that fits several says too little; a known name of several goes to a person."""
        if mention.extractor is Extractor.GAZETTEER:
            who = self._meant(mention)
            where, aliases = self._place(who or mention.candidates[0], mention, words)
            candidates = () if who else mention.candidates
            yield EntityFound(who or mention.candidates[0], where, mention.extractor, 1.0, aliases, candidates)
        elif len(mention.candidates) == 1:
            where, aliases = self._place(mention.candidates[0], mention, words)
            yield EntityFound(mention.candidates[0], where, mention.extractor, PATTERN_CONFIDENCE, aliases)

    def _place(self, who: Named, mention: Mention, words: Plain) -> tuple[Where, tuple[str, ...]]:
        """Where it stands, with another name that may follow in brackets."""
        alias, end = "", mention.end
        if who.class_name in self.rules.keys.in_brackets:
            alias, end = alias_after(words.text, mention.start, mention.end)
        return Where(*words.span(mention.start, end)), (alias,) if alias else ()

    def _meant(self, mention: Mention) -> Named | None:
        """The one candidate, or the one that this document is about."""
        if len(mention.candidates) == 1:
            return mention.candidates[0]
        about = [each.entity_id for each in (self.subject, self.about) if each and each.entity_id]
        return next((each for each in mention.candidates if each.entity_id in about), None)

    def _heading(self, block: Block) -> Iterator[Found]:
        """Open the record that this heading names, and close those that end before it."""
        self.lines.close()
        level = max(block.level, 1)
        while self.records and self.records[-1][0] >= level:
            self.records.pop()
        words = plain(self.text, block.start, min(block.end, block.start + 1000))
        title = heading_title(self.text, block)
        who = self._record(title, words.text)
        if who is None:
            if labelled := self.statements.labelled_title(title):
                self._label(labelled, level, Where(block.start, block.end))
            return
        self.records.append((level, who))
        at = words.text.find(who.name)
        place = words.span(at, at + len(who.name)) if at >= 0 else (block.start, block.end)
        yield EntityFound(who, Where(*place), Extractor.PATTERN if who.entity_id is None else Extractor.GAZETTEER, 0.9)

    def _label(self, who: Named, level: int, where: Where) -> None:
        """“# System: Orchid” opens a record; it becomes a name only when something is said of it."""
        self.records.append((level, who))
        self.labelled.add(who)
        self.lines.unsaid[who] = EntityFound(who, where, Extractor.KEY_VALUE, CONFIDENCE)

    def _record(self, title: str, words: str) -> Named | None:
        """What a heading names as a whole: by a class's record headings, a known name, or a name of one class's form."""
        for each in self.rules.skeleton.classes.values():
            for pattern in each.record_headings:
                if match := pattern.search(title):
                    name = (match["name"] if "name" in pattern.groupindex else title).strip()
                    return self.statements.one_named(name, (each.name,)) if name in words else None
        return self.statements.one_named(title, tuple(self.rules.skeleton.classes), must_be_known=True) or (
            self._formed(title) if title in words else None
        )

    def _formed(self, title: str) -> Named | None:
        bare = self.rules.patterns.bared(title)
        fitting = self.rules.patterns.classes_of(bare)
        return Named(bare, fitting[0]) if len(fitting) == 1 else None


def relation_found(spoken: Spoken, words: Plain) -> Iterator[Found]:
    """The relation, after those of its ends that only the phrase shows to be names."""
    for end in (spoken.source, spoken.target):
        if end.extractor is not Extractor.GAZETTEER:
            yield EntityFound(end.who, Where(*words.span(end.start, end.end)), Extractor.PHRASE, spoken.confidence)
    yield RelationFound(
        spoken.source.who,
        spoken.relation.name,
        spoken.target.who,
        Where(*words.span(spoken.start, spoken.end)),
        Extractor.PHRASE,
        spoken.confidence,
        spoken.attributes,
    )


def pieces(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """The block in stretches that keep memory flat, cut at line breaks or spaces."""
    start = block.start
    while block.end - start > PIECE:
        cut = max(
            text.rfind("\n", start + PIECE // 2, start + PIECE), text.rfind(" ", start + PIECE // 2, start + PIECE)
        )
        end = cut + 1 if cut > 0 else start + PIECE
        yield start, end
        start = end
    if start < block.end:
        yield start, block.end
