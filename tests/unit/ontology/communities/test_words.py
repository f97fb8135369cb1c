"""What a model is shown of a community, what is taken of its answer, and what holds readers' parts together."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from ontology.communities.central import SENTENCE_CHARACTERS, Central, Told, distinct, sentence_of
from ontology.communities.weights import Link
from ontology.communities.words import SUMMARY_CHARACTERS, TITLE_CHARACTERS, material, title_and_summary
from ontology.selectors.communities import bound
from ontology.selectors.entities import Shown
from ontology.selectors.quotes import Quote

A, B, C, D = (UUID(int=number) for number in (1, 2, 3, 4))


def quote(words="Auth Server", before="It calls ", after=" at night. Then it sleeps."):
    return Quote(
        uuid4(), uuid4(), "a.md", "A", "en", 1, 0, 1, before, words, after, "phrase", 1.0, None, datetime.now(UTC)
    )  # fmt: skip


def central(*sentences, names=()):
    told = tuple(Told(quote(), sentence) for sentence in sentences)
    entities = tuple(Shown(uuid4(), name, "System", 1, False) for name in names)
    return Central(entities, told, {each.id: quote() for each in entities})


@pytest.mark.parametrize(
    ("answer", "title", "summary"),
    [
        ("Gateways\n\nThey call servers.\nAt night.", "Gateways", "They call servers. At night."),
        ("# Title: **Gateways**\n\nSummary: They call.", "Gateways", "They call."),
        ("标题：《网关》\n摘要：调用服务。", "网关", "调用服务。"),
        ("<think>Hm.\nWell.</think>\nGateways\nThey call.", "Gateways", "They call."),
        ("<think>never over", "", ""),
        ("only a title", "", ""),
        ("   \n\n ", "", ""),
    ],
)
def test_the_first_line_is_the_title_and_the_rest_the_summary(answer, title, summary):
    assert title_and_summary(answer) == (title, summary)


def test_a_long_answer_is_cut():
    title, summary = title_and_summary("t" * 500 + "\n" + "s" * 5000)

    assert (len(title), len(summary)) == (TITLE_CHARACTERS, SUMMARY_CHARACTERS)


def test_a_model_is_shown_names_and_sentences_and_all_of_them_have_sources():
    found = central("The gateway calls.", "The server answers.", names=["Gateway", "Server"])

    shown = material(found)

    assert "The server answers." in shown.prompt
    assert "Gateway; Server" in shown.prompt
    assert len(shown.sources) == 4


def test_a_name_that_stands_nowhere_is_not_shown():
    found = central("The gateway calls.", names=["Gateway"])

    assert (
        "Secret"
        not in material(
            Central((*found.entities, Shown(uuid4(), "Secret", "System", 0, True)), found.told, found.places)
        ).prompt
    )


def test_without_a_sentence_there_is_nothing_to_ask():
    assert material(central(names=["Gateway"])) is None


def test_chinese_is_asked_about_in_chinese():
    assert "摘要" in material(central("网关调用认证系统。", names=["网关"])).prompt


def test_the_same_words_are_the_same_question():
    assert material(central("One.")).fingerprint == material(central("One.")).fingerprint
    assert material(central("One.")).fingerprint != material(central("Two.")).fingerprint


def test_a_quotation_is_told_as_its_sentence():
    assert sentence_of(quote()) == "It calls Auth Server at night."


def test_a_sentence_is_bounded():
    assert len(sentence_of(quote(before="x" * 1000))) == SENTENCE_CHARACTERS


def test_each_sentence_is_told_once():
    assert len(distinct([quote(), quote(), quote(after=" by day.")])) == 2


def test_what_a_reader_cannot_see_bound_is_not_shown_together():
    links = [Link(A, B, 1.0)]

    assert bound([C, B, A], links) == [B, A]
    assert bound([A, B, C, D], [*links, Link(C, D, 1.0), Link(B, C, 0.1)]) == [A, B, C, D]
    assert bound([], links) == []
