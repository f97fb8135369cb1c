"""Embedding spaces over real rows and indexes: opened, fitted, filled beside the one in use, switched at once, taken back, and another model refused (T31)."""

from uuid import UUID, uuid4

import numpy as np
import pytest
from django.db import connection

from accounts.models import AuditEvent
from accounts.types import Subject
from common.errors import Conflict, Misconfigured
from inference.conf import InferenceSettings
from inference.hash_embedder import HashEmbedder
from inference.hash_model import HashModel
from inference.models import EmbeddingSpace, SpaceState
from inference.selectors import active_space
from inference.types import EmbedderInfo
from knowledge.models import ChunkVector
from knowledge.space_index import index_name, is_valid, preparing
from knowledge.spaces import (
    activate_space,
    delete_space,
    fit_space,
    open_space,
    prepare_space,
    reduction_of,
    spaces_to_write,
    store,
)
from knowledge.tend_spaces import tend_spaces

MODEL = HashModel(dims=64)
INFO = HashEmbedder(MODEL).info()
OTHER_MODEL = HashEmbedder(HashModel(dims=64, seed="other")).info()
OTHER_DIMS = HashEmbedder(HashModel(dims=32)).info()


def embed(count: int, *, first: int = 0) -> list[UUID]:
    """That many new contents in every space that they belong in."""
    texts = [f"pump {number % 40} valve {number % 7} report {number}" for number in range(first, first + count)]
    contents = [uuid4() for _ in texts]
    store(spaces_to_write(INFO.fingerprint), contents, MODEL.vectors(texts, "passage"))
    return contents


@pytest.mark.django_db
def test_the_first_embedder_opens_an_identity_space_with_an_index():
    space = open_space(INFO)

    assert space.state == SpaceState.ACTIVE
    assert space.is_identity
    assert (space.raw_dims, space.dims) == (64, 64)
    assert is_valid(space)
    assert open_space(INFO) == space


@pytest.mark.django_db
@pytest.mark.parametrize("other", [OTHER_MODEL, OTHER_DIMS], ids=["another model", "other dimensions"])
def test_vectors_of_another_model_are_refused(other: EmbedderInfo):
    open_space(INFO)
    embed(3)

    with pytest.raises(Misconfigured, match="can't be compared"):
        open_space(other)


@pytest.mark.django_db
def test_another_model_may_take_over_while_nothing_is_embedded():
    open_space(INFO)

    assert open_space(OTHER_DIMS).raw_dims == 32
    assert active_space().raw_dims == 32


@pytest.mark.django_db
def test_a_space_is_known_again_when_the_model_computes_a_little_differently():
    space = open_space(INFO)
    elsewhere = EmbedderInfo(
        INFO.model, INFO.dims, INFO.window_tokens, f"{int(INFO.fingerprint, 16) ^ 0b10010001:064x}"
    )

    assert open_space(elsewhere) == space
    assert spaces_to_write(elsewhere.fingerprint) == [space]


@pytest.mark.django_db
def test_too_few_vectors_are_not_fitted():
    open_space(INFO)
    embed(5)

    with pytest.raises(Conflict, match="too few"):
        fit_space()


@pytest.mark.django_db(transaction=True)
def test_a_refit_is_filled_beside_the_space_in_use_and_holds_what_came_meanwhile():
    before = open_space(INFO)
    embed(120)
    space = fit_space(dims=16)
    meanwhile = embed(10, first=120)
    prepare_space(space)

    assert active_space() == before
    assert space.state == SpaceState.READY
    assert space.vectors.count() == before.vectors.count() == 130
    assert set(meanwhile) <= set(space.vectors.values_list("content_hash", flat=True))
    row = ChunkVector.objects.filter(space=space).first()
    assert len(row.reduced) == 16
    assert np.linalg.norm(row.reduced) == pytest.approx(1, abs=0.01)


