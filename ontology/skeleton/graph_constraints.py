"""The names that a skeleton brings into the graph database, and the constraints that hold there. Cypher takes no parameter for a label, so these names go into statements; they come from a checked skeleton alone."""

from dataclasses import dataclass

from ontology.skeleton.fields import NAME
from ontology.types import CompiledSkeleton


@dataclass(frozen=True, slots=True)
class Uniqueness:
    """One property of one label is unique (Neo4j Community knows no composite keys)."""

    name: str
    label: str
    property: str = "key"


UNIQUE = (
    Uniqueness("entity_key", "Entity"),
    Uniqueness("chunk_key", "Chunk"),
    Uniqueness("document_key", "Document"),
)


@dataclass(frozen=True, slots=True)
class GraphNames:
    """Labels of entities and types of relations, in the skeleton's order."""

    labels: tuple[str, ...]
    relation_types: tuple[str, ...]


def graph_names(skeleton: CompiledSkeleton) -> GraphNames:
    """What the projection may write."""
    return GraphNames(tuple(skeleton.classes), tuple(skeleton.relations))


def quoted(name: str) -> str:
    """A label or type as Cypher writes it. Raises ValueError for what no skeleton can hold."""
    if not NAME.fullmatch(name):
        raise ValueError(f"no name of a skeleton: {name!r}")
    return f"`{name}`"
