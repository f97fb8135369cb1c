"""Registers the package with Django."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"
