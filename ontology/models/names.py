"""The names of entities as vectors, by which names in two languages find each other."""

from django.db import models

from ontology.models.graphs import Graph
from ontology.models.identity import Entity


class NameVector(models.Model):
    """The name of an entity that stands for itself (not merged, not rejected), under the class it had then, as a vector of the model with this `fingerprint`.

    `vector` is little-endian float16, of length one, without what all names of its script have in common; empty for a name that is a code alone. `nearest` is the entity of the same class and the other script whose name
    is nearest, `rival` the next one of any class; ids alone, because whoever goes is noticed by the next look. `is_compared`: with all others that were.
    """

    entity = models.OneToOneField(
        Entity, models.CASCADE, primary_key=True, related_name="name_vector", db_constraint=False
    )
    graph = models.ForeignKey(Graph, models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=500)
    class_name = models.CharField(max_length=100)
    fingerprint = models.CharField(max_length=64)
    vector = models.BinaryField()
    nearest = models.UUIDField(null=True)
    similarity = models.FloatField(default=-2.0)
    rival = models.UUIDField(null=True)
    rival_similarity = models.FloatField(default=-2.0)
    is_compared = models.BooleanField(default=False)

    class Meta:
        indexes = (models.Index(fields=("graph", "is_compared"), name="name_vector_of_graph"),)
