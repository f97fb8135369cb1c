"""What REST gives and takes about the graph: one serializer a value."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from ontology.labels import class_label
from ontology.models import Entity
from ontology.selectors.entities import STATES
from ontology.selectors.pictures import NODES_MAX

PAGING = [OpenApiParameter("cursor", str), OpenApiParameter("limit", int)]
NARROWING = [
    OpenApiParameter("class", str, many=True, description="only these classes"),
    OpenApiParameter("relation", str, many=True, description="only these relations"),
    OpenApiParameter("limit", int, description=f"entities at most, up to {NODES_MAX}"),
]


class GraphOutput(serializers.Serializer[Any]):
    """A graph, the knowledge bases that feed it and that you may read, and its entities by class."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    knowledge_bases = serializers.ListField(child=serializers.CharField())
    skeleton = serializers.IntegerField(help_text="the version in use")
    may_edit = serializers.BooleanField()
    classes = serializers.DictField(child=serializers.IntegerField())


class SkeletonOutput(serializers.Serializer[Any]):
    """The skeleton in use: as it was written, and what it means."""

    number = serializers.IntegerField()
    fingerprint = serializers.CharField()
    text = serializers.CharField()
    compiled = serializers.DictField()


class EntityRow(serializers.Serializer[Any]):
    """An entity in a list; `support` counts the places that name it. Needs the skeleton in its context, for `class_label` in the language that was asked for."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    class_ = serializers.CharField(source="class_name")
    class_label = serializers.SerializerMethodField()
    support = serializers.IntegerField(source="seen_support")
    confirmed = serializers.BooleanField(source="is_confirmed")
    rejected = serializers.BooleanField(source="is_rejected")
    revision = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        return {name.rstrip("_"): field for name, field in fields.items()}

    def get_class_label(self, row: Entity) -> str:
        return class_label(self.context["skeleton"], row.class_name)


class NodeOutput(serializers.Serializer[Any]):
    """An entity in a picture."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    class_ = serializers.CharField(source="class_name")
    support = serializers.IntegerField()
    confirmed = serializers.BooleanField(source="is_confirmed")

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        return {name.rstrip("_"): field for name, field in fields.items()}


class EdgeOutput(serializers.Serializer[Any]):
    """A relation between two entities of a picture."""

    id = serializers.UUIDField()
    source = serializers.UUIDField()  # type: ignore[assignment]
    type = serializers.CharField()
    target = serializers.UUIDField()
    support = serializers.IntegerField()
    confirmed = serializers.BooleanField(source="is_confirmed")
    attributes = serializers.DictField()


class GraphPictureOutput(serializers.Serializer[Any]):
    """A part of a graph; `is_cut` when there is more than was asked for."""

    nodes = NodeOutput(many=True)
    edges = EdgeOutput(many=True)
    is_cut = serializers.BooleanField()


class PathOutput(serializers.Serializer[Any]):
    """The way from one entity to the other, in order; empty and `found` false when there is none."""

    found = serializers.BooleanField()
    nodes = NodeOutput(many=True)
    edges = EdgeOutput(many=True)


class QuoteOutput(serializers.Serializer[Any]):
    """A place in a document's version, its words, and some around them."""

    id = serializers.UUIDField()
    document = serializers.UUIDField()
    path = serializers.CharField()
    title = serializers.CharField()
    version = serializers.IntegerField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    quote = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    extractor = serializers.CharField()
    confidence = serializers.FloatField()
    url = serializers.CharField()


class PlacesOutput(serializers.Serializer[Any]):
    """Places, those that were found first; `next` is the `after` of the next page, or null."""

    results = QuoteOutput(many=True)
    next = serializers.UUIDField(allow_null=True)


class EntityOutput(serializers.Serializer[Any]):
    """All that is known of one entity."""

    id = serializers.UUIDField()
    graph = serializers.UUIDField()
    name = serializers.CharField()
    names = serializers.ListField(child=serializers.DictField())
    confirmed = serializers.BooleanField()
    rejected = serializers.BooleanField()
    revision = serializers.IntegerField()
    mentions = serializers.IntegerField()
    documents = serializers.IntegerField()
    attributes = serializers.ListField(child=serializers.DictField())
    relations = serializers.ListField(child=serializers.DictField())
    evidence = QuoteOutput(many=True)

    def get_fields(self) -> dict[str, Any]:
        return super().get_fields() | {"class": serializers.CharField()}


