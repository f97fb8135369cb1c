"""Becomes another program once the web server answers, and some seconds later: `python -m config.after_web SECONDS ARGUMENTS…`, the arguments being Python's.

Four programs that load Django at once on two cores keep the first page and the first question waiting. A web server that does not come is not waited for long, because
documents can be read without it.
"""

import os
import sys
import time

from config.embedded.http import near_host, status_of

PATIENCE_S = 30
LOOKS_EVERY_S = 0.2


def main() -> None:
    """Never returns."""
    host, port = near_host(os.environ["TRELLIS_HOST"]), int(os.environ["TRELLIS_PORT"])
    until = time.monotonic() + PATIENCE_S
    while status_of(port, "/health/live", {}, host=host) is None and time.monotonic() < until:
        time.sleep(LOOKS_EVERY_S)
    time.sleep(float(sys.argv[1]))
    os.execv(sys.executable, [sys.executable, *sys.argv[2:]])  # noqa: S606 (our own arguments, no shell)


if __name__ == "__main__":
    main()
