"""Keep the vectors of a graph's names, and who is nearest to whom, in step with its entities, within a time. One process at a time; no editor waits for it.

An embedder that is away leaves this source of suggestions out until it is back.
"""

import time
from uuid import UUID

import numpy as np
import structlog

from common.errors import EngineRefused, EngineUnavailable, Misconfigured
from inference.ports import Embedder
from inference.selectors import active_space
from inference.types import Charge, Purpose
from knowledge.models import KnowledgeBase
from knowledge.spaces import open_space
from ontology.graph.comparing import batches
from ontology.graph.projector import only_one
from ontology.name_vectors.common_part import common_parts, without_common
from ontology.name_vectors.nearest import compare
from ontology.name_vectors.rows import forget_useless, lacking, store, store_nearest, table
from ontology.resolution.translation import meaning

log = structlog.get_logger(__name__)

AT_A_LOOK, BATCH, COMPARED_AT_ONCE = 5000, 256, 1000


def name_vectors_tend(*, graph_id: UUID, embedder: Embedder, budget_s: float = 20.0) -> int:
    """How many names were embedded or compared; 0 before the first text was embedded, and while another process is at it."""
    ends = time.monotonic() + budget_s
    space = active_space()
    if space is None:
        return 0
    with only_one(graph_id, deed="name vectors") as is_mine:
        if not is_mine:
            return 0
        forget_useless(graph_id, space.fingerprint)
        try:
            count = embed_lacking(graph_id, space.fingerprint, embedder, ends)
        except (EngineUnavailable, EngineRefused, Misconfigured) as error:
            log.warning("name_vectors.waiting", graph=str(graph_id), error=str(error))
            count = 0
        return count + compare_fresh(graph_id, space.fingerprint, ends)


def embed_lacking(graph_id: UUID, fingerprint: str, embedder: Embedder, ends: float) -> int:
    """The embedder is asked only when a name lacks its vector. Raises EngineUnavailable, EngineRefused, Misconfigured for another model than the one in use."""
    count = 0
    while waiting := lacking(graph_id, limit=AT_A_LOOK):
        if open_space(embedder.info()).fingerprint != fingerprint:
            return count
        charge = charge_for(graph_id)
        common = common_parts(embedder, fingerprint, charge)
        for batch in batches(waiting, BATCH):
            if time.monotonic() > ends:
                return count
            store(graph_id, fingerprint, [each for each in batch if not meaning(each.name)], None)
            telling = [each for each in batch if meaning(each.name)]
            names = [meaning(each.name) for each in telling]
            raw = embedder.embed(names, kind="passage", charge=charge)
            store(graph_id, fingerprint, telling, without_common(raw, names, common))
            count += len(batch)
    return count


def charge_for(graph_id: UUID) -> Charge:
    """The first knowledge base that feeds the graph pays: an entity belongs to all of them."""
    kb = KnowledgeBase.objects.filter(graph_source__graph=graph_id).order_by("pk").first()
    return Charge(Purpose.INDEX, department_id=kb.department_id, kb_id=kb.pk) if kb else Charge(Purpose.INDEX)


def compare_fresh(graph_id: UUID, fingerprint: str, ends: float) -> int:
    """Batch by batch, each stored when it is done."""
    whole = table(graph_id, fingerprint)
    if whole is None:
        return 0
    standing, count = whole.standing, 0
    for first in range(0, len(whole.fresh), COMPARED_AT_ONCE):
        fresh = whole.fresh[first : first + COMPARED_AT_ONCE]
        changed = compare(whole.names, whole.known, fresh, standing)
        store_nearest(graph_id, whole, changed, fresh)
        standing = np.concatenate([standing, fresh])
        count += len(fresh)
        if time.monotonic() > ends:
            break
    return count
