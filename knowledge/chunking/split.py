"""The chunker: `split` takes a canonical text and its blocks and gives chunks in reading order, as a stream.

Every chunk is a stretch of the text, is never empty, and together with its context is never longer than the embedder reads. All that is not white space in a block is in
some chunk. Tokens are counted in batches: once for the units, once for the finished chunks.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from knowledge.chunking.context import context_line, fit_context
from knowledge.chunking.cut import cut_to_fit
from knowledge.chunking.grouping import groups
from knowledge.chunking.identity import full_text
from knowledge.chunking.pack import bind, pack
from knowledge.chunking.records import joined_by_record
from knowledge.chunking.types import ChunkSize, CountTokens, Group, Unit
from knowledge.types import Block, BlockKind, ChunkDraft

_BATCH = 256
_SLICE_CHARACTERS = 2_000
_CALL_CHARACTERS = 60_000
# Counts of parts don't quite add up to the count of the whole.
_RESERVE_TOKENS = 8
# More characters than the tokens of a chunk can have.
_CHARACTERS_A_TOKEN = 20


def split(
    text: str,
    blocks: Iterable[Block],
    *,
    title: str,
    count_tokens: CountTokens,
    size: ChunkSize | None = None,
    page_starts: Sequence[int] = (),
    records: Collection[int] = frozenset(),
) -> Iterator[ChunkDraft]:
    """Chunks of a text, numbered from 0; `section` counts headings as `sections` does, and `records` are those that begin a record.

    `title` becomes context, `page_starts` gives pages.
    """
    size = size or ChunkSize()
    chunker = _Chunker(text, count_tokens, size)
    all_groups = groups(text, blocks, title=title, records=records)
    whole = joined_by_record(all_groups, most_characters=size.max_tokens * _CHARACTERS_A_TOKEN)
    drafts = chunker.fitting(chunker.pieces(whole))
    for ordinal, draft in enumerate(drafts):
        page = bisect_right(page_starts, draft.start) or None if page_starts else draft.page
        yield replace(draft, ordinal=ordinal, page=page)


@dataclass(frozen=True, slots=True)
class _Chunker:
    text: str
    count_tokens: CountTokens
    size: ChunkSize

    def pieces(self, all_groups: Iterator[Group]) -> Iterator[ChunkDraft]:
        """Chunks as planned from the counts of their units; their own tokens are not counted yet."""
        empty_tokens = self.count_tokens([""])[0]
        for batch in _batches(all_groups):
            contexts = self._contexts(batch, empty_tokens)
            units = [unit for group in batch for unit in group.units]
            counts = iter(self._count_stretches(units, empty_tokens))
            for group in batch:
                counted = replace(group, units=tuple(replace(unit, tokens=next(counts)) for unit in group.units))
                yield from self._planned(counted, contexts, empty_tokens)

    def fitting(self, planned: Iterator[ChunkDraft]) -> Iterator[ChunkDraft]:
        """The planned chunks with their true counts; one that turned out too long is cut."""
        while batch := list(islice(planned, _BATCH)):
            counts = self.count_tokens(
                [full_text(draft.context, self.text[draft.start : draft.end]) for draft in batch]
            )
            for draft, tokens in zip(batch, counts, strict=True):
                if tokens <= self.size.max_tokens:
                    yield replace(draft, tokens=tokens)
                else:
                    yield from self._cut(draft)

    def _count_stretches(self, units: Sequence[Unit], empty_tokens: int) -> list[int]:
        """Tokens of each unit; a long one is the sum of its slices, because no counter takes a book without a space at once."""
        counts = [0] * len(units)
        for batch in _slices(units):
            texts = [self.text[start:end] for _index, start, end in batch]
            for (index, _start, _end), tokens in zip(batch, self.count_tokens(texts), strict=True):
                counts[index] += max(1, tokens - empty_tokens)
        return counts

    def _contexts(self, batch: Sequence[Group], empty_tokens: int) -> dict[str, tuple[str, int]]:
        """Each line of context and each header of these groups, as long as it may be, with its tokens.

        At most a quarter of a chunk each, so that a path and a header together leave half of it to the text.
        """
        lines = sorted(
            {
                line
                for whole in batch
                for group in (whole, *whole.parts)
                for line in (context_line(group.path), context_line(group.lead_path), group.header)
            }
        )
        limit = self.size.max_tokens // 4
        fitted = [
            line if tokens <= limit else fit_context(line, limit=limit, count_tokens=self.count_tokens)
            for line, tokens in zip(lines, self.count_tokens(lines), strict=True)
        ]
        counts = self.count_tokens(fitted)
        return {line: (short, tokens - empty_tokens) for line, short, tokens in zip(lines, fitted, counts, strict=True)}

    def _planned(self, group: Group, contexts: dict[str, tuple[str, int]], empty_tokens: int) -> Iterator[ChunkDraft]:
        lead, lead_tokens = contexts[context_line(group.lead_path)]
        context, context_tokens = contexts[context_line(group.path)]
        all_but_text = self.size.max_tokens - empty_tokens - _RESERVE_TOKENS
        if group.kept_whole and sum(unit.tokens for unit in group.units) <= all_but_text - lead_tokens:
            yield from self._draft(group.units, lead, section=group.record if group.parts else 0)
            return
        if group.parts:
            yield from self._apart(group, contexts, empty_tokens)
            return
        if group.header:
            header, header_tokens = contexts[group.header]
            context, context_tokens = full_text(context, header), context_tokens + header_tokens
        room = all_but_text - max(lead_tokens, context_tokens)
        units = bind(
            [short for unit in group.units for short in self._short_enough(unit, room, empty_tokens)], room=room
        )
        target = min(room, max(self.size.target_tokens - context_tokens - empty_tokens, self.size.target_tokens // 2))
        overlap_tokens = int(self.size.target_tokens * self.size.overlap) if group.overlaps else 0
        for index, run in enumerate(pack(units, target=target, room=room, overlap_tokens=overlap_tokens)):
            yield from self._draft(run, context if index else lead)

    def _apart(self, record: Group, contexts: dict[str, tuple[str, int]], empty_tokens: int) -> Iterator[ChunkDraft]:
        """A record that does not fit into one chunk, by its parts."""
        counted = iter(record.units)
        for part in record.parts:
            units = tuple(islice(counted, len(part.units)))
            yield from self._planned(replace(part, units=units), contexts, empty_tokens)

    def _short_enough(self, unit: Unit, room: int, empty_tokens: int) -> Iterator[Unit]:
        if unit.tokens <= room:
            yield unit
            return
        spans = list(cut_to_fit(self.text, unit.start, unit.end, limit=room, count_tokens=self.count_tokens))
        pieces = [
            replace(unit, start=start, end=end, is_sentence=False, ends_block=False, binds=False)
            for start, end in spans
        ]
        for index, (piece, tokens) in enumerate(zip(pieces, self._count_stretches(pieces, empty_tokens), strict=True)):
            is_last = index == len(pieces) - 1
            yield replace(piece, tokens=tokens, ends_block=is_last and unit.ends_block, binds=is_last and unit.binds)

    def _draft(self, units: Sequence[Unit], context: str, *, section: int = 0) -> Iterator[ChunkDraft]:
        """The chunk of these units without the white space around it, in this section or the last unit's; nothing where only white space is left."""
        stretch = _stripped(self.text, units[0].start, units[-1].end)
        if stretch is not None:
            yield ChunkDraft(
                0, section or units[-1].section, _kind(units), *stretch, context=context, tokens=0, page=units[0].page
            )

    def _cut(self, draft: ChunkDraft) -> Iterator[ChunkDraft]:
        def count(texts: Sequence[str]) -> list[int]:
            return self.count_tokens([full_text(draft.context, part) for part in texts])

        for start, end in cut_to_fit(self.text, draft.start, draft.end, limit=self.size.max_tokens, count_tokens=count):
            stretch = _stripped(self.text, start, end)
            if stretch is not None:
                yield replace(draft, start=stretch[0], end=stretch[1], tokens=count([self.text[slice(*stretch)]])[0])


