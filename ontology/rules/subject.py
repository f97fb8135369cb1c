"""A document's subject is an entity: what its title names. The title is looked for in the first heading and the first lines; where it does not stand, the first sentence is its evidence."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from common.sentences import sentences
from common.text import fold, fold_with_origins
from knowledge.chunking.sections import heading_title
from knowledge.types import Block, BlockKind
from ontology.names import is_clean_name, normal
from ontology.rules.gazetteer import Gazetteer, named
from ontology.rules.patterns import NamePatterns, without_article
from ontology.types import CompiledSkeleton, EntityFound, Extractor, Named, Where

SEARCHED = 3000
_BRACKETS = re.compile(r"\s*[(（]([^()（）]{1,80})[)）]\s*$")
_DASH = re.compile(r"\s+[-–—]+\s+|\s*——\s*")
_FILE_ENDING = re.compile(r"\.(?:md|markdown|txt|docx?|pdf|html?|xlsx?|pptx?|csv|json|jsonl)$", re.IGNORECASE)
_SHORT_FORM = re.compile(r"[A-Z][A-Z0-9&.-]{1,9}")


@dataclass(frozen=True, slots=True)
class Names:
    """What is asked about names: those that are known, and the forms of those that are not."""

    gazetteer: Gazetteer
    patterns: NamePatterns


def subject_of(
    text: str,
    blocks: Sequence[Block],
    skeleton: CompiledSkeleton,
    names: Names,
    title: str,
    labelled: Callable[[str], Named | None],
) -> EntityFound | None:
    """The subject, from the title or else the first heading; `blocks` are the first ones, `labelled` tells whom “System: Orchid” names. None where there is no name or no class for it."""
    name = title_of(text, blocks, title)
    if not name or not (words := text[:SEARCHED].strip()):
        return None
    by_label = labelled(name)
    who = by_label or subject_named(name, skeleton, names)
    if who is None:
        return None
    start, end = place_of(name, text, blocks) or first_sentence(text, words)
    if by_label:
        return EntityFound(by_label, Where(start, end), Extractor.SUBJECT)
    others = tuple(each for each in (name, *variants(name)) if normal(names.patterns.bared(each)) != normal(who.name))
    return EntityFound(who, Where(start, end), Extractor.SUBJECT, aliases=others)


def title_of(text: str, blocks: Sequence[Block], title: str) -> str:
    """A clean name, or ""."""
    headings = (heading_title(text, block) for block in blocks if block.kind is BlockKind.HEADING)
    for words in (_FILE_ENDING.sub("", title), next(headings, "")):
        name = " ".join(words.split())
        if is_clean_name(name):
            return name
    return ""


def subject_named(name: str, skeleton: CompiledSkeleton, names: Names) -> Named | None:
    """The known entity of that name, with or without what stands in brackets after it; else the class that its form fits; else the class of subjects."""
    forms = [each for each in (name, _BRACKETS.sub("", name)) if is_clean_name(each)]
    for form in (*forms, *map(without_article, forms)):
        known = names.gazetteer.called(form)
        if len(known) == 1:
            return named(known[0], form)
    for form in forms:
        bare = names.patterns.bared(form)
        fitting = names.patterns.classes_of(bare)
        if len(fitting) == 1:
            return Named(bare, fitting[0])
    subject_class = skeleton.subject_class
    if subject_class is None or not names.patterns.is_name(name, subject_class.name):
        return None
    return Named(name, subject_class.name)


def variants(name: str) -> list[str]:
    """The title without what stands in brackets at its end, a short form in those brackets, and what stands after a dash."""
    found: list[str] = []
    if bracketed := _BRACKETS.search(name):
        found.append(name[: bracketed.start()])
        if _SHORT_FORM.fullmatch(bracketed[1]):
            found.append(bracketed[1])
    if len(parts := _DASH.split(name)) == 2:
        found.append(parts[1])
    return [each for each in dict.fromkeys(found) if is_clean_name(each) and normal(each) != normal(name)]


def place_of(name: str, text: str, blocks: Sequence[Block]) -> tuple[int, int] | None:
    """Where the title stands: in a heading first, then anywhere in the first lines."""
    for block in blocks:
        if block.kind is BlockKind.HEADING and (place := place_in(name, text, block.start, block.end)):
            return place
    return place_in(name, text, 0, SEARCHED)


def place_in(name: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    folded = fold_with_origins(text[start : min(end, start + SEARCHED)])
    wanted = fold(name)
    at = folded.text.find(wanted)
    if at < 0:
        return None
    first, last = folded.source_span(at, at + len(wanted))
    return start + first, start + last


def first_sentence(text: str, words: str) -> tuple[int, int]:
    """The first sentence of what is not blank; a heading's line counts as one."""
    begin = text.index(words[0])
    _start, end = sentences(words)[0]
    return begin, begin + len(words[:end].rstrip())
