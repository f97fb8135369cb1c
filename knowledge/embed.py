"""Step three: a vector for each content that has none. What was embedded once, in any version of any document, is never embedded again."""

from django.db import transaction

from inference.selectors import active_space
from inference.types import Charge, Purpose
from knowledge import spaces
from knowledge.contents import Content, batches, lock_to_add, next_contents
from knowledge.leases import Lease
from knowledge.models import Chunk, Version
from knowledge.spending import job_of, require_within_cap
from knowledge.tools import Tools

name = "embed"

BATCH = 64
MADE = "SELECT 1 FROM knowledge_chunkvector AS made WHERE made.content_hash = chunk.content_hash AND made.space_id = %(space)s"


def is_done(version: Version) -> bool:
    """Each chunk's content has a vector in the space that questions are compared in."""
    space = active_space()
    if space is None:
        return not Chunk.objects.filter(version=version).exists()
    return not next_contents(version, MADE, after=-1, limit=1, space=space.pk)


def run(version: Version, lease: Lease, tools: Tools) -> None:
    """Raises EngineUnavailable while the embedder is away, Misconfigured when it is another than the one in use, CostCapReached."""
    info = tools.embedder.info()
    space = spaces.open_space(info)
    charge = charge_for(version)
    job = job_of(version)
    total = Chunk.objects.filter(version=version).count()
    for contents in batches(version, MADE, size=BATCH, space=space.pk):
        lease.progress(contents[0].ordinal, total)
        require_within_cap(job, lease, sum(content.tokens for content in contents))
        embed_batch(contents, info.fingerprint, lease, tools, charge)
        lease.progress(contents[-1].ordinal + 1, total)


def embed_batch(contents: list[Content], fingerprint: str, lease: Lease, tools: Tools, charge: Charge) -> None:
    """Ask the model, then store what it gave: the call stands outside the transaction, and its cost is on record whatever comes."""
    # One order for all workers, so that they never wait for each other in a ring.
    contents = sorted({content.hash: content for content in contents}.values(), key=lambda content: content.hash)
    raw = tools.embedder.embed([content.full_text for content in contents], kind="passage", charge=charge)
    lease.spend(sum(content.tokens for content in contents))
    with transaction.atomic():
        lease.check()
        lock_to_add()
        spaces.store(spaces.spaces_to_write(fingerprint), [content.hash for content in contents], raw)


def charge_for(version: Version) -> Charge:
    """The knowledge base's department pays for reading."""
    kb = version.document.kb
    return Charge(
        Purpose.INDEX,
        department_id=kb.department_id,
        user_id=version.created_by_id,
        kb_id=kb.pk,
        document_id=version.document_id,
    )


def forget(version: Version) -> None:
    """Vectors belong to contents, which other versions may share; they are right whoever made them."""
