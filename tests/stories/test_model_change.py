"""T31: another embedding model is filled in beside the one in use while questions are answered, then switched at once, and can be switched back.

Both models stand behind real servers; the words of the two are hashed differently, so that a question embedded by the wrong one finds nothing near.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from common.errors import Conflict
from inference.conf import InferenceSettings
from inference.hash_model import HashModel
from inference.http_embedder import HttpEmbedder
from inference.http_question_embedder import HttpQuestionEmbedder
from inference.matching import MatchingEmbedder, MatchingQuestionEmbedder
from inference.meters import LedgerMeter
from inference.models import EmbeddingSpace, UsageRecord
from inference.selectors import active_space
from inference.types import Charge, ModelServer, TextKind, Vectors
from knowledge.models import ChunkVector, KnowledgeBase
from knowledge.spaces import activate_space
from knowledge.tend_spaces import tend_spaces
from retrieval.arms.vector import active_fingerprint
from retrieval.search import SearchResult
from retrieval.tools import Tools
from tests.asking import corpus, kb, reader, search
from tests.factories import Corpus, make_tools
from tests.meters import ListMeter
from tests.scripted_model import Script, ScriptedModel

__all__ = ["corpus", "kb", "reader", "search"]

TEXTS = {
    "pump.md": "# Pump\n\nThe pump P-100 stops when the water is hotter than eighty degrees.",
    "leave.md": "# 年假\n\n员工每年有十五天带薪年假，可以分两次休完。",
    "invoice.md": "# Invoices\n\nInvoices are paid within thirty days of delivery.",
}
PUMP = "hotter water stops the pump"
SETTINGS = InferenceSettings(EMBEDDING_PATIENCE_S=0)


@pytest.fixture
def servers() -> Iterator[tuple[ScriptedModel, ScriptedModel]]:
    with (
        ScriptedModel(names=("model-a",), embeddings_model=HashModel(dims=64)) as a,
        ScriptedModel(names=("model-b",), embeddings_model=HashModel(dims=64, seed="b")) as b,
    ):
        yield a, b


@pytest.fixture
def addresses(servers: tuple[ScriptedModel, ScriptedModel]) -> list[Callable[[], ModelServer]]:
    return [partial(ModelServer, server.url, server.key) for server in servers]


@pytest.fixture
def library(corpus: Corpus, addresses: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    """The documents, read by model A while model B is to come."""
    embedders = tuple(HttpEmbedder(where, meter=LedgerMeter(), settings=SETTINGS) for where in addresses)
    corpus.tools = replace(corpus.tools, embedder=MatchingEmbedder(embedders), embedders=embedders)
    monkeypatch.setattr("knowledge.management.commands.space.tools", lambda: corpus.tools)
    for path, text in TEXTS.items():
        corpus.read(path, text)
    yield corpus
    for embedder in embedders:
        embedder.close()


@pytest.fixture
def tools(transactional_db: None, addresses: Any) -> Tools:
    made = make_tools()
    questions = MatchingQuestionEmbedder(
        [HttpQuestionEmbedder(where, meter=ListMeter(), settings=SETTINGS) for where in addresses],
        active_fingerprint=partial(active_fingerprint, made.database),
    )
    return replace(made, embedder=questions, closing=(questions.aclose,))


def best(result: SearchResult) -> str:
    """Where the best hit of the vector arm stands."""
    assert not result.degraded
    return result.found[0].source.path


def space(*words: str) -> list[dict[str, Any]]:
    """`manage.py space …` as JSON."""
    out = StringIO()
    call_command("space", *words, "--json", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_another_model_is_switched_to_at_once_and_back(library, search, servers):
    assert best(search(PUMP, arms=["vector"])) == "pump.md"

    made = space("embed")[0]
    assert (made["state"], made["model"], made["vectors"]) == ("ready", "model-b", 3)
    assert active_space().model == "model-a"
    assert best(search(PUMP, arms=["vector"])) == "pump.md"

    space("activate", str(made["number"]))
    servers[0].requests.clear()
    assert best(search(PUMP, arms=["vector"])) == "pump.md"
    assert servers[0].requests == []

    space("activate", "1")
    assert best(search(PUMP, arms=["vector"])) == "pump.md"
    assert [(row["model"], row["state"]) for row in space("list")] == [("model-a", "active"), ("model-b", "retired")]


def test_questions_are_answered_while_the_other_model_is_filled_in(library, search, monkeypatch):
    found: list[str] = []
    embed = HttpEmbedder.embed

    def embed_and_ask(self: HttpEmbedder, texts: Sequence[str], *, kind: TextKind, charge: Charge) -> Vectors:
        found.append(best(search(PUMP, arms=["vector"])))
        return embed(self, texts, kind=kind, charge=charge)

    monkeypatch.setattr(HttpEmbedder, "embed", embed_and_ask)
    space("embed", "--activate")

    assert found == ["pump.md"] * 3
    assert active_space().model == "model-b"


def test_what_is_read_after_the_other_space_was_filled_is_in_it_before_the_switch(library, search):
    number = space("embed")[0]["number"]
    library.read("late.md", "# Valve\n\nThe valve V-7 opens at nine bar.")

    space("activate", str(number))

    assert best(search("which valve opens", arms=["vector"])) == "late.md"


def test_a_space_that_lacks_something_is_not_switched_to(library, servers):
    made = EmbeddingSpace.objects.get(number=space("embed")[0]["number"])
    library.read("late.md", "# Valve\n\nThe valve V-7 opens at nine bar.")

    with pytest.raises(Conflict, match="1 passages"):
        activate_space(subject=library.subject, space=made)
    servers[1].script = Script(status=503)
    with pytest.raises(CommandError) as away:
        space("activate", str(made.number))

    assert away.value.returncode == 3
    assert active_space().model == "model-a"


def test_what_is_read_after_the_switch_is_read_by_the_new_model_only(library, search, servers):
    space("embed", "--activate")
    library.read("late.md", "# Valve\n\nThe valve V-7 opens at nine bar.")

    assert best(search("which valve opens", arms=["vector"])) == "late.md"
    assert "V-7" not in str(servers[0].requests)
    assert "V-7" in str(servers[1].requests)


def test_embedding_anew_is_paid_by_the_knowledge_base_and_goes_on_where_it_stopped(library, kb, servers):
    UsageRecord.objects.all().delete()
    servers[1].script = Script(status=503)
    with pytest.raises(CommandError) as away:
        space("embed")
    assert away.value.returncode == 3
    servers[1].script = Script()
    space("embed")
    paid = UsageRecord.objects.filter(purpose="index")
    assert set(paid.values_list("model", "kb_id", "department_id")) == {("model-b", kb.pk, kb.department_id)}
    count = paid.count()

    space("embed")

    assert UsageRecord.objects.filter(purpose="index").count() == count


def test_the_model_in_use_is_not_embedded_anew(library):
    space("embed", "--activate")

    with pytest.raises(CommandError, match="model in use") as refused:
        space("embed")
    assert refused.value.returncode == 1


def test_a_number_that_is_no_space_is_wrong_use(library):
    with pytest.raises(CommandError) as refused:
        space("activate", "77")
    assert refused.value.returncode == 2


def test_a_question_is_not_compared_with_vectors_of_another_model(library, search, servers):
    """The server of the model in use has become another one's, as after a wrong setting: the arm is left out and the answer says so."""
    space("delete", str(space("embed")[0]["number"]))
    servers[0].embeddings_model = HashModel(dims=64, seed="wrong")

    result = search(PUMP, arms=["vector", "keyword"])

    assert [part for part in result.degraded if part.startswith("embed")]
    assert result.found[0].source.path == "pump.md"


def test_a_vector_that_is_missing_is_made_again_by_itself(library, kb: KnowledgeBase):
    ChunkVector.objects.all()[0].delete()

    tend_spaces(library.tools.embedder)

    assert ChunkVector.objects.filter(space=EmbeddingSpace.objects.get()).count() == 3
