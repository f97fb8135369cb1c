"""What a reading may still spend: of its job's allowance and of its knowledge base's. A call goes only when its dearest outcome fits, so that a cap is never passed; then it is over, cleanly."""

from dataclasses import dataclass, field

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from knowledge.leases import Lease
from knowledge.models import Job
from knowledge.spending import CostCapReached, require_within_cap
from ontology.model_reading.question import Question
from ontology.models import GraphSource

CALLS_A_CHUNK = 2


@dataclass(slots=True)
class Purse:
    """Of one reading. `answer_tokens` is the longest answer; `reserved` is what calls in flight may cost."""

    job: Job | None
    source: GraphSource
    lease: Lease
    answer_tokens: int
    reserved: dict[int, int] = field(default_factory=dict)

    def may_ask(self, question: Question, is_idle: bool) -> bool:
        """Whether one more may go; False while others may still give back what is reserved for them. Raises CostCapReached."""
        most = CALLS_A_CHUNK * (question.prompt_tokens + self.answer_tokens)
        try:
            require_within_cap(self.job, self.lease, sum(self.reserved.values()) + most)
            self._require_within_base(sum(self.reserved.values()) + most)
        except CostCapReached:
            if is_idle:
                raise
            return False
        self.reserved[question.chunk.ordinal] = most
        return True

    def paid(self, question: Question, tokens: int) -> None:
        """It is back, and cost this much."""
        self.reserved.pop(question.chunk.ordinal, None)
        self.lease.spend(tokens)

    def _require_within_base(self, tokens: int) -> None:
        if self.source.token_cap is None:
            return
        cap, used = GraphSource.objects.values_list("token_cap", "tokens_used").get(pk=self.source.pk)
        if cap is not None and used + tokens > cap:
            raise CostCapReached(
                format_lazy(
                    _(
                        "A model has used {used} of the {cap} tokens that reading this knowledge base may cost, and the next passage might go beyond them. What is done stays; raise the "
                        "limit, then try again."
                    ),
                    used=f"{used:,}",
                    cap=f"{cap:,}",
                )
            )
