"""Keep the vectors of one graph's sentences in step with its facts: say them, embed what is new, within a time. One process at a time; nobody who edits waits for it."""

import time

import structlog

from common.errors import EngineRefused, EngineUnavailable, Misconfigured
from inference.ports import Embedder
from inference.selectors import active_space
from knowledge.spaces import open_space
from ontology.fact_vectors.embed import embed_lacking
from ontology.fact_vectors.mark import is_at_rest, mark_of, rests
from ontology.fact_vectors.rows import vectors_forget_unheld
from ontology.fact_vectors.sentences import lacking, say
from ontology.graph.projector import only_one
from ontology.models import Graph

log = structlog.get_logger(__name__)


def fact_vectors_tend(graph: Graph, embedder: Embedder, *, budget_s: float | None = None) -> int:
    """Gives how many sentences were embedded; 0 while the embedder is away, which leaves them waiting, or while another process is at it."""
    space = active_space()
    mark = mark_of(graph, space.pk if space else None)
    if is_at_rest(graph, mark):
        return 0
    ends = None if budget_s is None else time.monotonic() + budget_s
    with only_one(graph.pk, deed="fact vectors") as is_mine:
        return tended(graph, embedder, mark, ends) if is_mine else 0


def tended(graph: Graph, embedder: Embedder, mark: str, ends: float | None) -> int:
    """The same for who is alone at it."""
    changed = say(graph)
    if changed:
        vectors_forget_unheld()
    try:
        count = made(graph, embedder, ends)
    except (EngineUnavailable, EngineRefused, Misconfigured) as error:
        log.warning("fact_vectors.waiting", graph=str(graph.pk), error=str(error))
        return 0
    if not changed and not count:
        rests(graph, mark)
    return count


def made(graph: Graph, embedder: Embedder, ends: float | None = None) -> int:
    """The embedder is asked only when something lacks. Raises EngineUnavailable, EngineRefused, Misconfigured."""
    space = active_space()
    if not lacking(graph, space.pk if space else None, limit=1):
        return 0
    return embed_lacking(graph, open_space(embedder.info()), embedder, ends=ends)
