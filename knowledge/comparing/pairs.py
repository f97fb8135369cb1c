"""Which passage became which, at one place of a document. Given the texts that stood there and those that stand there, gives pairs in reading order.

As many pairs as there can be; where one side has more, those are left alone that are least like anything.
"""

from collections.abc import Sequence

from knowledge.comparing.words import likeness

Pair = tuple[int | None, int | None]


def pairs(before: Sequence[str], after: Sequence[str]) -> list[Pair]:
    """Indices of both sides, None where there is no counterpart. Compares each with each when the sides are not equally many."""
    if len(before) > len(after):
        return [(old, new) for new, old in pairs(after, before)]
    kept = best_row(before, after)
    partner = {new: old for old, new in enumerate(kept)}
    return [(partner.get(new), new) for new in range(len(after))]


def best_row(fewer: Sequence[str], more: Sequence[str]) -> list[int]:
    """For each of the fewer one of the more, in order, so that the sum of their likeness is greatest."""
    spare = len(more) - len(fewer)
    if spare == 0:
        return list(range(len(more)))
    # best[n][s]: the first n are placed and s of the others were left alone before them.
    best = [[0.0] * (spare + 1)]
    choice: list[list[int]] = []
    for index, text in enumerate(fewer):
        like = [likeness(text, more[index + skipped]) for skipped in range(spare + 1)]
        row, chosen = [], []
        top, at = -1.0, 0
        for skipped in range(spare + 1):
            value = best[-1][skipped]
            if value > top:
                top, at = value, skipped
            row.append(top + like[skipped])
            chosen.append(at)
        best.append(row)
        choice.append(chosen)
    skipped = max(range(spare + 1), key=lambda each: best[-1][each])
    kept: list[int] = []
    for index in range(len(fewer) - 1, -1, -1):
        kept.append(index + skipped)
        skipped = choice[index][skipped]
    return kept[::-1]
