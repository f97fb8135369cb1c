"""`manage.py evaluate extraction`: what can't be measured is told in a sentence, and what can't be found is warned of."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from common.errors import InvalidInput
from evaluation.extraction_files import schemas_in
from evaluation.management.commands.evaluate import named

SCHEMA = {"entity_types": ["人物"], "relations": [{"label": "妻子", "domain": "人物", "range": "人物"}]}


@pytest.fixture
def measured(tmp_path):
    """Standard output and standard error of measuring these documents inside of that schema."""

    def measure(rows, schema=SCHEMA):
        docs, schemas = tmp_path / "docs.jsonl", tmp_path / "schema.json"
        docs.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        schemas.write_text(json.dumps(schema), encoding="utf-8")
        out, err = io.StringIO(), io.StringIO()
        call_command(
            "evaluate", "extraction", "--docs", str(docs), "--schema", str(schemas), "--json", stdout=out, stderr=err
        )
        return out.getvalue(), err.getvalue()

    return measure


def document(relation):
    return {"id": "1", "text": "甲的妻子是乙。", "triples": [{"head": "甲", "relation": relation, "tail": "乙"}]}


def test_a_file_without_documents_is_wrong_use(measured):
    with pytest.raises(CommandError, match="holds no documents") as refused:
        measured([])
    assert refused.value.returncode == 2


def test_relations_that_the_schema_lacks_are_warned_of_on_standard_error(measured):
    out, err = measured([document("wife"), document("husband")])
    assert "Warning" in err
    assert "husband, wife." in err
    assert json.loads(out)["documents"] == 2


def test_without_such_relations_nothing_is_warned_of(measured):
    assert measured([document("妻子")])[1] == ""


def test_many_names_are_cut():
    assert named(list("abcdefgh")) == "a, b, c, d, e and 3 more."


@pytest.mark.parametrize("schema", [[1, 2], 1, "x", None, {}, [{}], {"entity_types": [], "relations": [1]}])
def test_what_is_no_schema_is_told_without_words_of_the_language_it_is_read_by(tmp_path, schema):
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(schema), encoding="utf-8")
    with pytest.raises(InvalidInput, match="write an object with") as refused:
        schemas_in(file)
    assert "subscriptable" not in str(refused.value)
