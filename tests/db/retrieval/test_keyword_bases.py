"""The keyword index of one knowledge base and that of another."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from django.db import connection

from knowledge.models import ChunkKeywords, KeywordTerm, KnowledgeBase
from knowledge.policy import CorpusView
from knowledge.words.bm25 import kb_prefix
from retrieval.arms.keyword import SETTINGS, STATEMENT
from retrieval.search import SearchResult
from tests.factories import Corpus, make_kb, make_member, subject_for

Search = Callable[..., SearchResult]


def test_what_another_base_holds_moves_no_score(corpus: Corpus, search: Search, tmp_path: Path) -> None:
    corpus.read("pump.md", "The pump P-100 stops at eighty degrees.")
    corpus.read("valve.md", "The valve closes slowly.")
    before = search("Which pump stops?", arms=("keyword",))
    other = Corpus(make_kb("valves"), tmp_path / "other")
    for number in range(5):
        other.read(f"{number}.md", f"Another pump stops, number {number}.")
    after = search("Which pump stops?", arms=("keyword",))
    assert [(each.hit.chunk_id, each.hit.arms["keyword"].score) for each in after.found] == [
        (each.hit.chunk_id, each.hit.arms["keyword"].score) for each in before.found
    ]


def test_the_same_content_in_two_bases_is_found_in_both(corpus: Corpus, search: Search, tmp_path: Path) -> None:
    other = Corpus(make_kb("valves"), tmp_path / "other")
    here, there = (each.read("pump.md", "The pump P-100 stops.") for each in (corpus, other))
    assert ChunkKeywords.objects.values("content_hash").distinct().count() == 1
    assert ChunkKeywords.objects.count() == 2
    assert [each.source.document_id for each in search("P-100", arms=("keyword",)).found] == [here.pk]
    both = subject_for(make_member("vito", other.kb))
    assert [each.source.document_id for each in search("P-100", subject=both, arms=("keyword",)).found] == [there.pk]


def test_frequencies_are_counted_for_each_base(corpus: Corpus, tmp_path: Path) -> None:
    corpus.read("a.md", "The pump stops.")
    corpus.read("b.md", "The pump starts.")
    other = Corpus(make_kb("valves"), tmp_path / "other")
    other.read("a.md", "The pump stops.")
    counted = KeywordTerm.objects.filter(term="pump").values_list("kb__slug", "documents")
    assert dict(counted) == {"pumps": 2, "valves": 1}


def filled(kb: KnowledgeBase, rows: int) -> None:
    """Rows of the keyword index, as many words in each as in a chunk of a page."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO knowledge_chunkkeywords (kb_id, content_hash, words, length) SELECT %s, gen_random_uuid(), "
            "array_to_tsvector(array(SELECT DISTINCT %s || ((r * 7 + w * w * 13) %% 900) FROM generate_series(1, 150) w)), 150 "
            "FROM generate_series(1, %s) r",
            [kb.pk, kb_prefix(kb.pk), rows],
        )


@pytest.mark.django_db
def test_a_base_that_the_planner_knows_nothing_of_is_looked_up_by_words(kb: KnowledgeBase) -> None:
    """It takes a base without statistics to have one row, and would look through all of them once a lexeme."""
    fresh = make_kb("fresh")
    filled(kb, 3000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE knowledge_chunkkeywords")
        filled(fresh, 1500)
        view = CorpusView((fresh.pk,), date(2026, 1, 1))
        lexemes = [f"{kb_prefix(fresh.pk)}{number}" for number in range(8)]
        ones = [1.0] * len(lexemes)
        parameters = {"lexemes": lexemes, "weights": ones, "levels": ones, "belows": ones}
        for name, value in SETTINGS.items():
            cursor.execute(f"SET LOCAL {name} = {value}")
        cursor.execute("EXPLAIN " + STATEMENT, view.parameters(**parameters, fixed=0.3, by_length=0.01, limit=100))
        plan = "\n".join(row[0] for row in cursor.fetchall())

    assert "keywords_by_word" in plan
    assert "one_keyword_row_a_content_and_base" not in plan
