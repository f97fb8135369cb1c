"""Recognises pairs of question and answer. Given a text with its blocks, gives blocks in which each clear pair is one FAQ block with two parts.

Clear means: labelled lines (`Q:` and `A:`, 问：and 答：), or two and more neighbouring headings that are all questions and are followed by short text.
Table columns and JSON keys of that meaning are recognised by name.
"""

import re
from collections.abc import Sequence

from common.text import language_of
from knowledge.types import Block, BlockKind

_MARKUP = r"[*_#>\s]{0,6}"
_QUESTION = re.compile(
    rf"^{_MARKUP}(?:(?:Q|Question|FAQ|问|問|问题|問題|提问|提問)\s*\d{{0,3}}\s*[*_]{{0,3}}[:：]|Q\d{{1,3}}\s*[.、)])[*_\s]{{0,4}}",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    rf"^{_MARKUP}(?:(?:A|Answer|答|回答|答案|解答)\s*\d{{0,3}}\s*[*_]{{0,3}}[:：]|A\d{{1,3}}\s*[.、)])[*_\s]{{0,4}}",
    re.IGNORECASE,
)
_LINE = re.compile(r"[^\n]+")
_HEADING_MARK = re.compile(r"#{1,6}\s+")
_ANSWER_KINDS = frozenset([BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.CODE])
HEADING_ANSWER_CHARS = 1_500

_QUESTION_NAMES = frozenset(
    ["question", "questions", "q", "faq", "问题", "問題", "问", "問", "提问", "常见问题", "常見問題"]
)
_ANSWER_NAMES = frozenset(
    ["answer", "answers", "a", "reply", "答案", "答", "回答", "解答", "答复", "答覆", "回复", "回覆"]
)

Span = tuple[int, int]


def labels_for(question: str) -> tuple[str, str]:
    """The labels before a question and its answer, in the question's language."""
    return ("问：", "答：") if language_of(question) == "zh" else ("Q: ", "A: ")


def columns(names: Sequence[str]) -> tuple[int, int] | None:
    """Which of these column names or keys hold a question and its answer; None when that is not clear."""
    folded = [name.strip().casefold().rstrip(":：") for name in names]
    questions = [index for index, name in enumerate(folded) if name in _QUESTION_NAMES]
    answers = [index for index, name in enumerate(folded) if name in _ANSWER_NAMES]
    return (questions[0], answers[0]) if len(questions) == 1 and len(answers) == 1 else None


