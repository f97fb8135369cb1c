"""Put units together until chunks have the wanted length. Given counted units, gives runs of them in order, each with the sentences it repeats from the one before."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

from knowledge.chunking.types import Unit

# A run may be this much longer than the target before it is worth two chunks, and a break inside a paragraph costs this much of the length wanted.
_SLACK = 1.2
_INSIDE_BLOCK = 0.3
# An overlap is whole sentences: it is taken until it has its share, and never twice of it.
_MOST_OVERLAP = 1.7


def bind(units: Sequence[Unit], *, room: int) -> list[Unit]:
    """Join each unit that binds with the next, as long as both fit into one chunk."""
    bound: list[Unit] = []
    for unit in units:
        last = bound[-1] if bound else None
        if last is not None and last.binds and last.tokens + unit.tokens <= room:
            bound[-1] = replace(
                unit, start=last.start, is_sentence=False, page=last.page, tokens=last.tokens + unit.tokens
            )
        else:
            bound.append(unit)
    return bound


def pack(units: Sequence[Unit], *, target: int, room: int, overlap_tokens: int) -> Iterator[Sequence[Unit]]:
    """Runs near `target` tokens of about equal length, broken at the ends of blocks where that costs little; none above `room` unless one unit is."""
    remaining = sum(unit.tokens for unit in units)
    if remaining > target * _SLACK:
        target = max(1, target - overlap_tokens)
    start, previous = 0, 0
    while start < len(units):
        pieces = ceil(remaining / target) if remaining > target * _SLACK else 1
        stop = _stop(units, start, remaining / pieces, room)
        core = sum(unit.tokens for unit in units[start:stop])
        yield units[_overlap_start(units, previous, start, min(overlap_tokens, room - core)) : stop]
        remaining -= core
        previous, start = start, stop


def _stop(units: Sequence[Unit], start: int, wanted: float, room: int) -> int:
    """Where to end a run that begins at `start`: nearest to the wanted length, rather at the end of a block."""
    best, best_cost, tokens = start + 1, float("inf"), 0
    for index in range(start, len(units)):
        tokens += units[index].tokens
        if index > start and (tokens > room or tokens > 2 * wanted):
            break
        cost = abs(tokens - wanted) / max(wanted, 1) + (0 if units[index].ends_block else _INSIDE_BLOCK)
        if cost < best_cost:
            best, best_cost = index + 1, cost
    return best


def _overlap_start(units: Sequence[Unit], previous: int, start: int, budget: int) -> int:
    """The first unit of the sentences before `start` that the next run repeats; never all of the run before."""
    first, tokens = start, 0
    while first - 1 > previous and units[first - 1].is_sentence and tokens < budget:
        tokens += units[first - 1].tokens
        if tokens > budget * _MOST_OVERLAP:
            break
        first -= 1
    return first
