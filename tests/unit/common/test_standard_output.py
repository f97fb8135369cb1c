"""A command whose reader goes ends quietly. Each is a process of its own with a real pipe."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MANY_LINES = """
import sys
import django
from common.commands import TrellisCommand
from common.standard_output import ends_with_reader
from django.conf import settings

class Command(TrellisCommand):
    def run(self, options):
        for number in range(100_000):
            self.say({"n": number}, f"第 {number} 行")
        return 0

settings.configure()
django.setup()
with ends_with_reader():
    Command().run_from_argv(["manage.py", "many", *sys.argv[1:]])
"""
A_FAULT = """
from common.standard_output import ends_with_reader

with ends_with_reader():
    raise BrokenPipeError("an engine has gone")
"""


def read_a_line(*program: str) -> tuple[str, str, int]:
    """The first line, what stands on standard error, and the exit code of a program whose output is read to there."""
    ran = subprocess.Popen(
        [sys.executable, *program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert ran.stdout
    assert ran.stderr
    line = ran.stdout.readline()
    ran.stdout.close()
    with ran.stderr:
        return line, ran.stderr.read(), ran.wait(timeout=60)


@pytest.mark.parametrize(("arguments", "first"), [((), "第 0 行\n"), (("--json",), '{"n": 0}\n')])
def test_lines_that_nobody_reads_end_the_command_without_a_word(arguments: tuple[str, ...], first: str) -> None:
    assert read_a_line("-c", MANY_LINES, *arguments) == (first, "", 141)


def test_manage_py_ends_without_a_word_when_nobody_reads_its_output() -> None:
    closed = subprocess.run(
        f"{sys.executable} manage.py settings | true; exit ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert (closed.stderr, closed.returncode) == ("", 141)


def test_another_broken_pipe_stays_a_fault() -> None:
    ran = subprocess.run([sys.executable, "-c", A_FAULT], cwd=ROOT, capture_output=True, text=True, check=False)

    assert "BrokenPipeError: an engine has gone" in ran.stderr
    assert ran.returncode == 1
