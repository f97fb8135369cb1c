"""Goal S4: while a model reads, at least 16 calls are in flight, and the calls an hour are at least 90 % of the best that the engine gives at that concurrency in the same run.

The engine is a stand-in in a process of its own that behaves as a batching one does: every stream advances a token a step, and a step takes longer the more streams there are (a fixed part and a part
for each). What is measured is the whole stage (ledger, check and writer included) on documents that are in the ledger already; the engine's best is a bare client that sends the same requests and
reads nothing but the bytes. `python -m benchmarks.extraction_in_flight [--sample N] [--in-flight N]`.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.measure import PROJECT, Figure, say, write

CHUNKS = 1000
IN_FLIGHT = 32
STEP_S, STEP_EACH_S = 0.020, 0.0002  # a decoding step: weights are read once, each sequence adds a little
PREFILL_S = 0.05
TOKENS_AN_EVENT = 4
GOAL_SHARE, GOAL_FLYING = 90, 16


def engine_app() -> Any:
    """OpenAI's chat route, streaming a right answer about the text at the pace of a batching engine; `/seen` says how many streams there were at once."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response, StreamingResponse
    from starlette.routing import Route

    seen = {"flying": 0, "peak": 0, "busy_s": 0.0, "held": 0.0, "since": 0.0}

    def changed(by: int) -> None:
        now = time.monotonic()
        if seen["flying"]:
            seen["busy_s"] += now - seen["since"]
            seen["held"] += seen["flying"] * (now - seen["since"])
        seen["since"] = now
        seen["flying"] += by
        seen["peak"] = max(seen["peak"], seen["flying"])

    async def stream(pieces: list[str]) -> AsyncIterator[str]:
        changed(1)
        try:
            await asyncio.sleep(PREFILL_S)
            for piece in pieces:
                await asyncio.sleep(TOKENS_AN_EVENT * (STEP_S + STEP_EACH_S * seen["flying"]))
                yield f"data: {json.dumps({'choices': [{'index': 0, 'delta': {'content': piece}, 'finish_reason': None}]})}\n\n"
            yield f"data: {json.dumps({'choices': [{'index': 0, 'delta': {}, 'finish_reason': 'stop'}]})}\n\n"
            usage = {"prompt_tokens": 1200, "completion_tokens": TOKENS_AN_EVENT * len(pieces)}
            yield f"data: {json.dumps({'choices': [], 'usage': usage})}\n\ndata: [DONE]\n\n"
        finally:
            changed(-1)

    async def chat(request: Request) -> Response:
        body = await request.json()
        said = answer_to(str(body["messages"][-1]["content"]))
        pieces = [said[at : at + 14] for at in range(0, len(said), 14)]
        return StreamingResponse(stream(pieces), media_type="text/event-stream")

    async def models(_request: Request) -> Response:
        return JSONResponse({"data": [{"id": "stand-in", "max_model_len": 32768}]})

    async def looked_at(_request: Request) -> Response:
        changed(0)
        mean = seen["held"] / seen["busy_s"] if seen["busy_s"] else 0
        told = {"peak": seen["peak"], "mean": mean}
        seen.update(peak=0, busy_s=0.0, held=0.0)
        return JSONResponse(told)

    routes = [
        Route("/v1/chat/completions", chat, methods=["POST"]),
        Route("/v1/models", models),
        Route("/seen", looked_at),
    ]
    return Starlette(routes=routes)


def answer_to(asked: str) -> str:
    """Facts that the text holds, in the form of the schema."""
    text = asked.partition("<<<\n")[2]
    names = list(dict.fromkeys(word for word in text.replace(".", " ").split() if word.startswith("Unit-")))[:4]
    entities = [{"class": "System", "name": name, "aliases": []} for name in names]
    return json.dumps({"entities": entities, "attributes": [], "relations": []})


@contextmanager
def engine() -> Iterator[str]:
    """The stand-in in a process of its own; gives its address."""
    command = [sys.executable, "-m", "benchmarks.extraction_in_flight", "--engine"]
    process = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.terminate()
        process.wait()


def serve() -> None:
    """Run the stand-in; its port is the first line of output."""
    import socket

    import uvicorn

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(256)
        print(listening.getsockname()[1], flush=True)
        config = uvicorn.Config(engine_app(), log_config=None, ws="none", lifespan="off")
        uvicorn.Server(config).run(sockets=[listening])


async def engines_best(url: str, bodies: list[dict[str, Any]], in_flight: int) -> float:
    """Seconds for all requests by a client that keeps so many in flight and does nothing else."""
    import httpx

    waiting = iter(bodies)
    limits = httpx.Limits(max_connections=in_flight, max_keepalive_connections=in_flight)
    async with httpx.AsyncClient(timeout=120, trust_env=False, limits=limits) as client:

        async def one_after_another() -> None:
            for body in waiting:
                async with client.stream("POST", f"{url}/chat/completions", json=body) as response:
                    async for _bytes in response.aiter_raw():
                        pass

        begun = time.perf_counter()
        await asyncio.gather(*(one_after_another() for _ in range(in_flight)))
        return time.perf_counter() - begun


