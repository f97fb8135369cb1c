"""The demo's catalogue of models: each page is a record, so that a model's name and all that is said of it are found together."""

from pathlib import Path

import pytest

from knowledge.chunking.identity import full_text
from knowledge.chunking.sections import sections
from knowledge.chunking.split import split
from ontology.records import record_headings
from ontology.skeleton.read import compiled_skeleton
from tests.unit.chunking.documents import count_by_parts
from tests.unit.ontology.reading import demo_files

MODELS = Path(__file__).parents[3] / "demo" / "models"
HEADINGS = record_headings(compiled_skeleton((MODELS / "ontology.yaml").read_text(encoding="utf-8")))
PAGES = {each.path: each for each in demo_files(MODELS)}


@pytest.mark.parametrize(
    ("path", "words"), [("halyard-34b.md", ("Halyard-34B", "256K", "Beacon-Math")), ("qinglan-14b.md", ("青岚-14B",))]
)
def test_a_page_of_the_catalogue_is_one_passage(path: str, words: tuple[str, ...]) -> None:
    page = PAGES[path]
    held = sections(page.document.text, page.document.blocks, title=page.title)
    records = {each.ordinal for each in held if each.level and HEADINGS.begins(each.title)}
    drafts = split(
        page.document.text, page.document.blocks, title=page.title, count_tokens=count_by_parts, records=records
    )

    (draft,) = drafts
    whole = full_text(draft.context, page.document.text[draft.start : draft.end])
    assert all(each in whole for each in words)


def test_the_overview_is_no_record() -> None:
    assert not HEADINGS.begins("Which model for what 模型选用")
