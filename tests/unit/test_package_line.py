"""Foreign keys follow the line of packages, as imports do."""

import pytest
from django.apps import apps

LINE = ("config", "evaluation", "retrieval", "ontology", "knowledge", "inference", "accounts", "common")
OURS = [model for model in apps.get_models() if model._meta.app_label in LINE]


@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_foreign_keys_point_to_the_right(model: type) -> None:
    here = LINE.index(model._meta.app_label)  # type: ignore[attr-defined]
    targets = [
        field.related_model._meta.app_label
        for field in model._meta.get_fields()  # type: ignore[attr-defined]
        if field.is_relation and not field.auto_created and field.related_model
    ]

    assert [label for label in targets if label in LINE and LINE.index(label) < here] == []
