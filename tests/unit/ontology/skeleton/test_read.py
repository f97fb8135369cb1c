"""A skeleton is read whole, or refused with every fault, its line, and what to write instead."""

import pytest

from ontology.skeleton.faults import SkeletonRefused
from ontology.skeleton.read import compiled_skeleton, read_skeleton
from ontology.types import ValueType
from tests.unit.ontology.skeleton.examples import CLASS, GOOD, RELATION


def test_everything_that_is_written_arrives():
    skeleton = compiled_skeleton(GOOD)

    pump = skeleton.classes["Pump"]
    assert skeleton.title == "Pumps"
    assert skeleton.subject_class is pump
    assert pump.patterns[0].fullmatch("P-100")
    assert pump.attribute("head").type is ValueType.NUMBER
    assert pump.attribute("state").options == {"new": ("brand new", "全新"), "used": ()}
    assert skeleton.relations["replaces"].joins("Pump", "Pump")
    assert skeleton.relations["replaces"].inverse_columns == ("successor",)


def test_names_and_labels_are_columns_and_keys_of_themselves():
    pump = compiled_skeleton(GOOD).classes["Pump"]

    assert pump.columns == ("pump", "水泵", "model")
    assert pump.attribute("head").keys == ("head", "lift", "扬程")


def test_a_unit_is_kept_by_its_one_name():
    assert compiled_skeleton(GOOD).classes["Pump"].attribute("head").unit == "m"


def test_a_class_without_labels_is_called_by_its_name():
    assert compiled_skeleton(GOOD).classes["Firm"].labels == {"en": "Firm"}


@pytest.mark.parametrize(
    ("written", "line", "words"),
    [
        ("", 1, "empty"),
        ("classes: {Pump: ", 1, "not YAML"),
        ("a: &x 1\nb: *x", 1, "Anchors"),
        ("classes: !!python/object:os.system {}", 1, "Tags"),
        ("classes:\n  A:\n---\nclasses:\n  B:\n", 3, "second document"),
        ("[" * 30 + "]" * 30, 1, "nested"),
        ("classes: [" + "a," * 50_001 + "]", 1, "too many"),
        ("x: '" + "a" * 1_000_001 + "'", 1, "megabyte"),
        ("- Pump", 1, "colon"),
        ("title: x", 1, "classes"),
        ("classes: {}", 1, "1 to 200"),
        ("clases:\n  Pump:\n" + CLASS, 1, "classes"),
        (CLASS + "  Pump:\n", 3, "second time"),
        (CLASS + "  PUMP:\n", 3, "looks like"),
        (CLASS + "  Document:\n", 3, "Trellis uses"),
        (CLASS + "  chunk:\n", 3, "Trellis uses"),
        (CLASS + "  Heat exchanger:\n", 3, "Heat_exchanger"),
        (CLASS + "  3D:\n", 3, "n3D"),
        (CLASS + "    labels: Pump\n", 3, "colon"),
        (CLASS + "    labels: {fr: pompe}\n", 3, "en, zh"),
        (CLASS + "    subject: maybe\n", 3, "true or false"),
        (CLASS + "    subject: true\n  B:\n    subject: true\n", 4, "second class"),
        (CLASS + "    rules: {columns: [2024]}\n", 3, "in quotes"),
        (CLASS + "    rules: {columns: Model}\n", 3, "list"),
        (CLASS + "    rules: {columns: [A, A]}\n", 3, "twice"),
        (CLASS + "    rules: {columns: [Firm]}\n  Firm:\n", 4, "names both"),
        (CLASS + "    rules: {colums: [A]}\n", 3, "columns"),
        (CLASS + "    rules: {patterns: ['(a+)+b']}\n", 3, "for ever"),
        (CLASS + "    rules: {record_headings: ['[']}\n", 3, "regular expression"),
        (CLASS + "    attributes: {size: {type: int}}\n", 3, "integer"),
        (CLASS + "    attributes: {size: {type: number, unit: parsec}}\n", 3, "unit"),
        (CLASS + "    attributes: {size: {unit: kg}}\n", 3, "no “unit”"),
        (CLASS + "    attributes: {size: {type: enum}}\n", 3, "without options"),
        (CLASS + "    attributes: {size: {type: enum, options: []}}\n", 3, "without options"),
        (CLASS + "    attributes: {size: {type: enum, options: {a: [x], b: [X]}}}\n", 3, "two options"),
        (CLASS + "    attributes: {size: {type: reference}}\n", 3, "says no class"),
        (CLASS + "    attributes: {size: {type: reference, to: Pmup}}\n", 3, "Pump"),
        (CLASS + "    attributes: {name: }\n", 3, "Trellis uses"),
        (CLASS + "    attributes: {a: {keys: [b]}, b: }\n", 3, "names both"),
        (CLASS + "    attributes:\n", 3, "empty"),
        (CLASS + "relations:\n  fits:\n", 4, "from"),
        (CLASS + "relations:\n  fits: {from: Pump, to: Pumpe}\n", 4, "Pump"),
        (CLASS + "relations:\n  fits: {from: [], to: Pump}\n", 4, "empty"),
        (CLASS + "relations:\n  mentions: {from: Pump, to: Pump}\n", 4, "Trellis uses"),
        (RELATION + "    phrases: ['{source} fits']\n", 7, "{target}"),
        (RELATION + "    phrases: ['{source} {target}']\n", 7, "side by side"),
        (RELATION + "    phrases: ['{source} fits {target} at {speed}']\n", 7, "no attribute"),
        (RELATION + "    phrases: ['{source} (fits {target}']\n", 7, "partner"),
    ],
)
def test_a_fault_names_its_line_and_what_to_write(written, line, words):
    reading = read_skeleton(written)

    assert reading.skeleton is None
    assert line in [fault.line for fault in reading.faults]
    assert any(words in str(fault) for fault in reading.faults)


