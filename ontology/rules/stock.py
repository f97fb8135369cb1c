"""Phrases and forms of names for skeletons that bring none: relations and classes are recognised by their names and labels (`stock.yaml`).

Given a skeleton, lends each recognised relation without phrases of its own the stock's, and each class that does not say what its names look like a form that is trusted only
beside a lent phrase. General knowledge of both languages, no names of anything. Where people wrote phrases or patterns, theirs hold alone.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from re import Pattern
from typing import Any

import yaml

from common.text import HAN, fold
from ontology.types import CompiledSkeleton, EntityClass, Labels, RelationType

STOCK = Path(__file__).with_name("stock.yaml")
OTHER = "other"
_HAN = re.compile(f"[{HAN}]")

_NO_NAME = (
    "In|On|At|After|Before|When|While|He|She|It|They|His|Her|Its|Their|This|That|These|There|But|And|For|As|By|From|With|Both|Also|"
    "Then|Where|Which|Who|If|Since|Born|Former|Although|Though|One|We|You|I|Said"
)
_WORD = r"(?:[A-Z](?:\.[A-Z])+\.?|[A-Z]\.(?=\s)|[A-Z][a-z]{0,3}\.(?=\s|$)|[A-Z0-9À-ÞĀ-Ž](?:[\w.'’&+/-]{0,40}[\w'’+])?)"
_LINK = r"(?:\s+(?:of|the|de|la|le|du|des|von|van|der|den|del|di|da|al|bin|y|el)){0,2}"
_NOT_FIRST = rf"(?![由于在是被和与及的其该此这那])(?=[A-Za-z0-9·&\- ]{{0,20}}[{HAN}])"
_NOT_LAST = "(?<![由于在是被和与及的等])"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_NAME = rf"(?!(?:{_NO_NAME})\b)(?:(?:The|An?)\s+)?{_WORD}(?:{_LINK}\s+{_WORD}){{0,8}}"
FORMS = {
    "person": rf"(?!(?:{_NO_NAME}|The)\b)(?!\d){_WORD}(?:{_LINK}\s+{_WORD}){{0,4}}(?:,? (?:Jr|Sr)\.)?",
    "name": _NAME,
    "place": rf"(?!\d){_NAME}(?:\s?, {_NAME}){{0,2}}",
    "date": rf"\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH},?\s+\d{{4}}|{_MONTH}\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s+)?\d{{4}}|\d{{4}}(?:-\d{{2}}-\d{{2}})?",
    "number": r"\d[\d,.]{0,20}(?:\s?(?:million|billion|thousand|[a-z]{1,12}))?",
}
HAN_FORMS = {
    "person": rf"{_NOT_FIRST}(?![^，。、]{{0,5}}[年月日])(?:[{HAN}]{{1,8}}(?:[·・•][{HAN}A-Za-z.]{{1,7}}){{1,4}}|[{HAN}]{{2,4}}){_NOT_LAST}",
    "place": rf"{_NOT_FIRST}(?:(?![与和有是])[{HAN}·]){{2,14}}{_NOT_LAST}",
    "name": rf"{_NOT_FIRST}(?!\d{{2,4}}年)(?:(?![和与是])[{HAN}A-Za-z0-9·&.!！?？（）()\-]){{2,30}}{_NOT_LAST}",
    "date": r"(?:公元前?)?\d{2,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?",
    "number": r"[约近]?\d[\d,.，]{0,20}\s?[万亿千百余多]{0,3}(?:平方公里|平方千米|平方米|公里|人民币|美元|厘米|公分|千米|亩|元|米|人|年|cm|CM|m|㎡)?(?:人民币)?",
}


@dataclass(frozen=True, slots=True)
class Stock:
    """What is known by name: phrases of relations, and forms of classes as compiled patterns ("other" for those that are not known)."""

    phrases: Mapping[str, tuple[str, ...]]
    forms: Mapping[str, Pattern[str]]


@cache
def stock() -> Stock:
    """Read once."""
    read = yaml.safe_load(STOCK.read_text(encoding="utf-8"))
    phrases: dict[str, tuple[str, ...]] = {}
    for each in read["relations"].values():
        expanded = tuple(with_groups(phrase) for phrase in each["phrases"])
        for name in each["names"]:
            phrases[key_of(name)] = (*phrases.get(key_of(name), ()), *expanded)
    forms = {key_of(name): form_of(each) for each in read["forms"].values() for name in each["names"]}
    return Stock(phrases, {**forms, OTHER: form_of(read["forms"][OTHER])})


@dataclass(frozen=True, slots=True)
class Lent:
    """Relations with the stock's phrases, and forms of names by class that are only trusted beside these."""

    relations: tuple[RelationType, ...] = ()
    shapes: Mapping[str, Pattern[str]] = field(default_factory=dict)


def lent_to(skeleton: CompiledSkeleton) -> Lent:
    """Nothing where every relation has phrases of its own or none is recognised."""
    lacking = [each for each in skeleton.relations.values() if not each.phrases]
    relations = tuple(each for each in map(with_phrases, lacking) if each.phrases)
    if not relations:
        return Lent()
    formless = [each for each in skeleton.classes.values() if not (each.patterns or each.suffixes)]
    return Lent(relations, {each.name: form_for(each) for each in formless})


def with_phrases(relation: RelationType) -> RelationType:
    """With the stock's phrases where it is recognised."""
    known = stock().phrases
    found = next((known[key] for key in keys_of(relation.name, relation.labels) if key in known), ())
    return replace(relation, phrases=found)


def form_for(entity_class: EntityClass) -> Pattern[str]:
    """The form of name of a class."""
    known = stock().forms
    return next((known[key] for key in keys_of(entity_class.name, entity_class.labels) if key in known), known[OTHER])


def keys_of(name: str, labels: Labels) -> Iterable[str]:
    yield key_of(name)
    yield from map(key_of, labels.values())


def key_of(name: str) -> str:
    """Folded, without anything but letters and digits: birthPlace, birth_place and "Birth place" are one."""
    return re.sub(r"[\W_]+", "", fold(name))


def form_of(form: dict[str, Any]) -> Pattern[str]:
    """Both scripts' forms of a class of names, which end where a word or a clause does; dates and numbers end by themselves."""
    either = f"{HAN_FORMS[form['han']]}|{FORMS[form['latin']]}"
    return re.compile(either if form["latin"] in ("date", "number") else rf"(?:{either})(?!\w)")


def with_groups(phrase: str) -> str:
    """`{source}` and `{target}` as groups: inside of book marks all between them; in Chinese no further than a clause goes; at the end of a phrase as much as there is."""
    is_han = bool(_HAN.search(phrase))
    for end in ("source", "target"):
        placeholder = "{" + end + "}"
        if f"《{placeholder}》" in phrase:
            group = rf"(?P<{end}>[^《》]{{1,40}})"
        else:
            words = "[^，。；《》的]" if is_han else "."
            group = rf"(?P<{end}>{words}{{1,80}}{'' if phrase.endswith(placeholder) else '?'})"
        phrase = phrase.replace(placeholder, group)
    return phrase
