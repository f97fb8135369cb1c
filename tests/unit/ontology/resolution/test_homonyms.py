"""When one name stands for two."""

from uuid import UUID

from ontology.resolution.homonyms import Told, homonym
from ontology.resolution.profile import Neighbour
from ontology.values.agreement import Exact, exact

PARIS, OSLO = (Neighbour("lives_in", True, UUID(int=at)) for at in (91, 92))


def told(number: int, *neighbours: Neighbour, **values: str) -> Told:
    return Told(
        UUID(int=number), {name: frozenset({Exact(value)}) for name, value in values.items()}, frozenset(neighbours)
    )


def test_documents_that_contradict_each_other_twice_speak_of_two():
    found = homonym([told(1, born="1970", height="1.80"), told(2, born="1981", height="1.60")])

    assert found is not None
    assert found.parts == ((UUID(int=1),), (UUID(int=2),))


def test_one_contradiction_alone_is_only_that():
    assert homonym([told(1, born="1970"), told(2, born="1981")]) is None


def test_one_contradiction_among_strangers_is_a_question():
    found = homonym([told(1, PARIS, born="1970"), told(2, OSLO, born="1981")])

    assert found is not None
    assert [reason["kind"] for reason in found.reasons] == ["values_differ", "neighbours_differ"]


def test_documents_that_share_a_neighbour_speak_of_one():
    assert homonym([told(1, PARIS, born="1970"), told(2, PARIS, born="1981")]) is None


def test_documents_that_agree_stand_on_one_side():
    found = homonym([told(1, PARIS, born="1970"), told(2, born="1970", size="5"), told(3, OSLO, born="1981", size="7")])

    assert found is not None
    assert set(map(len, found.parts)) == {1, 2}


def test_nothing_said_is_no_reason():
    assert homonym([]) is None
    assert homonym([told(1)]) is None


def test_one_amount_in_two_units_is_no_contradiction():
    bars = [exact("9.99739807509 bar", 9.99739807509, "bar", "145 psi"), exact("10.0 bar", 10.0, "bar", "10 bar")]
    weights = [exact("12.0202 kg", 12.0202, "kg", "26.5 lb"), exact("12.0 kg", 12.0, "kg", "12 kg")]
    sides = [
        Told(UUID(int=at), {"pressure": frozenset({bar}), "weight": frozenset({weight})})
        for at, (bar, weight) in enumerate(zip(bars, weights, strict=True))
    ]

    assert homonym(sides) is None


def test_what_is_told_of_amounts_is_rounded():
    pressures = [exact("9.99739807509 bar", 9.99739807509, "bar", "145 psi"), exact("16.0 bar", 16.0, "bar", "16 bar")]
    sides = [
        Told(UUID(int=at), {"pressure": frozenset({each}), "made": frozenset({Exact(str(2000 + at))})})
        for at, each in enumerate(pressures)
    ]

    found = homonym(sides)

    assert found is not None
    assert {"kind": "values_differ", "attribute": "pressure", "left": "9.9974 bar", "right": "16 bar"} in found.reasons
