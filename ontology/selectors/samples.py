"""A bounded sample of what a knowledge base holds, for proposals: the newest documents, each from its beginning."""

import rjieba
from django.db.models import F

from accounts.types import Subject
from knowledge import policy
from knowledge.chunk import blocks_of
from knowledge.models import Document, DocumentState, KnowledgeBase, Version
from ontology.proposing.drafts import Sample

DOCUMENTS = 200
CHARACTERS = 40_000


def samples_of(
    subject: Subject, kb: KnowledgeBase, *, documents: int = DOCUMENTS, characters: int = CHARACTERS
) -> list[Sample]:
    """Of what the subject may read in it."""
    readable = policy.visible(Document.objects.filter(kb=kb, state=DocumentState.LIVE), subject)
    live = Version.objects.filter(document__in=readable, document__live_version=F("pk")).order_by("-pk")[:documents]
    found = []
    for version in live:
        blocks = [block for block in blocks_of(version) if block.end <= characters]
        found.append(Sample(version.text[:characters], blocks))
    return found


def is_word(name: str) -> bool:
    """Whether the dictionary has it as one word."""
    return len(rjieba.cut(name)) == 1
