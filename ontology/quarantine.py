"""Something found as JSON and back, so that what does not fit today can be taken up when the skeleton has changed."""

import json
from dataclasses import asdict
from hashlib import sha256
from typing import Any
from uuid import UUID

from ontology.types import AttributeFound, EntityFound, Extractor, Found, Named, RelationFound, Where

KINDS: dict[str, type[Found]] = {"entity": EntityFound, "attribute": AttributeFound, "relation": RelationFound}


def kind_of(found: Found) -> str:
    """`entity`, `attribute` or `relation`."""
    return next(name for name, kind in KINDS.items() if isinstance(found, kind))


def payload(found: Found) -> dict[str, Any]:
    """All of it, for a JSON column."""
    plain: dict[str, Any] = json.loads(json.dumps(asdict(found), default=str))
    return {"kind": kind_of(found), **plain}


def key_of(plain: dict[str, Any]) -> str:
    """Equal for equal findings at one place, whoever made them."""
    said = {name: value for name, value in plain.items() if name not in ("where", "confidence", "extractor")}
    return sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def found_from(plain: dict[str, Any]) -> Found:
    """The way back from `payload`."""
    fields = {name: value for name, value in plain.items() if name != "kind"}
    fields["where"] = Where(**fields["where"])
    fields["extractor"] = Extractor(fields["extractor"])
    for name in ("who", "source", "target"):
        if name in fields:
            fields[name] = named_from(fields[name])
    if "aliases" in fields:
        fields["aliases"] = tuple(fields["aliases"])
        fields["candidates"] = tuple(named_from(each) for each in fields.get("candidates", ()))
    return KINDS[plain["kind"]](**fields)


def named_from(plain: dict[str, Any]) -> Named:
    known = plain.get("entity_id")
    return Named(plain["name"], plain["class_name"], UUID(known) if known else None)
