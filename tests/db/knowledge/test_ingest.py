"""The way in, from bytes to chunks that can be found."""

from knowledge.models import Chunk, ChunkKeywords, ChunkVector, KnowledgeBase, StageRun

TEXT = "# Pumps\n\nThe pump P-100 stops at 80 degrees.\n\n## Care\n\nOil it twice a year.\n"


def test_a_document_that_was_read_can_be_found(read, kb):
    document = read("pump.md", TEXT)

    assert document.live_version is not None
    assert document.title == "Pumps"
    assert document.language == "en"
    chunks = Chunk.objects.filter(document=document)
    assert chunks.count() == document.live_version.chunk_count > 0
    assert all(chunk.text == document.live_version.text[chunk.start : chunk.end] and chunk.is_live for chunk in chunks)
    assert (
        ChunkVector.objects.count() == ChunkKeywords.objects.count() == chunks.values("content_hash").distinct().count()
    )
    assert set(StageRun.objects.values_list("stage", "state")) == {
        (s, "done") for s in ("parse", "chunk", "embed", "index", "extract", "publish")
    }
    assert KnowledgeBase.objects.get(pk=kb.pk).corpus_version == kb.corpus_version + 1


def test_a_second_version_embeds_only_what_changed(read, tools):
    old = read("pump.md", TEXT)
    before = set(ChunkVector.objects.values_list("content_hash", flat=True))

    new = read("pump.md", TEXT.replace("twice", "three times"))

    assert new.pk == old.pk
    assert new.live_version.number == 2
    hashes = set(Chunk.objects.filter(version=new.live_version).values_list("content_hash", flat=True))
    assert set(ChunkVector.objects.values_list("content_hash", flat=True)) - before == hashes - before
    assert not Chunk.objects.filter(version=old.live_version, is_live=True).exists()
    assert Chunk.objects.filter(version=new.live_version, is_live=True).count() == new.live_version.chunk_count
