"""UUIDv7 made in Python (RFC 9562, section 5.7): 48 bits of milliseconds, 12 bits of their fraction (section 6.2, method 3), then random bits.

So keys sort by time of birth, also those that one process makes within a millisecond.
"""

import os
import time
from uuid import UUID

NS_A_MS = 1_000_000


def uuid7() -> UUID:
    """A new time-ordered identifier."""
    milliseconds, rest_ns = divmod(time.time_ns(), NS_A_MS)
    fraction = rest_ns * 4096 // NS_A_MS
    value = (milliseconds & (1 << 48) - 1) << 80 | 7 << 76 | fraction << 64 | int.from_bytes(os.urandom(8))
    return UUID(int=value & ~(0x3 << 62) | 2 << 62)
