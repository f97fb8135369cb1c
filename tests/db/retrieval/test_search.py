"""What the arms find, and what they must not."""

from datetime import timedelta

import pytest
from django.utils import timezone

from knowledge.models import Chunk
from knowledge.policy import Filters
from knowledge.services.chunks import chunk_switch
from tests.factories import Corpus, make_kb

PUMP = "# Pump handbook\n\nThe pump P-100 stops at 80 °C. It starts again by itself when it has cooled down.\n"


def paths(result):
    return [found.source.path for found in result.found]


def test_each_arm_finds_what_holds_the_words_of_the_question(corpus, search):
    corpus.read("pump.md", PUMP)
    corpus.read("travel.md", "# Travel\n\nTrains are booked by the office in Rotterdam.\n")

    for arm in ("vector", "keyword"):
        result = search("When does the pump P-100 stop?", arms=[arm])

        assert paths(result)[0] == "pump.md"
        assert result.found[0].hit.arms[arm].rank == 1
        assert result.degraded == []


def test_another_department_finds_nothing_of_it(corpus, search, stranger):
    corpus.read("pump.md", PUMP)

    for arms in (["vector"], ["keyword"], ["vector", "keyword"]):
        assert search("When does the pump P-100 stop?", subject=stranger, arms=arms).found == [], arms


def test_only_what_may_be_seen_is_found_beside_what_may_not(corpus, search, tmp_path):
    corpus.read("pump.md", PUMP)
    secret = Corpus(make_kb("secret"), tmp_path / "secret")
    secret.read("secret.md", PUMP + "\nThe pump P-100 is sold to nobody.\n")

    for arm in ("vector", "keyword"):
        assert set(paths(search("pump P-100", arms=[arm]))) == {"pump.md"}, arm


@pytest.mark.parametrize(
    "said",
    [
        {"expires_on": timezone.localdate() - timedelta(days=1)},
        {"effective_on": timezone.localdate() + timedelta(days=2)},
    ],
    ids=["expired", "not yet in force"],
)
def test_a_document_out_of_its_dates_is_not_found(corpus, search, said):
    document = corpus.read("pump.md", PUMP)
    type(document).objects.filter(pk=document.pk).update(**said)

    for arm in ("vector", "keyword"):
        assert search("pump P-100", arms=[arm]).found == [], arm


def test_a_chunk_that_is_switched_off_is_not_found(corpus, search, editor):
    document = corpus.read("pump.md", PUMP)
    for chunk in Chunk.objects.filter(document=document):
        chunk_switch(subject=editor, chunk=chunk, is_disabled=True, tools=corpus.tools)

    for arm in ("vector", "keyword"):
        assert search("pump P-100", arms=[arm]).found == [], arm


FILTERS: tuple[tuple[Filters, set[str]], ...] = (
    (Filters(folder="a"), {"a/pump.md", "a/b/pump.md"}),
    (Filters(folder="a/b"), {"a/b/pump.md"}),
    (Filters(folder="a%"), set()),
    (Filters(tags=("new",)), {"c/pump.md"}),
    (Filters(language="zh"), set()),
)


def test_filters_narrow_every_arm(corpus, search):
    for path in ("a/pump.md", "a/b/pump.md", "c/pump.md"):
        document = corpus.read(path, f"{PUMP}\nKept in {path}.\n")
        if path.startswith("c/"):
            type(document).objects.filter(pk=document.pk).update(tags=["new"])

    for filters, expected in FILTERS:
        for arm in ("vector", "keyword"):
            assert set(paths(search("pump P-100", filters=filters, arms=[arm]))) == expected, (filters, arm)


def test_a_new_version_replaces_the_old_one_in_what_is_found(corpus, search):
    corpus.read("pump.md", PUMP)
    corpus.read("pump.md", PUMP.replace("80 °C", "95 °C"))

    texts = [found.source.text for found in search("When does the pump P-100 stop?").found]

    assert any("95 °C" in text for text in texts)
    assert not any("80 °C" in text for text in texts)


def test_words_are_found_across_scripts_widths_and_codes(corpus, search):
    corpus.read("泵.md", "# 离心泵手册\n\n离心泵 P-100 的过热保护温度为 80 ℃。备件存放在深圳仓库。\n")
    corpus.read("假期.md", "# 假期\n\n员工每年有二十天年假。\n")

    for question in ("離心泵的過熱保護溫度", "离心泵 P-100 过热", "P100 overheating 离心泵", "ｐ－１００", "深圳仓库"):
        result = search(question, arms=["keyword"])

        assert paths(result)[0] == "泵.md", question
        assert "离心泵" in result.found[0].source.text


def test_traditional_text_is_found_by_simplified_words_and_shown_as_written(corpus, search):
    corpus.read("hk.md", "# 香港辦事處\n\n維修服務熱線於星期一至星期五開放。\n")

    result = search("维修服务热线", arms=["keyword"])

    assert "維修服務熱線" in result.found[0].source.text


def test_odd_questions_are_harmless(corpus, search):
    corpus.read("pump.md", PUMP)

    for question in ("", "?!", "的了吗", "'; DROP TABLE knowledge_chunk; --", "a' | !b & (c", "x" * 3000):
        search(question)

        assert Chunk.objects.exists()


def test_today_is_the_servers_day(corpus, search):
    document = corpus.read("pump.md", PUMP)
    type(document).objects.filter(pk=document.pk).update(
        expires_on=timezone.localdate(), effective_on=timezone.localdate()
    )

    assert paths(search("pump P-100")) == ["pump.md"]
