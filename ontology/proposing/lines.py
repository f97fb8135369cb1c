"""Attributes from lines that say "key: value": keys that many documents use and that nothing in the skeleton means yet. They go to the class that documents are of."""

from collections import defaultdict
from collections.abc import Iterable

from knowledge.types import BlockKind
from ontology.proposing.drafts import Draft, Sample, attribute_name, examples_of, labels_for, typed
from ontology.rules.key_values import _LINE as LINE
from ontology.rules.keys import Keys, folded_key
from ontology.types import CompiledSkeleton

LEAST = 2
LONGEST_KEY_WORDS = 4
LONGEST_VALUE = 120


def from_lines(samples: Iterable[Sample], skeleton: CompiledSkeleton) -> list[Draft]:
    """The most frequent first; nothing where no class is the subject's."""
    subject = skeleton.subject_class
    if subject is None:
        return []
    keys = Keys.of(skeleton)
    values: dict[str, list[str]] = defaultdict(list)
    spelled: dict[str, str] = {}
    for sample in samples:
        for words, value in lines_in(sample):
            key = folded_key(words)[0]
            if not any(keys.meaning(each, key) for each in skeleton.classes):
                spelled.setdefault(key, words)
                values[key].append(value)
    drafts = []
    for key, found in values.items():
        name, kind = attribute_name(spelled[key]), typed(found)
        if len(found) < LEAST or subject.attribute(name) is not None:
            continue
        declared: dict[str, object] = {} if kind == "text" else {"type": kind}
        declared["labels"] = labels_for(spelled[key])
        shown = examples_of(found)
        drafts.append(Draft(name, declared, len(found), shown, "line", owner=subject.name, values={name: shown}))
    return sorted(drafts, key=lambda draft: -draft.count)


def lines_in(sample: Sample) -> list[tuple[str, str]]:
    """Keys of few words with values that are no sentences of their own."""
    found = []
    for block in sample.blocks:
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST):
            for match in LINE.finditer(sample.text, block.start, block.end):
                key, value = match["key"].strip(" *_`"), match["value"].strip(" *_`")
                if key and len(key.split()) <= LONGEST_KEY_WORDS and len(value) <= LONGEST_VALUE and "//" not in value:
                    found.append((key, value))
    return found
