"""A small skeleton of a company's knowledge, and short ways to ask the rules."""

import re
from dataclasses import dataclass

from knowledge.types import Block, BlockKind
from ontology.rules.gazetteer import Gazetteer, KnownName
from ontology.rules.rules import find
from ontology.types import (
    AttributeFound,
    AttributeType,
    CompiledSkeleton,
    EntityClass,
    EntityFound,
    Found,
    RelationFound,
    RelationType,
    ValueType,
)

SYSTEM = EntityClass(
    "System",
    labels={"en": "System", "zh": "系统"},
    attributes=(
        AttributeType("context_length", ValueType.INTEGER, labels={"en": "Context length", "zh": "上下文长度"}),
        AttributeType("temperature", ValueType.NUMBER, unit="℃", keys=("max temperature",)),
    ),
    patterns=(re.compile(r"[A-Z]{2,4}-\d{2,5}"),),
    suffixes=("系统", "Server"),
    stop_names=frozenset({"ISO-9001", "本系统"}),
    columns=("system", "系统", "型号"),
    record_headings=(re.compile(r"^(?:System|系统)[:：]\s*(?P<name>.+)$"),),
)
DEPARTMENT = EntityClass(
    "Department",
    labels={"en": "Department", "zh": "部门"},
    suffixes=("部", "Department"),
    columns=("department", "部门"),
)
PERSON = EntityClass("Person", labels={"en": "Person", "zh": "人员"}, columns=("person", "人员"))
PUBLICATION = EntityClass("Publication", labels={"en": "Document", "zh": "文档"}, is_subject=True)
CALLS = RelationType(
    "calls",
    ("System",),
    ("System",),
    labels={"en": "calls", "zh": "调用"},
    inverse={"en": "called by", "zh": "被调用"},
    attributes=(AttributeType("protocol"),),
    phrases=(
        r"(?P<source>.{1,80}?)\s+(?:calls|invokes)\s+(?P<target>.{1,80}?)(?:\s+over\s+(?P<protocol>\w{1,10})|[.]|$)",
        r"(?P<source>.{1,40})调用(?P<target>.{1,40})",
    ),
    inverse_columns=("called by", "被调用"),
)
OWNED_BY = RelationType(
    "owned_by",
    ("System", "Publication"),
    ("Department", "Person"),
    labels={"en": "owner", "zh": "负责部门"},
    phrases=(r"(?P<source>.{1,80}?) is owned by (?P<target>.{1,80})", r"(?P<source>.{1,40})由(?P<target>.{1,40}?)负责"),
    columns=("owner", "负责部门", "负责人"),
)


def skeleton(*classes: EntityClass, relations: tuple[RelationType, ...] = (CALLS, OWNED_BY)) -> CompiledSkeleton:
    """The classes given, or all of them."""
    chosen = classes or (SYSTEM, DEPARTMENT, PERSON, PUBLICATION)
    return CompiledSkeleton(
        {each.name: each for each in chosen}, {each.name: each for each in relations}, fingerprint="test"
    )


def gazetteer(**names: str) -> Gazetteer:
    """`Class="Name|Name"`."""
    return Gazetteer.of(KnownName(name, cls) for cls, joined in names.items() for name in joined.split("|"))


@dataclass(frozen=True)
class Findings:
    """What was found, by kind; spans as the words that stand there."""

    text: str
    all: list[Found]

    @property
    def entities(self):
        return [(each.who.class_name, each.who.name) for each in self.all if isinstance(each, EntityFound)]

    @property
    def relations(self):
        return [(e.source.name, e.type, e.target.name) for e in self.all if isinstance(e, RelationFound)]

    @property
    def attributes(self):
        return [(each.who.name, each.attribute, each.raw) for each in self.all if isinstance(each, AttributeFound)]

    def words(self, kind=EntityFound):
        return [self.text[each.where.start : each.where.end] for each in self.all if isinstance(each, kind)]


def found(text, blocks=(), *, known=None, of=None, title=""):
    """The rules' findings in a text."""
    known = known or Gazetteer.EMPTY
    return Findings(text, list(find(text, blocks, of or skeleton(), known, title)))


def parsed(text):
    """Blocks of a small Markdown text: headings, tables, lists and paragraphs parted by empty lines."""
    blocks = []
    for part in re.finditer(r"(?:[^\n]+\n?)+", text):
        words, start = part.group().rstrip("\n"), part.start()
        end = start + len(words)
        lines = [(m.start() + start, m.end() + start) for m in re.finditer(r"[^\n]+", words)]
        if words.startswith("#"):
            level = len(words) - len(words.lstrip("#"))
            blocks.append(Block(BlockKind.HEADING, start, end, level))
        elif words.startswith("|"):
            rows = tuple(line for line in lines if not re.fullmatch(r"[|\s:-]+", text[slice(*line)]))
            blocks.append(Block(BlockKind.TABLE, start, end, parts=rows, header_parts=int(len(rows) < len(lines))))
        elif words.startswith("- "):
            blocks.append(Block(BlockKind.LIST, start, end, parts=tuple(lines)))
        else:
            blocks.append(Block(BlockKind.PARAGRAPH, start, end))
    return blocks
