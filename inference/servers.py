"""What every client of a model server needs: where its other routes lie, its key, an HTTP client for each event loop."""

import asyncio
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx

from inference.types import ModelServer

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def root_of(server: ModelServer) -> str:
    """The address without its /v1, where routes beside OpenAI's lie."""
    return server.url.removesuffix("/v1")


def headers_of(server: ModelServer) -> dict[str, str]:
    """The key, when there is one."""
    return {"Authorization": f"Bearer {server.key}"} if server.key else {}


def client_options(server: ModelServer) -> dict[str, Any]:
    """For an httpx client: a proxy from the environment is never asked for a server on this machine."""
    return {"trust_env": urlsplit(server.url).hostname not in LOOPBACK}


def listed_models(body: Any) -> list[dict[str, Any]]:
    """The models that an answer of /v1/models lists; empty when it is something else."""
    entries = body.get("data") if isinstance(body, dict) else None
    return [entry for entry in entries or () if isinstance(entry, dict) and isinstance(entry.get("id"), str)]


class LoopClients:
    """One asynchronous client for each event loop, opened when it is first asked for."""

    def __init__(self, timeout: httpx.Timeout) -> None:
        self._timeout = timeout
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()

    def of_loop(self, server: ModelServer) -> httpx.AsyncClient:
        """The running loop's client."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = httpx.AsyncClient(timeout=self._timeout, **client_options(server))
        return self._clients[loop]

    async def aclose(self) -> None:
        """Let the running loop's connections go."""
        if client := self._clients.pop(asyncio.get_running_loop(), None):
            await client.aclose()
