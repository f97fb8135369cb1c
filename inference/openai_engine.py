"""A chat engine behind OpenAI's protocol: vLLM, llama.cpp or any other server. Asynchronous, one attempt a call.

An engine's sign of life is the next token, not its connection: silence is measured between pieces of text, whatever else arrives. What a call used is
written down however it ends, by the engine's own count where it gives one.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import httpx
from django.utils.translation import gettext as _

from common.errors import EngineLoops, EngineRefused, EngineTimeout, EngineUnavailable, TrellisError
from inference.chat_protocol import (
    DONE,
    StreamEvent,
    chat_body,
    counted,
    estimate_prompt,
    listed_window,
    read_event,
    window_of_props,
)
from inference.conf import InferenceSettings, inference_settings
from inference.http_errors import json_of, nonsense, refusal_of, translated
from inference.ports import Meter
from inference.resting import Rest
from inference.servers import LoopClients, headers_of, listed_models, root_of
from inference.sse import event_data
from inference.tokens import estimate_tokens
from inference.types import Charge, ChatDelta, ChatMessage, EngineInfo, ModelServer, TokenCount, Usage

SMALL_CALL_S = 10
WORDLESS_S = 15  # a call that is given up after so much silence says something about the engine
BLANKS_LIMIT = 400  # characters of white space in a row after which an engine counts as caught in a loop


@dataclass(slots=True)
class Call:
    """What one call has given so far."""

    charge: Charge
    model: str
    messages: Sequence[ChatMessage]
    begun: float = field(default_factory=time.monotonic)
    last_progress: float = field(default_factory=time.monotonic)
    is_accepted: bool = False
    pieces: int = 0
    blanks: int = 0
    finish_reason: str | None = None
    tokens: TokenCount | None = None

    def take(self, event: StreamEvent) -> None:
        """Raises EngineLoops when the engine writes nothing but white space."""
        self.finish_reason = event.finish_reason or self.finish_reason
        self.tokens = event.tokens or self.tokens
        if event.is_progress:
            self.last_progress = time.monotonic()
        if event.text:
            self.pieces += 1
            trailing = len(event.text) - len(event.text.rstrip())
            self.blanks = self.blanks + trailing if trailing == len(event.text) else trailing
        if self.blanks > BLANKS_LIMIT:
            raise EngineLoops(_("%(model)s writes nothing but white space.") % {"model": self.model})

    @property
    def silent_s(self) -> float:
        """How long nothing has come."""
        return time.monotonic() - self.last_progress

    def usage(self, outcome: str) -> Usage:
        """Counted by the engine, else the prompt from above and a token for each piece of text."""
        tokens = self.tokens or TokenCount(estimate_prompt(self.messages), self.pieces)
        return Usage(self.charge, "chat", self.model, tokens, round((time.monotonic() - self.begun) * 1000), outcome)


class OpenAIChatEngine:
    """Plays ChatEngine. `where` is asked for the address at each call and gives None while there is no engine; `meter` must not block."""

    def __init__(
        self, where: Callable[[], ModelServer | None], *, meter: Meter, settings: InferenceSettings | None = None
    ) -> None:
        self._where = where
        self._meter = meter
        self._settings = settings or inference_settings()
        self._known: dict[ModelServer, EngineInfo] = {}
        self._rest = Rest(self._settings.llm_rest_s)
        timeout = httpx.Timeout(SMALL_CALL_S, connect=self._settings.llm_connect_timeout_s)
        self._clients = LoopClients(timeout)

    async def info(self) -> EngineInfo:
        server = self._server()
        if server not in self._known:
            self._known[server] = await self._ask_info(server)
        return self._known[server]

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        temperature: float,
        charge: Charge,
        response_format: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[ChatDelta, None]:
        server = self._server()
        self._refuse_while_resting(server)
        call = Call(charge, (await self.info()).model, messages)
        body = chat_body(call.model, messages, max_tokens=max_tokens, temperature=temperature)
        if response_format:
            body["response_format"] = response_format
        try:
            async with aclosing(self._metered(server, body, call)) as pieces:
                async for text in pieces:
                    yield ChatDelta(text)
        except TrellisError:
            self._known.pop(server, None)  # who answers there next may be another
            raise
        yield ChatDelta(finish_reason=call.finish_reason, tokens=call.usage("done").tokens)

    async def count_tokens(self, text: str) -> int:
        server = self._server()
        try:
            body = {"model": (await self.info()).model, "prompt": text, "content": text}  # vLLM's and llama.cpp's names
            response = await self._request("POST", server, root_of(server) + "/tokenize", json=body)
            found = counted(json_of(response)) if response.status_code == 200 else None
        except (EngineUnavailable, EngineRefused):
            found = None
        return estimate_tokens(text) if found is None else found

    async def aclose(self) -> None:
        """Let this loop's connections go."""
        await self._clients.aclose()

    async def _metered(self, server: ModelServer, body: dict[str, Any], call: Call) -> AsyncGenerator[str, None]:
        """The pieces of text; writes the call down however it ends, unless the engine was not reached or refused it."""
        url = server.url + "/chat/completions"
        outcome: str | None = "stopped"
        try:
            with translated(url):
                opened = self._clients.of_loop(server).stream(
                    "POST", url, json=body, headers=headers_of(server), timeout=self._stream_timeout()
                )
                async with opened as response, aclosing(self._texts(response, call)) as texts:
                    async for text in texts:
                        yield text
            outcome = "done"
        except TrellisError as error:
            outcome = error.code if call.is_accepted or isinstance(error, EngineTimeout) else None
            raise
        finally:
            if outcome == "stopped" and call.silent_s >= WORDLESS_S:
                self._rest.begin()  # whoever asked has given up waiting for the first word
            if outcome:
                self._meter.record(call.usage(outcome))

    async def _texts(self, response: httpx.Response, call: Call) -> AsyncGenerator[str, None]:
        url = str(response.request.url)
        if response.status_code != 200:
            await response.aread()
            raise refusal_of(response)
        call.is_accepted = True
        async with aclosing(event_data(response.aiter_lines())) as events:
            while (event := await self._next_event(events, url, call)) is not None:
                if event.text:
                    yield event.text
        if call.finish_reason is None:
            raise EngineUnavailable(_("%(url)s ended in the middle of its answer.") % {"url": url})

    async def _next_event(self, events: AsyncIterator[str], url: str, call: Call) -> StreamEvent | None:
        """The next event, None at the end. Raises EngineTimeout when none comes in time."""
        try:
            async with asyncio.timeout(call.last_progress + self._settings.llm_silence_s - time.monotonic()):
                data = await anext(events, DONE)
        except TimeoutError as error:
            self._rest.begin()
            raise self._silence(url) from error
        if data.strip() == DONE:
            return None
        event = read_event(data, url=url)
        self._rest.end()
        call.take(event)
        return event

    def _refuse_while_resting(self, server: ModelServer) -> None:
        if self._rest.is_on:
            message = _("%(url)s was silent until its limit a moment ago; it is tried again in %(seconds)d s.")
            raise EngineUnavailable(message % {"url": server.url, "seconds": round(self._rest.left_s) or 1})

    def _silence(self, url: str) -> EngineTimeout:
        message = _("%(url)s has not written anything for %(seconds)g s.")
        return EngineTimeout(message % {"url": url, "seconds": self._settings.llm_silence_s})

    def _stream_timeout(self) -> httpx.Timeout:
        return httpx.Timeout(self._settings.llm_silence_s, connect=self._settings.llm_connect_timeout_s)

    def _server(self) -> ModelServer:
        server = self._where()
        if server is None:
            raise EngineUnavailable(_("There is no model that writes. Set LLM_BASE_URL, or give `up` a GGUF file."))
        return server

    async def _ask_info(self, server: ModelServer) -> EngineInfo:
        url = server.url + "/models"
        response = await self._request("GET", server, url)
        if response.status_code != 200:
            raise refusal_of(response)
        entries = listed_models(json_of(response))
        if not entries and not server.model:
            raise nonsense(url)
        entry = next((entry for entry in entries if server.model in ("", entry["id"])), {"id": server.model})
        window = listed_window(entry) or await self._window_of_props(server) or self._settings.llm_window_tokens
        return EngineInfo(entry["id"], window)

    async def _window_of_props(self, server: ModelServer) -> int | None:
        response = await self._request("GET", server, root_of(server) + "/props")
        return window_of_props(json_of(response)) if response.status_code == 200 else None

    async def _request(self, method: str, server: ModelServer, url: str, **options: Any) -> httpx.Response:
        with translated(url):
            return await self._clients.of_loop(server).request(method, url, headers=headers_of(server), **options)
