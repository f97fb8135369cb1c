"""Extraction by a model as it is measured: in the order of the texts, whatever order answers come in; conformance is 1 by construction."""

from dataclasses import replace

from evaluation.extraction_files import GoldDocument, PublicSchema, Triple
from evaluation.extraction_run import run
from evaluation.model_extractor import ByModel
from ontology.types import CompiledSkeleton, EntityClass, RelationType
from tests.reading_model import by_text, reader_of, says_facts
from tests.scripted_model import ScriptedModel

SKELETON = CompiledSkeleton(
    {"Person": EntityClass("Person"), "City": EntityClass("City")},
    {"lives_in": RelationType("lives_in", ("Person",), ("City",))},
    "people",
)


def lives(number, city="Rome", target_class="City"):
    return {
        "type": "lives_in",
        "source": f"Ada{number}",
        "source_class": "Person",
        "target": city,
        "target_class": target_class,
        "quote": f"Ada{number} lives in Rome.",
    }


def test_an_engine_that_answers_gold_is_measured_as_gold_and_nothing_else_gets_in():
    documents = [
        GoldDocument(str(n), f"Ada{n} lives in Rome.", "", (Triple(f"Ada{n}", "lives in", "Rome"),)) for n in range(40)
    ]

    def answer(text):
        number = int(text.split()[0].removeprefix("Ada"))
        items = [lives(number), lives(number, "Paris"), lives(number, target_class="Person")]
        return replace(says_facts(relations=items), delay_s=0.01 * (40 - number) / 40)

    with ScriptedModel(window_tokens=4096) as model:
        model.answering = by_text(answer)
        results = list(
            run(documents, {"": PublicSchema(SKELETON, {"lives_in": "lives in"})}, ByModel(reader_of(model)))
        )

    assert [each.document.id for each in results] == [str(n) for n in range(40)]
    assert all(each.matched.found == each.matched.gold for each in results)
    assert sum(each.outside for each in results) == 0
    assert {each.rejected for each in results} == {2}
