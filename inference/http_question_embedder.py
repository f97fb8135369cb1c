"""The embedder of the question path: asynchronous, one text, one attempt, in the lane that goes first. Deadlines are the caller's."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx

from inference.conf import InferenceSettings, inference_settings
from inference.embedding_protocol import Acquaintance, own_server, read_vectors, refusal
from inference.embedding_rules import refuse_empty, refuse_long
from inference.embedding_server import EmbeddingServer
from inference.http_errors import json_of, translated
from inference.ports import Meter
from inference.servers import LoopClients, headers_of, root_of
from inference.types import Charge, EmbedderInfo, ModelServer, TokenCount, Usage, Vectors

CONNECT_TIMEOUT_S = 2
ANSWER_TIMEOUT_S = 30


class HttpQuestionEmbedder:
    """Plays QuestionEmbedder. Keeps one client for each event loop; `meter` must not block (see `QueuedMeter`)."""

    def __init__(
        self, where: Callable[[], ModelServer], *, meter: Meter, settings: InferenceSettings | None = None
    ) -> None:
        self._where = where
        self._meter = meter
        self._settings = settings or inference_settings()
        self._server = EmbeddingServer(where, meter=meter, settings=self._settings)
        self._known: Acquaintance | None = None
        self._clients = LoopClients(httpx.Timeout(ANSWER_TIMEOUT_S, connect=CONNECT_TIMEOUT_S))

    async def info(self) -> EmbedderInfo:
        """Raises EngineUnavailable, EngineRefused."""
        return (await self._acquaintance()).info

    async def embed_question(self, text: str, *, charge: Charge) -> Vectors:
        begun = time.monotonic()
        refuse_empty([text])
        dialect = (await self._acquaintance()).dialect
        if not dialect.knows_kinds:
            refuse_long(dialect.estimate([text], "query"), dialect.window_tokens)
        server = self._where()
        url = server.url + "/embeddings"
        response = await self._request("POST", server, url, json=dialect.body([text], "query"))
        if response.status_code != 200:
            raise refusal(response)
        found = read_vectors(json_of(response), count=1, url=url)
        tokens = dialect.estimate([text], "query")[0] if found.tokens is None else found.tokens
        duration_ms = round((time.monotonic() - begun) * 1000)
        self._meter.record(Usage(charge, "embed", dialect.model, TokenCount(tokens), duration_ms))
        vector: Vectors = found.vectors[0]
        return vector

    async def aclose(self) -> None:
        """Let this loop's connections go."""
        self._server.close()
        await self._clients.aclose()

    async def _acquaintance(self) -> Acquaintance:
        """What the server is; asked once, and again after it was away. A stranger is met in a thread, because that is rare and takes several calls."""
        if self._known is not None:
            return self._known
        server = self._where()
        response = await self._request("GET", server, root_of(server) + "/info")
        met = own_server(response)
        known: Acquaintance = met if met is not None else await asyncio.to_thread(self._server.meet)
        self._known = known
        return known

    async def _request(self, method: str, server: ModelServer, url: str, **options: Any) -> httpx.Response:
        ask = partial(self._clients.of_loop(server).request, method, url, headers=headers_of(server), **options)
        with translated(url):
            try:
                return await ask()
            except (httpx.ReadError, httpx.RemoteProtocolError, httpx.WriteError):
                self._known = None  # who comes back may be another
                return await ask()  # a kept connection that the server has just closed: once more, on a fresh one
            except httpx.ConnectError:
                self._known = None
                raise
