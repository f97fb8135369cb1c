"""All drafts for a skeleton from samples of documents; each name once. And a text with those that a person accepts."""

from collections.abc import Collection, Iterable, Sequence

from ontology.editing.writing import with_entry
from ontology.proposing.drafts import Draft, Sample
from ontology.proposing.lines import from_lines
from ontology.proposing.names import IsWord, from_names
from ontology.proposing.tables import from_tables
from ontology.skeleton.source import tree_of
from ontology.types import CompiledSkeleton

DRAFTS_MAX = 60


def propose(samples: Sequence[Sample], skeleton: CompiledSkeleton, is_word: IsWord) -> list[Draft]:
    """Classes before attributes, the most frequent first."""
    found: dict[str, Draft] = {}
    taken = {name.casefold() for name in skeleton.classes}
    drafts = [*from_tables(samples, skeleton), *from_names(samples, skeleton, is_word), *from_lines(samples, skeleton)]
    for draft in sorted(drafts, key=lambda draft: (bool(draft.owner), -draft.count)):
        if draft.owner or draft.name.casefold() not in taken:
            found.setdefault(draft.key.casefold(), draft)
    return list(found.values())[:DRAFTS_MAX]


def accepted(text: str, drafts: Iterable[Draft], keys: Collection[str]) -> str:
    """The skeleton's text with the chosen drafts in it; everything else as it is written. Raises SkeletonRefused, InvalidInput."""
    for draft in drafts:
        if draft.key in keys:
            text = with_entry(text, tree_of(text), draft.path, draft.name, dict(draft.declared))
    return text
