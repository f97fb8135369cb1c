"""The programs that `up` runs under one supervisor (supervisord): web server, two workers, beat. Given the data folder, host and port; gives a running supervisor.

All of them work in a folder under the data folder, so that what a killed supervisor left behind is recognised by where it works. Paths in the supervisor's
file are relative to it, because supervisord expands percent signs in them twice.
"""

import os
import shlex
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from string import Template

from config.conf import PROJECT, ServerSettings
from config.embedded.folders import private_folder
from config.embedded.logs import log_file
from config.embedded.processes import end, end_strays, runs, spawn
from config.embedded.state import read_state, write_state

NAME = "supervisor"
DRAIN_S = 8  # after SIGTERM; then SIGKILL
NICENESS = 5
GAVE_UP = "entered FATAL state"
HEAD = Template("""\
[supervisord]
nodaemon=true
pidfile=supervisord.pid
logfile=../../log/$log
logfile_maxbytes=1MB
logfile_backups=1
loglevel=info
$user
""")
PROGRAM = Template("""
[program:$name]
command=$command
autostart=true
autorestart=true
startsecs=2
startretries=5
stopsignal=TERM
stopwaitsecs=$drain
killasgroup=true
stopasgroup=false
redirect_stderr=true
stdout_logfile=../../log/$log
stdout_logfile_maxbytes=10MB
stdout_logfile_backups=2
""")


@dataclass(frozen=True, slots=True)
class Program:
    """One program of the server."""

    name: str
    arguments: tuple[str, ...]
    after_web_s: float | None = None  # None: at once, and before the others for the rest of its life

    @property
    def command(self) -> list[str]:
        """Whoever waits for a page goes before what is read in the background, at the start and later."""
        if self.after_web_s is None:
            return [sys.executable, *self.arguments]
        return [
            "nice",
            "-n",
            str(NICENESS),
            sys.executable,
            "-m",
            "config.after_web",
            str(self.after_web_s),
            *self.arguments,
        ]


def programs(data: Path, settings: ServerSettings) -> list[Program]:
    """What the server consists of, next to its engines."""
    celery = ("-m", "celery", "-A", "config.celery")
    worker = (*celery, "worker", "--loglevel", "INFO", "--without-mingle", "--without-gossip")
    return [
        Program("web", ("-m", "config.web")),
        Program("indexing", (*worker, "-Q", "indexing", "-n", "indexing@%h", "-c", str(settings.indexing_workers)), 0),
        Program("short", (*worker, "-Q", "short", "-n", "short@%h", "-c", str(settings.short_workers)), 3),
        Program("beat", (*celery, "beat", "--loglevel", "INFO", "-s", str(data / "run" / "beat"), "--pidfile="), 6),
    ]


class Supervisor:
    """One supervisord with its programs."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.folder = data / "run" / "programs"
        self.log = log_file(data, NAME)
        self.output = log_file(data, f"{NAME}-output")

    def start(self, wanted: list[Program], environment: dict[str, str]) -> None:
        """Write its configuration and start it; a log of an earlier one is begun anew."""
        self.log.unlink(missing_ok=True)
        configuration = self.folder / "supervisord.ini"
        private_folder(self.folder)
        configuration.write_text(
            self._head() + "".join(self._section(program) for program in wanted) + self._group(wanted)
        )
        started = spawn(
            [sys.executable, "-m", "supervisor.supervisord", "-n", "-s", "-c", str(configuration)],
            folder=self.folder,
            log=self.output,
            environment={**environment, "PYTHONPATH": str(PROJECT), "CELERY_SKIP_CHECKS": "1"},
        )
        write_state(self.data, NAME, started)

    def is_alive(self) -> bool:
        return runs(read_state(self.data, NAME))

    def has_given_up(self) -> bool:
        """Whether a program ended again and again, so that it is no longer started."""
        return self.log.exists() and GAVE_UP in self.log.read_text(errors="replace")

    def stop(self) -> None:
        """End the programs, in a few seconds; also what an earlier one left behind when it was killed."""
        if state := read_state(self.data, NAME):
            end(state, signal.SIGTERM, limit_s=2 * DRAIN_S)
        end_strays(self.folder)

    def _head(self) -> str:
        user = "user=root" if os.geteuid() == 0 else ""
        return HEAD.substitute(log=self.log.name, user=user)

    def _group(self, wanted: list[Program]) -> str:
        """Without a group they would be ended one after the other."""
        return f"\n[group:trellis]\nprograms={','.join(program.name for program in wanted)}\n"

    def _section(self, program: Program) -> str:
        command = shlex.join(program.command).replace("%", "%%")  # which begins an expansion there
        log = log_file(self.data, program.name).name
        return PROGRAM.substitute(name=program.name, command=command, log=log, drain=DRAIN_S)
