"""What a version was taken apart into, and the two projections of a chunk's content: its vector and its keywords.

A vector or a keyword row belongs to the content (`content_hash` = kind, context and text), not to a placement, so unchanged content is embedded once.
The HNSW index of each embedding space is built outside migrations (see `knowledge.spaces`).
"""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from common.models import LedgerRow
from inference.models import EmbeddingSpace
from knowledge.models.bases import KnowledgeBase
from knowledge.models.documents import Document, Version
from knowledge.types import BlockKind

KINDS = [(kind.value, kind.value) for kind in BlockKind]


class Section(LedgerRow):
    """A heading and what stands under it; ordinal 0 is the whole text. `is_record`: the chunker took it for the heading of a record."""

    version = models.ForeignKey(Version, models.CASCADE, related_name="sections")
    ordinal = models.PositiveIntegerField()
    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="+")
    level = models.PositiveSmallIntegerField()
    title = models.TextField(blank=True)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    is_record = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("version", "ordinal"), name="one_section_a_place"),)


class StoredBlock(models.Model):
    """A block of the canonical text, for rendering and quoting; see `knowledge.types.Block`."""

    id = models.BigAutoField(primary_key=True)
    version = models.ForeignKey(Version, models.CASCADE, related_name="blocks")
    ordinal = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=KINDS)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    level = models.PositiveSmallIntegerField(default=0)
    parts = models.JSONField(default=list)
    header_parts = models.PositiveSmallIntegerField(default=0)
    page = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("version", "ordinal"), name="one_block_a_place"),)
        indexes = (models.Index(fields=("version", "start"), name="block_by_place"),)


class StoredPicture(LedgerRow):
    """A picture from inside the original, kept in storage under `key`."""

    version = models.ForeignKey(Version, models.CASCADE, related_name="pictures")
    key = models.CharField(max_length=300)
    media_type = models.CharField(max_length=150)
    caption = models.TextField(blank=True)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)


class Chunk(LedgerRow):
    """One placement of a content in one version; `text == version.text[start:end]` always.

    `is_live`: the version is the live one of a document in use and no editor has switched the chunk off. Maintained by the services that publish,
    bin, restore and switch; arms filter by it and, through the document, by dates.
    """

    kb = models.ForeignKey(KnowledgeBase, models.CASCADE, related_name="+")
    document = models.ForeignKey(Document, models.CASCADE, related_name="chunks")
    version = models.ForeignKey(Version, models.CASCADE, related_name="chunks")
    section = models.ForeignKey(Section, models.CASCADE, related_name="chunks")
    ordinal = models.PositiveIntegerField()
    kind = models.CharField(_("kind"), max_length=10, choices=KINDS)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    page = models.PositiveIntegerField(_("page"), null=True)
    context = models.TextField(_("context"), blank=True)
    text = models.TextField(_("text"))
    tokens = models.PositiveIntegerField(_("tokens"))
    content_hash = models.UUIDField()
    is_disabled = models.BooleanField(_("switched off"), default=False)
    is_live = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("chunk")
        verbose_name_plural = _("chunks")
        ordering = ("version", "ordinal")
        constraints = (
            models.UniqueConstraint(fields=("version", "ordinal"), name="one_chunk_a_place"),
            models.CheckConstraint(condition=models.Q(start__lt=models.F("end")), name="chunk_not_empty"),
        )
        indexes = (
            models.Index(fields=("content_hash",), name="chunk_by_content"),
            models.Index(fields=("kb",), condition=models.Q(is_live=True), name="chunk_live_by_kb"),
        )

    def __str__(self) -> str:
        return f"{self.document} #{self.ordinal}"


class ContentVector(models.Model):
    """Abstract: a text, known by its hash, in an embedding space: `raw` of the space's raw_dims, `reduced` of its dims (the expression index casts)."""

    id = models.BigAutoField(primary_key=True)
    content_hash = models.UUIDField()
    space = models.ForeignKey(EmbeddingSpace, models.CASCADE, related_name="+")
    raw = HalfVectorField()
    reduced = HalfVectorField()

    class Meta:
        abstract = True


class ChunkVector(ContentVector):
    """What chunks hold, as a vector."""

    space = models.ForeignKey(EmbeddingSpace, models.CASCADE, related_name="vectors")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("content_hash", "space"), name="one_vector_a_content"),)


class ChunkKeywords(models.Model):
    """A content's words and bigrams in one knowledge base (lexemes as `knowledge.words` makes them) and its length in terms, for BM25.

    One row a base, because posting lists and frequencies of others would slow a search and move its scores.
    """

    id = models.BigAutoField(primary_key=True)
    kb = models.ForeignKey(KnowledgeBase, models.CASCADE, related_name="+", db_index=False)
    content_hash = models.UUIDField()
    words = SearchVectorField()
    length = models.PositiveIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("kb", "content_hash"), include=("length",), name="one_keyword_row_a_content_and_base"
            ),
        )
        indexes = (GinIndex(fields=("words",), name="keywords_by_word", fastupdate=False),)


class KeywordTerm(models.Model):
    """In how many contents of a knowledge base a term stands."""

    id = models.BigAutoField(primary_key=True)
    kb = models.ForeignKey(KnowledgeBase, models.CASCADE, related_name="+", db_index=False)
    term = models.CharField(max_length=100)
    documents = models.IntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("kb", "term"), name="one_row_a_term_and_base"),)
