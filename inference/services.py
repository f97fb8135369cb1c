"""Write down what models did, and keep the embedding spaces."""

from collections.abc import Iterable

from django.db.models import Max
from django.utils import timezone

from inference.conf import InferenceSettings, inference_settings
from inference.models import EmbeddingSpace, SpaceState, UsageRecord
from inference.selectors import known_fingerprint
from inference.spaces import Fitted
from inference.types import EmbedderInfo, Usage

MICROS = 1_000_000


def usage_record(*, usage: Usage) -> UsageRecord:
    """Write one model call down with its price of today."""
    row = usage_row(usage, inference_settings())
    row.save(force_insert=True)
    return row


def usage_record_all(*, usages: Iterable[Usage]) -> None:
    """Write many calls down in one statement."""
    settings = inference_settings()
    UsageRecord.objects.bulk_create(usage_row(usage, settings) for usage in usages)


def usage_row(usage: Usage, settings: InferenceSettings) -> UsageRecord:
    """The row of one call; not saved."""
    charge = usage.charge
    return UsageRecord(
        purpose=charge.purpose,
        model=usage.model[:200],
        department_id=charge.department_id,
        user_id=charge.user_id,
        key_id=charge.key_id,
        kb_id=charge.kb_id,
        document_id=charge.document_id,
        conversation_id=charge.conversation_id,
        prompt_tokens=usage.tokens.prompt,
        completion_tokens=usage.tokens.completion,
        cost_micros=cost_micros(usage, settings),
        duration_ms=usage.duration_ms,
        outcome=usage.outcome[:30],
    )


def cost_micros(usage: Usage, settings: InferenceSettings) -> int:
    """Millionths of the currency that the prices are in."""
    tokens = usage.tokens
    if usage.task == "embed":
        price = tokens.prompt * settings.embedding_price
    else:
        price = tokens.prompt * settings.llm_prompt_price + tokens.completion * settings.llm_completion_price
    return round(price * MICROS / 1000)


def space_create(*, info: EmbedderInfo, fitted: Fitted | None = None) -> EmbeddingSpace:
    """A new space of this model, being filled: reduced as fitted, or the identity. Inside the caller's transaction, one caller at a time."""
    highest = EmbeddingSpace.objects.aggregate(highest=Max("number"))["highest"] or 0
    space = EmbeddingSpace(
        number=highest + 1,
        model=info.model[:200],
        fingerprint=known_fingerprint(info.fingerprint),
        raw_dims=info.dims,
        dims=fitted.dims if fitted else info.dims,
    )
    if fitted:
        space.mean, space.components = fitted.mean, fitted.components
        space.variance, space.fitted_on = fitted.variance, fitted.fitted_on
    space.save(force_insert=True)
    return space


def space_move(*, space: EmbeddingSpace, state: SpaceState) -> None:
    """Change a space's state. Making it the active one retires the active one; inside the caller's transaction."""
    if state is SpaceState.ACTIVE:
        EmbeddingSpace.objects.filter(state=SpaceState.ACTIVE).exclude(pk=space.pk).update(
            state=SpaceState.RETIRED, updated_at=timezone.now()
        )
        space.activated_at = timezone.now()
    space.state = state
    space.save(update_fields=["state", "activated_at", "updated_at"])
