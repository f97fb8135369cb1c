"""Where a fact stands."""

from functools import reduce
from operator import or_

from django.db import models
from django.db.models import Q

from common.models import LedgerRow
from knowledge.models import Chunk, Document, Version
from ontology.models.facts import AttributeValue, Relation
from ontology.models.graphs import Graph
from ontology.models.identity import Alias, Entity


def one_of(*fields: str) -> Q:
    """Exactly one of these fields is set."""
    cases = [Q(**{f"{other}__isnull": other != field for other in fields}) for field in fields]
    return reduce(or_, cases)


class Evidence(LedgerRow):
    """A stretch of a version's text that supports one fact; unique by version, offsets and fact, however many overlapping chunks hold it.

    `round` is the extraction of its version that last found it: what a later one does not find again, goes.
    `chunk` is the first that holds all of it. `is_live`: some live chunk of its version does. The support of a fact counts its live evidence.
    """

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="+", db_index=False)
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    version = models.ForeignKey(Version, models.CASCADE, related_name="+")
    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="+")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    entity = models.ForeignKey(Entity, models.CASCADE, null=True, related_name="evidence")
    alias = models.ForeignKey(Alias, models.CASCADE, null=True, related_name="evidence")
    attribute = models.ForeignKey(AttributeValue, models.CASCADE, null=True, related_name="evidence")
    relation = models.ForeignKey(Relation, models.CASCADE, null=True, related_name="evidence")
    extractor = models.CharField(max_length=20)
    confidence = models.FloatField(default=1.0)
    is_live = models.BooleanField(default=False)
    round = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                "version",
                "start",
                "end",
                "entity",
                "alias",
                "attribute",
                "relation",
                nulls_distinct=False,
                name="one_evidence_a_place",
            ),
            models.CheckConstraint(
                condition=one_of("entity", "alias", "attribute", "relation"),
                name="evidence_of_one_fact",
            ),
            models.CheckConstraint(condition=Q(start__lt=models.F("end")), name="evidence_not_empty"),
        )
        indexes = (models.Index(fields=("version", "start"), name="evidence_by_place"),)
