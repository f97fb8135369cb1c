"""A measurement with a data folder and engines of its own goes on working as the tables change: on a small sample it gives its figures."""

import json
import os
import subprocess
import sys

import pytest

from benchmarks.measure import PROJECT

pytestmark = pytest.mark.engine


def test_the_measurement_of_extraction_gives_its_figures():
    command = [sys.executable, "-m", "benchmarks.extraction_in_flight", "--sample", "8"]
    done = subprocess.run(command, cwd=PROJECT, env=dict(os.environ), capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr[-3000:]
    written = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(written) == 2
    assert all(figure["value"] > 0 for figure in written)