def document(number: int, chunks: int) -> str:
    """A text of about so many chunks, no two alike."""
    return "\n\n".join(
        f"## Section {section}\n\nUnit-{number}-{section} calls Unit-{number}-{section + 1}. "
        + " ".join(f"Step {step} of Unit-{number}-{section} takes {step * 7 + section} minutes." for step in range(20))
        for section in range(chunks)
    )


def measured(chunks: int, in_flight: int) -> dict[str, float]:
    """Read documents without a model, then have the stage read them with one; and the bare client the same requests."""
    import httpx
    from django.core.management import call_command

    from accounts.types import Subject
    from config import wiring
    from inference.hash_embedder import HashEmbedder
    from inference.openai_engine import OpenAIChatEngine
    from inference.types import ModelServer
    from knowledge.ingest import ingest
    from knowledge.models import Chunk, Version
    from knowledge.services.bases import kb_create
    from knowledge.services.uploads import upload
    from knowledge.tools import Tools
    from knowledge.uploading import IncomingFile
    from ontology.graphs import skeleton_of, source_of
    from ontology.model_reading import binding
    from ontology.model_reading.forms import Form
    from ontology.model_reading.question import ChunkText, Questions
    from ontology.models import Evidence, GraphSource
    from ontology.types import Where

    call_command("migrate", verbosity=0)
    from dataclasses import replace

    tools: Tools = replace(wiring.knowledge_tools(), embedder=HashEmbedder(), afterwards=())
    subject = Subject.system()
    kb = kb_create(subject=subject, slug="bench")
    file = IncomingFile("long.md", document(0, chunks).encode())
    job = upload(subject=subject, kb=kb, files=[file], tools=tools, enqueue=False)
    version = Version.objects.select_related("document__kb").get(job_items__job=job)
    ingest(version, tools)
    source = source_of(kb.pk)
    GraphSource.objects.filter(pk=source.pk).update(policy="all")
    with engine() as url:
        questions = Questions(skeleton_of(source.graph))
        rows = Chunk.objects.filter(version=version).order_by("ordinal")
        asked = [
            questions.about(ChunkText(c.ordinal, Where(c.start, c.end), c.context, c.text, c.content_hash))
            for c in rows
        ]
        bodies = [
            {
                "model": "stand-in",
                "messages": [{"role": each.role, "content": each.content} for each in question.messages],
                "stream": True,
                "response_format": Form.SCHEMA.asked_for(questions.schema),
            }
            for question in asked
        ]
        best_s = asyncio.run(engines_best(url, bodies, in_flight))
        httpx.get(url.removesuffix("/v1") + "/seen", trust_env=False)
        chat = OpenAIChatEngine(lambda: ModelServer(url), meter=wiring.queued_meter())
        binding.bind(lambda: binding.Reader(chat, chat.aclose, wiring.queued_meter().flush))
        begun = time.perf_counter()
        ingest(version, replace(tools, afterwards=wiring.knowledge_tools().afterwards))
        stage_s = time.perf_counter() - begun
        seen = httpx.get(url.removesuffix("/v1") + "/seen", trust_env=False).json()
    found = Evidence.objects.filter(version=version, extractor="model").count()
    return {"chunks": len(bodies), "best_s": best_s, "stage_s": stage_s, "found": found, **seen}


def child(chunks: int, in_flight: int) -> None:
    """In this process, on the engines of its data folder."""
    from config.conf import server_settings
    from config.embedded.registry import embedded_engines
    from config.embedded.sharing import engines_in_use

    with engines_in_use(embedded_engines(server_settings().data, ("postgres", "valkey"), None)):
        import django

        django.setup()
        print(json.dumps(measured(chunks, in_flight)))


def apart(chunks: int, in_flight: int) -> dict[str, float]:
    """In a process and a data folder of its own."""
    with tempfile.TemporaryDirectory(prefix="trellis-bench-") as folder:
        environment = {
            **os.environ,
            "TRELLIS_DATA_DIR": str(Path(folder) / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "TRELLIS_EXTRACT_IN_FLIGHT": str(in_flight),
        }
        name = "benchmarks.extraction_in_flight"
        command = [sys.executable, "-m", name, "--child", str(chunks), "--in-flight", str(in_flight)]
        done = subprocess.run(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=CHUNKS, help="how many chunks are read")
    parser.add_argument("--in-flight", type=int, default=IN_FLIGHT)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--engine", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        serve()
        return
    if options.child:
        child(options.child, options.in_flight)
        return
    say(f"{options.sample} chunks, {options.in_flight} in flight")
    found = apart(options.sample, options.in_flight)
    share = 100 * found["best_s"] / found["stage_s"]
    note = (
        f"{found['chunks']:.0f} calls in {found['stage_s']:.1f} s, bare client {found['best_s']:.1f} s, {options.in_flight} at once; a stand-in engine, "
        f"{1000 * STEP_S:g} ms a step and {1000 * STEP_EACH_S:g} ms more for each stream; {found['found']:.0f} facts' evidence stored"
    )
    write(
        Figure(
            "extraction, share of the engine's best", round(share, 1), "%", f"≥ {GOAL_SHARE}", share >= GOAL_SHARE, note
        )
    )
    flying = found["mean"]
    write(
        Figure(
            "extraction, calls in flight (mean)",
            round(flying, 1),
            "calls",
            f"≥ {GOAL_FLYING}",
            flying >= GOAL_FLYING,
            note,
        )
    )


if __name__ == "__main__":
    main()
