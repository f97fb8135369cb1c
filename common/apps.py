"""Registers the package with Django."""

from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "common"
