"""What becomes a property of the graph database."""

import pytest

from common.findings import Finding
from ontology.graph.comparing import batches
from ontology.graph.desired import EntityNode, plain
from ontology.graph.writing import chunk_statements, labels_for


@pytest.mark.parametrize(
    ("value", "property"),
    [
        ("text", "text"),
        (7, 7),
        (0.5, 0.5),
        (True, True),
        ("", ""),
        ({"value": 131072, "text": "128K", "unit": ""}, 131072),
        ({"value": "2024-03-01", "text": "2024年3月"}, "2024-03-01"),
        ([1, "a"], '[1, "a"]'),
        ({"low": 1}, '{"low": 1}'),
        (None, "null"),
    ],
)
def test_a_value_alone_and_anything_else_as_json(value, property):
    assert plain(value) == property
    assert type(plain(value)) is type(property)


def test_a_node_has_its_class_as_its_second_label_and_nothing_else():
    assert labels_for(EntityNode("k", "系统", {})) == {"Entity", "系统"}
    assert labels_for(None) is None


@pytest.mark.parametrize(("count", "sizes"), [(0, []), (1, [1]), (3, [3]), (4, [3, 1]), (7, [3, 3, 1])])
def test_batches_hold_everything_once(count, sizes):
    found = list(batches(range(count), 3))
    assert [len(batch) for batch in found] == sizes
    assert [item for batch in found for item in batch] == list(range(count))


def test_no_chunks_are_no_statements():
    assert chunk_statements([]) == []


@pytest.mark.parametrize(("broken", "mended", "well"), [(0, 0, True), (2, 0, False), (2, 1, False), (2, 2, True)])
def test_a_rule_is_well_when_nothing_is_left(broken, mended, well):
    assert Finding("rule", broken, mended).is_well is well
