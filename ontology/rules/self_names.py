"""What a document calls itself ("this policy", "本制度"): mentions of its subject, so that sentences about it count."""

import re
from collections.abc import Iterator, Mapping
from re import Pattern

from ontology.rules.mentions import Mention
from ontology.types import CompiledSkeleton, Extractor, Named


def self_names(skeleton: CompiledSkeleton) -> Mapping[str, Pattern[str]]:
    """By class, where it has any; Latin ones are found whole."""
    return {
        name: re.compile("|".join(map(whole, sorted(each.self_names, key=len, reverse=True))), re.IGNORECASE)
        for name, each in skeleton.classes.items()
        if each.self_names
    }


def self_names_in(text: str, own: Pattern[str], subject: Named) -> Iterator[Mention]:
    """A mention of the subject at each place."""
    for match in own.finditer(text):
        yield Mention(match.start(), match.end(), (subject,), Extractor.SUBJECT)


def whole(name: str) -> str:
    before, after = (r"\b" if edge.isascii() else "" for edge in (name[0], name[-1]))
    return f"{before}{re.escape(name)}{after}"
