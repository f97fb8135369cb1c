"""A program, run by its path: serves one GGUF file with llama.cpp until it is told to end.

usage: llama_server.py GGUF PORT KEY_FILE
"""

import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

xllamacpp: Any = import_module("xllamacpp")  # an extra, without types

CONTEXT_TOKENS = 8192
SLOTS = 2


def cores() -> int:
    """How many processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main(gguf: str, port: int, key: str) -> None:
    """Returns after SIGTERM or SIGINT."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = gguf
    parameters.model_alias = {Path(gguf).stem}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = port
    parameters.api_keys = [key]
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = SLOTS
    # One a core that this process may use: left to itself it takes what the whole machine has, and its threads wait for each other.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = cores()
    parameters.endpoint_metrics = True
    parameters.ui = False
    ends = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)  # before its threads are made, so that none of them takes the signal
    server = xllamacpp.Server(parameters)
    signal.sigwait(ends)
    del server


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]).read_text().strip())
