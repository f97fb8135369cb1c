"""Has a model tell of communities whose members have changed: one call each, once. Only of what stands in knowledge bases that a model may read, and within what that may cost."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.types import Subject
from common.errors import EngineUnavailable, Misconfigured, TrellisError
from inference.tokens import estimate_tokens
from inference.types import Charge, Purpose
from ontology.communities.central import central_of
from ontology.communities.words import Material, material, title_and_summary
from ontology.model_reading.ask import NOT_FOR_US
from ontology.model_reading.binding import Reader, reader
from ontology.models import Community, CommunityMember, Evidence, Graph, GraphSource, ModelPolicy
from ontology.selectors.views import view_of

log = structlog.get_logger(__name__)

MOST_AT_ONCE, IN_FLIGHT = 32, 8
ANSWER_TOKENS = 400
CALL_TOKENS = 6000
"""More than one call can cost: what it is shown is bounded."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One call to make: about which community as it is now, with what, and who pays."""

    community: Community
    material: Material
    source: GraphSource


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of it; `answer` is None where no engine answered."""

    asked: Asked
    answer: str | None
    tokens: int = 0


def communities_tell(*, graph_id: UUID, budget_s: float = 20.0) -> int:
    """How many were told anew, within the time. Nothing where no model may read, or none answers: readers have the quotations."""
    sources = [each for each in sources_of(graph_id) if may_pay(each)]
    waiting = Community.objects.filter(graph=graph_id).exclude(written_for=F("key")).order_by("level", "-size", "pk")
    if not sources or not waiting.exists():
        return 0
    try:
        model = reader()
    except Misconfigured:
        return 0
    calls = prepared(graph_id, list(waiting[:MOST_AT_ONCE]), sources)
    heard = asyncio.run(ask_all(model, calls, time.monotonic() + budget_s)) if calls else []
    model.settle()
    return sum(keep(each) for each in heard)


def sources_of(graph_id: UUID) -> list[GraphSource]:
    """Knowledge bases whose owners let a model read."""
    rows = GraphSource.objects.filter(graph=graph_id).exclude(policy=ModelPolicy.OFF)
    return list(rows.select_related("kb").order_by("pk"))


def may_pay(source: GraphSource) -> bool:
    return source.token_cap is None or source.tokens_used + CALL_TOKENS <= source.token_cap


def prepared(graph_id: UUID, rows: Sequence[Community], sources: Sequence[GraphSource]) -> list[Asked]:
    """The calls that are needed. What there is nothing to tell of is done, and so is what was asked before with the same words."""
    graph = Graph.objects.select_related("skeleton").get(pk=graph_id)
    may_read = tuple(sorted(each.kb_id for each in sources))
    view = replace(view_of(Subject.system(), graph), kb_ids=may_read, sees_all=False)
    members: dict[UUID, list[UUID]] = {row.pk: [] for row in rows}
    places = CommunityMember.objects.filter(community__in=members).order_by("community", "rank")
    for community, entity in places.values_list("community_id", "entity_id"):
        members[community].append(entity)
    central = central_of(view, members)
    calls = []
    for row in rows:
        found = material(central[row.pk])
        if found is None:
            write(row, None, "", "")
        elif row.title and found.fingerprint == row.asked:
            write(row, found, row.title, row.summary)
        elif (payer := payer_of(found, sources)) is not None:
            calls.append(Asked(row, found, payer))
    return within_means(calls)


def payer_of(found: Material, sources: Sequence[GraphSource]) -> GraphSource | None:
    """The knowledge base in which the first of it stands."""
    kb_id = Evidence.objects.filter(pk=found.sources[0]).values_list("document__kb", flat=True).first()
    return next((each for each in sources if each.kb_id == kb_id), None)


def within_means(calls: Sequence[Asked]) -> list[Asked]:
    """Those for which every payer has enough, whatever they cost."""
    spent: dict[UUID, int] = {}
    chosen = []
    for call in calls:
        source = call.source
        spent[source.pk] = spent.get(source.pk, 0) + CALL_TOKENS
        if source.token_cap is None or source.tokens_used + spent[source.pk] <= source.token_cap:
            chosen.append(call)
    return chosen


async def ask_all(model: Reader, calls: Sequence[Asked], ends: float) -> list[Heard]:
    """All of them, some at a time; what has not come by the end is left for another time."""
    gate = asyncio.Semaphore(IN_FLIGHT)
    try:
        return await asyncio.gather(*(ask(model, call, gate, ends) for call in calls))
    finally:
        await model.let_go()


async def ask(model: Reader, call: Asked, gate: asyncio.Semaphore, ends: float) -> Heard:
    said, tokens = "", 0
    prompt_tokens = estimate_tokens(call.material.prompt)
    try:
        async with gate, asyncio.timeout_at(asyncio.get_running_loop().time() + max(0.0, ends - time.monotonic())):
            deltas = model.engine.stream(
                call.material.messages, max_tokens=ANSWER_TOKENS, temperature=0, charge=charge_for(call.source)
            )
            async with aclosing(deltas):
                async for delta in deltas:
                    said += delta.text
                    tokens = (
                        delta.tokens.prompt + delta.tokens.completion
                        if delta.tokens
                        else prompt_tokens + estimate_tokens(said)
                    )
    except (EngineUnavailable, TimeoutError) as error:
        log.info("communities.not_told", error=str(error))
        return Heard(call, None, tokens)
    except TrellisError as error:
        log.warning("communities.refused", error=str(error))
        return Heard(call, None if error.extra.get("answered") in NOT_FOR_US else "", tokens)
    return Heard(call, said, tokens)


def charge_for(source: GraphSource) -> Charge:
    """The knowledge base's department pays, as for reading."""
    return Charge(Purpose.EXTRACT, department_id=source.kb.department_id, kb_id=source.kb_id)


@transaction.atomic
def keep(heard: Heard) -> bool:
    """Pay for it, and write it unless its members or its sources have changed meanwhile."""
    if heard.tokens:
        GraphSource.objects.filter(pk=heard.asked.source.pk).update(tokens_used=F("tokens_used") + heard.tokens)
    if heard.answer is None:
        return False
    return write(heard.asked.community, heard.asked.material, *title_and_summary(heard.answer))


@transaction.atomic
def write(row: Community, shown: Material | None, title: str, summary: str) -> bool:
    """Sources are held while it is written, so that who deletes one finds the words made from it."""
    sources = list(shown.sources) if shown else []
    held = (
        Evidence.objects.select_for_update(no_key=True, skip_locked=True)
        .filter(pk__in=sources, is_live=True)
        .order_by("pk")
    )
    if len(held.values_list("pk", flat=True)) < len(sources):
        return False
    same = Community.objects.filter(pk=row.pk, key=row.key)
    words = {"title": title, "summary": summary, "made_from": sources if title else []}
    asked = shown.fingerprint if shown and title else ""
    return bool(same.update(**words, asked=asked, written_for=row.key, updated_at=timezone.now()))
