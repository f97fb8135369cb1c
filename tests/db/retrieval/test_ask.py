"""Answers by quotation, and what becomes of their citations."""

import pytest

from common.errors import NotFound
from knowledge.models import Version
from knowledge.services.bin import document_bin, document_restore
from retrieval import selectors, services
from retrieval.citations import citation_kept, citations_read
from tests.factories import Corpus, make_kb

PUMP = "# Pump handbook\n\nThe pump P-100 stops at 80 °C. It starts again by itself when it has cooled down.\n\n## Oil\n\nChange the oil every 500 hours.\n"
TRAVEL = "# Travel\n\nTrains are booked by the office in Rotterdam. Flights need the consent of the director.\n"


def test_an_answer_cites_exact_characters_of_a_stored_version(corpus, ask):
    corpus.read("pump.md", PUMP)
    corpus.read("travel.md", TRAVEL)

    answer = ask("At what temperature does the pump P-100 stop?")

    assert answer.found
    assert answer.answerer == "quote"
    first = answer.citations[0]
    text = Version.objects.get(pk=first.version_id).text
    assert text[first.start : first.end] == first.text
    assert "The pump P-100 stops at 80 °C." in first.text
    assert f"[{first.n}]" in answer.text
    assert answer.degraded == ()


def test_the_answering_sentence_is_marked_inside_what_is_quoted(corpus, ask):
    corpus.read("pump.md", PUMP)

    citation = ask("When does the pump start again by itself after it has cooled down?").citations[0]

    assert citation.text.startswith("The pump P-100 stops")
    assert citation.text[citation.mark.start - citation.start :].startswith(("The pump", "It starts again"))


def test_a_question_about_something_else_is_not_answered_but_told_the_nearest_titles(corpus, ask):
    corpus.read("pump.md", PUMP)
    corpus.read("travel.md", TRAVEL)

    answer = ask("Who won the football championship in Brazil in 1994?")

    assert not answer.found
    assert answer.citations == ()
    assert {near.title for near in answer.nearest} <= {"Pump handbook", "Travel"}
    assert answer.text == "No relevant material found for now."


def test_a_chinese_question_is_told_in_chinese_that_nothing_was_found(corpus, ask):
    corpus.read("pump.md", PUMP)

    answer = ask("谁赢得了一九九四年的足球锦标赛？")

    assert not answer.found
    assert answer.language == "zh"


def test_nothing_is_found_where_nothing_may_be_read(corpus, ask, stranger):
    corpus.read("pump.md", PUMP)

    answer = ask("When does the pump P-100 stop?", subject=stranger)

    assert not answer.found
    assert answer.nearest == ()


def test_steps_are_quoted_whole_and_rows_with_their_header(corpus, ask):
    corpus.read(
        "steps.md",
        "# Cleaning\n\nTo clean the filter:\n\n1. Close the valve.\n2. Take out the filter.\n3. Rinse it with water.\n",
    )
    corpus.read("table.md", "# Limits\n\n| Pump | Limit |\n| --- | --- |\n| P-100 | 80 °C |\n| P-200 | 95 °C |\n")

    steps = ask("How do I clean the filter?").citations[0]
    row = next(each for each in ask("Which limit has the pump P-200?").citations if "P-200" in each.text)

    assert "1. Close the valve." in steps.text
    assert "3. Rinse it with water." in steps.text
    assert row.text == "| P-200 | 95 °C |"
    assert "| Pump | Limit |" in row.lead_text


def test_a_new_version_leaves_a_citation_where_it_was(corpus, ask, reader):
    corpus.read("pump.md", PUMP)
    kept = [citation_kept(each) for each in ask("When does the pump P-100 stop?").citations]

    corpus.read("pump.md", PUMP.replace("80 °C", "95 °C"))

    assert "80 °C" in citations_read(reader, kept)[1].text
    assert "95 °C" in ask("When does the pump P-100 stop?").citations[0].text


