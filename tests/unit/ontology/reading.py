"""A folder read by the rules of a skeleton without a database: passes over all files until no name comes new, as the server does with what it has stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

import yaml

from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.read import read
from knowledge.types import ParsedDocument, SourceFile
from ontology.check import check
from ontology.names import normal
from ontology.rules.gazetteer import Gazetteer, KnownName
from ontology.rules.rules import Rules
from ontology.types import (
    Accepted,
    AcceptedAttribute,
    AcceptedEntity,
    AcceptedRelation,
    CompiledSkeleton,
    Named,
    Rejected,
    Value,
)

PASSES = 5


class NoPictures:
    """Keeps none of them."""

    def keep(self, data: bytes, media_type: str) -> str:
        return "picture"


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file's text with its title."""

    path: str
    title: str
    document: ParsedDocument


@dataclass(frozen=True, slots=True)
class Fact:
    """A relation with one place that says so."""

    source: str
    type: str
    target: str
    path: str
    quote: str
    attributes: Mapping[str, Value] = field(default_factory=dict)


@dataclass(slots=True)
class Known:
    """What was found: names by class and normal form, other names, values and relations."""

    names: dict[tuple[str, str], str] = field(default_factory=dict)
    aliases: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    values: dict[tuple[tuple[str, str], str], dict[str, Value]] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    rejected: list[tuple[str, Rejected]] = field(default_factory=list)
    places: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)

    def key(self, who: Named) -> tuple[str, str]:
        """The entity that is meant, by its name before by another name of somebody."""
        key = (who.class_name, normal(who.name))
        if key in self.names:
            return key
        others = [each for each, words in self.aliases.items() if each[0] == key[0] and key[1] in map(normal, words)]
        return others[0] if others else key

    def gazetteer(self) -> Gazetteer:
        """Everything known, compiled."""
        known = [KnownName(name, key[0], id_of(key)) for key, name in self.names.items()]
        known += [KnownName(word, key[0], id_of(key)) for key, words in self.aliases.items() for word in words]
        return Gazetteer.of(known)

    def names_of(self, class_name: str) -> set[str]:
        """As they are shown."""
        return {name for (of, _normal), name in self.names.items() if of == class_name}

    def called(self, name: str) -> set[str]:
        """Other names of the entity of this name."""
        return {word for key, words in self.aliases.items() if self.names[key] == name for word in words}

    def triples(self) -> set[tuple[str, str, str]]:
        """The relations without their evidence."""
        return {(each.source, each.type, each.target) for each in self.facts}

    def valued(self, class_name: str, attribute: str) -> dict[str, set[object]]:
        """An attribute's values by entity."""
        return {
            self.names[key]: {value.value for value in values.values()}
            for (key, name), values in self.values.items()
            if key[0] == class_name and name == attribute
        }


def id_of(key: tuple[str, str]) -> UUID:
    return uuid5(NAMESPACE_OID, "\n".join(key))


def files_in(folder: Path, titles: Mapping[str, Any]) -> list[ReadFile]:
    """All files but descriptions of them, parsed as the way in parses them."""
    found = []
    for path in sorted(folder.rglob("*.*")):
        if path.suffix != ".yaml":
            name = path.relative_to(folder).as_posix()
            document = read(SourceFile(path, path.name, path.stat().st_size), NoPictures(), ReadLimits())
            found.append(ReadFile(name, titles.get(name, {}).get("title") or document.title or path.stem, document))
    return found


def demo_files(folder: Path) -> list[ReadFile]:
    """With the titles that `metadata.yaml` gives."""
    said = folder / "metadata.yaml"
    return files_in(folder, yaml.safe_load(said.read_text(encoding="utf-8")) if said.exists() else {})


def known_from(files: list[ReadFile], skeleton: CompiledSkeleton) -> Known:
    """What the rules find in them, when every name that one file gives is known in all."""
    known = Known()
    for _pass in range(PASSES):
        before = (dict(known.names), {key: set(words) for key, words in known.aliases.items()})
        known = one_pass(files, skeleton, known)
        if before == (known.names, known.aliases):
            break
    return known


def one_pass(files: list[ReadFile], skeleton: CompiledSkeleton, earlier: Known) -> Known:
    """All files with the names that the pass before gave."""
    rules, gazetteer = Rules.of(skeleton), earlier.gazetteer()
    known = Known()
    for file in files:
        text = file.document.text
        found = rules.find(text, file.document.blocks, gazetteer, file.title)
        checked = check(list(found), text, skeleton, title=file.title)
        for accepted in checked.accepted:
            keep(known, earlier, accepted, file)
        known.rejected += [(file.path, each) for each in checked.rejected]
    return known


def keep(known: Known, earlier: Known, accepted: Accepted, file: ReadFile) -> None:
    """As the ledger stores it."""
    where = accepted.found.where
    quote = file.document.text[where.start : where.end]

    def meant(who: Named) -> tuple[str, str]:
        key = next((each for each in earlier.names if who.entity_id and id_of(each) == who.entity_id), None)
        key = key or known.key(who)
        known.names.setdefault(key, earlier.names.get(key, who.name))
        known.places.setdefault(key, []).append((file.path, quote))
        return key

    if isinstance(accepted, AcceptedEntity):
        key = meant(accepted.found.who)
        known.aliases.setdefault(key, set()).update(accepted.found.aliases)
    elif isinstance(accepted, AcceptedAttribute):
        values = known.values.setdefault((meant(accepted.found.who), accepted.found.attribute), {})
        values[accepted.value.key] = accepted.value
    elif isinstance(accepted, AcceptedRelation):
        source, target = meant(accepted.found.source), meant(accepted.found.target)
        fact = Fact(
            known.names[source], accepted.found.type, known.names[target], file.path, quote, accepted.attributes
        )
        known.facts.append(fact)
