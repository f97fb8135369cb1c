"""Rules about documents that hold at every moment, looked at row by row. Each gives what it found, and mends it when asked where that can be done without a person."""

from collections.abc import Iterator

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet

from common.findings import MOST_EXAMPLES, Finding
from inference.selectors import active_space
from knowledge.contents import lock_to_add
from knowledge.corpus import show_chunks
from knowledge.embed_space import embed_missing
from knowledge.keywords import add_words
from knowledge.models import Chunk, ChunkKeywords, Document, KnowledgeBase, Version
from knowledge.spaces import lacking
from knowledge.tools import tools
from knowledge.words.bm25 import weighted_counts

BATCH = 500
REREAD = "Read these documents again: `manage.py reread PATH --force`."

UNFINDABLE = """
SELECT document.id, document.path FROM knowledge_document AS document WHERE EXISTS (
    SELECT 1 FROM knowledge_chunk AS chunk WHERE chunk.document_id = document.id AND chunk.is_live <> (
        document.state = 'live' AND chunk.version_id IS NOT DISTINCT FROM document.live_version_id AND NOT chunk.is_disabled
    )
)
"""
# An extraction that is done again for a version that readers see is no work of the job that brought the version.
UNSETTLED = """
SELECT DISTINCT job.id FROM knowledge_job AS job JOIN knowledge_jobitem AS item ON item.job_id = job.id
JOIN knowledge_document AS document ON document.id = item.document_id AND document.state = 'live'
JOIN knowledge_stagerun AS run ON run.version_id = item.version_id AND run.state IN ('waiting', 'running')
WHERE job.finished_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM knowledge_stagerun AS ended WHERE ended.version_id = run.version_id
    AND (ended.state IN ('failed', 'cancelled') OR (ended.stage = 'publish' AND ended.state = 'done'))
)
"""
UNPUBLISHED = """
SELECT version.id, document.path FROM knowledge_version AS version JOIN knowledge_document AS document ON document.id = version.document_id
WHERE version.published_at IS NULL AND (document.live_version_id = version.id OR EXISTS (
    SELECT 1 FROM knowledge_stagerun AS run WHERE run.version_id = version.id AND run.stage = 'publish' AND run.state = 'done'
))
"""


def chunks_are_their_text(mend: bool) -> Finding:
    """`chunk.text == version.text[chunk.start:chunk.end]`, all of them, one version's text in memory at a time."""
    examples: list[str] = []
    broken = 0
    for chunk in chunks_astray():
        broken += 1
        if len(examples) < MOST_EXAMPLES:
            examples.append(f"{chunk.document.path} #{chunk.ordinal}")
    return Finding("chunks are stretches of their version's text", broken, 0, tuple(examples), REREAD if broken else "")


def chunks_astray() -> Iterator[Chunk]:
    for pk in Version.objects.order_by("pk").values_list("pk", flat=True).iterator():
        text = Version.objects.values_list("text", flat=True).get(pk=pk)
        chunks = (
            Chunk.objects.filter(version=pk)
            .select_related("document")
            .only("start", "end", "text", "ordinal", "document__path")
        )
        for chunk in chunks.iterator(chunk_size=BATCH):
            if text[chunk.start : chunk.end] != chunk.text:
                yield chunk


def readers_find_the_live_version(mend: bool) -> Finding:
    """Exactly the chunks of the live version of a document in use can be found, but those that are switched off."""
    with connection.cursor() as cursor:
        cursor.execute(UNFINDABLE)
        found = cursor.fetchall()
    for id, _path in found if mend else ():
        with transaction.atomic():
            document = Document.objects.select_for_update(no_key=True).get(pk=id)
            show_chunks(document, tools().facts)
    examples = tuple(path for _id, path in found[:MOST_EXAMPLES])
    return Finding("readers find exactly the live version", len(found), len(found) if mend else 0, examples)


def chunks_have_vectors(mend: bool) -> Finding:
    """Every chunk that can be found has a vector in the space in use. Mending needs the embedder. Raises EngineUnavailable."""
    space = active_space()
    missing = lacking(space) if space else Chunk.objects.filter(is_live=True)
    broken, examples = counted(missing)
    if mend and broken and space:
        embed_missing(space, tools().embedder)
    left = missing.values("content_hash").distinct().count() if mend else broken
    return Finding("every live chunk has a vector", broken, broken - left, examples, REREAD if mend and left else "")


def chunks_have_words(mend: bool) -> Finding:
    """Every chunk that can be found has a row of keywords in its base."""
    made = ChunkKeywords.objects.filter(content_hash=OuterRef("content_hash"), kb=OuterRef("kb"))
    missing = Chunk.objects.filter(~Exists(made), is_live=True)
    broken, examples = counted(missing)
    if mend and broken:
        for kb in KnowledgeBase.objects.filter(pk__in=missing.values("kb")):
            index_missing(kb, missing.filter(kb=kb))
    left = missing.values("content_hash").distinct().count() if mend else broken
    return Finding("every live chunk has its keywords", broken, broken - left, examples)


def index_missing(kb: KnowledgeBase, missing: "QuerySet[Chunk]") -> None:
    """In batches that commit."""
    terms = tools().splitter.terms
    while True:
        with transaction.atomic():
            lock_to_add()
            chunks = list(missing.order_by("content_hash").distinct("content_hash")[:BATCH])
            if not chunks:
                return
            add_words(
                kb.pk, {each.content_hash: weighted_counts(terms(each.text), terms(each.context)) for each in chunks}
            )


def counted(missing: "QuerySet[Chunk]") -> tuple[int, tuple[str, ...]]:
    """How many contents, and where some of them stand."""
    places = missing.select_related("document").only("ordinal", "document__path").order_by("pk")[:MOST_EXAMPLES]
    broken = missing.values("content_hash").distinct().count()
    return broken, tuple(f"{chunk.document.path} #{chunk.ordinal}" for chunk in places)


def jobs_over_have_no_work(mend: bool) -> Finding:
    """A job that counts as over has nothing left to do; mended, it is open again until the rows say otherwise."""
    with connection.cursor() as cursor:
        cursor.execute(UNSETTLED)
        found = [row[0] for row in cursor.fetchall()]
        if mend and found:
            cursor.execute("UPDATE knowledge_job SET finished_at = NULL WHERE id = ANY(%s)", [found])
    examples = tuple(str(id) for id in found[:MOST_EXAMPLES])
    return Finding("a job that is over has no unfinished stage", len(found), len(found) if mend else 0, examples)


def published_versions_say_so(mend: bool) -> Finding:
    """What readers see was published."""
    with connection.cursor() as cursor:
        cursor.execute(UNPUBLISHED)
        found = cursor.fetchall()
    examples = tuple(path for _id, path in found[:MOST_EXAMPLES])
    return Finding("what readers see was published", len(found), 0, examples, REREAD if found else "")


RULES = (
    chunks_are_their_text,
    readers_find_the_live_version,
    chunks_have_vectors,
    chunks_have_words,
    jobs_over_have_no_work,
    published_versions_say_so,
)
