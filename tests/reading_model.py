"""A scripted model that reads documents: over a real socket, answering by the text that it is asked about."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from inference.openai_engine import OpenAIChatEngine
from inference.types import ModelServer
from ontology.model_reading.binding import Reader
from tests.meters import ListMeter
from tests.scripted_model import Script, ScriptedModel

NOTHING: dict[str, list[Any]] = {"entities": [], "attributes": [], "relations": []}


def text_of(body: dict[str, Any]) -> str:
    """The chunk that is asked about."""
    return str(body["messages"][-1]["content"].partition("<<<\n")[2].rpartition("\n>>>")[0])


def says(*pieces: str, **more: Any) -> Script:
    """A script that says this."""
    return Script(pieces=pieces, **more)


def says_facts(**lists: Any) -> Script:
    """A script that writes these lists in good form."""
    return says(json.dumps({**NOTHING, **lists}, ensure_ascii=False))


def by_text(answer: Callable[[str], Script]) -> Callable[[dict[str, Any]], Script]:
    """A script for each text."""
    return lambda body: answer(text_of(body))


def gold(facts: Iterable[tuple[str, str, dict[str, Any]]]) -> Callable[[dict[str, Any]], Script]:
    """Of all facts, (sentence, list, item), those whose sentence stands in the text."""
    known = list(facts)

    def answer(text: str) -> Script:
        lists: dict[str, list[Any]] = {"entities": [], "attributes": [], "relations": []}
        for sentence, kind, item in known:
            if sentence in text:
                lists[kind].append(item)
        return says_facts(**lists)

    return by_text(answer)


def reader_of(model: ScriptedModel, meter: ListMeter | None = None) -> Reader:
    """A reader that asks this server."""
    engine = OpenAIChatEngine(lambda: ModelServer(model.url, model.key), meter=meter or ListMeter())
    return Reader(engine, engine.aclose, lambda: None)