def pair(text: str, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks with every clear pair made one block."""
    return tuple(_pair_headings(text, _pair_labelled(text, _split_lines(text, blocks))))


def _split_lines(text: str, blocks: Sequence[Block]) -> list[Block]:
    """Paragraphs in which labelled lines follow each other, cut where a label begins."""
    cut: list[Block] = []
    for block in blocks:
        if block.kind is not BlockKind.PARAGRAPH or not _holds_label(text, block):
            cut.append(block)
            continue
        starts = [block.start]
        for line in _LINE.finditer(text, block.start, block.end):
            if line.start() > block.start and (_QUESTION.match(line[0]) or _ANSWER.match(line[0])):
                starts.append(line.start())
        ends = [*(start - 1 for start in starts[1:]), block.end]
        cut += [
            Block(BlockKind.PARAGRAPH, start, end, page=block.page)
            for start, end in zip(starts, ends, strict=True)
            if start < end
        ]
    return cut


def _holds_label(text: str, block: Block) -> bool:
    lines = [line[0] for line in _LINE.finditer(text, block.start, block.end)]
    return any(_QUESTION.match(line) for line in lines) and any(_ANSWER.match(line) for line in lines)


def _pair_labelled(text: str, blocks: list[Block]) -> list[Block]:
    """`Q:` followed by `A:`; what stands between an answer and the next question belongs to the answer."""
    paired: list[Block] = []
    index = 0
    while index < len(blocks):
        question = blocks[index]
        answer_at = index + 1
        if not _asks(text, question) or not _answers(text, blocks, answer_at):
            paired.append(question)
            index += 1
            continue
        last = _end_of_answer(text, blocks, answer_at)
        paired.append(_as_faq(text, question, blocks[answer_at], blocks[last]))
        index = last + 1
    return paired


def _asks(text: str, block: Block) -> bool:
    is_words = block.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING)
    return is_words and bool(_QUESTION.match(_content(text, block)))


def _answers(text: str, blocks: Sequence[Block], index: int) -> bool:
    if index >= len(blocks) or blocks[index].kind is not BlockKind.PARAGRAPH:
        return False
    return bool(_ANSWER.match(_content(text, blocks[index])))


def _end_of_answer(text: str, blocks: Sequence[Block], answer_at: int) -> int:
    """The last block of an answer: up to the next question when one follows directly after prose, else the answer and a list under it."""
    index = answer_at + 1
    while index < len(blocks) and blocks[index].kind in _ANSWER_KINDS and not _asks(text, blocks[index]):
        index += 1
    if index < len(blocks) and _asks(text, blocks[index]) and blocks[index].kind is BlockKind.PARAGRAPH:
        return index - 1
    has_list = answer_at + 1 < len(blocks) and blocks[answer_at + 1].kind is BlockKind.LIST
    return answer_at + 1 if has_list else answer_at


def _as_faq(text: str, question: Block, answer: Block, last: Block) -> Block:
    asked = _without(_QUESTION, text, question)
    answered = _without(_ANSWER, text, answer)
    parts = (asked, (min(answered[0], last.end), last.end))
    return Block(BlockKind.FAQ, question.start, last.end, parts=parts, page=question.page)


def _without(label: re.Pattern[str], text: str, block: Block) -> Span:
    start = block.start
    if block.kind is BlockKind.HEADING and (mark := _HEADING_MARK.match(text, start, block.end)):
        start = mark.end()
    if found := label.match(text[start : block.end]):
        start += found.end()
    return min(start, block.end), block.end


def _pair_headings(text: str, blocks: list[Block]) -> list[Block]:
    """Runs of two and more neighbouring headings of one level that are all questions, each with a short answer of plain text."""
    pairs: dict[int, tuple[int, Block]] = {}
    run: list[tuple[int, int, Block]] = []
    index = 0
    while index < len(blocks):
        found = _heading_pair(text, blocks, index)
        if found is None or (run and (run[-1][1] != index or blocks[run[-1][0]].level != blocks[index].level)):
            _keep_run(run, pairs)
            run = []
        if found is None:
            index += 1
        else:
            run.append((index, *found))
            index = found[0]
    _keep_run(run, pairs)
    paired: list[Block] = []
    index = 0
    while index < len(blocks):
        after, block = pairs.get(index, (index + 1, blocks[index]))
        paired.append(block)
        index = after
    return paired


def _keep_run(run: Sequence[tuple[int, int, Block]], pairs: dict[int, tuple[int, Block]]) -> None:
    if len(run) >= 2:
        pairs.update({index: (after, block) for index, after, block in run})


def _heading_pair(text: str, blocks: Sequence[Block], index: int) -> tuple[int, Block] | None:
    """The FAQ block that a heading begins, and the index after it; None when it is no question with a plain short answer."""
    heading = blocks[index]
    if heading.kind is not BlockKind.HEADING or not _content(text, heading).rstrip("*_# ").endswith(("?", "？")):
        return None
    after = index + 1
    while after < len(blocks) and blocks[after].kind in _ANSWER_KINDS:
        after += 1
    answer = blocks[index + 1 : after]
    ends_well = after == len(blocks) or 0 < blocks[after].level <= heading.level
    if not answer or not ends_well or answer[-1].end - answer[0].start > HEADING_ANSWER_CHARS:
        return None
    asked = _without(_QUESTION, text, heading)
    parts = (asked, (answer[0].start, answer[-1].end))
    return after, Block(BlockKind.FAQ, heading.start, answer[-1].end, parts=parts, page=heading.page)


def _content(text: str, block: Block) -> str:
    content = text[block.start : block.end]
    return _HEADING_MARK.sub("", content, count=1) if block.kind is BlockKind.HEADING else content
