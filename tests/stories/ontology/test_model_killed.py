"""T18: a worker is killed with −9 while a model reads; no chunk that was finished is sent to the model again."""

import random
import re
import time
from collections import Counter
from dataclasses import replace

import pytest

from knowledge.models import Chunk, Document, RunState, StageRun
from knowledge.sweeping import sweep
from ontology.graphs import source_of
from ontology.models import Evidence, ExtractedVersion, GraphSource, KeptModelOutput
from tests.reading_model import by_text, says_facts, text_of
from tests.scripted_model import ScriptedModel
from tests.stories.knowledge import conftest as knowledge

until = knowledge.until
valkey, forking, broker, workers, tools, kb, editor, send = (
    knowledge.valkey,
    knowledge.forking,
    knowledge.broker,
    knowledge.workers,
    knowledge.tools,
    knowledge.kb,
    knowledge.editor,
    knowledge.send,
)
IN_FLIGHT = 4


@pytest.fixture
def model():
    with ScriptedModel(window_tokens=16384) as running:
        running.answering = by_text(answer)
        yield running


def answer(text):
    names = re.findall(r"Engine\d+", text)
    facts = [{"class": "System", "name": name, "aliases": []} for name in names]
    return replace(says_facts(entities=facts), delay_s=0.2)


def sections(count):
    return "\n\n".join(f"# Part {n}\n\nEngine{n}: it has no other words. " + "It turns. " * 40 for n in range(count))


@pytest.mark.parametrize("seed", [0])
def test_a_worker_killed_anywhere_in_a_models_reading_sends_no_finished_chunk_again(
    workers, send, kb, tools, model, seed
):
    environment = {"LLM_BASE_URL": model.url, "LLM_API_KEY": model.key, "TRELLIS_EXTRACT_IN_FLIGHT": str(IN_FLIGHT)}
    GraphSource.objects.filter(pk=source_of(kb.pk).pk).update(policy="all")
    chance = random.Random(seed)
    worker = workers.start(**environment)
    document = Document.objects.get(pk=send("long.md", sections(60)).items.get().document_id)
    sent_before_kill = set()
    for _ in range(3):
        goal = KeptModelOutput.objects.count() + chance.randint(1, 4)
        until(lambda goal=goal: KeptModelOutput.objects.count() >= goal or is_over(document))
        time.sleep(0.6 + chance.random() / 2)  # a sign of life, or it looks as if it always died at one spot
        for child in worker.children(recursive=True):
            child.kill()
        kept = set(KeptModelOutput.objects.values_list("content_hash", flat=True))
        sent_before_kill |= {text for text, content in contents(document) if content in kept}
        asked = Counter(text_of(body) for body in model.requests)
        assert all(asked[text] >= 1 for text in sent_before_kill)
    until(lambda: is_over(document) or sweep(tools))

    counted = Counter(text_of(body) for body in model.requests)
    chunks = Chunk.objects.filter(document=document).count()
    assert StageRun.objects.get(document=document, stage="model").state == RunState.DONE
    assert len(counted) == chunks
    assert sum(counted.values()) <= chunks + 3 * (IN_FLIGHT + 1)
    again = {text for text, times in counted.items() if times > 1}
    assert len(again) <= 3 * (IN_FLIGHT + 1)
    assert KeptModelOutput.objects.count() == chunks
    assert Evidence.objects.filter(extractor="model", is_live=True).values("entity").distinct().count() == 60
    assert ExtractedVersion.objects.get().faults == []


def contents(document):
    return Chunk.objects.filter(document=document).values_list("text", "content_hash")


def is_over(document):
    return StageRun.objects.filter(document=document, stage="model", state=RunState.DONE).exists()
