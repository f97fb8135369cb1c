"""What documents propose: classes from tables and names, attributes from columns and lines; and the text with those that a person accepts."""

import pytest

from knowledge.types import Block, BlockKind
from ontology.proposing.drafts import Sample, typed
from ontology.proposing.propose import accepted, propose
from ontology.skeleton.read import compiled_skeleton

SKELETON = """# ours
classes:
  Paper:
    subject: true
  Person:
    labels: {en: Person}
    rules: {columns: [Name]}
"""
TABLE = "| Machine | Weight (kg) | Built |\n| --- | --- | --- |\n| Crane | 1,200 | 2019-04-01 |\n| Winch | 300 | 2021-05-02 |"


def table(text):
    lines, at = [], 0
    for line in text.split("\n"):
        lines.append((at, at + len(line)))
        at += len(line) + 1
    return Sample(text, [Block(BlockKind.TABLE, 0, len(text), parts=(lines[0], *lines[2:]), header_parts=1)])


def prose(text):
    return Sample(text, [Block(BlockKind.PARAGRAPH, 0, len(text))])


def proposed(*samples, skeleton=SKELETON, is_word=lambda name: False):
    return {draft.key: draft for draft in propose(list(samples), compiled_skeleton(skeleton), is_word)}


def test_the_first_column_of_a_table_is_a_class_and_the_others_its_typed_attributes():
    draft = proposed(table(TABLE))["Machine"]

    assert draft.count == 2
    assert draft.examples == ("Crane", "Winch")
    assert draft.declared["attributes"]["built"]["type"] == "date"
    assert draft.declared["attributes"]["weight"]["type"] in ("integer", "number")


def test_columns_that_a_known_class_lacks_are_proposed_for_it():
    drafts = proposed(table("| Name | Badge |\n| --- | --- |\n| Ada | 17 |\n| Bo | 18 |"))

    assert drafts["Person.badge"].declared["type"] == "integer"
    assert "Name" not in drafts


def test_lines_with_the_same_key_are_an_attribute_of_documents():
    drafts = proposed(prose("Reviewed: 2024-03-01"), prose("Reviewed: 2024-04-02"), prose("Once: only"))

    assert drafts["Paper.reviewed"].declared["type"] == "date"
    assert "Paper.once" not in drafts


def test_names_with_the_same_last_word_are_a_class():
    text = "We ask the Mail Gateway and the Pay Gateway. Then the Mail Gateway answers."

    assert proposed(prose(text))["Gateway"].declared["rules"] == {"suffixes": ["Gateway"]}


def test_codes_with_the_same_prefix_are_a_class():
    assert proposed(prose("See QP-12 and QP-220."))["QP"].examples == ("QP-12", "QP-220")


def test_chinese_names_with_the_same_ending_are_a_class_unless_the_dictionary_has_them():
    text = "星桥系统每天同步。星桥系统由运维负责，远帆系统已停用，远帆系统只读。操作系统要更新，操作系统很旧。"

    draft = proposed(prose(text), is_word=lambda name: name == "操作系统")["系统"]

    assert set(draft.examples) >= {"星桥系统", "远帆系统"}
    assert "操作系统" not in draft.examples


def test_nothing_is_proposed_from_nothing():
    assert proposed() == {}
    assert proposed(prose("")) == {}


def test_what_is_accepted_stands_in_the_text_and_the_rest_stays_as_it_was():
    drafts = list(proposed(table(TABLE), prose("QP-12, QP-220")).values())

    text = accepted(SKELETON, drafts, {"Machine"})
    skeleton = compiled_skeleton(text)

    assert text.startswith("# ours\n")
    assert set(skeleton.classes) == {"Paper", "Person", "Machine"}
    assert skeleton.classes["Machine"].columns == ("machine",)


def test_all_drafts_together_are_a_skeleton():
    drafts = list(proposed(table(TABLE), prose("QP-12, QP-220\n\nReviewed: 1\n\nReviewed: 2")).values())

    compiled_skeleton(accepted(SKELETON, drafts, {draft.key for draft in drafts}))


@pytest.mark.parametrize(
    ("values", "type"),
    [
        (["1", "2"], "integer"),
        (["1", "2.5"], "number"),
        (["a", "b"], "text"),
        ([], "text"),
        (["1", "2", "3", "x"], "text"),
    ],
)
def test_the_type_is_the_strictest_that_nearly_all_values_have(values, type):
    assert typed(values) == type