@pytest.mark.django_db(transaction=True)
def test_a_space_is_switched_to_and_back_without_embedding_and_catches_up_first():
    first = open_space(INFO)
    embed(120)
    second = fit_space(dims=16)
    activate_space(subject=Subject.system(), space=second)
    assert active_space() == second

    embed(10, first=120)
    assert first.vectors.count() == 120
    activate_space(subject=Subject.system(), space=EmbeddingSpace.objects.get(pk=first.pk))

    assert active_space() == first
    assert first.vectors.count() == 130
    assert EmbeddingSpace.objects.filter(state=SpaceState.ACTIVE).count() == 1
    assert list(AuditEvent.objects.filter(action="space.activate").values_list("actor", flat=True)) == [
        "system",
        "system",
    ]


@pytest.mark.django_db(transaction=True)
def test_a_search_by_the_reduced_vector_uses_the_partial_index_of_its_space():
    open_space(INFO)
    embed(150)
    space = fit_space(dims=16)
    activate_space(subject=Subject.system(), space=space)
    question = reduction_of(space).reduce(MODEL.vectors(["pump 3 valve 3"], "query"))[0]

    with connection.cursor() as cursor:  # so few rows would be sorted, unless that is made dear
        cursor.execute("ANALYZE knowledge_chunkvector; SET enable_sort = off")
        cursor.execute(
            f"EXPLAIN SELECT id FROM knowledge_chunkvector WHERE space_id = '{space.pk}' "
            "ORDER BY (reduced::halfvec(16)) <=> %s::halfvec(16) LIMIT 5",
            [str(question.tolist())],
        )
        plan = "\n".join(row[0] for row in cursor.fetchall())
        cursor.execute("RESET enable_sort")

    assert index_name(space) in plan


@pytest.mark.django_db(transaction=True)
def test_a_retired_space_is_removed_with_its_index_and_the_active_one_is_not():
    first = open_space(INFO)
    embed(120)
    second = fit_space(dims=16)
    activate_space(subject=Subject.system(), space=second)

    with pytest.raises(Conflict, match="in use"):
        delete_space(subject=Subject.system(), space=second)
    delete_space(subject=Subject.system(), space=EmbeddingSpace.objects.get(number=first.number))

    assert list(EmbeddingSpace.objects.all()) == [second]
    assert ChunkVector.objects.count() == 120
    assert not is_valid(first)


@pytest.fixture
def few_are_enough(monkeypatch):
    settings = InferenceSettings(SPACE_MIN_CHUNKS=100, SPACE_DIMS=16)
    for module in ("knowledge.tend_spaces", "knowledge.spaces"):
        monkeypatch.setattr(f"{module}.inference_settings", lambda: settings)


@pytest.mark.django_db(transaction=True)
def test_vectors_are_reduced_by_themselves_once_there_are_enough(few_are_enough):
    open_space(INFO)
    embed(99)
    assert tend_spaces(HashEmbedder(MODEL)) is None

    embed(1, first=99)
    space = tend_spaces(HashEmbedder(MODEL))

    assert space == active_space()
    assert (space.dims, space.fitted_on) == (16, 100)
    assert tend_spaces(HashEmbedder(MODEL)) is None


@pytest.mark.django_db(transaction=True)
def test_a_space_that_a_killed_process_left_half_filled_is_finished(few_are_enough):
    open_space(INFO)
    embed(90)
    left_over = fit_space(dims=8)

    tend_spaces(HashEmbedder(MODEL))

    assert EmbeddingSpace.objects.get(pk=left_over.pk).state == SpaceState.READY
    assert left_over.vectors.count() == 90


@pytest.mark.django_db(transaction=True)
def test_spaces_are_left_alone_while_another_process_prepares_one(few_are_enough):
    open_space(INFO)
    embed(100)
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(7301002)")
        assert tend_spaces(HashEmbedder(MODEL)) is None
        with pytest.raises(Conflict, match="Another process"), preparing():
            pass
        cursor.execute("SELECT pg_advisory_unlock_all()")  # closing only gives it back to the pool
    other.close()
