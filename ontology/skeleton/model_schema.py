"""The JSON Schema that a model's output must have under one skeleton: nothing but its classes, relations and attributes, and no more than a bounded amount of each.

Three flat lists (entities, attributes, relations), so that an output that was cut off can be repaired by leaving its last piece out. Values
stand as the text writes them, with a quotation; they are parsed when they are checked.
"""

from typing import Any

from ontology.types import CompiledSkeleton, EntityClass, RelationType

ENTITIES_MAX = 40
ATTRIBUTES_MAX = 40
RELATIONS_MAX = 40
ALIASES_MAX = 5
NAME_MAX = 200
VALUE_MAX = 300
QUOTE_MAX = 400

NAME = {"type": "string", "minLength": 1, "maxLength": NAME_MAX}
VALUE = {"type": "string", "minLength": 1, "maxLength": VALUE_MAX}
QUOTE = {"type": "string", "minLength": 1, "maxLength": QUOTE_MAX}


def model_schema(skeleton: CompiledSkeleton) -> dict[str, Any]:
    """`{"entities": [{"class", "name", "aliases"}], "attributes": [{"class", "entity", "attribute", "value", "quote"}], "relations": [{"type",
    "source", "source_class", "target", "target_class", "attributes", "quote"}]}`
    """
    with_attributes = [attribute_form(each) for each in skeleton.classes.values() if each.attributes]
    relations = [relation_form(each) for each in skeleton.relations.values()]
    return form(
        entities=listed([entity_form(skeleton)], ENTITIES_MAX),
        attributes=listed(with_attributes, ATTRIBUTES_MAX),
        relations=listed(relations, RELATIONS_MAX),
    )


def form(**properties: Any) -> dict[str, Any]:
    """An object with exactly these keys, in this order."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def listed(forms: list[dict[str, Any]], most: int) -> dict[str, Any]:
    """A list of things that have one of these forms; an empty one where there is none."""
    if not forms:
        return {"type": "array", "items": {"type": "object"}, "maxItems": 0}
    items = forms[0] if len(forms) == 1 else {"anyOf": forms}
    return {"type": "array", "items": items, "maxItems": most}


def entity_form(skeleton: CompiledSkeleton) -> dict[str, Any]:
    """A name of one of the classes, with other names that the text gives it."""
    aliases = {"type": "array", "items": NAME, "maxItems": ALIASES_MAX}
    return form(**{"class": one_of(skeleton.classes), "name": NAME, "aliases": aliases})


def attribute_form(each: EntityClass) -> dict[str, Any]:
    """A value of an attribute of this class."""
    names = one_of(attribute.name for attribute in each.attributes)
    return form(**{"class": one_of([each.name]), "entity": NAME, "attribute": names, "value": VALUE, "quote": QUOTE})


def relation_form(each: RelationType) -> dict[str, Any]:
    """A relation of this type between two names of classes that it joins; its own attributes where it has some."""
    properties: dict[str, Any] = {
        "type": one_of([each.name]),
        "source": NAME,
        "source_class": one_of(each.sources),
        "target": NAME,
        "target_class": one_of(each.targets),
    }
    if each.attributes:
        own = {attribute.name: VALUE for attribute in each.attributes}
        properties["attributes"] = {"type": "object", "properties": own, "additionalProperties": False}
    return form(**properties, quote=QUOTE)


def one_of(names: Any) -> dict[str, Any]:
    """One of these words."""
    return {"type": "string", "enum": list(names)}
