"""One embedding server, asked once: no waiting, no batches. Gives what it is, vectors and counts; writes each call down. Raises our errors.

`where` is asked for the address at each request, because an embedded server may come back elsewhere. Safe in threads and after a fork.
"""

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import numpy as np

from inference.conf import InferenceSettings
from inference.embedding_protocol import Acquaintance, Dialect, foreign_dialect, own_server, read_vectors, refusal
from inference.fingerprint import PROBES, fingerprint
from inference.http_errors import json_of, translated
from inference.ports import Meter
from inference.servers import client_options, headers_of, root_of
from inference.types import Charge, EmbedderInfo, ModelServer, Purpose, TextKind, TokenCount, Usage, Vectors

INFO_TIMEOUT_S = 10


class EmbeddingServer:
    """A connection to it, with a client for each process."""

    def __init__(self, where: Callable[[], ModelServer], *, meter: Meter, settings: InferenceSettings) -> None:
        self._where = where
        self._meter = meter
        self._settings = settings
        self._client: tuple[int, httpx.Client] | None = None

    def meet(self) -> Acquaintance:
        """Ask what it is; a server that is not ours is recognised by its vectors, which costs two small calls."""
        server = self._where()
        response = self._request("GET", server, root_of(server) + "/info", timeout=INFO_TIMEOUT_S)
        if response.status_code in (401, 403) or response.status_code >= 500:
            raise refusal(response)
        return own_server(response) or self._meet_stranger(server)

    def vectors(
        self, dialect: Dialect, texts: Sequence[str], kind: TextKind, charge: Charge, *, first: int = 0
    ) -> Vectors:
        """Float32 rows of length one; `first` is the number of the first text, for messages."""
        begun = time.monotonic()
        server = self._where()
        url = server.url + "/embeddings"
        body = dialect.body(texts, kind)
        response = self._request("POST", server, url, json=body, timeout=self._settings.embedding_timeout_s)
        if response.status_code != 200:
            raise refusal(response, first=first)
        found = read_vectors(json_of(response), count=len(texts), url=url)
        tokens = sum(dialect.estimate(texts, kind)) if found.tokens is None else found.tokens
        duration_ms = round((time.monotonic() - begun) * 1000)
        self._meter.record(Usage(charge, "embed", dialect.model, TokenCount(tokens), duration_ms))
        return found.vectors

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as a passage; only our own server has the route."""
        server = self._where()
        url = root_of(server) + "/tokenize"
        response = self._request("POST", server, url, json={"texts": list(texts)}, timeout=INFO_TIMEOUT_S)
        if response.status_code != 200:
            raise refusal(response)
        counts: list[int] = json_of(response)["counts"]
        return counts

    def close(self) -> None:
        """Let the connections go."""
        if self._client:
            self._client[1].close()
            self._client = None

    def _meet_stranger(self, server: ModelServer) -> Acquaintance:
        response = self._request("GET", server, server.url + "/models", timeout=INFO_TIMEOUT_S)
        if response.status_code in (401, 403) or response.status_code >= 500:
            raise refusal(response)
        models = json_of(response) if response.status_code == 200 else None
        dialect = foreign_dialect(models, server=server, settings=self._settings)
        charge = Charge(Purpose.PROBE)
        probes = np.concatenate([self.vectors(dialect, texts, kind, charge) for kind, texts in PROBES])
        info = EmbedderInfo(dialect.model, probes.shape[1], dialect.window_tokens, fingerprint(probes))
        return Acquaintance(dialect, info)

    def _request(self, method: str, server: ModelServer, url: str, **options: Any) -> httpx.Response:
        with translated(url):
            return self._open_client(server).request(method, url, headers=headers_of(server), **options)

    def _open_client(self, server: ModelServer) -> httpx.Client:
        """One client a process: connections must not be shared over a fork."""
        if self._client is None or self._client[0] != os.getpid():
            self._client = (os.getpid(), httpx.Client(**client_options(server)))
        return self._client[1]
