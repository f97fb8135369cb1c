"""Whatever text stands in the file, checking it ends with faults or a skeleton, never with an error."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.skeleton.read import read_skeleton
from tests.unit.ontology.skeleton.examples import GOOD

LINES = st.sampled_from(
    [
        *GOOD.splitlines(),
        "  ",
        "classes:",
        "relations: []",
        "  ? [a]",
        "  1: 2",
        "  <<: {a: b}",
        "    to: {}",
        "  [a]: b",
    ]
)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_characters(text):
    read_skeleton(text)


@settings(deadline=None)
@given(st.lists(LINES, max_size=25).map("\n".join))
def test_any_order_of_lines(text):
    reading = read_skeleton(text)

    assert reading.skeleton is not None or reading.faults


@settings(deadline=None)
@given(
    st.integers(0, len(GOOD)),
    st.integers(0, len(GOOD)),
    st.sampled_from(["", "[", "{", ": ", "\t", "!", "&a ", "*a", "'", "null", "\ud800"]),
)
def test_any_cut_of_a_good_file(start, end, between):
    read_skeleton(GOOD[:start] + between + GOOD[end:])
