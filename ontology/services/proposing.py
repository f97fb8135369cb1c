"""Have a model name and join what counting has found in documents: one bounded call, of which the knowledge base pays. Nothing is stored but the bill."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import F

from accounts.types import Subject
from inference.types import Charge, Purpose
from knowledge import policy as access
from knowledge.models import KnowledgeBase
from ontology.graphs import skeleton_in_use, skeleton_of, source_of
from ontology.model_reading.ask import Limits
from ontology.model_reading.once import Reply, ask_once, prompt_tokens_of
from ontology.model_reading.presence import model_that_answers
from ontology.models import GraphSource, ModelPolicy
from ontology.proposing.drafts import Draft
from ontology.proposing.naming import Answer, named, read_answer
from ontology.proposing.question import answer_schema, messages_about

ANSWER_TOKENS, CALL_S = 2000, 60.0
SHOWN_AT_ONCE = (24, 10, 4)
"""Drafts that a model is shown: the most frequent, fewer where its window is small."""


class Offer(StrEnum):
    """Whether a model may be asked."""

    YES = "yes"
    NOTHING = "nothing"
    POLICY_OFF = "policy_off"
    CAP_REACHED = "cap_reached"
    NO_MODEL = "no_model"


@dataclass(frozen=True, slots=True)
class Asking:
    """What a call would cost at most, and who would answer."""

    offer: Offer
    tokens: int = 0
    model: str = ""


@dataclass(frozen=True, slots=True)
class Naming:
    """What came of it: the drafts as they are to be shown, what the model said in its form, and the code of what went wrong."""

    drafts: list[Draft]
    answer: Answer
    tokens: int = 0
    model: str = ""
    fault: str = ""

    @property
    def is_any(self) -> bool:
        return any(draft.is_named_by_model for draft in self.drafts)


def asking_about(subject: Subject, kb: KnowledgeBase, drafts: Sequence[Draft]) -> Asking:
    """Before anybody is asked. A model is shown nothing of a knowledge base whose owner lets none read it. Raises NotFound, Forbidden."""
    access.require_editor(subject, kb.pk)
    source = source_of(kb.pk)
    if not drafts:
        return Asking(Offer.NOTHING)
    if source.policy == ModelPolicy.OFF:
        return Asking(Offer.POLICY_OFF)
    tokens = prompt_tokens_of(messages_about(shown(drafts, SHOWN_AT_ONCE[0]), skeleton_of(source.graph).classes))
    tokens += ANSWER_TOKENS
    if source.token_cap is not None and source.tokens_used + tokens > source.token_cap:
        return Asking(Offer.CAP_REACHED, tokens)
    model = model_that_answers()
    return Asking(Offer.YES if model else Offer.NO_MODEL, tokens, model)


def drafts_name(*, subject: Subject, kb: KnowledgeBase, drafts: Sequence[Draft]) -> Naming:
    """Ask once. Without an answer, or with none that makes sense, the drafts are as they were. Raises NotFound, Forbidden."""
    asking = asking_about(subject, kb, drafts)
    if asking.offer is not Offer.YES:
        return Naming(list(drafts), read_answer("", drafts), fault=asking.offer.value)
    source = source_of(kb.pk)
    reply = asked(subject, kb, drafts, skeleton_of(source.graph).classes)
    if reply.tokens:
        GraphSource.objects.filter(pk=source.pk).update(tokens_used=F("tokens_used") + reply.tokens)
    answer = read_answer(reply.text, drafts)
    found = named(drafts, answer, skeleton_in_use(source.graph).text)
    return Naming(found, answer, reply.tokens, reply.model, reply.fault)


def asked(subject: Subject, kb: KnowledgeBase, drafts: Sequence[Draft], class_names: Iterable[str]) -> Reply:
    """About as many as there is room for; only a call that was made costs."""
    charge = Charge(Purpose.PROPOSE, department_id=kb.department_id, user_id=subject.user_id, kb_id=kb.pk)
    reply = Reply()
    for most in SHOWN_AT_ONCE:
        few = shown(drafts, most)
        reply = ask_once(messages_about(few, class_names), answer_schema(few), charge, Limits(ANSWER_TOKENS, CALL_S))
        if reply.fault != "too_long":
            break
    return reply


def shown(drafts: Sequence[Draft], most: int) -> list[Draft]:
    """The first ones: classes before attributes, the most frequent first."""
    return list(drafts[:most])
