"""How far extraction has come, and what a model said, so that nothing is asked twice."""

from django.db import models

from common.models import LedgerRow
from knowledge.models import Version
from ontology.models.graphs import Graph, SkeletonVersion


class ExtractedVersion(LedgerRow):
    """The facts of a version under a skeleton, complete when `finished_at` is set. `is_stale`: names have become known since that stand in it, so that the rules may find more.

    Rules and model draw the numbers of their rounds from one row: `round` is the rules' last, `model_round` the model's (0: never). `model_policy` and `model_skeleton`
    (a fingerprint) say what a model has read to the end; both are empty until it has. `faults` are the chunks that gave nothing, with their reasons.
    """

    version = models.OneToOneField(Version, models.CASCADE, related_name="extracted")
    skeleton = models.ForeignKey(SkeletonVersion, models.CASCADE, related_name="+")
    round = models.PositiveIntegerField(default=0)
    model_round = models.PositiveIntegerField(default=0)
    model_policy = models.CharField(max_length=10, blank=True)
    model_skeleton = models.CharField(max_length=64, blank=True)
    is_stale = models.BooleanField(default=False)
    finished_at = models.DateTimeField(null=True)
    tokens = models.PositiveBigIntegerField(default=0)
    faults = models.JSONField(default=list)


class KeptModelOutput(LedgerRow):
    """What `model` answered about one content (`content_hash`: kind, context and text) under one skeleton and prompt (`prompt`: the hash of both)."""

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="+")
    content_hash = models.UUIDField()
    prompt = models.CharField(max_length=64)
    model = models.CharField(max_length=200)
    output = models.JSONField()
    tokens = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("content_hash", "graph", "prompt", "model"), name="one_output_a_call"),
        )