def test_of_a_binned_document_nothing_is_shown_until_it_comes_back(corpus, ask, reader):
    document = corpus.read("pump.md", PUMP)
    kept = [citation_kept(each) for each in ask("When does the pump P-100 stop?").citations]

    document_bin(subject=corpus.subject, document=document, tools=corpus.tools)
    gone = citations_read(reader, kept)[1]
    assert gone.is_deleted
    assert (gone.text, gone.document_title) == ("", "")
    assert not ask("When does the pump P-100 stop?").found

    document.refresh_from_db()
    document_restore(subject=corpus.subject, document=document, tools=corpus.tools)
    assert "80 °C" in citations_read(reader, kept)[1].text


def test_who_may_no_longer_read_a_document_is_shown_nothing_of_it(corpus, ask, stranger):
    corpus.read("pump.md", PUMP)
    kept = [citation_kept(each) for each in ask("When does the pump P-100 stop?").citations]

    assert all(citation.is_deleted and not citation.text for citation in citations_read(stranger, kept).values())


def test_an_answer_found_before_a_document_arrived_is_not_given_after_it(corpus, ask):
    corpus.read("travel.md", TRAVEL)
    assert not ask("When does the pump P-100 stop?").found

    corpus.read("pump.md", PUMP)

    assert ask("When does the pump P-100 stop?").found


def begin(reader, text, **more):
    return services.turn_begin(subject=reader, text=text, kb_slugs=[], conversation_id=None, client_id=None, **more)


def test_a_document_deleted_for_good_leaves_no_word_in_answers(corpus, ask, reader):
    document = corpus.read("pump.md", PUMP)
    answer = ask("When does the pump P-100 stop?")
    turn = begin(reader, "When does the pump P-100 stop?")
    message = services.answer_keep(message=turn.answer, answer=answer, searched={})
    assert "80 °C" not in str(message.parts) + str(message.citations)

    assert services.citations_erase(document.pk) == 1

    message.refresh_from_db()
    assert message.citations == [{"n": citation.n, "document": str(document.pk)} for citation in answer.citations]
    assert all("gone" in part for part in message.parts)


def test_an_erased_statement_stays_while_another_source_supports_it(corpus, ask, reader):
    message = begin(reader, "q").answer
    message.parts = [{"said": "Both say so.", "cites": [1, 2]}, {"said": "Only one does.", "cites": [1]}]
    row = {"version": "v", "chunk": "c", "start": 0, "end": 1, "page": None, "kind": "", "mark": None, "lead": None}
    one, other = corpus.read("one.md", PUMP), corpus.read("other.md", TRAVEL)
    message.citations = [{"n": 1, "document": str(one.pk), **row}, {"n": 2, "document": str(other.pk), **row}]
    message.save()

    services.citations_erase(one.pk)

    message.refresh_from_db()
    assert message.parts == [{"said": "Both say so.", "cites": [1, 2]}, {"gone": 1}]


def test_a_conversation_is_its_owners_alone(reader, stranger):
    conversation = begin(reader, "Is anybody there?").conversation

    with pytest.raises(NotFound):
        selectors.conversation_for(stranger, conversation.pk)
    assert list(selectors.conversations_for(reader, words="anybody")) == [conversation]
    assert list(selectors.conversations_for(stranger)) == []


@pytest.mark.parametrize(
    ("question", "title"),
    [("Short?", "Short?"), ("word " * 30, "word " * 11 + "word…"), ("很长" * 50, "很长" * 30 + "…")],
)
def test_a_title_is_the_question_shortened_at_a_word(question, title):
    assert services.title_from(question) == title


def test_hits_of_two_knowledge_bases_are_answered_together(corpus, ask, editor, tmp_path):
    corpus.read("pump.md", PUMP)
    other = Corpus(make_kb("travel"), tmp_path / "travel")
    other.read("travel.md", TRAVEL)

    answer = ask("When does the pump P-100 stop, and who books trains in Rotterdam?", subject=corpus.subject)

    assert {citation.path for citation in answer.citations} == {"pump.md", "travel.md"}
