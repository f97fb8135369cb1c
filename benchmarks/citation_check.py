"""The check of citations: how often a sentence is taken that its source says, and how often one that it does not say. `python -m benchmarks.citation_check [--sample N]`.

Sentences come from the public sets. Said: as it stands; with every sixth word left out. Not said: with one figure changed; the most similar sentence of another document.
"""

import argparse
import os
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import Figure, public_set, read_lines, wilson, write

SETS = ("zh_cmrc2018", "en_hotpotqa")
SAMPLE = 300
LEAST_CHARACTERS = 20


def shortened(sentence: str) -> str:
    """Without every sixth word, or every sixth character where words aren't set apart."""
    spaced = " " in sentence.strip()
    parts = sentence.split(" ") if spaced else list(sentence)
    return (" " if spaced else "").join(
        part for number, part in enumerate(parts, start=1) if number % 6 or re.search(r"\d", part)
    )


def falsified(sentence: str) -> str | None:
    """With its first figure changed; None without one."""
    changed, count = re.subn(r"\d+", lambda found: str(int(found[0]) + 7), sentence, count=1)
    return changed if count else None


def most_similar(sentence: str, others: Sequence[tuple[frozenset[str], str]], terms: Callable[[str], Any]) -> str:
    """Of the sentences of other documents, the one that shares most words."""
    wanted = frozenset(terms(sentence))
    return max(others, key=lambda other: len(wanted & other[0]) / (1 + len(wanted | other[0])))[1]


def measured(name: str, folder: Path, sample: int) -> None:
    from common.sentences import sentences
    from knowledge.words.split import WordSplitter
    from retrieval.answerers.support import supporting_span
    from retrieval.types import Passage

    words, chance = WordSplitter(), random.Random(7)
    texts = [row["text"] for row in read_lines(folder / "corpus.jsonl")]
    picked = [
        (number, text[start:end].strip())
        for number, text in enumerate(texts)
        for start, end in sentences(text)
        if end - start >= LEAST_CHARACTERS
    ]
    chosen = chance.sample(picked, min(sample, len(picked)))
    pool = [
        (number, frozenset(words.terms(sentence)), sentence)
        for number, sentence in chance.sample(picked, min(3000, len(picked)))
    ]

    def taken(sentence: str | None, text: str) -> bool | None:
        return None if sentence is None else supporting_span(sentence, Passage(text, 0, (), ()), words) is not None

    results: dict[str, list[bool | None]] = {
        "said as it stands": [taken(sentence, texts[number]) for number, sentence in chosen],
        "said with a sixth of its words left out": [
            taken(shortened(sentence), texts[number]) for number, sentence in chosen
        ],
        "not said: another figure": [taken(falsified(sentence), texts[number]) for number, sentence in chosen],
        "not said: the most similar sentence of another document": [
            taken(
                most_similar(
                    sentence, [(terms, other) for owner, terms, other in pool if owner != number], words.terms
                ),
                texts[number],
            )
            for number, sentence in chosen
        ],
    }
    for what, outcomes in results.items():
        hits = [outcome for outcome in outcomes if outcome is not None]
        low, high = wilson(sum(hits), len(hits))
        note = f"{sum(hits)} of {len(hits)}, 95 % {100 * low:.1f}–{100 * high:.1f}"
        write(Figure(f"{name} taken: {what}", round(100 * sum(hits) / max(1, len(hits)), 1), "%", note=note))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=SAMPLE, help="sentences of each set")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    for name in SETS:
        if folder := public_set(name):
            measured(name, folder, options.sample)


if __name__ == "__main__":
    main()
