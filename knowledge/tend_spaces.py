"""What happens to embedding spaces by itself: reduced once there are enough chunks, fitted anew when there are far more, finished when a killed process left one half
filled, completed when a vector is missing.

Called now and then by a periodic task; everything is seen from rows, so that it may be called at any time and by several at once.
"""

import structlog

from accounts.types import Subject
from common.errors import Conflict
from inference.conf import inference_settings
from inference.models import EmbeddingSpace, SpaceState
from inference.ports import Embedder
from inference.selectors import active_space, known_fingerprint
from knowledge.embed_space import embed_missing
from knowledge.models import ChunkVector
from knowledge.space_index import preparing
from knowledge.spaces import activate_space, fit_space, lacking, prepare_space

log = structlog.get_logger(__name__)

GROWN = 10  # times as many chunks as a fit saw


def tend_spaces(embedder: Embedder) -> EmbeddingSpace | None:
    """Do what is due; gives the space that has become active, None when nothing has. Raises EngineUnavailable when the embedder is needed and away."""
    try:
        with preparing():
            return _tend(embedder)
    except Conflict:
        return None  # another process does it


def _tend(embedder: Embedder) -> EmbeddingSpace | None:
    active = active_space()
    if active is None:
        return None
    for left_over in EmbeddingSpace.objects.filter(state=SpaceState.FILLING, fingerprint=active.fingerprint):
        prepare_space(left_over)
    if lacking(active).exists() and known_fingerprint(embedder.info().fingerprint) == active.fingerprint:
        log.warning("space.completed", space=str(active), contents=embed_missing(active, embedder))
    if not is_fit_due(active):
        return None
    space = fit_space()
    activate_space(subject=Subject.system(), space=space)
    log.info("space.activated", space=str(space), fitted_on=space.fitted_on, variance=round(space.variance, 3))
    return space


def is_fit_due(active: EmbeddingSpace) -> bool:
    """Enough contents for a first fit, or many more than the fit has seen; never while an operator has one ready."""
    settings = inference_settings()
    if EmbeddingSpace.objects.filter(state=SpaceState.READY, fingerprint=active.fingerprint).exists():
        return False
    if active.is_identity:
        enough = settings.space_min_chunks
    elif active.fitted_on < settings.space_sample:
        enough = active.fitted_on * GROWN
    else:
        return False
    return ChunkVector.objects.filter(space=active)[enough - 1 : enough].exists()
