"""Server-sent events: from lines to the data of each event. Comments, which keep a connection alive, and other fields are left out."""

from collections.abc import AsyncGenerator, AsyncIterable


async def event_data(lines: AsyncIterable[str]) -> AsyncGenerator[str, None]:
    """The data of each event; an unfinished one at the end of the stream counts too, because some servers leave the last empty line out."""
    data: list[str] = []
    async for line in lines:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []
    if data:
        yield "\n".join(data)
