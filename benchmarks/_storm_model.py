"""What a storm on the ledger has been told is done, as plainly as it can be kept, and what must then be known: with one regular expression and a dictionary of merges."""

import random
import re
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import sha256
from uuid import UUID

NAMES = [f"{first} {second}" for first in ("Mail", "Post", "Auth", "Bill") for second in ("Gateway", "Server")]
SAID = re.compile(rf"The ({'|'.join(NAMES)}) calls ({'|'.join(NAMES)})\.")
PATHS = [f"notes/{number}.md" for number in range(8)]
SKELETON = """
title: Storm
classes:
  System:
    labels: {en: System, zh: 系统}
    rules: {patterns: ['[A-Z][a-z]+ (?:Server|Gateway)']}
  Paper:
    labels: {en: Paper, zh: 文件}
    subject: true
relations:
  calls:
    from: [System]
    to: [System]
    labels: {en: calls, zh: 调用}
    phrases: ['{source} calls {target}']
"""
OTHER_SKELETON = SKELETON.replace("  calls:", "  uses:").replace("{source} calls", "{source} uses")


@dataclass
class Model:
    """Texts that are in use and in the bin by path, who was merged into whom by name, and whether the skeleton has the relation."""

    live: dict[str, str] = field(default_factory=dict)
    binned: dict[str, str] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)
    has_calls: bool = True

    def copy(self) -> "Model":
        return deepcopy(self)

    def root(self, name: str) -> str:
        while name in self.merged:
            name = self.merged[name]
        return name

    def relations(self) -> "Counter[tuple[str, str]]":
        """Who calls whom, with the number of places."""
        found: Counter[tuple[str, str]] = Counter()
        for text in self.live.values() if self.has_calls else ():
            found.update((match[1], match[2]) for match in SAID.finditer(text))
        return found

    def edges(self) -> "Counter[tuple[str, str]]":
        """As the graph shows them, between those whom others were merged into."""
        ends = ((self.root(source), self.root(target)) for source, target in self.relations())
        return Counter((source, target) for source, target in ends if source != target)

    def sentences(self) -> "Counter[UUID]":
        """The hashes of what facts say, each once."""
        return Counter(
            UUID(bytes=sha256(f"{source} calls {target}".encode()).digest()[:16]) for source, target in self.edges()
        )


def text_of(chance: random.Random, number: int) -> str:
    """A note of up to six passages; no two notes are alike."""
    parts = []
    for part in range(chance.randrange(1, 7)):
        one, other = chance.sample(NAMES, 2)
        filler = f"Nothing else is said here, at some length, in part {part} of note {number}. " * 12
        parts.append(f"## Part {part}\n\nThe {one} calls {other}. {filler}")
    return f"# Note {number}\n\nThis is a note.\n\n" + "\n\n".join(parts)
