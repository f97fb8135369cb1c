"""A name that a table gives to somebody is theirs, whichever document was read first."""

import pytest

from knowledge.services.bin import document_bin
from ontology.graphs import compiled
from ontology.models import Graph, Quarantined, SkeletonVersion

pytestmark = pytest.mark.django_db

SKELETON = """
classes:
  Person:
    rules: {patterns: ['专员(?P<name>乔.)'], columns: [Name], also_named_in: [姓名]}
"""
LETTER = ("letter.md", "# Letter\n\n请找费用专员乔璐。乔璐会回答。")
PEOPLE = ("people.md", "# People\n\n| Name | 姓名 |\n| --- | --- |\n| Qiao Lu | 乔璐 |")

TOLD = ("people.md", f"{PEOPLE[1]}\n\nQiao Lu answers.")  # so that it is read again for its own names


@pytest.fixture
def graph(graph: Graph) -> Graph:
    graph.skeleton = SkeletonVersion.objects.create(
        graph=graph, number=2, text=SKELETON, fingerprint=compiled(SKELETON).fingerprint
    )
    graph.save()
    return graph


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("order", [(LETTER, PEOPLE), (PEOPLE, LETTER), (LETTER, TOLD)])
def test_two_names_in_one_row_are_one_person_in_any_order(order, at_once, graph, read, tend, names):
    for path, text in order:
        read(path, text)
        while not at_once and tend():
            pass
    while tend():
        pass

    assert names() == {"Qiao Lu"}
    assert not Quarantined.objects.exists()


def test_two_people_of_whom_rows_speak_stay_two(graph, read, tend, names):
    read("more.md", "# More\n\n| Name | 姓名 |\n| --- | --- |\n| 乔璐 | 小乔 |")
    read(*PEOPLE)
    while tend():
        pass

    assert names() == {"Qiao Lu", "乔璐"}


def test_without_the_table_the_name_stands_for_itself_again(graph, read, tend, names, editor, tools):
    read(*LETTER)
    people = read(*PEOPLE)
    while tend():
        pass
    document_bin(subject=editor, document=people, tools=tools)
    while tend():
        pass

    assert names() == {"Qiao Lu"}
