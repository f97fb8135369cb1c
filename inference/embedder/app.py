"""The embedder's routes, in OpenAI's protocol with three of ours. Everyone must show the key.

POST /v1/embeddings   `input` (a text or a list), `encoding_format` float or base64, `input_type` query or passage (ours; passage unless given)
GET  /v1/models       one model, with `max_model_len` as vLLM has it
POST /tokenize        `{"texts": […], "input_type"}` → `{"counts": […]}`, never cut off
GET  /info            model, dims, window_tokens, fingerprint
GET  /health
"""

import asyncio
import base64
import hmac
import logging
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import numpy as np
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from inference.embedder.lanes import LaneFull, Lanes
from inference.embedder.requests import EmbeddingRequest, Refused, TokenizeRequest, read_body
from inference.fingerprint import fingerprint_of
from inference.ports import TextModel
from inference.types import Vectors

log = logging.getLogger(__name__)


def embedder_app(model: TextModel, *, key: str, slice_texts: int, waiting_texts: int) -> Starlette:
    """The ASGI application that serves one model."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.model = model
        app.state.fingerprint = await asyncio.to_thread(fingerprint_of, model)
        app.state.lanes = Lanes(model, slice_texts=slice_texts, waiting_texts=waiting_texts)
        feeding = asyncio.create_task(app.state.lanes.run())
        feeding.add_done_callback(end_with)
        yield
        feeding.cancel()
        with suppress(asyncio.CancelledError):
            await feeding

    routes = [
        Route("/v1/embeddings", embeddings, methods=["POST"]),
        Route("/v1/models", models),
        Route("/tokenize", tokenize, methods=["POST"]),
        Route("/info", info),
        Route("/health", health),
    ]
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(KeyRequired, key=key)],
        exception_handlers={Refused: refused, LaneFull: lane_full},
    )


async def embeddings(request: Request) -> JSONResponse:
    wanted = await read_body(request, EmbeddingRequest)
    model: TextModel = request.app.state.model
    counts = await asyncio.to_thread(model.count_tokens, wanted.texts, wanted.kind)
    wanted.check(counts, model.window_tokens)
    found = await _unless_gone(request, wanted)
    used = sum(counts)
    return JSONResponse(
        {
            "object": "list",
            "model": model.name,
            "data": [
                {"object": "embedding", "index": index, "embedding": embedding}
                for index, embedding in enumerate(_encoded(found, wanted.encoding_format))
            ],
            "usage": {"prompt_tokens": used, "total_tokens": used},
        }
    )


async def models(request: Request) -> JSONResponse:
    model: TextModel = request.app.state.model
    entry = {
        "id": model.name,
        "object": "model",
        "created": 0,
        "owned_by": "trellis",
        "max_model_len": model.window_tokens,
    }
    return JSONResponse({"object": "list", "data": [entry]})


async def tokenize(request: Request) -> JSONResponse:
    wanted = await read_body(request, TokenizeRequest)
    model: TextModel = request.app.state.model
    return JSONResponse({"counts": await asyncio.to_thread(model.count_tokens, wanted.texts, wanted.input_type)})


async def info(request: Request) -> JSONResponse:
    model: TextModel = request.app.state.model
    return JSONResponse(
        {
            "model": model.name,
            "dims": model.dims,
            "window_tokens": model.window_tokens,
            "fingerprint": request.app.state.fingerprint,
        }
    )


async def health(request: Request) -> JSONResponse:
    lanes: Lanes = request.app.state.lanes
    return JSONResponse(
        {"status": "ok", "waiting": {"query": lanes.waiting("query"), "passage": lanes.waiting("passage")}}
    )


async def _unless_gone(request: Request, wanted: EmbeddingRequest) -> Vectors:
    """The vectors; when the caller hangs up first, its work is dropped."""
    working: asyncio.Future[Any] = asyncio.ensure_future(request.app.state.lanes.vectors(wanted.texts, wanted.kind))
    gone: asyncio.Future[Any] = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            found: Vectors = working.result()
            return found
        raise Refused(499, "The caller has gone.")
    finally:
        working.cancel()
        gone.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _encoded(vectors: Vectors, encoding_format: str) -> Sequence[Any]:
    if encoding_format == "base64":
        return [base64.b64encode(vector.astype("<f4").tobytes()).decode() for vector in vectors]
    return np.asarray(vectors, dtype=np.float64).round(8).tolist()  # type: ignore[no-any-return]


async def refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    return JSONResponse({"error": error.body}, status_code=error.status)


async def lane_full(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, LaneFull)
    body = {"message": "Too many texts are waiting.", "type": "server_error", "param": None, "code": "busy"}
    return JSONResponse({"error": body}, status_code=503, headers={"Retry-After": str(error.retry_after_s)})


def end_with(feeding: "asyncio.Task[None]") -> None:
    """A server whose lanes are not fed any more would only keep everybody waiting: it ends, and whoever watches over it starts a new one."""
    if not feeding.cancelled():
        log.critical("the lanes have broken", exc_info=feeding.exception())
        signal.raise_signal(signal.SIGTERM)


class KeyRequired:
    """Lets nobody in without the key."""

    def __init__(self, app: ASGIApp, *, key: str) -> None:
        self._app = app
        self._expected = f"Bearer {key}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._knows(scope):
            await self._app(scope, receive, send)
            return
        error = Refused(401, "The key is missing or wrong.", type_="authentication_error", code="invalid_api_key")
        await JSONResponse({"error": error.body}, status_code=401)(scope, receive, send)

    def _knows(self, scope: Scope) -> bool:
        given = dict(scope["headers"]).get(b"authorization", b"")
        return hmac.compare_digest(given, self._expected)
