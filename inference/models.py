"""The rows about models: embedding spaces, and who used how many tokens for what."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from common.ids import uuid7
from common.models import LedgerRow


class SpaceState(models.TextChoices):
    FILLING = "filling", _("being filled")
    READY = "ready", _("ready to be activated")
    ACTIVE = "active", _("active")
    RETIRED = "retired", _("retired")


class EmbeddingSpace(LedgerRow):
    """A model's vectors and how they are reduced. `mean` and `components` are little-endian float32: (raw_dims,) and (dims, raw_dims); empty for the identity.

    Spaces of one `fingerprint` share raw vectors: refitting never embeds again. At most one space is active.
    """

    number = models.PositiveIntegerField(_("number"), unique=True)
    model = models.CharField(_("model"), max_length=200)
    fingerprint = models.CharField(max_length=64)
    raw_dims = models.PositiveIntegerField(_("full dimensions"))
    dims = models.PositiveIntegerField(_("reduced dimensions"))
    mean = models.BinaryField(default=bytes)
    components = models.BinaryField(default=bytes)
    variance = models.FloatField(_("variance kept"), default=1.0)
    fitted_on = models.PositiveIntegerField(_("fitted on chunks"), default=0)
    state = models.CharField(_("state"), max_length=10, choices=SpaceState.choices, default=SpaceState.FILLING)
    activated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("embedding space")
        verbose_name_plural = _("embedding spaces")
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                models.F("state"), name="one_active_space", condition=models.Q(state=SpaceState.ACTIVE)
            ),
        )

    def __str__(self) -> str:
        return f"#{self.number} {self.model} {self.raw_dims}→{self.dims}"

    @property
    def is_identity(self) -> bool:
        return not self.components


class UsageRecord(models.Model):
    """Tokens of one model call and who pays. Plain ids, because bills outlive documents."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)
    purpose = models.CharField(_("purpose"), max_length=20)
    model = models.CharField(_("model"), max_length=200)
    department_id = models.UUIDField(null=True, db_index=True)
    user_id = models.UUIDField(null=True)
    key_id = models.UUIDField(null=True)
    kb_id = models.UUIDField(null=True)
    document_id = models.UUIDField(null=True, db_index=True)
    conversation_id = models.UUIDField(null=True)
    prompt_tokens = models.PositiveIntegerField(_("prompt tokens"), default=0)
    completion_tokens = models.PositiveIntegerField(_("completion tokens"), default=0)
    cost_micros = models.PositiveBigIntegerField(_("cost in millionths"), default=0)
    duration_ms = models.PositiveIntegerField(default=0)
    outcome = models.CharField(max_length=30, default="done")

    class Meta:
        verbose_name = _("usage record")
        verbose_name_plural = _("usage records")
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.purpose} {self.model} {self.prompt_tokens}+{self.completion_tokens}"
