"""An ASGI application served over a real socket from a thread of this process, for as long as a `with` lasts."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import uvicorn

START_LIMIT_S = 30
STOP_LIMIT_S = 5


@contextmanager
def served(app: Any, *, port: int = 0, has_lifespan: bool = False) -> Iterator[int]:
    """Gives the port. Streams that still run at the end are cut, unless the application has something to end itself."""
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen(128)
        lifespan: Literal["on", "off"] = "on" if has_lifespan else "off"
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, ws="none", lifespan=lifespan))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        until = time.monotonic() + START_LIMIT_S
        while not server.started and time.monotonic() < until:
            time.sleep(0.005)
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit, server.force_exit = True, not has_lifespan
            thread.join(STOP_LIMIT_S)
