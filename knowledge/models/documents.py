"""Documents, the bytes they came from, and the versions that were read."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.models import LedgerRow
from knowledge.models.bases import KnowledgeBase


class DocumentState(models.TextChoices):
    LIVE = "live", _("in use")
    BINNED = "binned", _("in the bin")
    DELETING = "deleting", _("being deleted")


class Document(LedgerRow):
    """One path in one knowledge base. Readers see `live_version`; None until the first version is published.

    `set_by_hand` names the fields that an editor has filled; what a file says of itself no longer changes these.
    """

    kb = models.ForeignKey(KnowledgeBase, models.CASCADE, related_name="documents", verbose_name=_("knowledge base"))
    path = models.CharField(_("path"), max_length=1000)
    folder = models.CharField(_("folder"), max_length=1000, blank=True, db_index=True)
    title = models.CharField(_("title"), max_length=500, blank=True)
    tags = ArrayField(models.CharField(max_length=100), verbose_name=_("tags"), default=list, blank=True)
    owner = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("responsible person")
    )
    source_url = models.URLField(_("source"), max_length=2000, blank=True)
    effective_on = models.DateField(_("effective from"), null=True, blank=True)
    expires_on = models.DateField(_("expires after"), null=True, blank=True)
    set_by_hand = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    language = models.CharField(_("language"), max_length=10, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=DocumentState.choices, default=DocumentState.LIVE)
    binned_at = models.DateTimeField(_("binned"), null=True, blank=True)
    live_version = models.ForeignKey("Version", models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        ordering = ("-updated_at",)
        constraints = (
            models.UniqueConstraint(
                fields=("kb", "path"), condition=models.Q(state=DocumentState.LIVE), name="one_live_document_a_path"
            ),
        )
        indexes = (
            models.Index(fields=("kb", "state", "-updated_at"), name="document_by_kb"),
            GinIndex(fields=("tags",), name="document_by_tag"),
        )

    def __str__(self) -> str:
        return self.title or self.path

    @property
    def is_expired(self) -> bool:
        """Whether its last day is over: it is left out of answers."""
        return self.expires_on is not None and self.expires_on < timezone.localdate()

    @property
    def is_to_come(self) -> bool:
        """Whether its first day is still to come: until then it is left out of answers."""
        return self.effective_on is not None and self.effective_on > timezone.localdate()


class Original(LedgerRow):
    """The bytes as they came, kept in storage under `key`."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="originals")
    sha256 = models.CharField(max_length=64)
    size_bytes = models.PositiveBigIntegerField()
    name = models.CharField(max_length=1000)
    media_type = models.CharField(max_length=150, blank=True)
    key = models.CharField(max_length=300, unique=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("document", "sha256"), name="same_bytes_once_a_document"),)
        indexes = (models.Index(fields=("sha256",), name="original_by_bytes"),)

    def __str__(self) -> str:
        return self.name


class Version(LedgerRow):
    """One reading of one original. `text` is canonical: Markdown, NFC, no NUL; offsets everywhere count its code points.

    `metadata` is what the file says of its document; publishing copies it there. `chunk_count` is empty until the last chunk is stored.
    `records_by` is the fingerprint of the forms of headings by which its records were found, or were found to be the same since.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField(_("number"))
    original = models.ForeignKey(Original, models.PROTECT, related_name="versions")
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    title = models.CharField(max_length=500, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    parser = models.CharField(max_length=50, blank=True)
    text = models.TextField(blank=True)
    length = models.PositiveIntegerField(default=0)
    page_starts = ArrayField(models.PositiveIntegerField(), default=list, blank=True)
    language = models.CharField(max_length=10, blank=True)
    notices = ArrayField(models.TextField(), default=list, blank=True)
    chunk_count = models.PositiveIntegerField(_("chunks"), null=True, blank=True)
    records_by = models.CharField(max_length=64, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("version")
        verbose_name_plural = _("versions")
        ordering = ("-number",)
        constraints = (models.UniqueConstraint(fields=("document", "number"), name="one_number_a_version"),)

    def __str__(self) -> str:
        return f"{self.document} v{self.number}"
