"""The demo's promises about what is known: who approves what, which system calls which, who is responsible for what, with evidence in both languages."""

from functools import lru_cache
from pathlib import Path

import pytest

from common.text import language_of
from ontology.skeleton.read import compiled_skeleton
from tests.unit.ontology.reading import Known, demo_files, known_from

DEMO = Path(__file__).parents[3] / "demo"


@lru_cache
def company() -> Known:
    skeleton = compiled_skeleton((DEMO / "ontology.yaml").read_text(encoding="utf-8"))
    return known_from(demo_files(DEMO / "corpus"), skeleton)


@lru_cache
def models() -> Known:
    folder = DEMO / "models"
    return known_from(demo_files(folder), compiled_skeleton((folder / "ontology.yaml").read_text(encoding="utf-8")))


APPROVALS = {
    ("Lin Yuhan", "Purchases"),
    ("Lin Yuhan", "Recall"),
    ("Lin Yuhan", "产品路线图 2026–2028"),
    ("Tobias Harmsund", "Software and cloud services"),
    ("Tobias Harmsund", "Administrator accounts"),
    ("Mirjam Koekwoud", "New suppliers"),
    ("Gu Zhiyuan", "Measuring instruments"),
    ("Gu Zhiyuan", "Concession"),
    ("Gu Zhiyuan", "P-180 样机验收"),
    ("Xu Jingming", "P-180 量产放行"),
    ("Shen Kexin", "HX-260 设计冻结"),
    ("Femke Oldenrade", "HX-260 定价"),
    ("Femke Oldenrade", "Payment files"),
    ("Femke Oldenrade", "Credit notes"),
    ("Daan Vervloed", "Credit notes"),
    ("He Anlan", "Working from another country"),
}
CALLS = {
    ("Peil", "Boei"),
    ("Boei", "Kade"),
    ("Boei", "Loods"),
    ("Kade", "Kraan"),
    ("Ponton", "Kraan"),
    ("Kraan", "Sluis"),
    ("Kraan", "Loods"),
    ("Sluis", "Kraan"),
}
OWNERS = {
    "Kraan": "Femke Oldenrade",
    "Kade": "Pia Lindquaard",
    "Peil": "Shen Kexin",
    "Boei": "Daan Vervloed",
    "Loods": "Gu Zhiyuan",
    "Ponton": "Qiao Lu",
    "Sluis": "Ruben Haverstee",
    "Baken": "Tobias Harmsund",
}


def test_it_is_known_who_approves_what_and_nothing_else_is():
    assert {(source, target) for source, type, target in company().triples() if type == "approves"} == APPROVALS


def test_it_is_known_which_system_calls_which_and_nothing_else_is():
    systems = company().names_of("System")
    calls = {(source, target) for source, type, target in company().triples() if type == "uses" and source in systems}

    assert calls == CALLS


def test_it_is_known_who_is_responsible_for_each_system():
    systems = company().names_of("System")

    assert {
        target: source
        for source, type, target in company().triples()
        if type == "responsible_for" and target in systems
    } == OWNERS


@pytest.mark.parametrize("type", ["approves", "uses", "responsible_for", "part_of"])
def test_what_is_asked_most_has_evidence_in_both_languages(type):
    quotes = [each.quote for each in company().facts if each.type == type]

    assert {language_of(quote)[:2] for quote in quotes} >= {"en", "zh"}


def test_an_approval_says_from_which_amount_it_is_needed():
    amounts = {
        (each.source, each.target, name, value.value, value.unit)
        for each in company().facts
        for name, value in each.attributes.items()
        if each.type == "approves"
    }

    assert amounts == {
        ("Lin Yuhan", "Purchases", "above", 50_000, "EUR"),
        ("Daan Vervloed", "Credit notes", "up_to", 5_000, "EUR"),
    }


def test_the_two_languages_name_one_entity():
    known = company()

    assert known.names_of("Department") == {
        "Engineering",
        "Quality",
        "Production",
        "Human Resources",
        "Finance",
        "Service",
        "Purchasing",
        "IT",
        "香港服務站",
    }
    assert known.names_of("Place") == {"Rotterdam", "Ningbo"}
    assert known.called("Engineering") == {"研发部"}
    assert known.called("Gu Zhiyuan") == {"顾知远"}
    assert known.called("Rotterdam") == {"鹿特丹"}
    assert known.called("Quellmar") == {"澜玛"}


def test_every_person_is_one_whom_the_documents_name():
    assert company().names_of("Person") == {
        *(
            "Daan Vervloed",
            "Femke Oldenrade",
            "Gu Zhiyuan",
            "He Anlan",
            "Imre Dalgaard",
            "Lin Yuhan",
            "Mirjam Koekwoud",
        ),
        *("Pia Lindquaard", "Qiao Lu", "Ruben Haverstee", "Sanne Ruigewaard", "Shen Kexin", "Tan Wenbo"),
        *("Tobias Harmsund", "Xu Jingming", "Ye Qiaoyun", "歐陽紹謙"),
    }


def test_nothing_in_the_demo_waits_for_a_person():
    assert company().rejected == []
    assert models().rejected == []


def test_no_fact_stands_without_its_words():
    assert [each for each in company().facts if not each.quote.strip()] == []


def test_which_models_were_trained_with_dpo_is_answered_exactly():
    methods = models().valued("Model", "training_method")

    assert {name for name, values in methods.items() if values == {"DPO"}} == {
        "Halyard-7B",
        "Kestrel-8B-Chat",
        "青岚-14B",
    }
    assert methods.keys() == models().names_of("Model")
    assert all(len(values) == 1 for values in methods.values())


def test_context_lengths_are_numbers_however_they_are_written():
    lengths = models().valued("Model", "context_length")

    assert lengths["Halyard-7B"] == {131_072}
    assert lengths["Kestrel-8B"] == {32_768}
    assert lengths["青岚-14B"] == {200_000}


def test_which_model_is_better_says_on_what_and_by_how_much():
    better = {
        (each.source, each.target, each.attributes["benchmark"].value, each.attributes["score_delta"].value)
        for each in models().facts
        if each.type == "superior_to"
    }

    assert ("Halyard-34B", "Halyard-7B", "Mooring-QA", 6.1) in better
    assert ("青岚-14B", "砚台-9B", "Plumb-ZH", 5.4) in better
    assert len(better) == 6


def test_both_languages_say_the_same_amount_of_the_same_purchase():
    places = [each for each in company().facts if (each.source, each.target) == ("Lin Yuhan", "Purchases")]

    assert {each.attributes["above"].value for each in places} == {50_000}
    assert {language_of(each.quote)[:2] for each in places} == {"en", "zh"}
