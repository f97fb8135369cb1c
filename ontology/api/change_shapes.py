"""What REST gives and takes about what differs between two versions of a document: one serializer a value."""

from typing import Any

from rest_framework import serializers

from ontology.api.shapes import QuoteOutput

NUMBER_MAX = 2**31 - 1


class ChangesInput(serializers.Serializer[Any]):
    """The other version (the one published before it, when none is named), and which pages of passages and of facts."""

    against = serializers.IntegerField(min_value=1, max_value=NUMBER_MAX, required=False, default=None)
    page = serializers.IntegerField(min_value=1, max_value=NUMBER_MAX, required=False, default=1)
    facts_page = serializers.IntegerField(min_value=1, max_value=NUMBER_MAX, required=False, default=1)


class ComparedVersionOutput(serializers.Serializer[Any]):
    """One of the two."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    published_at = serializers.DateTimeField(allow_null=True)


class ChunkCountsOutput(serializers.Serializer[Any]):
    """Passages of the whole document; `changed` counts pairs."""

    unchanged = serializers.IntegerField()
    changed = serializers.IntegerField()
    removed = serializers.IntegerField()
    added = serializers.IntegerField()


class PieceOutput(serializers.Serializer[Any]):
    """A piece of a text; `differs` where the other side has something else."""

    text = serializers.CharField()
    differs = serializers.BooleanField()


class ChunkSideOutput(serializers.Serializer[Any]):
    """A passage on one side: where it stands, and its text in pieces that joined are the text."""

    id = serializers.UUIDField()
    ordinal = serializers.IntegerField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    page = serializers.IntegerField(allow_null=True)
    context = PieceOutput(many=True)  # type: ignore[assignment]
    text = PieceOutput(many=True)


class ChunkChangeOutput(serializers.Serializer[Any]):
    """What became of a passage; `before` is null for one that was added, `after` for one that was removed."""

    kind = serializers.ChoiceField(["added", "removed", "changed"])
    before = ChunkSideOutput(allow_null=True)
    after = ChunkSideOutput(allow_null=True)


class ChunksChangedOutput(serializers.Serializer[Any]):
    """Counts of all passages, and a page of those that differ, in reading order; `next` is the number of the next page, or null."""

    counts = ChunkCountsOutput()
    results = ChunkChangeOutput(many=True)
    next = serializers.IntegerField(allow_null=True)


class FactCountsOutput(serializers.Serializer[Any]):
    """Facts of one kind."""

    added = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    changed = serializers.IntegerField()


class AllFactCountsOutput(serializers.Serializer[Any]):
    """Facts by kind."""

    entity = FactCountsOutput()
    attribute = FactCountsOutput()
    relation = FactCountsOutput()


class FactEndOutput(serializers.Serializer[Any]):
    """An entity; `known` says that it can be asked for by its id."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    known = serializers.BooleanField()

    def get_fields(self) -> dict[str, Any]:
        return super().get_fields() | {"class": serializers.CharField()}


class FactSideOutput(serializers.Serializer[Any]):
    """What one version says: a value with its unit, or the other end of a relation; `still_known` when some document that you may read, or a person, says so now."""

    id = serializers.UUIDField()
    value = serializers.JSONField(allow_null=True)
    unit = serializers.CharField()
    other = FactEndOutput(allow_null=True)
    attributes = serializers.DictField()
    still_known = serializers.BooleanField()
    evidence = QuoteOutput(allow_null=True)


class FactChangeOutput(serializers.Serializer[Any]):
    """What became of a fact; `name` is the attribute's or the relation's, empty for an entity that is first or no longer named."""

    kind = serializers.ChoiceField(["entity", "attribute", "relation"])
    action = serializers.ChoiceField(["added", "withdrawn", "changed"])
    entity = FactEndOutput()
    name = serializers.CharField()
    before = FactSideOutput(allow_null=True)
    after = FactSideOutput(allow_null=True)


class FactsChangedOutput(serializers.Serializer[Any]):
    """Counts of all facts, and a page of those that differ. `complete`: both versions have been read for facts to their end. `skeletons`: under which, where these differ. `next` as above."""

    complete = serializers.BooleanField()
    skeletons = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    counts = AllFactCountsOutput()
    results = FactChangeOutput(many=True)
    next = serializers.IntegerField(allow_null=True)


class PurposeOutput(serializers.Serializer[Any]):
    """Calls of models for one purpose: “index” embeds, “extract” reads for facts."""

    purpose = serializers.CharField()
    calls = serializers.IntegerField()
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    cost_micros = serializers.IntegerField()


class CostOutput(serializers.Serializer[Any]):
    """What the later version was charged until the next one came; of its `contents`, `new_contents` stood nowhere before and were embedded."""

    contents = serializers.IntegerField()
    new_contents = serializers.IntegerField()
    purposes = PurposeOutput(many=True)


class VersionChangesOutput(serializers.Serializer[Any]):
    """The older version is `before` (null where nothing came before). `facts` is null without a graph, `cost` for readers who are no editors."""

    document = serializers.UUIDField()
    before = ComparedVersionOutput(allow_null=True)
    after = ComparedVersionOutput()
    complete = serializers.BooleanField(help_text="both were taken apart to their end")
    chunks = ChunksChangedOutput()
    facts = FactsChangedOutput(allow_null=True)
    cost = CostOutput(allow_null=True)
