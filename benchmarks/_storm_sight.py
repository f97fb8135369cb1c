"""What a storm sees of the ledger, the graph database and the vectors, patiently, because engines come and go."""

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks._storm_model import Model

REST_S = 240


def facts_of(model: Model) -> dict[str, Any]:
    """The same as `Storm.seen` reads."""
    from hashlib import sha256

    texts = {
        (path, state, sha256(text.encode()).hexdigest())
        for state, kept in (("live", model.live), ("binned", model.binned))
        for path, text in kept.items()
    }
    return {"texts": texts, "merged": model.merged, "has_calls": model.has_calls}


def difference(wanted: dict[str, Any], seen: dict[str, Any]) -> str:
    return "; ".join(f"{name}: {wanted[name]} but {seen[name]}" for name in wanted if wanted[name] != seen[name])


def in_ledger(graph_id: Any) -> "Counter[tuple[str, str]]":
    """Relations that exist, by their places."""
    from ontology.models import Relation
    from ontology.selectors.facts import EXISTS

    rows = Relation.objects.filter(EXISTS, graph=graph_id).values_list("source__name", "target__name", "support")
    return Counter({(source, target): support for source, target, support in rows})


def in_graph(graph_id: Any) -> "Counter[tuple[str, str]]":
    from ontology.graph.binding import graph_database

    statement = "MATCH (a:Entity)-[r:calls]->(b:Entity) WHERE a.key STARTS WITH $prefix RETURN a.name AS source, b.name AS target"
    rows = patiently(lambda: graph_database().rows(statement, prefix=f"{graph_id}:"))
    return Counter((row["source"], row["target"]) for row in rows)


def in_vectors() -> "Counter[Any]":
    from inference.selectors import active_space
    from ontology.models import FactVector

    return Counter(FactVector.objects.filter(space=active_space()).values_list("content_hash", flat=True))


def findings(mend: bool) -> list[Any]:
    """Of every rule of `manage.py reconcile`."""
    from config.management.commands.reconcile import RULES

    return [patiently(partial(rule, mend)) for rule in RULES]


def nudge() -> None:
    """Ask for the periodic looks now. A broker that is away is asked again next time."""
    from celery import current_app
    from kombu.exceptions import OperationalError

    tasks = {
        "knowledge.tasks.sweep": "short",
        "ontology.tasks.project_what_waits": "short",
        "ontology.tasks.tend": "indexing",
    }
    try:
        for task, queue in tasks.items():
            current_app.send_task(task, queue=queue, retry=False, ignore_result=True, expires=5)
    except OperationalError:
        return


def patiently(ask: Callable[[], Any]) -> Any:
    """Again while an engine is down. Raises what it raised when that lasts."""
    from django.db import Error, connection

    from common.errors import Conflict, EngineUnavailable

    until = time.monotonic() + REST_S
    while True:
        try:
            return ask()
        except (Error, EngineUnavailable, Conflict):
            connection.close()
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
