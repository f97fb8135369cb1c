"""The measurement of the projector goes on working as the tables change: on a small sample it gives its figures."""

import json
import sys

import pytest

from benchmarks import projection
from config.conf import engine_settings

pytestmark = [pytest.mark.engine, pytest.mark.django_db]


def test_the_measurement_gives_its_figures(clean, graph_address, monkeypatch, capsys):
    monkeypatch.setenv("NEO4J_URI", graph_address.url)
    monkeypatch.setenv("NEO4J_USER", graph_address.user)
    monkeypatch.setenv("NEO4J_PASSWORD", graph_address.password)
    monkeypatch.setattr(sys, "argv", ["projection", "--sample", "20"])
    monkeypatch.setattr(projection, "measured", projection.measured_here)
    engine_settings.cache_clear()
    try:
        projection.main()
    finally:
        monkeypatch.undo()
        engine_settings.cache_clear()

    written = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(written) == 4
    assert all(figure["value"] > 0 for figure in written)
