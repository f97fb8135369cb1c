"""The files that measuring extraction reads: documents with the triples that should be found, and the schemas inside of which they are.

A schema file holds one schema, or a list of them of which each document names its own (`ontology`). Names of the public sets are of any script and form;
a skeleton's are identifiers, so both are kept.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from common.errors import InvalidInput
from ontology.types import CompiledSkeleton, EntityClass, RelationType

ANY = "Thing"


@dataclass(frozen=True, slots=True)
class Triple:
    """What is said: names and a relation as the set calls them. `is_verbatim`: both names stand in the text so."""

    head: str
    relation: str
    tail: str
    is_verbatim: bool = True


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """A text with all that it says inside of the schema named `ontology` ("" where there is but one)."""

    id: str
    text: str
    ontology: str
    triples: tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class PublicSchema:
    """A schema as a skeleton; `called` gives the set's own name of each relation."""

    skeleton: CompiledSkeleton
    called: Mapping[str, str]


def documents_in(file: Path) -> Iterator[GoldDocument]:
    """Raises InvalidInput, naming the line that can't be used."""
    for number, line in enumerate(read(file).splitlines(), start=1):
        if line.strip():
            yield document_in(line, number)


def document_in(line: str, number: int) -> GoldDocument:
    try:
        row = json.loads(line)
        triples = tuple(
            Triple(str(each["head"]), str(each["relation"]), str(each["tail"]), bool(each.get("verbatim", True)))
            for each in row["triples"]
        )
        return GoldDocument(str(row["id"]), str(row["text"]), str(row.get("ontology") or ""), triples)
    except (ValueError, KeyError, TypeError):
        raise InvalidInput(
            _("Line %(number)d is not an object with “id”, “text” and “triples”.") % {"number": number}
        ) from None


def schemas_in(file: Path) -> Mapping[str, PublicSchema]:
    """By id; a single schema is under "". Raises InvalidInput."""
    try:
        read_in = json.loads(read(file))
        if isinstance(read_in, list):
            return {str(each["id"]): schema_of(each) for each in read_in}
        return {"": schema_of(read_in)}
    except ValueError as error:
        raise InvalidInput(_("%(file)s is not a schema: %(why)s") % {"file": file, "why": error}) from None
    except (LookupError, TypeError, AttributeError):
        raise InvalidInput(
            _(
                "%(file)s is not a schema: write an object with “entity_types” and “relations”, each with “label”, “domain” and “range”, or a list of such objects with “id”."
            )
            % {"file": file}
        ) from None


def read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(_("%(file)s can't be read: %(why)s") % {"file": file, "why": error}) from None


def schema_of(written: Mapping[str, Any]) -> PublicSchema:
    """One relation for each name, whatever pairs of classes it joins; an end that the schema leaves open may be anything."""
    ends: dict[str, list[tuple[str, str]]] = {}
    for each in written["relations"]:
        label = str(each.get("label") or each["id"]).strip()
        pairs = [(pair[0], pair[1]) for pair in each.get("type_pairs", ())] or [(each["domain"], each["range"])]
        ends.setdefault(label, []).extend((str(source) or ANY, str(target) or ANY) for source, target in pairs)
    names = dict.fromkeys(
        [*map(str, written["entity_types"]), *(name for pairs in ends.values() for pair in pairs for name in pair)]
    )
    classes = {identifier(name): EntityClass(identifier(name), labels={"en": name}) for name in names}
    relations = {identifier(label): relation_of(label, pairs) for label, pairs in ends.items()}
    title = str(written.get("title") or "")
    skeleton = CompiledSkeleton(classes, relations, fingerprint=title or ",".join(relations), title=title)
    return PublicSchema(skeleton, {identifier(label): label for label in ends})


def relation_of(label: str, pairs: list[tuple[str, str]]) -> RelationType:
    sources = tuple(dict.fromkeys(identifier(source) for source, _target in pairs))
    targets = tuple(dict.fromkeys(identifier(target) for _source, target in pairs))
    return RelationType(identifier(label), sources, targets, labels={"en": label})


def identifier(name: str) -> str:
    """A name that a skeleton may have: letters of any script, digits and underscores, no digit first."""
    joined = re.sub(r"\W+", "_", name.strip()).strip("_") or ANY
    return f"_{joined}" if joined[0].isdigit() else joined
