"""Lines of others' triples become findings at a place, or a sentence that says what is wrong."""

import pytest

from common.errors import InvalidInput
from ontology.importing import Line, found_in
from ontology.locating import locate
from ontology.types import AttributeFound, EntityFound, Extractor, RelationFound, Where

TEXT = "Kraan uses Loods.\nIt was released  in 2024.\nKraan uses Loods again."
ENDS = {"source": "Kraan", "source_class": "System", "quote": "Kraan uses Loods."}


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Kraan", Where(0, 5)),
        ("released in 2024", Where(25, 42)),
        ("Loods. It was", Where(11, 24)),
        ("never", None),
        ("  ", None),
        ("(.*)+$", None),
        ("x" * 6000, None),
    ],
)
def test_a_quotation_is_found_whatever_its_spaces(quote, found):
    assert locate(TEXT, quote) == found


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"relation": "uses", "target": "Loods", "target_class": "System"}, RelationFound),
        ({"attribute": "released", "value": 2024}, AttributeFound),
        ({"aliases": ["K"]}, EntityFound),
    ],
)
def test_the_fields_say_what_a_line_is(more, kind):
    found = found_in(Line(1, ENDS | more), TEXT)

    assert isinstance(found, kind)
    assert (found.where, found.extractor) == (Where(0, 17), Extractor.IMPORT)


def test_offsets_stand_for_themselves():
    line = {"source": "Kraan", "source_class": "System", "start": 44, "end": 61}

    assert found_in(Line(1, line), TEXT).where == Where(44, 61)


@pytest.mark.parametrize("value", [True, 3, 2.5, " text "])
def test_values_are_written_as_a_document_would(value):
    found = found_in(Line(1, ENDS | {"attribute": "x", "value": value}), TEXT)

    assert found.raw == {True: "true", 3: "3", 2.5: "2.5", " text ": "text"}[value]


@pytest.mark.parametrize(
    "change",
    [
        {"source": ""},
        {"source": None},
        {"source": 5},
        {"source": "x" * 501},
        {"source_class": []},
        {"quote": None},
        {"quote": "never"},
        {"start": True, "end": 3},
        {"start": 0, "end": 0},
        {"start": 0, "end": len(TEXT) + 1},
        {"start": 0, "end": 2**40},
        {"confidence": "high"},
        {"confidence": -0.1},
        {"relation": "uses"},
        {"relation": {}, "target": "Loods", "target_class": "System"},
        {"attribute": "x"},
        {"attribute": "x", "value": {}},
        {"aliases": "K"},
        {"aliases": ["K", "x" * 201]},
        {"aliases": ["\u200b\u200e"]},
    ],
)
def test_what_is_no_triple_says_why(change):
    with pytest.raises(InvalidInput):
        found_in(Line(1, ENDS | change), TEXT)
