"""Labels and types reach a statement from the skeleton alone, and can't end it."""

import re

import pytest

from common.errors import Misconfigured
from ontology.graph import cypher
from ontology.types import CompiledSkeleton, EntityClass, RelationType

HOSTILE = "a`) DETACH DELETE (n"
SKELETON = CompiledSkeleton(
    classes={name: EntityClass(name) for name in ("System", "系统", "Chunk", HOSTILE)},
    relations={name: RelationType(name, (), ()) for name in ("calls", "批准", HOSTILE)},
    fingerprint="",
)


@pytest.mark.parametrize("name", ["System", "系统"])
def test_a_class_of_the_skeleton_becomes_a_label(name):
    assert f"CREATE (n:Entity:`{name}`)" in cypher.of_class(cypher.MAKE_ENTITIES, name, SKELETON)


@pytest.mark.parametrize("name", ["calls", "批准"])
def test_a_relation_of_the_skeleton_becomes_a_type(name):
    assert f"CREATE (a)-[n:`{name}`]->(b)" in cypher.of_type(cypher.MAKE_RELATIONS, name, SKELETON)


@pytest.mark.parametrize("name", ["Nobody", "", "system", "Chunk", "Entity", "Document"])
def test_any_other_class_is_refused(name):
    with pytest.raises(Misconfigured, match="not a class"):
        cypher.of_class(cypher.MAKE_ENTITIES, name, SKELETON)


@pytest.mark.parametrize("name", ["OWNS", "", "Calls"])
def test_any_other_type_is_refused(name):
    with pytest.raises(Misconfigured, match="not a relation"):
        cypher.of_type(cypher.MAKE_RELATIONS, name, SKELETON)


def test_a_name_that_no_skeleton_can_hold_reaches_no_statement():
    with pytest.raises(ValueError, match="no name"):
        cypher.of_class(cypher.MAKE_ENTITIES, HOSTILE, SKELETON)
    with pytest.raises(ValueError, match="no name"):
        cypher.of_type(cypher.MAKE_RELATIONS, HOSTILE, SKELETON)


STATEMENTS = {name: text for name, text in vars(cypher).items() if name.isupper() and isinstance(text, str)}


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_statement_names_the_label_of_what_it_looks_for(name):
    """An unlabelled look-up by key reads the whole graph; only edges' far ends go without."""
    text = STATEMENTS[name].replace("{{", "{")
    looked_for = re.findall(r"\((?:\w+)(:?[^ {]*) \{key:", text)
    assert all(label.startswith((":Entity", ":Chunk", ":Document")) for label in looked_for)
    assert "DELETE" not in text or looked_for or "LIMIT" in text


@pytest.mark.parametrize("name", STATEMENTS)
def test_nothing_is_merged_over_two_labels_or_from_the_side_of_many(name):
    """The embedded engine reads all nodes of both labels for each row, and all edges of the node that a MERGE names first."""
    merged = re.findall(r"MERGE (\([^)]*\)(?:<?-)?)", STATEMENTS[name])
    assert all(each.partition("{")[0].count(":") <= 1 for each in merged)
    assert all(each.startswith("(c)") for each in merged if each.endswith("-"))


@pytest.mark.parametrize(
    "name", [name for name in STATEMENTS if re.search(r"(?<!DETACH )DELETE [rm]$", STATEMENTS[name])]
)
def test_edges_are_collected_before_they_go(name):
    assert "WITH collect(" in STATEMENTS[name]
