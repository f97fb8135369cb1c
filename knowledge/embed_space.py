"""Embeds what a space lacks: everything, when a model is to be changed, beside the space in use and while questions are answered; or what slipped through.

Given an embedder that serves the space's model. Goes on where it was stopped, because it looks for what is missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from common.errors import Conflict
from inference.models import EmbeddingSpace, SpaceState
from inference.ports import Embedder
from inference.selectors import active_space, known_fingerprint
from inference.services import space_create, space_move
from inference.types import Charge, EmbedderInfo, Purpose, Vectors
from knowledge.chunking.identity import full_text
from knowledge.contents import lock_to_add
from knowledge.models import Chunk, Document
from knowledge.space_index import hold_spaces
from knowledge.spaces import lacking, spaces_to_write, store

BATCH = 64


def space_beside(info: EmbedderInfo) -> EmbeddingSpace:
    """The newest space of this model, or a new one that is still empty. Raises Conflict when the model is the one in use."""
    with transaction.atomic():
        hold_spaces(alone=True)
        fingerprint = known_fingerprint(info.fingerprint)
        active = active_space()
        if active is not None and active.fingerprint == fingerprint:
            message = _("%(model)s is the model in use: nothing needs to be embedded anew.")
            raise Conflict(message % {"model": info.model})
        kept = EmbeddingSpace.objects.filter(fingerprint=fingerprint).order_by("-number").first()
        space = kept or space_create(info=info)
        if space.state == SpaceState.RETIRED:
            space_move(space=space, state=SpaceState.FILLING)
        return space


def embed_missing(space: EmbeddingSpace, embedder: Embedder) -> int:
    """Embed what readers may find and the space has no vector of. Returns how many contents. Raises EngineUnavailable."""
    added = 0
    documents = Document.objects.filter(Exists(lacking(space).filter(document=OuterRef("pk")))).select_related("kb")
    for document in documents:
        charge = Charge(
            Purpose.INDEX, department_id=document.kb.department_id, kb_id=document.kb_id, document_id=document.pk
        )
        for chunks in batches(document, space):
            texts = [full_text(chunk.context, chunk.text) for chunk in chunks]
            raw = embedder.embed(texts, kind="passage", charge=charge)
            found = {chunk.content_hash: vector for chunk, vector in zip(chunks, raw, strict=True)}
            added += store_kept(space.fingerprint, found)
    return added


def store_kept(fingerprint: str, found: Mapping[UUID, Vectors]) -> int:
    """Store vectors of those contents that have not been deleted while they were embedded."""
    with transaction.atomic():
        lock_to_add()
        kept = set(Chunk.objects.filter(content_hash__in=found).values_list("content_hash", flat=True))
        if kept:
            store(spaces_to_write(fingerprint), list(kept), np.stack([found[content] for content in kept]))
    return len(kept)


def batches(document: Document, space: EmbeddingSpace) -> Iterator[Sequence[Chunk]]:
    """A document's lacking chunks, each content once, in order."""
    rows = lacking(space).filter(document=document).order_by("content_hash").distinct("content_hash")
    rows = rows.only("content_hash", "context", "text")
    last: UUID | None = None
    while chunks := list((rows.filter(content_hash__gt=last) if last else rows)[:BATCH]):
        yield chunks
        last = chunks[-1].content_hash
