"""The chunks of one version on their way: looked up among what is kept, else asked; each answer kept, turned into findings, checked and stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from common.errors import EngineUnavailable, TrellisError
from knowledge.leases import Lease
from knowledge.models import Chunk, Version
from ontology.check import check
from ontology.model_reading.ask import Answer
from ontology.model_reading.chosen import chosen
from ontology.model_reading.findings import broken, findings
from ontology.model_reading.ground import Ground
from ontology.model_reading.kept import found_in, keep, kept
from ontology.model_reading.output import Output
from ontology.model_reading.purse import Purse
from ontology.model_reading.question import ChunkText, Question, Questions
from ontology.models import GraphSource
from ontology.record import record
from ontology.types import Accepted, Checked, CompiledSkeleton, Decisions, Rejected, Where

PAGE = 200
BATCH_CHUNKS = 40
FAULTS_SHOWN = 200
AWAY_IN_A_ROW = 8


@dataclass(slots=True)
class Work:
    """One reading. `model` is the one that is asked, None while none is: then what any model said counts."""

    version: Version
    source: GraphSource
    skeleton: CompiledSkeleton
    decisions: Decisions
    lease: Lease
    round: int
    model: str | None = None
    tokens: int = 0
    asked: int = 0
    unanswered: int = 0
    away: TrellisError | None = None
    faults: list[dict[str, Any]] = field(default_factory=list)
    questions: Questions = field(init=False)
    _total: int = 0
    _done: int = 0
    _away_in_a_row: int = 0
    _checked: list[Checked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.questions = Questions(self.skeleton)
        self._total = self._chunks.count()

    @property
    def _chunks(self) -> Any:
        return Chunk.objects.filter(version=self.version)

    def replay(self, *, missing: EngineUnavailable | None = None) -> None:
        """Only what is kept, whoever said it; chunks that should be asked about count as unanswered where no engine is there."""
        for _question in self.to_ask():
            self.asked += 1
            self.unanswered += 1
            self.away = missing
        self.store()

    def to_ask(self) -> Iterator[Question]:
        """Questions about chosen chunks of which nothing is kept; what is kept is taken up on the way, of chunks that are not chosen too."""
        wanted = set(chosen(self._chunks, self.source.policy).values_list("pk", flat=True))
        rows = self._chunks.order_by("ordinal").values_list(
            "pk", "ordinal", "start", "end", "context", "text", "content_hash"
        )
        after = -1
        while page := list(rows.filter(ordinal__gt=after)[:PAGE]):
            after = page[-1][1]
            known = kept(self.source.graph_id, self.questions.fingerprint, [row[-1] for row in page], model=self.model)
            for pk, ordinal, start, end, context, text, content in page:
                chunk = ChunkText(ordinal, Where(start, end), context, text, content)
                if content in known:
                    self._found(chunk, *found_in(known[content].output))
                elif pk in wanted:
                    yield self.questions.about(chunk)
                else:
                    self._step()

    def take(self, answers: Sequence[Answer], purse: Purse) -> None:
        """Keep what came in, first of all. Raises LeaseLost, and EngineUnavailable when nothing but silence comes."""
        if self.model is None:
            raise AssertionError("Nobody was asked.")
        keep(self.source, self.questions.fingerprint, self.model, answers)
        for answer in answers:
            purse.paid(answer.question, answer.tokens)
            self.tokens += answer.tokens
            self.asked += 1
            if answer.error:
                self._nobody_answered(answer)
            else:
                self._away_in_a_row = 0
                self._found(answer.question.chunk, answer.output, answer.fault)
        if not answers:
            with transaction.atomic():
                self.lease.check()
        if self.away and self._away_in_a_row >= AWAY_IN_A_ROW:
            raise self.away

    def store(self) -> None:
        """What was checked, in one transaction."""
        if not self._checked:
            return
        accepted: list[Accepted] = [each for checked in self._checked for each in checked.accepted]
        rejected: list[Rejected] = [each for checked in self._checked for each in checked.rejected]
        with transaction.atomic():
            self.lease.check()
            record(
                self.source.graph_id, self.version, self.round, Checked(tuple(accepted), tuple(rejected)), self.skeleton
            )
        self._checked = []

    def _found(self, chunk: ChunkText, output: Output | None, fault: str) -> None:
        if fault:
            self._fault(chunk, fault)
        if output is None or (fault and not output.size):
            self._check([], [broken(chunk.where, fault)], chunk)
        else:
            ground = Ground.of(self.version.text, chunk.where)
            found = findings(output, ground, chunk.where, chunk.context)
            self._check(found.found, found.rejected, chunk)
        self._step()

    def _check(self, found: Any, rejected: Sequence[Rejected], chunk: ChunkText) -> None:
        """The one check; a name may stand in the chunk's context as rules' may stand in the title."""
        checked = check(found, self.version.text, self.skeleton, self.decisions, title=chunk.context)
        aside = [each for each in rejected if (each.reason, each.about) not in self.decisions.ignored]
        self._checked.append(Checked(checked.accepted, (*checked.rejected, *aside)))
        if len(self._checked) >= BATCH_CHUNKS:
            self.store()

    def _nobody_answered(self, answer: Answer) -> None:
        self.unanswered += 1
        self._away_in_a_row += 1
        self.away = answer.error
        self._fault(answer.question.chunk, answer.fault)
        self._step()

    def _fault(self, chunk: ChunkText, code: str) -> None:
        if len(self.faults) < FAULTS_SHOWN:
            self.faults.append({"chunk": chunk.ordinal, "code": code})

    def _step(self) -> None:
        self._done += 1
        self.lease.progress(self._done, self._total)
