"""R1, a small sample: workers are killed at random moments of reading and deleting; in the end nothing is lost, doubled or out of step."""

import random
import time

from django.db import connection

from knowledge.models import Chunk, ChunkKeywords, ChunkVector, Document, KeywordTerm
from knowledge.selectors.jobs import job_progress
from knowledge.services.bin import document_bin
from knowledge.services.purging import purge_start
from knowledge.sweeping import requeue
from knowledge.words.bm25 import kb_prefix
from tests.stories.knowledge.conftest import is_read, long_text, until

KILLS = 8
STANDING = """
SELECT count(*) FROM (
    SELECT kb_id, substr(lexeme, %s) AS term, count(*) AS documents
    FROM knowledge_chunkkeywords, unnest(tsvector_to_array(words)) AS lexeme WHERE position('#' in lexeme) = 0 GROUP BY 1, 2
) AS counted FULL JOIN knowledge_keywordterm AS kept USING (kb_id, term) WHERE counted.documents IS DISTINCT FROM kept.documents
"""


def test_whatever_moment_a_worker_is_killed_at_the_ledger_is_sound_in_the_end(workers, send, editor, kb, tools):
    moments = random.Random(7)
    gone = Document.objects.get(pk=send("gone.md", long_text(40)).items.get().document_id)
    jobs = [send(f"{number}.md", f"# Document {number}\n\n{long_text(30 + number)}") for number in range(8)]
    worker = workers.start(TRELLIS_ATTEMPTS="50")
    until(lambda: Chunk.objects.exists())
    document_bin(subject=editor, document=gone, tools=tools)
    purge_start(subject=editor, kb=kb, documents=[gone])

    for _ in range(KILLS):
        time.sleep(moments.uniform(0.2, 1.5))
        for child in worker.children():
            child.kill()
        requeue()

    until(lambda: all(job_progress(job).is_over for job in jobs))
    until(lambda: not Document.objects.filter(pk=gone.pk).exists())
    assert {status for job in jobs for status in job_progress(job).counts} == {"done"}
    for document in Document.objects.all():
        assert is_read(document)
        chunks = Chunk.objects.filter(document=document)
        assert chunks.filter(is_live=True).count() == chunks.count() == document.versions.get().chunk_count
    contents = set(Chunk.objects.values_list("content_hash", flat=True))
    assert set(ChunkVector.objects.values_list("content_hash", flat=True)) == contents
    assert set(ChunkKeywords.objects.values_list("content_hash", flat=True)) == contents
    with connection.cursor() as cursor:
        cursor.execute(STANDING, [len(kb_prefix(kb.pk)) + 1])
        assert cursor.fetchone() == (0,), "document frequencies are out of step"
    assert KeywordTerm.objects.exists()
