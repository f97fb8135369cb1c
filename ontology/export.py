"""An entity as a file to keep: all that is known of it, with the places that say so, as JSON or as Markdown. Given what a reader sees, gives no more than that."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from ontology.labels import labelled, labelled_inverse
from ontology.selectors.entity import Described, RelationShown, ValueShown
from ontology.selectors.quotes import Quote
from ontology.values.agreement import number_shown

_MARKS = re.compile(r"([\\`*_{}\[\]()#+!|<>~&])")


def entity_as_json(known: Described) -> dict[str, Any]:
    """Under the names that REST uses."""
    root = known.root
    return {
        "id": str(root.pk),
        "graph": str(root.graph_id),
        "name": known.name,
        "class": root.class_name,
        "names": [
            {"name": other.name, "merged": str(other.entity.pk) if other.entity else None} for other in known.others
        ],
        "confirmed": root.is_confirmed,
        "rejected": root.is_rejected,
        "revision": root.revision,
        "mentions": known.mention_count,
        "documents": known.document_count,
        "attributes": [value_said(value) for values in known.values.values() for value in values],
        "relations": [relation_said(relation) for relation in known.relations],
        "evidence": [quote.said for quote in known.mentions],
    }


def value_said(value: ValueShown) -> dict[str, Any]:
    row = value.row
    return {
        "id": str(row.pk),
        "name": row.name,
        "value": row.value,
        "unit": row.unit,
        "comparison": row.comparison,
        "text": row.text,
        "reference": str(value.reference.id) if value.reference else None,
        "confirmed": row.is_confirmed,
        "support": value.support,
        "contradicted": value.is_contradicted,
        "evidence": [quote.said for quote in value.quotes],
    }


def relation_said(relation: RelationShown) -> dict[str, Any]:
    edge = relation.edge
    return {
        "id": str(edge.id),
        "type": edge.type,
        "outgoing": relation.is_outgoing,
        "entity": {"id": str(relation.other.id), "name": relation.other.name, "class": relation.other.class_name},
        "attributes": {name: said.get("value") for name, said in edge.attributes.items()},
        "confirmed": edge.is_confirmed,
        "revision": edge.revision,
        "support": edge.support,
        "evidence": [quote.said for quote in relation.quotes],
    }


def entity_as_markdown(known: Described) -> str:
    """Headings, lists and quotations; what came from documents is escaped, so that it stays text."""
    return "\n".join([*head(known), *values_told(known), *relations_told(known), *mentions_told(known)]).rstrip() + "\n"


def head(known: Described) -> Iterator[str]:
    yield f"# {plain(known.name)}"
    yield ""
    yield labelled(known.view.skeleton.classes.get(known.root.class_name), known.root.class_name)
    if known.others:
        yield ""
        yield _("Also: %(names)s") % {"names": ", ".join(plain(other.name) for other in known.others)}
    yield ""


def values_told(known: Described) -> Iterator[str]:
    if not known.values:
        return
    declared = known.view.skeleton.classes.get(known.root.class_name)
    yield f"## {_('Attributes')}"
    yield ""
    for name, values in known.values.items():
        label = labelled(declared.attribute(name) if declared else None, name)
        for value in values:
            mark = f" ({_('contradicted')})" if value.is_contradicted else ""
            yield f"- **{plain(label)}**: {plain(written(value))}{mark}"
            yield from quotations(value.quotes)
    yield ""


def relations_told(known: Described) -> Iterator[str]:
    if not known.relations:
        return
    yield f"## {_('Relations')}"
    yield ""
    for relation in known.relations:
        declared = known.view.skeleton.relations.get(relation.edge.type)
        name = (labelled if relation.is_outgoing else labelled_inverse)(declared, relation.edge.type)
        yield f"- {plain(name)} **{plain(relation.other.name)}**"
        yield from quotations(relation.quotes)
    yield ""


def mentions_told(known: Described) -> Iterator[str]:
    if not known.mentions:
        return
    yield f"## {_('Mentions')}"
    yield ""
    for quote in known.mentions:
        yield f"- {source(quote)}: “{plain(sentence(quote))}”"


def quotations(quotes: Sequence[Quote]) -> Iterator[str]:
    for quote in quotes:
        yield f"  > “{plain(' '.join(quote.shown[1].split()))}” — {source(quote)}"


def source(quote: Quote) -> str:
    return f"{plain(quote.title or quote.path)}, {_('version %(number)d') % {'number': quote.version}}, {quote.start}–{quote.end}"


def sentence(quote: Quote) -> str:
    return " ".join("".join(quote.shown).split())


def written(value: ValueShown) -> str:
    """The value with its bound and unit, or the name of the entity it refers to."""
    if value.reference:
        return value.reference.name
    said = value.row.value
    if isinstance(said, bool):
        said = _("yes") if said else _("no")
    if isinstance(said, float):
        said = number_shown(said)
    return f"{value.row.comparison}{' ' if value.row.comparison else ''}{said} {value.row.unit}".strip()


def plain(text: str) -> str:
    """Words that Markdown and HTML take as they are."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))
