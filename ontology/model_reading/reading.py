"""What a model adds to a version that readers see already: chunk by chunk, each answer kept as soon as it is there, then through the one check and the one writer.

It comes after publishing, so a document can be found and its rules' facts stand whatever becomes of the model. Reading again replays what is kept and asks only for the rest; what a complete reading does
not give again of an earlier one's findings, goes.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.errors import EngineUnavailable, TrellisError
from inference.types import Charge, Purpose
from knowledge.leases import Lease
from knowledge.models import Chunk, Document, DocumentState, Version
from knowledge.spending import job_of
from knowledge.tools import Tools
from ontology import outbox
from ontology.conf import ontology_settings
from ontology.decisions import decisions_of
from ontology.graphs import skeleton_of, source_of
from ontology.keeper import forget_evidence
from ontology.model_reading.ask import Asker, Limits
from ontology.model_reading.binding import Reader, reader
from ontology.model_reading.chosen import covers
from ontology.model_reading.crew import Crew
from ontology.model_reading.gate import Gate
from ontology.model_reading.purse import Purse
from ontology.model_reading.work import Work
from ontology.models import (
    ExtractedVersion,
    GraphSource,
    KeptModelOutput,
    ModelPolicy,
    Quarantined,
    QuarantineState,
)
from ontology.types import Extractor

name = "model"

PUT_OFF_TIMES = 3
MODEL = Extractor.MODEL.value


def is_done(version: Version) -> bool:
    """Whether all that the policy wants was read under the skeleton in use; also where there is nothing for a model to do."""
    source = source_of(version.document.kb_id)
    row = ExtractedVersion.objects.filter(version=version, finished_at__isnull=False).first()
    if row is None or not is_read_by_people(version):
        return True
    is_current = source.graph.skeleton is not None and row.model_skeleton == source.graph.skeleton.fingerprint
    if source.policy == ModelPolicy.OFF and row.model_round == 0:
        return is_current or not KeptModelOutput.objects.filter(graph=source.graph_id).exists()
    return is_current and covers(row.model_policy, source.policy)


def is_read_by_people(version: Version) -> bool:
    return Document.objects.filter(live_version=version.pk, state=DocumentState.LIVE).exists()


def run(version: Version, lease: Lease, tools: Tools) -> None:
    """Raises EngineUnavailable when chunks are left that no engine answered, CostCapReached, EngineRefused when the engine will not work for us."""
    source = source_of(version.document.kb_id)
    row = begun(version, lease)
    work = Work(
        version=Version.objects.get(pk=version.pk),
        source=source,
        skeleton=skeleton_of(source.graph),
        decisions=decisions_of(source.graph_id),
        lease=lease,
        round=row.model_round,
    )
    try:
        if source.policy == ModelPolicy.OFF:
            work.replay()
        else:
            read_with(reader(), work, version)
    finally:
        ExtractedVersion.objects.filter(pk=row.pk).update(tokens=row.tokens + work.tokens)
    require_answered(work, lease)
    with transaction.atomic():
        lease.check()
        end(row, source, work)


def read_with(reader: Reader, work: Work, version: Version) -> None:
    """Replay what is kept and ask for the rest, many at a time."""
    settings = ontology_settings()
    purse = Purse(job_of(version), work.source, work.lease, settings.extract_answer_tokens)
    with Crew(settings.extract_in_flight, closing=reader.let_go) as crew:
        try:
            info = crew.wait_for(reader.engine.info())
        except EngineUnavailable as away:
            work.replay(missing=away)
            return
        work.model = info.model
        asker = Asker(
            reader.engine,
            info,
            work.questions.schema,
            charge_for(version),
            Gate(settings.extract_in_flight),
            Limits(settings.extract_answer_tokens, settings.extract_call_s),
        )
        try:
            for answers in crew.answers(work.to_ask(), asker.ask, purse.may_ask):
                work.take(answers, purse)
        except TrellisError:
            work.store()  # what came in before the end stays
            raise
        finally:
            reader.settle()
    work.store()


def require_answered(work: Work, lease: Lease) -> None:
    """Raises EngineUnavailable while there is hope for the chunks that nobody answered: always when none was answered, else a few times."""
    if work.unanswered and (work.asked == work.unanswered or lease.waits < PUT_OFF_TIMES):
        error = work.away or EngineUnavailable(_("The model did not answer."))
        raise error


def begun(version: Version, lease: Lease) -> ExtractedVersion:
    """A new round. What waits in quarantine of a model's findings is judged anew."""
    with transaction.atomic():
        lease.check()
        row = ExtractedVersion.objects.select_for_update().get(version=version)
        row.model_round = max(row.round, row.model_round) + 1
        row.save(update_fields=["model_round", "updated_at"])
        Quarantined.objects.filter(version=version, state=QuarantineState.OPEN, extractor=MODEL).delete()
    return row


def end(row: ExtractedVersion, source: GraphSource, work: Work) -> None:
    """All is read: what only earlier rounds of a model found goes. What rules found again at the same place, in their last round, stays."""
    rules_round = ExtractedVersion.objects.values_list("round", flat=True).select_for_update().get(pk=row.pk)
    forget_evidence(
        "version_id = %(version)s AND extractor = %(model)s AND round <> ALL(%(rounds)s)",
        version=row.version_id,
        model=MODEL,
        rounds=[row.model_round, rules_round],
    )
    ExtractedVersion.objects.filter(pk=row.pk).update(
        model_policy=source.policy,
        model_skeleton=work.skeleton.fingerprint,
        faults=work.faults,
        updated_at=timezone.now(),
    )
    if Chunk.objects.filter(version_id=row.version_id, is_live=True).exists():
        outbox.versions_changed([row.version_id])


def forget(version: Version) -> None:
    """What a model found in a version; what it answered stays kept."""
    forget_evidence("version_id = %(version)s AND extractor = %(model)s", version=version.pk, model=MODEL)
    Quarantined.objects.filter(version=version, extractor=MODEL).delete()
    ExtractedVersion.objects.filter(version=version).update(model_round=0, model_policy="", model_skeleton="")


def charge_for(version: Version) -> Charge:
    """The knowledge base's department pays for reading."""
    kb = version.document.kb
    return Charge(
        Purpose.EXTRACT,
        department_id=kb.department_id,
        user_id=version.created_by_id,
        kb_id=kb.pk,
        document_id=version.document_id,
    )
