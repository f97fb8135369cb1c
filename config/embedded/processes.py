"""Starting and ending processes that outlive who started them."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from config.conf import environment_with
from config.embedded.folders import private_folder
from config.embedded.logs import rotate
from config.embedded.state import RunState

STRAYS_LEAVE_S = 5.0
_children: dict[int, "subprocess.Popen[bytes]"] = {}


def spawn(
    command: Sequence[str], *, folder: Path, log: Path, environment: Mapping[str, str], keeps: Sequence[int] = ()
) -> RunState:
    """Start a program in a session of its own, so that Ctrl-C does not reach it; it works in `folder` and inherits the descriptors that it `keeps`."""
    for earlier in list(_children):
        _reaped(earlier)
    private_folder(log.parent)
    rotate(log)
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd=private_folder(folder),
            env=environment_with(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            pass_fds=tuple(keeps),
        )
    _children[process.pid] = process
    return RunState(process.pid, psutil.Process(process.pid).create_time())


def runs(state: RunState | None) -> bool:
    """Whether that very process runs."""
    return state is not None and not _reaped(state.pid) and state.is_alive()


def end(state: RunState, how: signal.Signals, *, limit_s: float) -> None:
    """Ask a process to end; make it end when the limit is over."""
    if runs(state):
        try:
            _end(psutil.Process(state.pid), how, limit_s)
        except psutil.NoSuchProcess:
            return


def end_strays(folder: Path) -> None:
    """End what works in this folder without a terminal: a server that we lost sight of, or children that outlived one."""
    for process in psutil.process_iter():
        try:
            if Path(process.cwd()).is_relative_to(folder) and not process.terminal() and process.pid != os.getpid():
                _end(process, signal.SIGTERM, STRAYS_LEAVE_S)
        except (psutil.Error, OSError):
            continue


def _end(process: psutil.Process, how: signal.Signals, limit_s: float) -> None:
    process.send_signal(how)
    process.send_signal(signal.SIGCONT)  # a stopped one would not notice
    if not _is_gone(process, within_s=limit_s):
        process.kill()
        _is_gone(process, within_s=limit_s)


def _is_gone(process: psutil.Process, *, within_s: float) -> bool:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if _reaped(process.pid) or (process.pid not in _children and not _lives(process)):
            return True
        time.sleep(0.02)
    return False


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _reaped(pid: int) -> bool:
    """Whether this was a child of ours that has ended; its zombie is gone then."""
    child = _children.get(pid)
    if child is None or child.poll() is None:
        return False
    _children.pop(pid, None)
    return True
