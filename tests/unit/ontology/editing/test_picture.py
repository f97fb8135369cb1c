"""The picture of a skeleton."""

from itertools import pairwise

from ontology.editing.picture import picture_of
from ontology.skeleton.read import compiled_skeleton
from tests.unit.ontology.editing.test_changes import TEXT

SKELETON = compiled_skeleton(TEXT)


def test_each_relation_stands_once_between_the_classes_that_it_joins():
    picture = picture_of(SKELETON)

    assert [box.name for box in picture.sources] == ["Pump", "Company"]
    assert [box.name for box in picture.relations] == ["better_than", "made_by"]
    assert [box.name for box in picture.targets] == ["Pump", "Company"]
    assert len(picture.curves) == 5


def test_nothing_lies_outside_or_over_another():
    picture = picture_of(SKELETON)

    for column in (picture.sources, picture.relations, picture.targets):
        assert all(box.top >= 0 and box.top + picture.box_height <= picture.height for box in column)
        assert all(box.x >= 0 and box.x + picture.box <= picture.width for box in column)
        heights = [box.y for box in column]
        assert all(later - earlier > picture.box_height for earlier, later in pairwise(heights))


def test_a_long_label_is_cut_in_either_script():
    long = compiled_skeleton(
        "classes: {A: {labels: {en: A very long label of a class}}, B: {labels: {zh: 一二三四五六七八九十一二三四五六}}}"
    )

    assert [box.short[-1] for box in picture_of(long).sources] == ["…", "…"]


def test_a_skeleton_without_relations_has_its_classes():
    assert [box.name for box in picture_of(compiled_skeleton("classes: {A: {}}")).sources] == ["A"]
