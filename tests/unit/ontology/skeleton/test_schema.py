"""The JSON Schema of `ontology.yaml` says the same as the checker, as far as a schema can; and every skeleton that we ship is one."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

import ontology.skeleton
from ontology.skeleton.read import read_skeleton
from ontology.values.parse import parse
from tests.unit.ontology.skeleton.examples import CLASS, GOOD, RELATION

PROJECT = Path(__file__).parents[4]
SCHEMA = json.loads((Path(ontology.skeleton.__path__[0]) / "ontology.schema.json").read_text(encoding="utf-8"))
SHIPPED = ("ontology/skeleton/default.yaml", "demo/ontology.yaml", "demo/models/ontology.yaml")
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def example():
    """The one in the documentation."""
    page = (PROJECT / "docs/ontology.md").read_text(encoding="utf-8")
    return page.split("```yaml\n", 1)[1].split("```", 1)[0]


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", SHIPPED)
def test_a_shipped_skeleton_has_no_fault_for_either(path):
    written = (PROJECT / path).read_text(encoding="utf-8")

    assert read_skeleton(written).faults == ()
    assert list(VALIDATOR.iter_errors(yaml.safe_load(written))) == []


def test_the_documentations_example_has_no_fault_for_either():
    assert read_skeleton(example()).faults == ()
    assert list(VALIDATOR.iter_errors(yaml.safe_load(example()))) == []


@pytest.mark.parametrize(
    "written",
    [
        GOOD,
        CLASS,
        RELATION,
        CLASS + "    rules: {columns: [A]}\n",
        CLASS + "    attributes: {size: }\n",
        CLASS + "    attributes: {size: {type: enum, options: {a: , b: [c]}}}\n",
        "title: x",
        "- Pump",
        "classes: {}",
        "clases:\n  Pump:\n" + CLASS,
        CLASS + "  Document:\n",
        CLASS + "  ENTITY:\n",
        CLASS + "  Heat exchanger:\n",
        CLASS + "    labels: Pump\n",
        CLASS + "    labels: {fr: pompe}\n",
        CLASS + "    subject: maybe\n",
        CLASS + "    rules: {columns: [2024]}\n",
        CLASS + "    rules: {columns: Model}\n",
        CLASS + "    rules: {columns: [A, A]}\n",
        CLASS + "    rules: {colums: [A]}\n",
        CLASS + "    attributes: {size: {type: int}}\n",
        CLASS + "    attributes: {size: {unit: kg}}\n",
        CLASS + "    attributes: {size: {type: enum}}\n",
        CLASS + "    attributes: {size: {type: enum, options: []}}\n",
        CLASS + "    attributes: {size: {type: reference}}\n",
        CLASS + "    attributes: {size: {options: [a]}}\n",
        CLASS + "    attributes: {name: }\n",
        CLASS + "    attributes:\n",
        CLASS + "relations:\n  fits:\n",
        CLASS + "relations:\n  fits: {from: [], to: Pump}\n",
        CLASS + "relations:\n  mentions: {from: Pump, to: Pump}\n",
    ],
)
def test_the_schema_and_the_checker_agree(written):
    assert VALIDATOR.is_valid(yaml.safe_load(written)) == (read_skeleton(written).skeleton is not None)


def test_three_models_of_the_catalogue_were_trained_with_dpo():
    skeleton = read_skeleton((PROJECT / "demo/models/ontology.yaml").read_text(encoding="utf-8")).skeleton
    method = skeleton.classes["Model"].attribute("training_method")
    trained = set()
    for page in (PROJECT / "demo/models").glob("*.md"):
        title, *lines = page.read_text(encoding="utf-8").splitlines()
        for line in lines:
            key, _colon, value = line.strip("-| ").replace(" | ", ":").replace("：", ":").partition(":")
            if key.strip().lower() in method.keys and parse(value, method).value == "DPO" and page.stem != "overview":
                trained.add(title.strip("# "))

    assert trained == {"Halyard-7B", "Kestrel-8B-Chat", "青岚-14B"}
