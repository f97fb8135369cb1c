"""How extraction is measured: sets in their public form, and triples compared by what they say."""

import json

import pytest

from common.errors import InvalidInput
from evaluation.extraction_files import Triple, documents_in, schema_of, schemas_in
from evaluation.extraction_report import report
from evaluation.extraction_run import extractor_named, run
from evaluation.triples import Matched, measured

SCHEMA = {
    "id": "firms",
    "title": "Firms",
    "entity_types": ["person", "business firm"],
    "relations": [
        {"id": "P1", "label": "founded by", "domain": "business firm", "range": "person"},
        {"id": "P2", "label": "3rd/owner", "domain": "", "range": "Q5"},
    ],
}


def test_names_of_a_schema_become_identifiers_and_are_called_as_before():
    schema = schema_of(SCHEMA)
    relation = schema.skeleton.relations["founded_by"]
    assert (relation.sources, relation.targets) == (("business_firm",), ("person",))
    assert schema.called == {"founded_by": "founded by", "_3rd_owner": "3rd/owner"}
    assert schema.skeleton.relations["_3rd_owner"].sources == ("Thing",)
    assert set(schema.skeleton.classes) == {"person", "business_firm", "Q5", "Thing"}


def test_a_document_is_extracted_inside_of_its_own_schema(tmp_path):
    docs, schemas = tmp_path / "docs.jsonl", tmp_path / "schemas.json"
    triple = {"head": "Acme Pumps", "relation": "founded by", "tail": "Jane Miller"}
    row = {"id": "1", "ontology": "firms", "text": "Acme Pumps was founded by Jane Miller.", "triples": [triple]}
    docs.write_text(json.dumps(row), encoding="utf-8")
    schemas.write_text(json.dumps([SCHEMA]), encoding="utf-8")
    results = list(run(documents_in(docs), schemas_in(schemas), extractor_named("rules")))
    figures = report(results, "rules")
    assert (figures["precision"], figures["recall"], figures["f1"], figures["conformance"]) == (1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("found", "gold", "is_same"),
    [
        (("Balder", "creator", "Jack Kirby"), ("Balder (comicsCharacter)", "creator", "JACK KIRBY"), True),
        (("Ann", "born", "January 1, 1958"), ("Ann", "born", "1958-01-01"), True),
        (("Ann", "born", "Bonn"), ("Bonn", "born", "Ann"), False),
        (("Ann", "born", "Bonn"), ("Ann", "died", "Bonn"), False),
    ],
)
def test_triples_that_say_the_same(found, gold, is_same):
    assert measured([Matched.of([Triple(*found)], [Triple(*gold)])]).right == int(is_same)


def test_nothing_found_measures_as_nothing():
    measures = measured([Matched.of([], [Triple("a", "r", "b")])])
    assert (measures.precision, measures.recall, measures.f1) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("line", ["{", '{"id": 1}', '{"id": 1, "text": "x", "triples": [{}]}'])
def test_a_line_that_is_no_document_is_named(tmp_path, line):
    file = tmp_path / "docs.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(InvalidInput, match="Line 1"):
        list(documents_in(file))


def test_a_document_of_an_unknown_schema_is_refused(tmp_path):
    file = tmp_path / "docs.jsonl"
    file.write_text(json.dumps({"id": "7", "ontology": "x", "text": "t", "triples": []}), encoding="utf-8")
    with pytest.raises(InvalidInput, match="Document 7"):
        list(run(documents_in(file), {}, extractor_named("rules")))
