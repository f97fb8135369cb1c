"""Which chunks a model reads under a policy, and how many there are."""

from django.db.models import Q, QuerySet

from knowledge.models import Chunk
from ontology.models import ModelPolicy

SUMMARIES = r"(^|\W)(abstract|summary|overview|introduction|key (points|facts|takeaways)|tl;?dr)(\W|$)|摘要|概要|概述|总结|小结|總結|概覽|导言|引言|简介|簡介"
RANK = {ModelPolicy.OFF: 0, ModelPolicy.TITLES: 1, ModelPolicy.ALL: 2}


def chosen(chunks: "QuerySet[Chunk]", policy: str) -> "QuerySet[Chunk]":
    """Of these chunks: none, the first under each heading and all of summaries (title and headings travel as their context), or every one."""
    match policy:
        case ModelPolicy.ALL:
            return chunks
        case ModelPolicy.TITLES:
            firsts = chunks.order_by("section_id", "ordinal").distinct("section_id").values("pk")
            return chunks.filter(Q(pk__in=firsts) | Q(section__title__iregex=SUMMARIES))
        case _:
            return chunks.none()


def covers(read: str, wanted: str) -> bool:
    """Whether what was read under one policy is all that another one wants."""
    return bool(read) and RANK[ModelPolicy(read)] >= RANK[ModelPolicy(wanted)]
