"""The bin and what comes after it: invisible at once, back whole, or gone without a trace."""

from dataclasses import replace
from pathlib import Path

import pytest
from django.db import connection

from common.errors import Conflict, Forbidden
from knowledge.models import Chunk, ChunkKeywords, ChunkVector, Document, DocumentState, Job, KeywordTerm, KnowledgeBase
from knowledge.purge import purge
from knowledge.selectors.documents import bin_for, documents_for
from knowledge.selectors.jobs import job_progress
from knowledge.services.bases import kb_delete
from knowledge.services.bin import document_bin, document_restore
from knowledge.services.purging import purge_start
from knowledge.sweeping import empty_bases_go, sweep

# The record of deeds and the bills keep the plain id of what they were about, on purpose.
OUTLIVE = {"accounts_auditevent", "inference_usagerecord"}
PNG = (  # one pixel
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def live_hashes(document):
    return sorted(Chunk.objects.filter(document=document, is_live=True).values_list("ordinal", "content_hash"))


def tables():
    with connection.cursor() as cursor:
        return connection.introspection.table_names(cursor)


def rows_that_mention(words):
    """Every row of every table whose text holds one of the words."""
    found = []
    with connection.cursor() as cursor:
        for table in set(tables()) - OUTLIVE:
            cursor.execute(f'SELECT row_to_json(entry)::text FROM "{table}" AS entry')
            found += [(table, row) for (row,) in cursor.fetchall() if any(word in row for word in words)]
    return found


def test_a_binned_document_is_seen_nowhere_and_comes_back_whole(read, editor, viewer, tools, kb):
    document = read("pump.md", "# Pump\n\nThe pump stops at 80 degrees.")
    before = live_hashes(document)

    document_bin(subject=editor, document=document, tools=tools)

    assert not documents_for(viewer).exists()
    assert not Chunk.objects.filter(is_live=True).exists()
    assert list(bin_for(editor)) == [document]
    assert not bin_for(viewer).exists()

    document_restore(subject=editor, document=document, tools=tools)

    assert live_hashes(document) == before
    assert list(documents_for(viewer)) == [document]


def test_bin_and_restore_each_move_the_corpus_once(read, editor, tools, kb):
    document = read("pump.md", "Text.")
    begun = KnowledgeBase.objects.get(pk=kb.pk).corpus_version

    document_bin(subject=editor, document=document, tools=tools)
    document_bin(subject=editor, document=document, tools=tools)
    document_restore(subject=editor, document=document, tools=tools)

    assert KnowledgeBase.objects.get(pk=kb.pk).corpus_version == begun + 2


def test_a_document_whose_path_was_taken_is_not_restored(read, editor, tools):
    document = read("pump.md", "Old.")
    document_bin(subject=editor, document=document, tools=tools)
    read("pump.md", "New.")

    with pytest.raises(Conflict):
        document_restore(subject=editor, document=document, tools=tools)


def test_a_viewer_may_not_bin(read, viewer, tools):
    with pytest.raises(Forbidden):
        document_bin(subject=viewer, document=read("pump.md", "Text."), tools=tools)


def test_a_document_in_use_is_not_purged(read, editor, kb):
    with pytest.raises(Conflict):
        purge_start(subject=editor, kb=kb, documents=[read("pump.md", "Text.")])


def test_a_purged_document_leaves_no_row_no_file_and_no_word(read, editor, tools, kb, tmp_path: Path):
    document = read("secret/zebrafish.md", f"# Zebrafish\n\nThe zebrafish has stripes.\n\n![a tiny picture]({PNG})\n")
    read("secret/zebrafish.md", "# Zebrafish\n\nThe zebrafish has spots.\n", tags=["zebrafish"])
    document_bin(subject=editor, document=document, tools=tools)
    purge_start(subject=editor, kb=kb, documents=[document])

    purge(Document.objects.get(pk=document.pk), tools)

    assert rows_that_mention(["zebrafish", "Zebrafish", str(document.pk)]) == []
    assert not [path for path in (tmp_path / "storage").rglob("*") if path.is_file()]
    assert not any(model.objects.exists() for model in (ChunkVector, ChunkKeywords, KeywordTerm))


def test_what_another_document_holds_too_stays(read, editor, tools, kb):
    document = read("a.md", "The pump stops.")
    other = read("b.md", "The pump stops.", title="a")
    document_bin(subject=editor, document=document, tools=tools)
    purge_start(subject=editor, kb=kb, documents=[document])

    purge(Document.objects.get(pk=document.pk), tools)

    assert (
        ChunkVector.objects.count()
        == ChunkKeywords.objects.count()
        == Chunk.objects.filter(document=other).count()
        == 1
    )
    assert dict(KeywordTerm.objects.values_list("term", "documents"))["pump"] == 1


def test_the_job_of_a_purge_is_over_when_the_document_is_gone(read, editor, tools, kb):
    document = read("a.md", "Text.")
    document_bin(subject=editor, document=document, tools=tools)
    job = purge_start(subject=editor, kb=kb, documents=[document])
    assert not job_progress(job).is_over

    purge(Document.objects.get(pk=document.pk), tools)

    job = Job.objects.get(pk=job.pk)
    assert job_progress(job).counts == {"purged": 1}
    assert job.finished_at is not None


class EndsInTheMiddle:
    """A fact keeper at which the worker is ended, once."""

    def __init__(self, after):
        self.left = after

    def erase(self, chunk_ids):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt

    def follow(self, chunk_ids):
        return


@pytest.mark.parametrize("batch", [1, 2])
def test_a_purge_that_was_cut_short_goes_on_where_it_stopped(read, editor, tools, kb, monkeypatch, batch):
    monkeypatch.setattr("knowledge.purge.BATCH", 2)
    document = read("zebrafish.md", "\n\n".join(f"# Zebrafish {n}\n\nStripes {n}." for n in range(6)))
    document_bin(subject=editor, document=document, tools=tools)
    purge_start(subject=editor, kb=kb, documents=[document])
    with pytest.raises(KeyboardInterrupt):
        purge(Document.objects.get(pk=document.pk), replace(tools, facts=EndsInTheMiddle(batch)))

    purge(Document.objects.get(pk=document.pk), tools)

    assert rows_that_mention(["ebrafish", str(document.pk)]) == []
    assert not ChunkVector.objects.exists()


def test_no_periodic_job_brings_a_purged_document_back(read, editor, tools, kb):
    document = read("zebrafish.md", "# Zebrafish\n\nStripes.")
    document_bin(subject=editor, document=document, tools=tools)
    purge_start(subject=editor, kb=kb, documents=[document])
    purge(Document.objects.get(pk=document.pk), tools)

    sweep(tools)

    assert rows_that_mention(["ebrafish", str(document.pk)]) == []


def test_a_document_that_is_being_deleted_does_not_come_back(read, editor, tools, kb):
    document = read("a.md", "Text.")
    document_bin(subject=editor, document=document, tools=tools)
    purge_start(subject=editor, kb=kb, documents=[document])

    with pytest.raises(Conflict):
        document_restore(subject=editor, document=document, tools=tools)


def test_a_deleted_knowledge_base_goes_with_its_last_document(read, kb, editor, tools):
    from accounts.types import Subject

    document = read("a.md", "Text.")
    kb_delete(subject=Subject.system(), kb=kb)
    assert not documents_for(editor).exists()

    purge(Document.objects.get(pk=document.pk, state=DocumentState.DELETING), tools)
    empty_bases_go()

    assert not KnowledgeBase.objects.exists()
