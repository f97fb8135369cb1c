"""Measurements that make rows of their own go on working as the tables change: each runs on a small sample and gives its figures."""

import json
import os
import subprocess
import sys

import pytest

from benchmarks.measure import PROJECT

pytestmark = pytest.mark.engine


@pytest.mark.parametrize(("name", "sample", "figures"), [("projection", 20, 4), ("extraction_in_flight", 8, 2)])
def test_a_measurement_gives_its_figures(name, sample, figures):
    command = [sys.executable, "-m", f"benchmarks.{name}", "--sample", str(sample)]
    done = subprocess.run(command, cwd=PROJECT, env=dict(os.environ), capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr[-3000:]
    written = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(written) == figures
    assert all(figure["value"] > 0 for figure in written)
