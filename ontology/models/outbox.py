"""What the graph database has not been told yet."""

from django.db import models

from ontology.models.graphs import Graph


class ChangeKind(models.TextChoices):
    ENTITY = "entity"
    RELATION = "relation"
    CHUNK = "chunk"


class GraphChange(models.Model):
    """A row of the ledger that has changed, written in the transaction that changed it. The projector makes the graph equal to the row's state of now, then removes this.

    So order and repetition do not matter. One that can't be applied is set aside (`is_set_aside`, with its error) and shown. `source` and `target` are the entities between
    which the graph database may hold the edge of a relation: the row that says so may be gone when this is read.
    """

    id = models.BigAutoField(primary_key=True)
    graph = models.ForeignKey(Graph, models.CASCADE, related_name="changes", db_index=False)
    kind = models.CharField(max_length=10, choices=ChangeKind.choices)
    key = models.UUIDField()
    source = models.UUIDField(null=True)
    target = models.UUIDField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    is_set_aside = models.BooleanField(default=False)
    error = models.TextField(blank=True)

    class Meta:
        indexes = (
            models.Index(fields=("graph", "is_set_aside", "kind", "id"), name="change_in_order"),
            models.Index(fields=("key",), name="change_by_key"),
        )
