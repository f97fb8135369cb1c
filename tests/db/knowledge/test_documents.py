"""Lists, folders, tags, edits by hand, and why a reading waits."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from common.errors import Conflict, InvalidInput, NotFound
from knowledge.models import Document, RunState, StageRun, WorkerBeat
from knowledge.selectors.documents import (
    DocumentFilter,
    chunk_for,
    document_called,
    documents_found,
    folders_of,
    tags_of,
    version_for,
)
from knowledge.selectors.jobs import job_progress
from knowledge.selectors.progress import progress_of
from knowledge.services.documents import BulkEdit, document_edit, documents_edit
from knowledge.sweeping import bins_expire, lost
from tests.cases import cases


@pytest.fixture
def shelf(read):
    read("hr/leave.md", "Leave.", tags=["hr", "policy"])
    read("hr/china/leave.md", "年假十五天。", tags=["hr"])
    read("it/vpn.md", "VPN.", expires_on="2020-01-01")
    return {document.path: document for document in Document.objects.all()}


def paths(subject, **wanted):
    return sorted(documents_found(subject, DocumentFilter(kb="pumps", **wanted)).values_list("path", flat=True))


@cases(
    ("wanted", "found"),
    [
        ({}, ["hr/china/leave.md", "hr/leave.md", "it/vpn.md"]),
        ({"folder": "hr"}, ["hr/china/leave.md", "hr/leave.md"]),
        ({"folder": "hr/china"}, ["hr/china/leave.md"]),
        ({"folder": "h"}, []),
        ({"tags": ("policy",)}, ["hr/leave.md"]),
        ({"q": "VPN"}, ["it/vpn.md"]),
        ({"language": "zh"}, ["hr/china/leave.md"]),
        ({"expired": True}, ["it/vpn.md"]),
        ({"expired": False}, ["hr/china/leave.md", "hr/leave.md"]),
        ({"reading": "done"}, ["hr/china/leave.md", "hr/leave.md", "it/vpn.md"]),
        ({"reading": "failed"}, []),
    ],
)
def test_a_list_is_narrowed_by(shelf, viewer, wanted, found):
    assert paths(viewer, **wanted) == found


def test_a_failed_reading_is_found_by_its_state(shelf, send, viewer):
    version_id = send({"hr/leave.md": "New leave."}).items.get().version_id
    assert paths(viewer, reading="unfinished") == ["hr/leave.md"]

    StageRun.objects.filter(version_id=version_id, stage="embed").update(state=RunState.FAILED)

    assert paths(viewer, reading="failed") == ["hr/leave.md"]
    assert paths(viewer, reading="unfinished") == []


def test_a_stranger_finds_nothing(shelf, stranger):
    assert paths(stranger) == []


def test_folders_count_what_is_in_and_below_them(shelf, viewer, kb):
    root = folders_of(viewer, kb)

    assert (root.count, [(folder.name, folder.count) for folder in root.folders]) == (3, [("hr", 2), ("it", 1)])
    assert [(folder.path, folder.count) for folder in root.folders[0].folders] == [("hr/china", 1)]


def test_tags_are_counted_most_used_first(shelf, viewer, kb):
    assert tags_of(viewer, kb) == [("hr", 2), ("policy", 1)]


def test_a_document_is_called_by_its_path_or_its_id(shelf, viewer):
    document = shelf["it/vpn.md"]

    assert document_called(viewer, "it/vpn.md") == document_called(viewer, str(document.pk)) == document


def test_passages_and_versions_of_binned_documents_are_not_there_for_readers(shelf, editor, viewer, tools):
    from knowledge.models import Chunk
    from knowledge.services.bin import document_bin

    document = shelf["it/vpn.md"]
    chunk = Chunk.objects.get(document=document)
    assert chunk_for(viewer, chunk.pk) == chunk
    assert version_for(viewer, document.live_version_id).number == 1

    document_bin(subject=editor, document=document, tools=tools)

    with pytest.raises(NotFound):
        chunk_for(viewer, chunk.pk)
    with pytest.raises(NotFound):
        version_for(viewer, document.live_version_id)


def test_what_an_editor_sets_stays_whatever_the_file_says_later(shelf, editor, read):
    document_edit(
        subject=editor,
        document=shelf["hr/leave.md"],
        changes={"tags": ["mine"], "title": "My title", "expires_on": date(2030, 1, 1)},
    )

    document = read(
        "hr/leave.md",
        "---\ntitle: Its title\ntags: [its]\nexpires: 2031-01-01\nsource: https://x.example\n---\nLeave, new.",
    )

    assert (document.title, document.tags, document.expires_on) == ("My title", ["mine"], date(2030, 1, 1))
    assert document.source_url == "https://x.example"


def test_many_are_moved_and_tagged_at_once(shelf, editor, kb):
    ids = [shelf["hr/leave.md"].pk, shelf["it/vpn.md"].pk]

    changed = documents_edit(
        subject=editor,
        kb_id=kb.pk,
        documents=ids,
        change=BulkEdit(folder="old", add_tags=["archive"], remove_tags=["hr"]),
    )

    assert changed == 2
    assert {d.path: d.tags for d in Document.objects.filter(pk__in=ids)} == {
        "old/leave.md": ["policy", "archive"],
        "old/vpn.md": ["archive"],
    }


def test_a_move_onto_another_document_moves_none(shelf, editor, kb):
    ids = [document.pk for document in shelf.values()]

    with pytest.raises(Conflict):
        documents_edit(subject=editor, kb_id=kb.pk, documents=ids, change=BulkEdit(folder="same"))

    assert not Document.objects.filter(folder="same").exists()


@cases(
    "changes",
    [
        {"source_url": "javascript:alert(1)"},
        {"expires_on": "soon"},
        {"state": "deleting"},
        {"effective_on": "2026-02-01", "expires_on": "2026-01-01"},
    ],
)
def test_what_cannot_be_is_refused(shelf, editor, changes):
    with pytest.raises(InvalidInput):
        document_edit(subject=editor, document=shelf["it/vpn.md"], changes=changes)


def why(version_id):
    return str(progress_of([version_id])[version_id].why)


def test_a_page_says_that_no_worker_is_running(send):
    assert "No worker is running" in why(send({"a.md": "Text."}).items.get().version_id)


def test_a_page_says_how_many_come_first(send):
    WorkerBeat.objects.create(name="w", queues=["indexing"], at=timezone.now())
    first, second = (send({name: "Text " + name}).items.get().version_id for name in ("a.md", "b.md"))

    assert (why(first), why(second)) == ("Waiting for a free worker.", "Waiting behind 1 other.")


def test_what_has_failed_is_nobodys_reason_to_wait(send):
    WorkerBeat.objects.create(name="w", queues=["indexing"], at=timezone.now())
    first, second = (send({name: "Text " + name}).items.get().version_id for name in ("a.md", "b.md"))
    StageRun.objects.filter(version_id=first, stage="parse").update(state=RunState.FAILED)

    assert why(second) == "Waiting for a free worker."


def test_the_progress_of_a_large_job_takes_as_few_statements_as_that_of_a_small_one(
    send, django_assert_max_num_queries
):
    job = send({f"{number}.md": f"Text {number}" for number in range(40)})

    with django_assert_max_num_queries(8):
        assert job_progress(job).counts == {"waiting": 40}


def test_a_page_says_which_engine_is_awaited(send):
    version_id = send({"a.md": "Text."}).items.get().version_id
    StageRun.objects.filter(stage="parse").update(
        retry_at=timezone.now() + timedelta(minutes=1),
        error={"code": "engine_unavailable", "message": "The embedder is away."},
    )

    assert why(version_id).startswith("The embedder is away. It is tried again at")


def test_what_has_lain_in_the_bin_for_long_is_deleted(shelf, editor, tools):
    from knowledge.services.bin import document_bin

    for path in ("it/vpn.md", "hr/leave.md"):
        document_bin(subject=editor, document=shelf[path], tools=tools)
    Document.objects.filter(path="it/vpn.md").update(binned_at=timezone.now() - timedelta(days=31))

    bins_expire()

    assert dict(Document.objects.values_list("path", "state")) == {
        "hr/china/leave.md": "live",
        "hr/leave.md": "binned",
        "it/vpn.md": "deleting",
    }


def test_only_messages_that_cannot_be_in_the_queue_count_as_lost():
    now = timezone.now()
    queued = [(n, now - timedelta(minutes=n)) for n in (1, 2, 3, 4)]

    assert lost(queued, 2, now) == [3, 4]
    assert lost(queued, 0, now - timedelta(minutes=3)) == [4]
    assert lost(queued, 9, now) == []
