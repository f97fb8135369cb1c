"""An OpenAI-compatible server over a real socket whose answers are scripted: what it says, how slowly, and how it goes wrong.

`with ScriptedModel() as model:` serves chat, models, tokens and (by hashed terms) embeddings at `model.url`. `model.script` may be changed at any time; what was
asked is in `model.requests`; `model.hung_up` says that a caller closed a stream before its end.
"""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Self

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from inference.hash_model import HashModel
from tests.served import served


@dataclass(frozen=True)
class Script:
    """One way to answer. Pieces come `delay_s` apart; then `after` says how it ends: "done", "break" (the connection), "hang", "blanks" (white space for ever)."""

    pieces: tuple[str, ...] = ("Pumps ", "stop ", "at 80 °C.")
    delay_s: float = 0
    after: str = "done"
    finish_reason: str = "stop"
    counts_tokens: bool = True
    status: int = 200
    error: str = "scripted fault"
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None  # said instead of any event
    pings: bool = False  # comments and empty events while it hangs
    may_begin: Callable[[], bool] = lambda: True  # it says nothing before this is so


@dataclass
class ScriptedModel:
    """The server; starts on entering, ends on leaving."""

    script: Script = field(default_factory=Script)
    answering: Callable[[dict[str, Any]], Script] | None = None  # chooses the script for each chat request instead
    key: str = "scripted-key"
    names: tuple[str, ...] = ("scripted-1", "scripted-2")
    window_tokens: int | None = 2048
    has_tokenize: bool = True
    embeddings_model: HashModel = field(default_factory=lambda: HashModel(dims=64))
    requests: list[dict[str, Any]] = field(default_factory=list)
    hung_up: threading.Event = field(default_factory=threading.Event)
    recovers_after: int = 0  # refusals by status after which the script is the plain one again
    embedding_answer: Any = None  # said instead of vectors
    port: int = 0
    flying: int = 0
    peak: int = 0  # the most chat streams at once

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        routes = [
            Route("/v1/chat/completions", self.chat, methods=["POST"]),
            Route("/v1/embeddings", self.embed, methods=["POST"]),
            Route("/v1/models", self.models),
            Route("/tokenize", self.tokenize, methods=["POST"]),
        ]
        self._running = ExitStack()
        self.port = self._running.enter_context(served(Starlette(routes=routes), port=self.port))
        return self

    def __exit__(self, *exception: object) -> None:
        self._running.close()

    async def chat(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        body = await request.json()
        self.requests.append(body)
        script = self.answering(body) if self.answering else self.script
        if script.status != 200:
            error = {"message": script.error, "type": "scripted"}
            return JSONResponse({"error": error}, status_code=script.status, headers=script.headers)
        if script.raw is not None:
            return Response(script.raw, media_type="text/event-stream")
        return StreamingResponse(self._events(body, script), media_type="text/event-stream")

    async def embed(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        body = await request.json()
        self.requests.append(body)
        if self.embedding_answer is not None:
            return JSONResponse(self.embedding_answer)
        vectors = self.embeddings_model.vectors(body["input"], "passage")
        rows = [{"index": index, "embedding": vector.tolist()} for index, vector in enumerate(vectors)]
        return JSONResponse(
            {"data": rows[::-1], "usage": {"prompt_tokens": 7 * len(rows), "total_tokens": 7 * len(rows)}}
        )

    async def models(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        window = {"max_model_len": self.window_tokens} if self.window_tokens else {}
        return JSONResponse(
            {"object": "list", "data": [{"id": name, "object": "model", **window} for name in self.names]}
        )

    async def tokenize(self, request: Request) -> Response:
        if not self.has_tokenize:
            return JSONResponse({"detail": "Not Found"}, status_code=404)
        text = (await request.json())["prompt"]
        return JSONResponse({"count": len(text.split()), "tokens": list(range(len(text.split())))})

    def _refusal(self, request: Request) -> Response | None:
        if request.headers.get("authorization") != f"Bearer {self.key}":
            return JSONResponse({"error": {"message": "wrong key", "type": "authentication_error"}}, status_code=401)
        if self.script.status != 200:
            self.recovers_after -= 1
            refused, self.script = self.script, Script() if self.recovers_after == 0 else self.script
            error = {"message": refused.error, "type": "scripted"}
            return JSONResponse({"error": error}, status_code=refused.status, headers=refused.headers)
        return None

    async def _events(self, body: dict[str, Any], script: Script) -> AsyncIterator[str]:
        self.flying += 1
        self.peak = max(self.peak, self.flying)
        try:
            while not script.may_begin():
                await asyncio.sleep(0.01)
            yield event({"role": "assistant", "content": ""})
            for piece in script.pieces:
                await asyncio.sleep(script.delay_s)
                yield event({"content": piece})
            async for more in self._ending(body, script):
                yield more
        except asyncio.CancelledError:
            self.hung_up.set()
            raise
        finally:
            self.flying -= 1

    async def _ending(self, body: dict[str, Any], script: Script) -> AsyncIterator[str]:
        if script.after == "break":
            return
        while script.after == "hang":
            await asyncio.sleep(0.02)
            if script.pings:
                yield ": ping\n\n" + event({})
        while script.after == "blanks":
            await asyncio.sleep(0)
            yield event({"content": " \n\t "})
        yield event({}, finish_reason=script.finish_reason)
        if script.counts_tokens and body.get("stream_options", {}).get("include_usage"):
            usage = {"prompt_tokens": 11, "completion_tokens": len(script.pieces)}
            yield f"data: {json.dumps({'choices': [], 'usage': usage})}\n\n"
        yield "data: [DONE]\n\n"


def event(delta: dict[str, str], *, finish_reason: str | None = None) -> str:
    """One event of a chat stream."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return f"data: {json.dumps({'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n"
