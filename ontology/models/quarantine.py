"""What was found and does not fit the skeleton, and what people decided about its kind."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.models import LedgerRow
from knowledge.models import Chunk, Document, Version
from ontology.models.graphs import Graph


class QuarantineState(models.TextChoices):
    OPEN = "open", _("open")
    ACCEPTED = "accepted", _("accepted")
    IGNORED = "ignored", _("ignored")


class Quarantined(LedgerRow):
    """One thing found, whole in `found` (see `ontology.quarantine.payload`), with the reason it is not a fact. Goes with its document."""

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="quarantined")
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    version = models.ForeignKey(Version, models.CASCADE, related_name="+")
    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="+")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)  # entity, attribute, relation
    reason = models.CharField(max_length=30)
    about = models.CharField(max_length=200, blank=True)
    found = models.JSONField()
    found_key = models.CharField(max_length=64)
    extractor = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=QuarantineState.choices, default=QuarantineState.OPEN)

    class Meta:
        verbose_name = _("quarantined")
        constraints = (
            models.UniqueConstraint(fields=("version", "start", "end", "found_key"), name="one_quarantined_a_place"),
        )
        indexes = (models.Index(fields=("graph", "state", "reason", "about"), name="quarantine_by_group"),)


class RuleAction(models.TextChoices):
    IGNORE = "ignore", _("ignore for ever")
    MAP = "map", _("take it for")


class QuarantineRule(LedgerRow):
    """What is to become of every case with this reason and subject, from now on: ignored, or taken for the class, relation or attribute `becomes`."""

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="quarantine_rules")
    reason = models.CharField(max_length=30)
    about = models.CharField(max_length=200)
    action = models.CharField(max_length=10, choices=RuleAction.choices)
    becomes = models.CharField(max_length=100, blank=True)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("graph", "reason", "about"), name="one_quarantine_rule"),)
