"""Embedding spaces and the vectors in them: opened on first use, fitted, filled beside the active one, switched in one transaction, taken back.

The numbers are in `inference.spaces`, the rows of spaces in `inference.services`, the index in `knowledge.space_index`. A refit is filled from raw
vectors; a space of another model from the texts, by an embedder that serves it.
"""

from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils.translation import gettext as _

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import Conflict, Misconfigured
from inference.conf import inference_settings
from inference.models import EmbeddingSpace, SpaceState
from inference.selectors import active_space, known_fingerprint, spaces_written
from inference.services import space_create, space_move
from inference.spaces import Reduction, fit, reduced_dims
from inference.types import EmbedderInfo, Vectors
from knowledge.contents import lock_to_add
from knowledge.models import Chunk, ChunkVector, ContentVector, KnowledgeBase
from knowledge.space_index import create_index, drop_index, hold_spaces
from knowledge.tools import tools

BATCH = 1000
Kept = TypeVar("Kept", bound=ContentVector)


def open_space(info: EmbedderInfo) -> EmbeddingSpace:
    """The active space, if this embedder's vectors belong in it; an identity space is opened when there is nothing yet.

    Raises Misconfigured when the active space holds vectors of another model: they can't be compared.
    """
    active = active_space()
    if active is not None and _fits(active, info):
        return active
    with transaction.atomic():
        hold_spaces(alone=True)
        active = active_space()
        if active is not None and not _fits(active, info):
            if active.vectors.exists():
                raise _mismatch(active, info)
        elif active is not None:
            return active
        space = space_create(info=info)
        create_index(space, concurrently=False)
        space_move(space=space, state=SpaceState.ACTIVE)
        return space


def spaces_to_write(fingerprint: str) -> list[EmbeddingSpace]:
    """Every space that new vectors of this model belong in. Call it inside the transaction that stores them: until its end no space is made or switched."""
    hold_spaces(alone=False)
    return spaces_written(fingerprint)


def rows_for(spaces: Sequence[EmbeddingSpace], contents: Sequence[UUID], raw: Vectors, table: type[Kept]) -> list[Kept]:
    """Unsaved rows of these contents (content hashes, one for each row of `raw`) in each space."""
    rows: list[Kept] = []
    for space in spaces:
        reduced = reduction_of(space).reduce(raw)
        rows += [
            table(content_hash=content, space=space, raw=raw[place], reduced=reduced[place])
            for place, content in enumerate(contents)
        ]
    return rows


def store(
    spaces: Sequence[EmbeddingSpace],
    contents: Sequence[UUID],
    raw: Vectors,
    table: type[ContentVector] = ChunkVector,
) -> None:
    """Save them; contents that are there already stay as they are."""
    rows = rows_for(spaces, contents, raw, table)
    table._default_manager.bulk_create(rows, ignore_conflicts=True, batch_size=BATCH)


def reduction_of(space: EmbeddingSpace) -> Reduction:
    """The space's arithmetic."""
    return Reduction.of(bytes(space.mean), bytes(space.components), space.raw_dims)


def fit_space(*, dims: int = 0) -> EmbeddingSpace:
    """Fit a reduction to a sample of the active space's vectors; gives a space that is still empty. Raises Conflict when there are too few."""
    active = active_space()
    if active is None:
        raise Conflict(_("Nothing has been embedded yet. Read documents first."))
    wanted = reduced_dims(active.raw_dims, dims or inference_settings().space_dims)
    sample = sample_of(active, inference_settings().space_sample)
    if len(sample) <= wanted:
        message = _("%(found)d vectors are too few to fit %(dims)d dimensions.")
        raise Conflict(message % {"found": len(sample), "dims": wanted})
    fitted = fit(sample, wanted)
    with transaction.atomic():
        hold_spaces(alone=True)
        return space_create(info=_info_of(active), fitted=fitted)


def sample_of(space: EmbeddingSpace, most: int) -> Vectors:
    """Raw vectors of up to `most` contents. Content hashes are as good as random, so the first ones are a fair sample and an index gives them."""
    rows = ChunkVector.objects.filter(space=space).order_by("content_hash").values_list("raw", flat=True)[:most]
    sample = np.empty((most, space.raw_dims), dtype=np.float32)
    count = 0
    for raw in rows.iterator(chunk_size=BATCH):
        sample[count] = raw
        count += 1
    return sample[:count]


