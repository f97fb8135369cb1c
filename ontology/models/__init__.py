"""The ledger's rows of this package, one file a noun."""

from ontology.models.communities import CommunitiesMade, Community, CommunityMember
from ontology.models.evidence import Evidence
from ontology.models.facts import AttributeValue, Relation
from ontology.models.graphs import Graph, GraphSource, ModelPolicy, SkeletonVersion
from ontology.models.identity import (
    Alias,
    ComparisonKey,
    Entity,
    NeverMerge,
    SenseChoice,
    SplitSuggestion,
    Suggestion,
    SuggestionState,
)
from ontology.models.names import NameVector
from ontology.models.outbox import ChangeKind, GraphChange
from ontology.models.quarantine import Quarantined, QuarantineRule, QuarantineState, RuleAction
from ontology.models.reading import ExtractedVersion, KeptModelOutput
from ontology.models.vectors import FactVector

__all__ = [
    "Alias",
    "AttributeValue",
    "ChangeKind",
    "CommunitiesMade",
    "Community",
    "CommunityMember",
    "ComparisonKey",
    "Entity",
    "Evidence",
    "ExtractedVersion",
    "FactVector",
    "Graph",
    "GraphChange",
    "GraphSource",
    "KeptModelOutput",
    "ModelPolicy",
    "NameVector",
    "NeverMerge",
    "QuarantineRule",
    "QuarantineState",
    "Quarantined",
    "Relation",
    "RuleAction",
    "SenseChoice",
    "SkeletonVersion",
    "SplitSuggestion",
    "Suggestion",
    "SuggestionState",
]