def _slices(units: Sequence[Unit]) -> Iterator[list[tuple[int, int, int]]]:
    """(index of the unit, start, end) of every slice, as many together as one call of the counter should hold."""
    batch: list[tuple[int, int, int]] = []
    characters = 0
    for index, unit in enumerate(units):
        for start in range(unit.start, unit.end, _SLICE_CHARACTERS):
            end = min(start + _SLICE_CHARACTERS, unit.end)
            batch.append((index, start, end))
            characters += end - start
            if characters >= _CALL_CHARACTERS or len(batch) == 4 * _BATCH:
                yield batch
                batch, characters = [], 0
    if batch:
        yield batch


def _batches(all_groups: Iterator[Group]) -> Iterator[list[Group]]:
    """Groups with enough units for one call of the counter."""
    batch: list[Group] = []
    waiting = 0
    for group in all_groups:
        batch.append(group)
        waiting += len(group.units)
        if waiting >= _BATCH:
            yield batch
            batch, waiting = [], 0
    yield batch


def _kind(units: Sequence[Unit]) -> BlockKind:
    kinds = {unit.kind for unit in units} - {BlockKind.HEADING}
    return kinds.pop() if len(kinds) == 1 else BlockKind.PARAGRAPH if kinds else BlockKind.HEADING


def _stripped(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
