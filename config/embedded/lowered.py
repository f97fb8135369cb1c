"""A launcher, run by its path: gives up root for another user, then becomes the given program. PostgreSQL refuses to run as root.

usage: lowered.py UID GID PROGRAM ARGUMENT…

The project may lie in a folder that only root may enter. Instead of opening folders to everybody, the program keeps one right of root, to pass closed
folders (CAP_DAC_OVERRIDE, as an ambient capability: capabilities(7)); a container has it by default. Needs nothing but the standard library.
"""

import ctypes
import os
import sys

PR_SET_SECUREBITS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE = 28, 47, 2
KEEP_CAPS, NO_SETUID_FIXUP = (
    1 << 4,
    1 << 2,
)  # the second one, because PostgreSQL looks at its own file with access(2), which otherwise forgets capabilities
CAP_DAC_OVERRIDE = 1
CAPABILITY_VERSION_3 = 0x20080522


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Sets(ctypes.Structure):
    _fields_ = [("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32)]


def _keep_access(libc: ctypes.CDLL) -> None:
    kept = 1 << CAP_DAC_OVERRIDE
    sets = (_Sets * 2)(_Sets(kept, kept, kept), _Sets())
    if libc.capset(ctypes.byref(_Header(CAPABILITY_VERSION_3, 0)), sets) == 0:
        libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0)


def main(uid: int, gid: int, program: list[str]) -> None:
    """Replaces this process; returns only by an error."""
    linux = sys.platform == "linux"
    libc = ctypes.CDLL(None, use_errno=True)
    if linux:
        libc.prctl(PR_SET_SECUREBITS, KEEP_CAPS | NO_SETUID_FIXUP, 0, 0, 0)
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)
    if linux:
        _keep_access(libc)
    os.execv(program[0], program)  # noqa: S606


if __name__ == "__main__":
    try:
        main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    except OSError as error:
        sys.exit(f"{sys.argv[3]} can't be run as user {sys.argv[1]}: {error}")
