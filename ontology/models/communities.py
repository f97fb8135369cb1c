"""Groups of entities that belong together, at several levels, worked out from the ledger's graph (`ontology/communities/`). All of it can be made again from facts."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from common.models import LedgerRow
from ontology.models.graphs import Graph
from ontology.models.identity import Entity


class Community(LedgerRow):
    """One group at one level (0 is the coarsest; a community above a certain size has smaller ones below it). `key` is a hash of its members.

    `title` and `summary` are a model's words for the members of `written_for` (a key); `made_from` are the evidence that the model was shown, `asked` a hash of all that it was shown.
    Without them readers get the names of its most central entities and its most central quotations, chosen for each reader when they read.
    """

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="communities")
    level = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=32)
    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="children")
    size = models.PositiveIntegerField()
    title = models.CharField(max_length=200, blank=True)
    summary = models.TextField(blank=True)
    written_for = models.CharField(max_length=32, blank=True)
    asked = models.CharField(max_length=64, blank=True)
    made_from = ArrayField(models.UUIDField(), default=list)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("graph", "level", "key"), name="one_community_a_group"),)
        indexes = (GinIndex(fields=("made_from",), name="community_by_source"),)


class CommunityMember(models.Model):
    """An entity (a root) in a community; `rank` 0 is the most central one. An entity that is gone leaves its row until communities are next looked at."""

    community = models.ForeignKey(Community, models.CASCADE, related_name="members")
    entity = models.ForeignKey(Entity, models.CASCADE, related_name="+", db_constraint=False)
    rank = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("community", "entity"), name="one_membership_each"),)


class CommunitiesMade(models.Model):
    """How far the communities of a graph have come: `pulse` says which state of the ledger they show, `drift` how many places in them were given anew since all were."""

    graph = models.OneToOneField(Graph, models.CASCADE, related_name="communities_made")
    pulse = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField(null=True)
    drift = models.PositiveIntegerField(default=0)
