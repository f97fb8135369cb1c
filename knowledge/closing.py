"""Whether this worker has been asked to end. Set in the worker's main process, seen by the children that it forks: one byte of shared memory."""

import mmap

_asked = mmap.mmap(-1, 1)


def ask() -> None:
    """From now on each stage gives its lease back at its next batch."""
    _asked[0] = 1


def is_asked() -> bool:
    """Whether it is time to go."""
    return bool(_asked[0])
