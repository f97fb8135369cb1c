"""What is known of entities: typed attribute values and relations. A fact exists as an entity does: by live evidence or a person's word."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.models import LedgerRow
from ontology.models.graphs import Graph
from ontology.models.identity import Entity


class Fact(LedgerRow):
    """Abstract: `support` counts live evidence; what a person confirmed or rejected outlives reading again.

    `known_in` are the knowledge bases (ids) from which a fact was known when a person vouched for it: without evidence it is seen by their readers alone.
    `was_read`: a document had said so by then; else it was added by hand. Both are written by `ontology/services/known_from.py` alone.
    """

    support = models.PositiveIntegerField(default=0)
    is_confirmed = models.BooleanField(default=False)
    is_rejected = models.BooleanField(default=False)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    known_in = ArrayField(models.UUIDField(), default=list, editable=False)
    was_read = models.BooleanField(default=False, editable=False)

    class Meta:
        abstract = True


class AttributeValue(Fact):
    """One value of one attribute of an entity, as the declared type keeps it; `text` is how the first source wrote it. Values that contradict each other are all kept."""

    entity = models.ForeignKey(Entity, models.CASCADE, related_name="attributes")
    name = models.CharField(max_length=100)
    value = models.JSONField()
    unit = models.CharField(max_length=50, blank=True)
    comparison = models.CharField(max_length=2, blank=True)
    text = models.TextField(blank=True)
    value_key = models.CharField(max_length=64)
    reference = models.ForeignKey(Entity, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name = _("attribute value")
        constraints = (models.UniqueConstraint(fields=("entity", "name", "value_key"), name="one_row_a_value"),)

    def __str__(self) -> str:
        return f"{self.name}: {self.text or self.value}"


class Relation(Fact):
    """A typed edge between two entities as they were found; readers and the projection follow `merged_into` at both ends.

    `projected_source` and `projected_target` are the entities between which the graph database holds the edge now (None: it does not), written by the projector alone.
    `sentence_hash` says under which hash its sentence has a vector (None: it is not seen), written by `ontology/fact_vectors` alone.
    """

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="relations")
    source = models.ForeignKey(Entity, models.CASCADE, related_name="outgoing")
    type = models.CharField(max_length=100)
    target = models.ForeignKey(Entity, models.CASCADE, related_name="incoming")
    attributes = models.JSONField(default=dict, blank=True)
    attributes_key = models.CharField(max_length=64, blank=True)
    projected_source = models.UUIDField(null=True, editable=False)
    projected_target = models.UUIDField(null=True, editable=False)
    sentence_hash = models.UUIDField(null=True, editable=False)

    class Meta:
        verbose_name = _("relation")
        verbose_name_plural = _("relations")
        constraints = (
            models.UniqueConstraint(fields=("source", "type", "target", "attributes_key"), name="one_row_a_relation"),
        )
        indexes = (
            models.Index(fields=("graph", "type"), name="relation_by_type"),
            models.Index(
                fields=("sentence_hash",),
                condition=models.Q(sentence_hash__isnull=False),
                name="relation_by_sentence",
            ),
        )

    def __str__(self) -> str:
        return f"{self.source} {self.type} {self.target}"
