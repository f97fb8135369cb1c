"""The code as Django's own checks see it, the administration's classes included: they are loaded with the addresses and not with the applications."""

from importlib import import_module

from django.contrib import admin
from django.core import checks

from knowledge.models import Document


def test_nothing_is_wrong_with_the_code_and_the_administration_is_among_what_was_looked_at() -> None:
    import_module("config.urls")

    assert admin.site.is_registered(Document)
    assert checks.run_checks() == []