def fill_space(space: EmbeddingSpace) -> int:
    """Give the space what other spaces of its model have and it has not, in batches that commit. Returns how many contents were added."""
    added = 0
    last: UUID | None = None
    while True:
        with transaction.atomic():
            lock_to_add()  # what is being deleted meanwhile must not come back
            contents, raw = missing(space, after=last)
            if not contents:
                return added
            store([space], contents, raw)
        last = contents[-1]
        added += len(contents)


def missing(
    space: EmbeddingSpace, *, after: UUID | None, table: type[ContentVector] = ChunkVector
) -> tuple[list[UUID], Vectors]:
    """The next contents in order that are in another space of the same model but not in this one, with their raw vectors."""
    here = table._default_manager.filter(space=space, content_hash=OuterRef("content_hash"))
    others = table._default_manager.filter(space__fingerprint=space.fingerprint).exclude(space=space)
    rows = others.exclude(Exists(here)).order_by("content_hash")
    found = dict((rows.filter(content_hash__gt=after) if after else rows).values_list("content_hash", "raw")[:BATCH])
    return list(found), np.array(list(found.values()), dtype=np.float32)


def lacking(space: EmbeddingSpace) -> QuerySet[Chunk]:
    """Chunks that readers may find but whose content has no vector in the space."""
    here = ChunkVector.objects.filter(space=space, content_hash=OuterRef("content_hash"))
    return Chunk.objects.filter(is_live=True).exclude(Exists(here))


def prepare_space(space: EmbeddingSpace) -> None:
    """Fill it and build its index, while questions are answered from the active one; not inside a transaction."""
    fill_space(space)
    tools().fact_vectors.fill(space)
    create_index(space, concurrently=True)
    if space.state == SpaceState.FILLING:
        space_move(space=space, state=SpaceState.READY)


def activate_space(*, subject: Subject, space: EmbeddingSpace) -> None:
    """Switch all questions to this space at once; the other one stays, retired, and can be switched back to.

    What was embedded since it was filled is added first. Raises Conflict when it lacks something that readers may find.
    """
    prepare_space(space)
    with transaction.atomic():
        lock_to_add()  # before the other lock, as whoever embeds does it
        hold_spaces(alone=True)
        before = active_space()
        fill_space(space)
        tools().fact_vectors.fill(space)
        _require_complete(space)
        space_move(space=space, state=SpaceState.ACTIVE)
        KnowledgeBase.objects.update(corpus_version=F("corpus_version") + 1)  # rankings change for every reader
        audit(subject, "space.activate", space, before={"space": str(before or "")}, after={"space": str(space)})


def delete_space(*, subject: Subject, space: EmbeddingSpace) -> None:
    """Remove a space with its vectors and its index. Raises Conflict for the active one."""
    with transaction.atomic():
        hold_spaces(alone=True)
        if EmbeddingSpace.objects.get(pk=space.pk).state == SpaceState.ACTIVE:
            raise Conflict(_("This space is in use. Activate another one first."))
        audit(subject, "space.delete", space)
        drop_index(space)
        space.delete()


def _fits(space: EmbeddingSpace, info: EmbedderInfo) -> bool:
    return space.raw_dims == info.dims and known_fingerprint(info.fingerprint) == space.fingerprint


def _mismatch(space: EmbeddingSpace, info: EmbedderInfo) -> Misconfigured:
    message = _(
        "The embedder is %(model)s (%(dims)d dimensions), but the vectors in use are of %(used)s (%(used_dims)d dimensions) and can't be compared with its. "
        "Set EMBEDDING_MODEL or EMBEDDING_BASE_URL back; to change the model, name its server with EMBEDDING_NEXT_BASE_URL and run `manage.py space embed --activate`."
    )
    facts = {"model": info.model, "dims": info.dims, "used": space.model, "used_dims": space.raw_dims}
    return Misconfigured(message % facts)


def _info_of(space: EmbeddingSpace) -> EmbedderInfo:
    return EmbedderInfo(space.model, space.raw_dims, 0, space.fingerprint)


def _require_complete(space: EmbeddingSpace) -> None:
    if missing := lacking(space).values("content_hash").distinct().count():
        message = _(
            "%(count)d passages have no vector in this space yet. Run `manage.py space embed` with its embedder first."
        )
        raise Conflict(message % {"count": missing})
    if missing := tools().fact_vectors.lacking(space):
        message = _(
            "%(count)d facts have no vector in this space yet. Run `manage.py space embed` with its embedder first."
        )
        raise Conflict(message % {"count": missing})
