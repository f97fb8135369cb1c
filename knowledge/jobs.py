"""When a job is over. A job's state is computed from rows; only the moment at which it was first seen to be over is kept, for the bell."""

from uuid import UUID

from django.db import connection

SETTLE = """
UPDATE knowledge_job AS job SET finished_at = clock_timestamp(), updated_at = clock_timestamp()
WHERE job.finished_at IS NULL
AND (%(document)s::uuid IS NULL OR EXISTS (SELECT 1 FROM knowledge_jobitem AS own WHERE own.job_id = job.id AND own.document_id = %(document)s))
AND NOT EXISTS (
    SELECT 1 FROM knowledge_jobitem AS item
    JOIN knowledge_document AS document ON document.id = item.document_id
    JOIN knowledge_stagerun AS run ON run.document_id = document.id AND run.version_id IS NOT DISTINCT FROM item.version_id
    WHERE item.job_id = job.id AND run.state IN ('waiting', 'running')
    AND (document.state = 'live' OR (document.state = 'deleting' AND run.stage = 'purge'))
    AND NOT EXISTS (
        SELECT 1 FROM knowledge_stagerun AS ended
        WHERE ended.document_id = run.document_id AND ended.version_id IS NOT DISTINCT FROM run.version_id AND ended.state IN ('failed', 'cancelled')
    )
)
"""


def settle(document_id: UUID | None = None) -> int:
    """Note the end of the jobs (with this document, or all) that have nothing left to do; gives how many. The sweep repairs what a race misses."""
    with connection.cursor() as cursor:
        cursor.execute(SETTLE, {"document": document_id})
        return int(cursor.rowcount)