def test_all_faults_are_found_at_once():
    written = CLASS + "    subject: maybe\n    labels: x\nrelations:\n  fits: {from: A, to: B}\n"

    assert [fault.line for fault in read_skeleton(written).faults] == [3, 4, 6, 6]


def relations(count):
    return CLASS + "relations:\n" + "".join(f"  r{i}: {{from: Pump, to: Pump}}\n" for i in range(count))


def test_eight_relation_types_are_enough():
    assert read_skeleton(relations(8), relation_types_max=8).faults == ()
    assert read_skeleton(relations(9), relation_types_max=8).skeleton is None


def test_more_that_the_setting_allows_leave_a_warning():
    reading = read_skeleton(relations(9), relation_types_max=20)

    assert reading.skeleton is not None
    assert [fault.is_warning for fault in reading.faults] == [True]


def test_a_refused_skeleton_says_so_as_an_error():
    with pytest.raises(SkeletonRefused, match="line 1"):
        compiled_skeleton("title: x")


def test_the_order_and_manner_of_writing_do_not_change_the_fingerprint():
    shuffled = """\
# another manner of writing
relations:
  "replaces":
    inverse_columns:
      - Successor
    phrases: ['{source} replaces {target}']
    attributes: {since: {type: date}}
    to: Pump
    from: [Pump]
classes:
  Firm: {}
  Pump:
    rules: {columns: [model], patterns: ["P-\\\\d+"]}
    attributes:
      maker: {to: Firm, type: reference}
      state: {options: {used: [], new: [全新, brand new]}, type: enum}
      head: {keys: [扬程, lift], unit: metre, type: number}
    subject: true
    labels: {zh: 水泵, en: Pump}
"""
    assert compiled_skeleton(shuffled).fingerprint == compiled_skeleton(GOOD).fingerprint


@pytest.mark.parametrize(
    ("old", "new"), [("米", "厘米"), ("P-", "Q-"), ("{type: date}", "{}"), ("subject: true", "subject: false")]
)
def test_another_meaning_has_another_fingerprint(old, new):
    assert compiled_skeleton(GOOD.replace(old, new)).fingerprint != compiled_skeleton(GOOD).fingerprint
