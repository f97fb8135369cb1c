"""Drafts as a model names and joins them. Given the drafts that counting found and what the model said; gives drafts again. Nothing is believed: what is not in the form of the answer, is said
of no draft, is of a type that the examples have not, or makes a skeleton that the checker refuses, counts as not said.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from jsonschema import Draft202012Validator

from common.text import canonical, fold
from ontology.editing.writing import with_entry
from ontology.model_reading.lenient_json import read_json
from ontology.model_reading.output import BEGINNINGS_TRIED, after_thoughts
from ontology.proposing.drafts import EXAMPLES, Draft, can_hold, is_han
from ontology.proposing.question import attribute_forms, class_forms
from ontology.skeleton.classes import RESERVED
from ontology.skeleton.fields import NAME
from ontology.skeleton.read import read_skeleton
from ontology.skeleton.source import tree_of

Answer = Mapping[str, list[dict[str, Any]]]
"""“classes” and “attributes”, each item in its form."""


def read_answer(text: str, drafts: Sequence[Draft]) -> Answer:
    """What of a model's words is in the form that was asked for; talk around it is left out, and what was cut off."""
    said = after_thoughts(text)
    for begin in [place for place, letter in enumerate(said) if letter == "{"][:BEGINNINGS_TRIED]:
        read = read_json(said[begin:])
        if read and isinstance(read.value, dict) and {"classes", "attributes"} & set(read.value):
            return valid(read.value, drafts)
    return {"classes": [], "attributes": []}


def valid(answer: Mapping[str, Any], drafts: Sequence[Draft]) -> Answer:
    """The items that the JSON schema allows."""
    return {
        "classes": list(items_in(answer.get("classes"), class_forms(drafts))),
        "attributes": list(items_in(answer.get("attributes"), attribute_forms(drafts))),
    }


def items_in(items: Any, forms: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    validators = [Draft202012Validator(each) for each in forms]
    for item in items if isinstance(items, list) else []:
        if any(validator.is_valid(item) for validator in validators):
            yield item


def named(drafts: Sequence[Draft], answer: Answer, text: str) -> list[Draft]:
    """The drafts as the model named them, in their order; `text` is the skeleton that they are for."""
    groups = grouped([with_attributes(draft, answer["attributes"]) for draft in drafts], answer["classes"])
    counted = {draft.key: draft for draft in drafts}
    known = faults_in(text)
    found: list[Draft] = []
    for draft, keys in groups:
        after = with_draft(text, draft)
        if draft.is_named_by_model and (after == text or faults_in(after) - known):
            plain = [counted[key] for key in keys]
            after = text
            for each in plain:
                after = with_draft(after, each)
            found += plain
        else:
            found.append(draft)
        text = after
    return found


def grouped(drafts: Sequence[Draft], items: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Draft, tuple[str, ...]]]:
    """Each draft once, alone or with others, and the keys of those that it is made of."""
    by_key = {draft.key: draft for draft in drafts}
    group_of: dict[str, int] = {}
    for number, item in enumerate(items):
        for key in item["drafts"]:
            group_of.setdefault(key, number)
    done: set[str] = set()
    for draft in drafts:
        if draft.key in done:
            continue
        if draft.key not in group_of:
            yield draft, (draft.key,)
            continue
        number = group_of[draft.key]
        keys = tuple(key for key in by_key if group_of.get(key) == number)
        done |= set(keys)
        yield joined([by_key[key] for key in keys], items[number]), keys


def joined(drafts: Sequence[Draft], item: Mapping[str, Any]) -> Draft:
    """One class of several, the first of them before the others; its attributes and rules are all of theirs."""
    first = drafts[0]
    declared = words_of(item, first.declared.get("labels", {}))
    attributes: dict[str, Any] = {}
    rules: dict[str, list[str]] = {}
    for draft in drafts:
        attributes = dict(draft.declared.get("attributes", {})) | attributes
        for rule, words in draft.declared.get("rules", {}).items():
            rules[rule] = list(dict.fromkeys([*rules.get(rule, []), *words]))
    declared |= {key: value for key, value in {"attributes": attributes, "rules": rules}.items() if value}
    return replace(
        first,
        name=usable_name(item["name"], first.name),
        declared=declared,
        count=sum(draft.count for draft in drafts),
        examples=tuple(dict.fromkeys(each for draft in drafts for each in draft.examples))[:EXAMPLES],
        is_named_by_model=True,
        joins=tuple(draft.key for draft in drafts) if len(drafts) > 1 else (),
    )


def with_attributes(draft: Draft, items: Sequence[Mapping[str, Any]]) -> Draft:
    """Its attributes (itself, where it is one) as they were named."""
    by_key = {item["draft"]: item for item in items}
    if draft.owner:
        item = by_key.get(draft.key)
        if item is None:
            return draft
        declared = attribute_named(draft.declared, item, draft.values.get(draft.name, ()))
        return replace(draft, declared=declared, is_named_by_model=True)
    attributes = draft.declared.get("attributes", {})
    changed: dict[str, Any] = {
        name: attribute_named(entry, by_key[key], draft.values.get(name, ()))
        for name, entry in attributes.items()
        if (key := f"{draft.name}.{name}") in by_key
    }
    if not changed:
        return draft
    return replace(draft, declared={**draft.declared, "attributes": {**attributes, **changed}}, is_named_by_model=True)


def attribute_named(entry: Mapping[str, Any], item: Mapping[str, Any], values: Sequence[str]) -> dict[str, Any]:
    """With the model's words; what documents call it stays a key, since labels are what columns are found by."""
    was = dict(entry)
    kind = item["type"] if can_hold(item["type"], values) else was.get("type", "text")
    declared: dict[str, Any] = {} if kind == "text" else {"type": kind}
    declared |= words_of(item, was.get("labels", {}))
    known = {fold(each) for each in declared.get("labels", {}).values()}
    keys = [*was.get("keys", []), *(each for each in was.get("labels", {}).values() if fold(each) not in known)]
    return declared | ({"keys": list(dict.fromkeys(keys))} if keys else {})


def words_of(item: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    """Labels and descriptions, each in the language that it is said to be in; labels that are missing stay as they were."""
    said = {key: " ".join(canonical(item[key]).split()) for key in item if key.startswith(("label_", "description_"))}
    said = {key: words for key, words in said.items() if words and is_in_language(words, key[-2:])}
    new = {language: said[key] for language in ("en", "zh") if (key := f"label_{language}") in said}
    description = {language: said[key] for language in ("en", "zh") if (key := f"description_{language}") in said}
    words: dict[str, Any] = {"labels": {**labels, **new}, "description": description}
    return {key: value for key, value in words.items() if value}


def is_in_language(words: str, language: str) -> bool:
    return any(map(is_han, words)) == (language == "zh")


def usable_name(name: str, otherwise: str) -> str:
    is_usable = NAME.fullmatch(name) and name.casefold() not in {each.casefold() for each in RESERVED}
    return name if is_usable else otherwise


def with_draft(text: str, draft: Draft) -> str:
    """The skeleton's text with the draft in it; as it is where its name is taken."""
    return with_entry(text, tree_of(text), draft.path, draft.name, dict(draft.declared))


def faults_in(text: str) -> set[tuple[str, str]]:
    """What the checker refuses."""
    return {(each.message, each.instead) for each in read_skeleton(text).faults if not each.is_warning}
