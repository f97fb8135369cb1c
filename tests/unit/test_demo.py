"""The demo's promises: every document has its metadata, every golden answer stands in its documents, the made files follow from their sources."""

import json
import zipfile
from datetime import date
from html import unescape
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import yaml

from demo.make_files import make_all

DEMO = Path(__file__).parents[2] / "demo"
CORPUS = DEMO / "corpus"
METADATA: dict[str, dict[str, Any]] = yaml.safe_load((CORPUS / "metadata.yaml").read_text(encoding="utf-8"))
GOLDEN: list[dict[str, Any]] = [
    json.loads(line) for line in (DEMO / "golden.jsonl").read_text(encoding="utf-8").splitlines()
]
PATHS = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*.*") if path.name != "metadata.yaml")
MADE = sorted(
    path.relative_to(DEMO / "sources").as_posix().removesuffix(".md") for path in (DEMO / "sources").rglob("*.*")
)
KNOWN_KEYS = {"title", "tags", "effective_on", "expires_on", "source_url"}


def metadata_of(path: str) -> dict[str, Any]:
    if not path.endswith(".md"):
        return METADATA[path]
    _, front_matter, _ = (CORPUS / path).read_text(encoding="utf-8").split("---\n", 2)
    metadata: dict[str, Any] = yaml.safe_load(front_matter)
    return metadata


def text_of(path: str) -> str:
    """The document's words; of a made file, those of its source."""
    source = DEMO / "sources" / f"{path}.md"
    kept = source if source.exists() else DEMO / "sources" / path if path in MADE else CORPUS / path
    return unescape(kept.read_text(encoding="utf-8"))


def content_of(file: Path) -> object:
    """What two made files must share; how hard a zip is pressed depends on the machine's zlib, so its members are compared."""
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            return {entry.filename: (entry.date_time, archive.read(entry)) for entry in archive.infolist()}
    if file.suffix == ".pdf":
        with pypdfium2.PdfDocument(file) as pdf:  # type: ignore[no-untyped-call]
            return pdf.get_metadata_dict(), [page.get_textpage().get_text_range() for page in pdf]
    return file.read_bytes()


@pytest.mark.parametrize("path", PATHS)
def test_a_document_has_a_title_a_date_and_only_known_metadata(path: str) -> None:
    metadata = metadata_of(path)

    assert set(metadata) <= KNOWN_KEYS
    assert metadata["title"]
    assert isinstance(metadata["effective_on"], date)
    assert all(isinstance(tag, str) for tag in metadata["tags"])


def test_metadata_is_kept_for_exactly_the_files_without_front_matter() -> None:
    assert sorted(METADATA) == [path for path in PATHS if not path.endswith(".md")]


def test_titles_are_unique_so_that_a_reference_names_one_document() -> None:
    titles = [metadata_of(path)["title"] for path in PATHS]

    assert len(set(titles)) == len(titles)


def test_one_notice_has_expired() -> None:
    assert [path for path in PATHS if "expires_on" in metadata_of(path)] == ["it/kade-maintenance.md"]


def test_three_questions_in_both_languages_are_suggested() -> None:
    for suggested in yaml.safe_load((DEMO / "questions.yaml").read_text(encoding="utf-8")).values():
        assert [set(entry) for entry in suggested] == [{"question", "language", "answers"}] * 3
        assert all(entry["answers"] for entry in suggested)
        assert {entry["language"] for entry in suggested} == {"en", "zh"}


def test_the_suggested_questions_are_golden_too() -> None:
    suggested = yaml.safe_load((DEMO / "questions.yaml").read_text(encoding="utf-8"))["suggested"]

    assert {entry["question"] for entry in suggested} <= {case["question"] for case in GOLDEN}


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["id"])
def test_every_golden_answer_stands_in_its_documents(case: dict[str, Any]) -> None:
    text = "\n".join(text_of(path) for path in case["gold_ids"])

    assert set(case["gold_ids"]) <= set(PATHS)
    assert [answer for answer in case["answers"] if answer not in text] == []
    assert bool(case["answers"]) == bool(case["gold_ids"]) == (case["type"] != "unanswerable")


def test_golden_questions_have_ids_of_their_own_and_known_kinds() -> None:
    assert len({case["id"] for case in GOLDEN}) == len(GOLDEN)
    assert {case["type"] for case in GOLDEN} == {"single", "multi", "table", "faq", "conflict", "unanswerable"}


def test_the_made_files_follow_from_their_sources(tmp_path: Path) -> None:
    made = [path.as_posix() for path in make_all(tmp_path)]

    assert made == MADE
    assert [path for path in made if content_of(tmp_path / path) != content_of(CORPUS / path)] == []
