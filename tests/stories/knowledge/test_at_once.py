"""T23: retry, upload and delete at the same moment, in every order: nothing hangs, and in the end every rule holds."""

import threading
from itertools import permutations

import pytest
from django.db import connection

from common.errors import TrellisError
from knowledge.ingest import ingest
from knowledge.models import Chunk, Document, DocumentState, RunState, StageRun, Version
from knowledge.purge import purge
from knowledge.services.bin import document_bin
from knowledge.services.purging import purge_start
from knowledge.services.reading import documents_reread, reading_retry
from knowledge.sweeping import in_nobodys_hands


def read_all(tools):
    """What the workers would do."""
    for whole, _queued in in_nobodys_hands("run.version_id", "NOT NULL", DocumentState.LIVE):
        ingest(Version.objects.select_related("document__kb").get(pk=whole), tools)


def at_once(*deeds):
    """Run each in a thread of its own, all begun together; refusals of ours are answers, everything else is a fault."""
    faults = []
    start = threading.Barrier(len(deeds))

    def run(deed):
        start.wait()
        try:
            deed()
        except TrellisError:
            pass
        except Exception as error:  # noqa: BLE001 (it is reported by the test)
            faults.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads), "something hangs"
    assert faults == []


@pytest.mark.parametrize("order", list(permutations(["retry", "upload", "delete", "read"])))
def test_retry_upload_delete_and_reading_in_any_order_leave_a_sound_ledger(send, editor, kb, tools, order, broker):
    version = Version.objects.select_related("document__kb").get(
        pk=send("a.md", "One.\n\nTwo.", enqueue=False).items.get().version_id
    )
    StageRun.objects.filter(version=version, stage="parse").update(state=RunState.FAILED)
    document = version.document
    deeds = {
        "retry": lambda: reading_retry(subject=editor, version=version, tools=tools),
        "upload": lambda: send("a.md", "Other.\n\nTwo.", enqueue=False),
        "delete": lambda: (
            document_bin(subject=editor, document=document, tools=tools),
            purge_start(subject=editor, kb=kb, documents=[document]),
            purge(Document.objects.get(pk=document.pk), tools),
        ),
        "read": lambda: ingest(version, tools),
    }

    at_once(*(deeds[name] for name in order))
    read_all(tools)

    assert not Document.objects.filter(pk=document.pk).exists()
    for left in Document.objects.all():  # the upload came after the delete: a new document, wholly read
        newest = left.versions.order_by("-number").first()
        assert left.live_version_id == newest.pk
        assert Chunk.objects.filter(document=left, is_live=True).count() == newest.chunk_count
    assert not StageRun.objects.filter(state=RunState.RUNNING).exists()


def test_many_uploads_of_one_path_make_one_document_with_each_text_in_a_version(send, kb, tools, broker):
    at_once(*(lambda n=n: send("a.md", f"Text {n}.", enqueue=False) for n in range(6)))
    read_all(tools)

    document = Document.objects.get()
    assert sorted(document.versions.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]
    assert document.live_version.number == 6


def test_two_readers_of_one_version_share_the_work(send, tools, broker):
    version = Version.objects.select_related("document__kb").get(
        pk=send("a.md", "Text.", enqueue=False).items.get().version_id
    )

    at_once(*(lambda: ingest(version, tools) for _ in range(4)))
    read_all(tools)

    assert Chunk.objects.filter(version=version).count() == Version.objects.get(pk=version.pk).chunk_count == 1


def test_rereading_everything_while_it_is_read_ends_with_the_newest(send, editor, kb, tools, broker):
    version = Version.objects.select_related("document__kb").get(
        pk=send("a.md", "Text.", enqueue=False).items.get().version_id
    )

    at_once(lambda: ingest(version, tools), lambda: documents_reread(subject=editor, kb=kb, force=True, enqueue=False))
    read_all(tools)

    assert Document.objects.get().live_version.number == 2
