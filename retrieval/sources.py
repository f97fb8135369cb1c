"""From chunk ids to sources: what is needed to show, pack and cite a chunk. The view is asked again here, so that nothing leaves that may not be seen."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from psycopg.rows import DictRow

from knowledge.policy import CHUNK_CONDITION, CorpusView
from retrieval.database import Database
from retrieval.types import Source

SOURCES = f"""
SELECT c.id, c.document_id, c.version_id, v.number, c.kb_id, c.ordinal, c.kind, c.start, c."end", c.page, c.context, c.text,
    coalesce(nullif(d.title, ''), d.path) AS title, d.path, coalesce(nullif(v.language, ''), d.language) AS language,
    s.start AS section_start, s."end" AS section_end, v.page_starts,
    (WITH RECURSIVE up AS (
        SELECT s.parent_id, s.title, s.level, 0 AS depth
        UNION ALL SELECT p.parent_id, p.title, p.level, up.depth + 1 FROM knowledge_section p JOIN up ON p.id = up.parent_id
    ) SELECT array_agg(up.title ORDER BY up.depth DESC) FROM up WHERE up.level > 0 AND up.title <> '') AS heading_path
FROM knowledge_chunk c JOIN knowledge_document d ON d.id = c.document_id
JOIN knowledge_version v ON v.id = c.version_id JOIN knowledge_section s ON s.id = c.section_id
WHERE c.id = ANY(%(ids)s) AND {CHUNK_CONDITION}
"""  # noqa: S608 (the condition is a constant of the policy)


async def sources_of(database: Database, view: CorpusView, chunk_ids: Sequence[UUID]) -> Mapping[UUID, Source]:
    """The sources among these chunks that the view still shows. Raises EngineUnavailable."""
    if not chunk_ids:
        return {}
    rows = await database.rows(SOURCES, view.parameters(ids=list(chunk_ids)))
    return {row["id"]: source_of(row) for row in rows}


def source_of(row: DictRow) -> Source:
    return Source(
        chunk_id=row["id"],
        document_id=row["document_id"],
        version_id=row["version_id"],
        version=row["number"],
        kb_id=row["kb_id"],
        title=row["title"],
        path=row["path"],
        language=row["language"],
        ordinal=row["ordinal"],
        kind=row["kind"],
        start=row["start"],
        end=row["end"],
        page=row["page"],
        context=row["context"],
        text=row["text"],
        heading_path=below_title(tuple(row["heading_path"] or ()), row["title"]),
        section_start=row["section_start"],
        section_end=row["section_end"],
        page_starts=tuple(row["page_starts"] or ()),
    )


def below_title(path: tuple[str, ...], title: str) -> tuple[str, ...]:
    """The headings without the first one when that only repeats the title."""
    return path[1:] if path and path[0] == title else path
