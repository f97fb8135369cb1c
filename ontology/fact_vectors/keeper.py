"""Plays knowledge's keeper of facts' vectors: what an embedding space needs of them when it is made, filled or switched to."""

from inference.models import EmbeddingSpace
from inference.ports import Embedder
from ontology.fact_vectors.embed import embed_lacking
from ontology.fact_vectors.rows import lost_by, vectors_fill
from ontology.fact_vectors.sentences import say
from ontology.models import Graph


class LedgerFactVectors:
    """Works on the rows of the ledger, all graphs together."""

    def fill(self, space: EmbeddingSpace) -> int:
        return vectors_fill(space)

    def embed_missing(self, space: EmbeddingSpace, embedder: Embedder) -> int:
        count = 0
        for graph in Graph.objects.select_related("skeleton"):
            say(graph)
            count += embed_lacking(graph, space, embedder)
        return count

    def lacking(self, space: EmbeddingSpace) -> int:
        return lost_by(space)