class RelationOutput(serializers.Serializer[Any]):
    """A relation with its ends as readers see them."""

    id = serializers.UUIDField()
    source = NodeOutput()  # type: ignore[assignment]
    type = serializers.CharField()
    target = NodeOutput()
    attributes = serializers.DictField()
    support = serializers.IntegerField()
    confirmed = serializers.BooleanField()


class NarrowingInput(serializers.Serializer[Any]):
    """What a picture is narrowed to."""

    relation = serializers.ListField(child=serializers.CharField(max_length=100), required=False, default=list)
    limit = serializers.IntegerField(min_value=1, max_value=NODES_MAX, required=False, default=200)

    def get_fields(self) -> dict[str, Any]:
        names = serializers.ListField(child=serializers.CharField(max_length=100), required=False, default=list)
        return super().get_fields() | {"class": names}


class EntityFilterInput(serializers.Serializer[Any]):
    """What a list of entities is narrowed to."""

    q = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    state = serializers.ChoiceField(["", *STATES], required=False, default="", allow_blank=True)
    min_support = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False, default=0)

    def get_fields(self) -> dict[str, Any]:
        name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
        return super().get_fields() | {"class": name}


class EntityInput(serializers.Serializer[Any]):
    """A new entity by hand."""

    name = serializers.CharField(max_length=1000)

    def get_fields(self) -> dict[str, Any]:
        return super().get_fields() | {"class": serializers.CharField(max_length=100)}


class RevisionsField(serializers.DictField):
    """Revisions by the ids of entities. A key that is no id is refused: without it nobody would be told that the entity has changed."""

    child = serializers.IntegerField(min_value=0, max_value=2**31 - 1)

    def to_internal_value(self, data: Any) -> dict[UUID, int]:
        return {
            serializers.UUIDField().run_validation(key): each for key, each in super().to_internal_value(data).items()
        }


class RevisionInput(serializers.Serializer[Any]):
    """The revision that you had before you; another one is answered with 409, and nothing is overwritten."""

    revision = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False, allow_null=True, default=None)


class EntityNameInput(RevisionInput):
    """Another name; the old one stays as another name."""

    name = serializers.CharField(max_length=1000)


class MergeInput(serializers.Serializer[Any]):
    """Who is one with this entity. `revisions` by id; `preview` only tells what would be joined."""

    others = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=100)
    revisions = RevisionsField(required=False, default=dict)
    preview = serializers.BooleanField(required=False, default=False)


class OtherInput(RevisionInput):
    """The other entity."""

    other = serializers.UUIDField()


class AttributeInput(RevisionInput):
    """A value as a person writes it; `instead_of` is the id of the value that it corrects."""

    name = serializers.CharField(max_length=100)
    value = serializers.CharField(max_length=2000)
    instead_of = serializers.UUIDField(required=False, allow_null=True, default=None)


class RelationInput(RevisionInput):
    """A relation from this entity to another (to it from the other with `incoming`)."""

    type = serializers.CharField(max_length=100)
    target = serializers.UUIDField()
    incoming = serializers.BooleanField(required=False, default=False)
    attributes = serializers.DictField(child=serializers.CharField(max_length=2000), required=False, default=dict)


class JudgementInput(RevisionInput):
    """Whether it is right."""

    is_right = serializers.BooleanField()


class LineOutput(serializers.Serializer[Any]):
    """What became of a line."""

    line = serializers.IntegerField()
    status = serializers.ChoiceField(["stored", "accepted", "rejected", "ignored", "invalid"])
    reason = serializers.CharField()
    about = serializers.CharField()
    message = serializers.CharField()


class ImportOutput(serializers.Serializer[Any]):
    """How many lines ended how, and each of them."""

    dry_run = serializers.BooleanField()
    counts = serializers.DictField(child=serializers.IntegerField())
    lines = LineOutput(many=True)
