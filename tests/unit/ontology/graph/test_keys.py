"""Keys in the graph database say whose they are."""

from uuid import UUID

import pytest

from ontology.graph.keys import graph_key, row_of

GRAPH, ROW = UUID(int=1), UUID(int=2)


def test_a_key_leads_back_to_its_row():
    assert row_of(GRAPH, graph_key(GRAPH, ROW)) == ROW


@pytest.mark.parametrize(
    "key",
    [
        None,
        "",
        7,
        "planted",
        f"{GRAPH}",
        f"{GRAPH}:",
        f"{GRAPH}:x",
        f"{ROW}:{ROW}",
        f"{GRAPH}:{ROW} ",
        f"{GRAPH}:{{{ROW}}}",
    ],
)
def test_what_is_no_key_of_the_graph_leads_nowhere(key):
    assert row_of(GRAPH, key) is None
