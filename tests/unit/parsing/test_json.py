"""JSON and JSON Lines read as text that keeps what was said."""

import json

import pytest

from knowledge.types import BlockKind
from tests.unit.parsing.conftest import ReadBytes, Refusal
from tests.unit.parsing.rules import parts, texts


def test_an_object_reads_as_headings_and_lines(read_bytes: ReadBytes) -> None:
    value = {
        "title": "P-100",
        "text": "A pump.\n\nIt stops at a<b.",
        "weight": 50,
        "tags": ["oil", "a&b"],
        "seal": {"kind": "ring", "ok": True, "none": None},
    }
    document = read_bytes("a.json", json.dumps(value))
    assert (
        document.text
        == "# P-100\n\nweight: 50\ntags: oil, a&b\n\nA pump.\n\nIt stops at a<b.\n\n## seal\n\nkind: ring\nok: true"
    )
    assert document.title == "P-100"


def test_like_objects_are_a_table(read_bytes: ReadBytes) -> None:
    document = read_bytes(
        "a.json", json.dumps([{"part": "seal", "price": 12.5}, {"part": "bolt", "price": 3, "note": "x|y"}])
    )
    (table,) = document.blocks
    assert table.kind is BlockKind.TABLE
    assert parts(document, table) == ["| part | price | note |", "| seal | 12.5 |  |", "| bolt | 3 | x\\|y |"]


@pytest.mark.parametrize("keys", [("question", "answer"), ("Q", "A"), ("问题", "答案")])
@pytest.mark.parametrize("is_lines", [False, True])
def test_questions_and_answers_are_pairs(read_bytes: ReadBytes, keys: tuple[str, str], is_lines: bool) -> None:
    values = [dict(zip(keys, pair, strict=True)) for pair in [("多重？", "五十公斤"), ("Why?", "So.")]]
    data = "\n".join(map(json.dumps, values)) if is_lines else json.dumps({"faq": values})
    document = read_bytes("a.jsonl" if is_lines else "a.json", data)
    pairs = [parts(document, block) for block in document.blocks if block.kind is BlockKind.FAQ]
    assert pairs == [["多重？", "五十公斤"], ["Why?", "So."]]


def test_a_record_a_line_reads_well(read_bytes: ReadBytes) -> None:
    document = read_bytes(
        "a.jsonl", '{"id": "7", "title": "水泵", "text": "第一段。\\n\\n第二段。"}\n\n{"title": "B", "text": "x"}\n'
    )
    assert document.text == "# 水泵\n\nid: 7\n\n第一段。\n\n第二段。\n\n# B\n\nx"


def test_a_broken_line_is_left_out_with_a_notice(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.jsonl", '{"a": "b"}\nnonsense\n{"c": "d"}\n')
    assert document.text == "a: b\n\nc: d"
    assert "2" in document.notices[0]


@pytest.mark.parametrize("data", ["{", "[1,", "nonsense", '{"a": }', "[" * 100_000])
@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_what_is_no_json_is_refused(refusal: Refusal, name: str, data: str) -> None:
    assert refusal(name, data.encode()).reason == "broken_file"


@pytest.mark.parametrize(
    "value", ["word", 5, [1, [2, {"a": []}]], {"a": {"b": {"c": {"d": "e"}}}}, ["\ud800 lone", "b"]]
)
def test_any_shape_is_read(read_bytes: ReadBytes, value: object) -> None:
    assert read_bytes("a.json", json.dumps(value)).text


def test_scalars_in_lists_are_items(read_bytes: ReadBytes) -> None:
    assert texts(read_bytes("a.json", '{"steps": ["stop", "drain"], "more": [["x"], ["y"]]}'), BlockKind.LIST) == [
        "- x\n- y"
    ]
