"""What a model's reading of a knowledge base would cost, before anybody starts it."""

from dataclasses import dataclass

from django.db.models import Avg, Count, Exists, OuterRef, Sum

from accounts.types import Subject
from inference.conf import inference_settings
from inference.models import UsageRecord
from inference.services import MICROS
from inference.types import Purpose
from knowledge import policy as access
from knowledge.models import Chunk, KnowledgeBase
from ontology.graphs import skeleton_of, source_of
from ontology.model_reading.chosen import chosen
from ontology.model_reading.question import AROUND_MESSAGES, Questions
from ontology.models import GraphSource, KeptModelOutput, ModelPolicy

ENOUGH_KEPT = 20
ANSWER_SHARE = 0.8  # an answer is nearly as long as its text, until answers are known


@dataclass(frozen=True, slots=True)
class ReadingCost:
    """Under one policy: `calls` are the chosen contents of which nothing is kept; `tokens` is estimated, prompt and answer together. `price` is in the currency of the settings."""

    policy: str
    chunks: int
    calls: int
    tokens: int
    price: float

    def fits(self, source: GraphSource) -> bool:
        """Inside of what the base may still spend."""
        return source.token_cap is None or source.tokens_used + self.tokens <= source.token_cap


@dataclass(frozen=True, slots=True)
class Spent:
    """What models have cost in one knowledge base by now, for reading it and for proposals; answers to questions are not among it."""

    calls: int
    tokens: int
    price: float


def reading_costs(subject: Subject, kb: KnowledgeBase) -> list[ReadingCost]:
    """For each policy that reads anything. Raises NotFound, Forbidden."""
    access.require_editor(subject, kb.pk)
    source = source_of(kb.pk)
    questions = Questions(skeleton_of(source.graph))
    return [cost_of(source, questions, policy) for policy in (ModelPolicy.TITLES, ModelPolicy.ALL)]


def spent_on(subject: Subject, kb: KnowledgeBase) -> Spent:
    """From the bills. Raises NotFound, Forbidden."""
    access.require_editor(subject, kb.pk)
    bills = UsageRecord.objects.filter(kb_id=kb.pk, purpose__in=(Purpose.EXTRACT, Purpose.PROPOSE))
    sums = bills.aggregate(
        calls=Count("pk"), prompts=Sum("prompt_tokens"), answers=Sum("completion_tokens"), cost=Sum("cost_micros")
    )
    return Spent(sums["calls"], (sums["prompts"] or 0) + (sums["answers"] or 0), round((sums["cost"] or 0) / MICROS, 4))


def cost_of(source: GraphSource, questions: Questions, policy: str) -> ReadingCost:
    """From counts of rows; what an answer costs is learnt from those that are kept."""
    outputs = KeptModelOutput.objects.filter(graph=source.graph_id, prompt=questions.fingerprint)
    read = chosen(Chunk.objects.filter(kb=source.kb_id, is_live=True), policy)
    left = read.exclude(Exists(outputs.filter(content_hash=OuterRef("content_hash"))))
    counted = left.aggregate(calls=Count("content_hash", distinct=True), rows=Count("pk"), tokens=Sum("tokens"))
    calls, text = counted["calls"], (counted["tokens"] or 0) * counted["calls"] / max(1, counted["rows"])
    known = outputs.aggregate(count=Count("pk"), tokens=Avg("tokens"))
    before = max(each.tokens for each in questions.told.values()) + AROUND_MESSAGES
    prompts, answers = before * calls + text, ANSWER_SHARE * text
    if known["count"] >= ENOUGH_KEPT:
        share = known["tokens"] * calls / max(1.0, prompts + answers)
        prompts, answers = share * prompts, share * answers
    settings = inference_settings()
    price = (prompts * settings.llm_prompt_price + answers * settings.llm_completion_price) / 1000
    return ReadingCost(policy, read.count(), calls, round(prompts + answers), round(price, 4))
