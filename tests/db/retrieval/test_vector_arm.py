"""The vector arm over many rows: its index is used, a narrow view loses nothing, and the full vectors decide the order."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from asgiref.sync import async_to_sync
from django.db import connection

from common.ids import uuid7
from inference.models import EmbeddingSpace
from inference.spaces import Reduction, fit
from inference.types import Charge, Purpose
from knowledge.models import Chunk, ChunkVector, Document, Original, Section, Version
from knowledge.policy import Filters
from knowledge.space_index import create_index, index_name
from retrieval.arms.vector import NEAR, ActiveSpace, VectorArm, as_text, statement
from retrieval.selectors import view_for
from retrieval.types import Question
from tests.conftest import empty_the_database
from tests.factories import make_kb, make_tools

RAW, DIMS = 24, 8
MANY, FEW = 6000, 40


pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def rows(django_db_setup, django_db_blocker) -> Iterator[tuple[Any, ...]]:
    """Committed, so that the arm's own connections see them; removed after the module."""
    with django_db_blocker.unblock():
        yield made_rows()
        empty_the_database()


@pytest.fixture
def tools(db):
    return make_tools()


def made_rows():
    """6,000 chunks of one document and 40 of another, in a reduced space whose index is built. The vectors lie near a plane, as those of models do."""
    random = np.random.default_rng(7)
    plane = random.normal(size=(MANY + FEW, DIMS)) @ random.normal(size=(DIMS, RAW))
    vectors = (plane + 0.3 * random.normal(size=plane.shape)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    fitted = fit(vectors, DIMS)
    space = EmbeddingSpace.objects.create(
        number=1,
        model="random",
        fingerprint="r",
        raw_dims=RAW,
        dims=DIMS,
        mean=fitted.mean,
        components=fitted.components,
        state="active",
    )
    reduced = Reduction.of(fitted.mean, fitted.components, RAW).reduce(vectors)
    chunks = [*chunks_of(make_kb("many"), MANY), *chunks_of(make_kb("few"), FEW)]
    Chunk.objects.bulk_create(chunks, batch_size=2000)
    ChunkVector.objects.bulk_create(
        [
            ChunkVector(content_hash=chunk.content_hash, space=space, raw=raw.tolist(), reduced=short.tolist())
            for chunk, raw, short in zip(chunks, vectors, reduced, strict=True)
        ],
        batch_size=2000,
    )
    create_index(space, concurrently=False)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE knowledge_chunkvector, knowledge_chunk, knowledge_document")
    return space, chunks, vectors


def chunks_of(kb, count):
    document = Document.objects.create(kb=kb, path="a.md")
    original = Original.objects.create(document=document, sha256="0" * 64, size_bytes=1, name="a.md", key=str(uuid7()))
    version = Version.objects.create(document=document, number=1, original=original, text="x" * count, length=count)
    section = Section.objects.create(version=version, ordinal=0, level=0, start=0, end=count)
    return [
        Chunk(
            kb=kb,
            document=document,
            version=version,
            section=section,
            ordinal=number,
            kind="paragraph",
            start=number,
            end=number + 1,
            text="x",
            tokens=1,
            content_hash=uuid7(),
            is_live=True,
        )
        for number in range(count)
    ]


def ranked(tools, corpus_subject, vector, *, slugs, limit=20, filters=None):
    view = view_for(corpus_subject, slugs=slugs, filters=filters or Filters())
    question = Question("q", Charge(Purpose.ASK), vector)

    async def run():
        try:
            return await VectorArm(tools.database).rank(question, view, limit=limit)
        finally:
            await tools.close()

    return [hit.chunk_id for hit in async_to_sync(run)().hits]


def exact(chunks, vectors, query, limit):
    return [chunks[index].pk for index in np.argsort(-(vectors @ query))[:limit]]


def test_the_short_list_comes_from_the_spaces_own_index(rows, system):
    space, _chunks, vectors = rows
    active = ActiveSpace(space.pk, RAW, DIMS, Reduction(), "random")
    parameters = view_for(system, slugs=["many"]).parameters(
        raw=as_text(vectors[0]), reduced=as_text(vectors[0][:DIMS]), short_list=150
    )

    with connection.cursor() as cursor:
        cursor.execute("SET hnsw.iterative_scan = relaxed_order")
        cursor.execute("SET hnsw.ef_search = 200")
        cursor.execute("EXPLAIN " + statement(NEAR, active).as_string(cursor.connection), parameters)
        plan = "\n".join(line for (line,) in cursor.fetchall())

    assert index_name(space) in plan


@pytest.fixture
def system():
    from accounts.types import Subject

    return Subject.system()


def test_the_full_vectors_decide_the_order(rows, system, tools):
    _space, chunks, vectors = rows
    found = [
        len(
            set(ranked(tools, system, vectors[n], slugs=["many"]))
            & set(exact(chunks[:MANY], vectors[:MANY], vectors[n], 20))
        )
        for n in range(0, 50, 10)
    ]

    assert sum(found) >= 0.9 * 20 * len(found)
    assert ranked(tools, system, vectors[3], slugs=["many"])[0] == chunks[3].pk


def test_a_view_of_a_few_among_many_loses_nothing(rows, system, tools):
    _space, chunks, vectors = rows

    assert ranked(tools, system, vectors[5], slugs=["few"], limit=FEW) == exact(
        chunks[MANY:], vectors[MANY:], vectors[5], FEW
    )


def test_a_filter_that_leaves_many_out_of_a_large_view_loses_nothing(rows, system, tools):
    _space, chunks, vectors = rows
    few: UUID = chunks[-1].document_id

    narrow = ranked(tools, system, vectors[5], slugs=["few", "many"], limit=FEW, filters=Filters(document_ids=(few,)))

    assert set(narrow) == {chunk.pk for chunk in chunks[MANY:]}


def test_a_question_of_another_model_finds_nothing_by_meaning(rows, system, tools):
    assert ranked(tools, system, np.ones(RAW + 1, dtype=np.float32), slugs=["many"]) == []
