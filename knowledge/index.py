"""Step four: words for each content that has none, and in how many contents each word stands."""

from django.db import transaction

from knowledge.contents import batches, lock_to_add, next_contents
from knowledge.keywords import add_words
from knowledge.leases import Lease
from knowledge.models import Chunk, Version
from knowledge.tools import Tools
from knowledge.words.bm25 import weighted_counts

name = "index"

BATCH = 200
MADE = "SELECT 1 FROM knowledge_chunkkeywords AS made WHERE made.content_hash = chunk.content_hash AND made.kb_id = chunk.kb_id"


def is_done(version: Version) -> bool:
    """Each chunk's content has its row of words."""
    return not next_contents(version, MADE, after=-1, limit=1)


def run(version: Version, lease: Lease, tools: Tools) -> None:
    """No model is needed."""
    terms = tools.splitter.terms
    total = Chunk.objects.filter(version=version).count()
    for contents in batches(version, MADE, size=BATCH):
        found = {content.hash: weighted_counts(terms(content.text), terms(content.context)) for content in contents}
        with transaction.atomic():
            lease.check()
            lock_to_add()
            add_words(version.document.kb_id, found)
        lease.progress(contents[-1].ordinal + 1, total)


def forget(version: Version) -> None:
    """Words belong to contents, which other versions may share."""
