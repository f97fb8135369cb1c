"""What models have answered, kept by content, prompt and model: whoever comes to the same again finds it here, and no call is repeated."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F

from ontology.model_reading.ask import Answer
from ontology.model_reading.output import Output
from ontology.models import GraphSource, KeptModelOutput

NOT_KEPT = ("too_long", "engine_refused")


def keep(source: GraphSource, prompt: str, model: str, answers: Iterable[Answer]) -> None:
    """Those in which an engine had its say, right or wrong; and what all of them cost the knowledge base."""
    given = list(answers)
    rows = [
        KeptModelOutput(
            graph_id=source.graph_id,
            content_hash=each.question.chunk.content_hash,
            prompt=prompt,
            model=model[:200],
            output=as_json(each),
            tokens=each.tokens,
        )
        for each in given
        if each.error is None and each.fault not in NOT_KEPT
    ]
    tokens = sum(each.tokens for each in given)
    with transaction.atomic():
        KeptModelOutput.objects.bulk_create(rows, ignore_conflicts=True)
        if tokens:
            GraphSource.objects.filter(pk=source.pk).update(tokens_used=F("tokens_used") + tokens)


def kept(graph_id: UUID, prompt: str, contents: Sequence[UUID], *, model: str | None) -> dict[UUID, KeptModelOutput]:
    """What is known of these contents: of this model; of any, the newest, where none is named."""
    rows = KeptModelOutput.objects.filter(graph_id=graph_id, prompt=prompt, content_hash__in=contents)
    if model is not None:
        rows = rows.filter(model=model[:200])
    return {row.content_hash: row for row in rows.order_by("pk")}


def as_json(answer: Answer) -> dict[str, Any]:
    """For the column; `found_in` is the way back."""
    output = answer.output
    return {
        "fault": answer.fault,
        "lists": dict(output.lists) if output else None,
        "is_whole": bool(output and output.is_whole),
    }


def found_in(plain: dict[str, Any]) -> tuple[Output | None, str]:
    """The output and the fault."""
    lists = plain.get("lists")
    return (Output(lists, bool(plain.get("is_whole"))) if lists is not None else None), str(plain.get("fault") or "")
