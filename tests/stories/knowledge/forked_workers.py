"""Imports what a worker needs once and loads the dictionary, then forks a Celery worker for each line of JSON on standard input and answers with its pid.

Start it with `python -m`. A line has `environment`, `log` and `arguments`; the settings that the environment holds are read anew in the fork, except the
addresses of database and broker.
"""

import json
import os
import signal
import sys
from contextlib import suppress
from importlib import reload
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config import conf, wiring  # noqa: E402
from config.celery import app  # noqa: E402
from inference.conf import inference_settings  # noqa: E402
from knowledge import closing  # noqa: E402
from knowledge.conf import knowledge_settings  # noqa: E402
from ontology.conf import ontology_settings  # noqa: E402

SETTINGS = (conf.server_settings, conf.engine_settings, knowledge_settings, inference_settings, ontology_settings)


def main() -> None:
    app.loader.import_default_modules()
    wiring.words().terms("加载词典")
    signal.signal(signal.SIGCHLD, reap)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            work(**json.loads(line))
        print(pid, flush=True)


def reap(*_: object) -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def work(*, environment: dict[str, str], log: str, arguments: list[str]) -> Any:
    """Be a worker as one that was started by itself: in a session of its own, with its own log. Doesn't return."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with Path(os.devnull).open() as nothing, Path(log).open("wb") as output:
        os.dup2(nothing.fileno(), 0)
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    os.environ.update(environment)
    reload(closing)  # its byte is shared by all that were forked after it was made
    for settings in SETTINGS:
        settings.cache_clear()
    from tests.stories.knowledge import pausing_worker

    assert pausing_worker.FOLDER.is_dir()
    sys.exit(app.worker_main(["worker", *arguments]))


if __name__ == "__main__":
    main()
