"""What a merge would join, told before it is done: names, values that would stand beside each other, relations, and what would contradict."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from ontology.export import value_said
from ontology.models import Entity
from ontology.names import normal
from ontology.roots import members_of, roots_of
from ontology.selectors.entities import shown
from ontology.selectors.entity import mention_counts, relations_of, values_of
from ontology.selectors.views import GraphView
from ontology.services.identity import require_mergeable


def merge_preview(view: GraphView, into: Entity, others: Sequence[UUID]) -> dict[str, Any]:
    """Raises InvalidInput, Conflict where it could not be done."""
    rows = list(Entity.objects.filter(pk__in=others).exclude(pk=into.pk).order_by("pk"))
    require_mergeable(into, rows)
    members = set().union(*members_of(roots_of([into.pk, *others]).values()).values())
    values = values_of(view, members)
    places, documents = mention_counts(view, members)
    relations = [each for each in relations_of(view, into, members) if each.other.id not in members]
    known = shown(view, [into.pk, *(row.pk for row in rows)])
    return {
        "into": {"id": str(into.pk), "name": into.name, "class": into.class_name, "revision": into.revision},
        "joined": [
            {
                "id": str(row.pk),
                "name": row.name,
                "class": row.class_name,
                "revision": row.revision,
                "support": known[row.pk].support if row.pk in known else 0,
            }
            for row in rows
        ],
        "names": list({normal(row.name): row.name for row in (into, *rows)}.values()),
        "classes_differ": len({row.class_name for row in (into, *rows)}) > 1,
        "mentions": places,
        "documents": documents,
        "attributes": [value_said(value) for each in values.values() for value in each],
        "contradictions": sorted(name for name, each in values.items() if any(value.is_contradicted for value in each)),
        "relations": len(relations),
    }
