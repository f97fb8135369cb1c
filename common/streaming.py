"""Responses whose content is made piece by piece in ordinary code, sent by an asynchronous server without first collecting all of it in memory."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from asgiref.sync import sync_to_async
from django.http import FileResponse, StreamingHttpResponse


class PieceByPiece:
    """What an asynchronous server iterates over: each piece is made in a thread when the one before has been taken."""

    streaming_content: Any

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = iter(self.streaming_content)
        take = sync_to_async(partial(next, pieces, None))
        while (piece := await take()) is not None:
            yield piece


class SentFile(PieceByPiece, FileResponse):
    """A file."""

    block_size = 256 * 1024


class SentText(PieceByPiece, StreamingHttpResponse):
    """A long text from a generator."""
