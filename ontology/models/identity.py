"""Who is who: entities, their other names, and what people decided about pairs that look alike."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.models import LedgerRow
from knowledge.models import Document
from ontology.models.graphs import Graph


class Entity(LedgerRow):
    """One name of one class in a graph; `sense` tells homonyms apart. It exists while live evidence supports it or a person confirmed it, and no person rejected it.

    Merging never rewrites evidence: a merged entity points to the one it was `merged_into`, readers follow, and taking the pointer back restores both.
    `is_sought`: every chunk that was there before the name has been looked through for it. `touched_at`: when evidence of it came or went last.
    `support` counts live evidence of its own (not of those merged into it). `known_in`: see `Fact`. `revision` grows with each deed of a person, so that the second of two editors is told.
    """

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="entities")
    class_name = models.CharField(_("class"), max_length=100)
    name = models.CharField(_("name"), max_length=500)
    normal_name = models.CharField(max_length=500)
    sense = models.PositiveSmallIntegerField(default=0)
    merged_into = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="merged")
    support = models.PositiveIntegerField(_("support"), default=0)
    is_confirmed = models.BooleanField(_("confirmed"), default=False)
    is_rejected = models.BooleanField(_("rejected"), default=False)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    known_in = ArrayField(models.UUIDField(), default=list, editable=False)
    revision = models.PositiveIntegerField(default=1)
    is_sought = models.BooleanField(default=False)
    touched_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("entity")
        verbose_name_plural = _("entities")
        constraints = (
            models.UniqueConstraint(fields=("graph", "class_name", "normal_name", "sense"), name="one_entity_a_name"),
        )
        indexes = (
            models.Index(fields=("graph", "normal_name"), name="entity_by_name"),
            models.Index(fields=("graph",), condition=models.Q(is_sought=False), name="entity_not_sought"),
        )

    def __str__(self) -> str:
        return self.name


class Alias(LedgerRow):
    """Another name of an entity; like every fact it exists by live evidence or a person's word. `known_in`: see `Fact`."""

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="+")
    entity = models.ForeignKey(Entity, models.CASCADE, related_name="aliases")
    text = models.CharField(max_length=500)
    normal = models.CharField(max_length=500)
    support = models.PositiveIntegerField(default=0)
    is_confirmed = models.BooleanField(default=False)
    is_rejected = models.BooleanField(default=False)
    known_in = ArrayField(models.UUIDField(), default=list, editable=False)
    is_sought = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("entity", "normal"), name="one_alias_each"),)
        indexes = (
            models.Index(fields=("graph", "normal"), name="alias_by_name"),
            models.Index(fields=("graph",), condition=models.Q(is_sought=False), name="alias_not_sought"),
        )

    def __str__(self) -> str:
        return self.text


class NeverMerge(LedgerRow):
    """Two names that a person has declared different, kept by name so that it outlives the rows: `left` and `right` are "class/normal name/sense", left < right."""

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="never_merges")
    left = models.CharField(max_length=650)
    right = models.CharField(max_length=650)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("graph", "left", "right"), name="one_never_merge_a_pair"),)


class SuggestionState(models.TextChoices):
    OPEN = "open", _("open")
    MERGED = "merged", _("merged")
    REJECTED = "rejected", _("rejected")
    LATER = "later", _("later")
    SPLIT = "split", _("split")


class Suggestion(LedgerRow):
    """Two entities that may be one (left.pk < right.pk), with a score from 0 to 1 and the reasons."""

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="suggestions")
    left = models.ForeignKey(Entity, models.CASCADE, related_name="+")
    right = models.ForeignKey(Entity, models.CASCADE, related_name="+")
    score = models.FloatField()
    reasons = models.JSONField(default=list)
    state = models.CharField(max_length=10, choices=SuggestionState.choices, default=SuggestionState.OPEN)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("left", "right"), name="one_suggestion_a_pair"),)


class ComparisonKey(models.Model):
    """A key (`ontology/resolution/blocks.py`, hashed) by which an entity meets those that it is compared with. Only for entities that were not merged into others."""

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="+", db_index=False)
    entity = models.ForeignKey(Entity, models.CASCADE, related_name="+")
    key = models.BigIntegerField()

    class Meta:
        indexes = (models.Index(fields=("graph", "key"), name="comparison_by_key"),)


class SplitSuggestion(LedgerRow):
    """One entity that may be two that bear one name. `parts` are lists of ids of the documents that agree with each other; `reasons` say what they contradict each other in."""

    graph = models.ForeignKey(Graph, models.CASCADE, related_name="+")
    entity = models.OneToOneField(Entity, models.CASCADE, related_name="split_suggestion")
    parts = models.JSONField()
    score = models.FloatField()
    reasons = models.JSONField(default=list)
    state = models.CharField(max_length=10, choices=SuggestionState.choices, default=SuggestionState.OPEN)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)


class SenseChoice(LedgerRow):
    """Which of several entities of one name a document means by it, as a person decided. Reading the document again follows it.

    `line` holds the words of the one line for which it was decided (`place` is their hash); both are empty where it holds for all of the document.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    entity = models.ForeignKey(Entity, models.CASCADE, related_name="+")
    class_name = models.CharField(max_length=100)
    normal = models.CharField(max_length=500)
    line = models.TextField(blank=True)
    place = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("document", "class_name", "normal", "place"), name="one_sense_a_place"),
        )
