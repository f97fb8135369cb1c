"""The rows of what was asked and answered."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.models import LedgerRow


class Conversation(LedgerRow):
    """A talk of one person, or of one of their keys (`key_id`, a plain id), whose talks are not among the person's own."""

    user = models.ForeignKey(User, models.CASCADE, related_name="conversations", verbose_name=_("person"))
    key_id = models.UUIDField(null=True, blank=True)
    title = models.CharField(_("title"), max_length=200)
    kb_slugs = models.JSONField(default=list)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        ordering = ("-updated_at",)
        indexes = (models.Index(fields=("user", "-updated_at"), name="conversation_by_user"),)

    def __str__(self) -> str:
        return self.title


class MessageRole(models.TextChoices):
    USER = "user", _("question")
    ASSISTANT = "assistant", _("answer")


class MessageState(models.TextChoices):
    WORKING = "working", _("being written")
    DONE = "done", _("done")
    STOPPED = "stopped", _("stopped")
    FAILED = "failed", _("failed")


class Message(LedgerRow):
    """A question or an answer. A question's text is its only part. An answer's `parts` and `citations` (see `retrieval.parts`, `retrieval.citations`) say what is
    cited as (version, start, end) and never hold a quotation or a title, which are read whenever they are shown, so that nothing of a deleted document stays."""

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="messages")
    role = models.CharField(max_length=10, choices=MessageRole.choices)
    state = models.CharField(max_length=10, choices=MessageState.choices, default=MessageState.DONE)
    question = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="answers")
    client_id = models.UUIDField(null=True, blank=True, db_index=True)
    parts = models.JSONField(default=list)
    citations = models.JSONField(default=list)
    nearest = models.JSONField(default=list)
    searched = models.JSONField(default=dict)
    error = models.JSONField(null=True, blank=True)
    language = models.CharField(max_length=10, blank=True)
    found = models.BooleanField(default=True)
    answerer = models.CharField(max_length=20, blank=True)
    degraded = models.JSONField(default=list)
    dropped = models.PositiveIntegerField(default=0)
    stages = models.JSONField(default=list)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    took_ms = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ("id",)
        indexes = (GinIndex(fields=("citations",), opclasses=("jsonb_path_ops",), name="message_by_citation"),)

    def __str__(self) -> str:
        return f"{self.role} {self.pk}"

    @property
    def text(self) -> str:
        """Of a question: what was asked."""
        return str(self.parts[0]["text"]) if self.role == MessageRole.USER else ""


class Feedback(LedgerRow):
    """What a reader thought of an answer."""

    message = models.OneToOneField(Message, models.CASCADE, related_name="feedback")
    value = models.SmallIntegerField(choices=[(1, _("good")), (-1, _("bad"))])
    reason = models.CharField(max_length=50, blank=True)
    note = models.TextField(blank=True)

    class Meta:
        verbose_name = _("feedback")
        verbose_name_plural = _("feedback")

    def __str__(self) -> str:
        return f"{self.value:+d} {self.reason}".strip()


class Trace(LedgerRow):
    """How one question went: stages with their times and outcomes. Plain ids; the question itself stays in its message."""

    user_id = models.UUIDField(null=True)
    key_id = models.UUIDField(null=True)
    message_id = models.UUIDField(null=True)
    kb_ids = models.JSONField(default=list)
    found = models.BooleanField(default=True)
    answerer = models.CharField(max_length=20, blank=True)
    degraded = models.JSONField(default=list)
    stages = models.JSONField(default=list)
    took_ms = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("trace")
        verbose_name_plural = _("traces")
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M} {self.took_ms} ms"
