"""Embeds the sentences of a graph that a space has no vector of, batch by batch, each paid by the knowledge base that says it first."""

import time
from collections.abc import Iterator, Sequence
from itertools import groupby

from common.errors import InvalidInput
from inference.models import EmbeddingSpace
from inference.ports import Embedder
from inference.types import Charge, Purpose, Vectors
from knowledge.models import KnowledgeBase
from ontology.fact_vectors.rows import vectors_store
from ontology.fact_vectors.sentences import Sentence, lacking
from ontology.graph.comparing import batches
from ontology.models import Graph

BATCH = 64
AT_A_LOOK = 5000
"""Sentences that one look at the ledger gives."""


def embed_lacking(graph: Graph, space: EmbeddingSpace, embedder: Embedder, *, ends: float | None = None) -> int:
    """Until nothing lacks or the time (of `time.monotonic`) is over; gives how many sentences. The embedder serves the space's model.

    Raises EngineUnavailable, EngineRefused; what was stored stays.
    """
    count = 0
    while waiting := lacking(graph, space.pk, limit=AT_A_LOOK):
        stored = 0
        for charge, batch in by_payer(graph, waiting):
            if ends is not None and time.monotonic() > ends:
                return count + stored
            raw = vectors_of(embedder, [each.text for each in batch], charge)
            stored += vectors_store(space.fingerprint, [each.hash for each in batch], raw)
        count += stored
        if not stored:  # their relations are going, or are said otherwise by now
            return count
    return count


def by_payer(graph: Graph, sentences: Sequence[Sentence]) -> Iterator[tuple[Charge, list[Sentence]]]:
    """In batches. What only a person says is paid by the first knowledge base that feeds the graph."""
    bases = {kb.pk: kb for kb in KnowledgeBase.objects.filter(graph_source__graph=graph).order_by("pk")}
    first = next(iter(bases), None)
    payer = {each.hash: each.kb_id if each.kb_id in bases else first for each in sentences}
    for kb_id, group in groupby(
        sorted(sentences, key=lambda each: str(payer[each.hash])), lambda each: payer[each.hash]
    ):
        for batch in batches(group, BATCH):
            yield charge_for(bases.get(kb_id) if kb_id else None), batch


def charge_for(kb: KnowledgeBase | None) -> Charge:
    """The knowledge base's department pays, as for reading."""
    return Charge(Purpose.INDEX, department_id=kb.department_id, kb_id=kb.pk) if kb else Charge(Purpose.INDEX)


def vectors_of(embedder: Embedder, texts: list[str], charge: Charge) -> Vectors:
    """What is too long for a model of a small window is said shorter. Raises EngineUnavailable, EngineRefused."""
    while True:
        try:
            return embedder.embed(texts, kind="passage", charge=charge)
        except InvalidInput as error:
            place = error.extra.get("index")
            if not isinstance(place, int) or len(texts[place]) < 2:
                raise
            texts = [text[: len(text) // 2] if number == place else text for number, text in enumerate(texts)]
