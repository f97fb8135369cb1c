"""The sentences of facts as vectors, by which a question finds facts."""

from django.db import models

from inference.models import EmbeddingSpace
from knowledge.models import ContentVector


class FactVector(ContentVector):
    """The sentence of one or more relations (see `Relation.sentence_hash`) as a vector. It belongs to the sentence, so that what reads alike is embedded once."""

    space = models.ForeignKey(EmbeddingSpace, models.CASCADE, related_name="fact_vectors")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("content_hash", "space"), name="one_vector_a_sentence"),)
