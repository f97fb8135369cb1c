"""Graphs, what feeds them, and the versions of the skeleton each grows along."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.models import LedgerRow
from knowledge.models import KnowledgeBase


class Graph(LedgerRow):
    """One graph; by default one knowledge base feeds it. `skeleton` is the version in use. Entities that changed before `compared_until` were compared with the others."""

    name = models.CharField(_("name"), max_length=200)
    skeleton = models.ForeignKey("SkeletonVersion", models.PROTECT, null=True, related_name="+")
    compared_until = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("graph")
        verbose_name_plural = _("graphs")

    def __str__(self) -> str:
        return self.name


class SkeletonVersion(LedgerRow):
    """The text of an `ontology.yaml` as it was applied. Never changed; a new text is a new version."""

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="skeletons")
    number = models.PositiveIntegerField()
    text = models.TextField()
    fingerprint = models.CharField(max_length=64)
    note = models.TextField(blank=True)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("-number",)
        constraints = (models.UniqueConstraint(fields=("graph", "number"), name="one_number_a_skeleton"),)

    def __str__(self) -> str:
        return f"{self.graph} v{self.number}"


class ModelPolicy(models.TextChoices):
    """What a model reads besides the rules."""

    OFF = "off", _("rules only")
    TITLES = "titles", _("titles and summaries")
    ALL = "all", _("everything")


class GraphSource(LedgerRow):
    """A knowledge base that feeds a graph, and what a model's reading of it may cost: `tokens_used` of `token_cap`, in all."""

    kb = models.OneToOneField(KnowledgeBase, models.CASCADE, related_name="graph_source")
    graph = models.ForeignKey(Graph, models.CASCADE, related_name="sources")
    policy = models.CharField(_("model reads"), max_length=10, choices=ModelPolicy.choices, default=ModelPolicy.OFF)
    token_cap = models.PositiveBigIntegerField(_("tokens at most"), null=True, blank=True)
    tokens_used = models.PositiveBigIntegerField(_("tokens used"), default=0)

    def __str__(self) -> str:
        return f"{self.kb} → {self.graph}"
