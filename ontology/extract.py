"""Step five of the way in, by rules alone (a model reads later, see `ontology/model_reading`): from a version's text to facts inside the skeleton, each with the place where it stands.

Finding the same again changes nothing, so a killed worker costs its batch; what an extraction does not find again of what an earlier one of the version
found, goes. Facts of a version that readers don't see yet are stored and do not exist until it is published.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from django.db import transaction
from django.utils import timezone

from knowledge.chunk import blocks_of
from knowledge.leases import Lease
from knowledge.models import Chunk, Version
from knowledge.tools import Tools
from ontology import outbox
from ontology.check import check
from ontology.decisions import decisions_of
from ontology.gazetteers import gazetteer_for
from ontology.graphs import skeleton_in_use, skeleton_of, source_of
from ontology.keeper import forget_evidence
from ontology.models import ExtractedVersion, Graph, Quarantined, QuarantineState, SkeletonVersion
from ontology.own_names import with_own_names
from ontology.record import record
from ontology.rules.gazetteer import Gazetteer
from ontology.rules.rules import find
from ontology.types import Extractor, Found

name = "extract"

BATCH = 2000
KEPT_WITHOUT_READING = (Extractor.HAND.value, Extractor.IMPORT.value, Extractor.MODEL.value)


def is_done(version: Version) -> bool:
    """Whether it was read to its end under the skeleton in use, and no name has become known since that stands in it."""
    skeleton = source_of(version.document.kb_id).graph.skeleton_id
    return ExtractedVersion.objects.filter(
        version=version, skeleton=skeleton, finished_at__isnull=False, is_stale=False
    ).exists()


def run(version: Version, lease: Lease, tools: Tools) -> None:
    """Rules alone; they need no engine. Once more with the names that the first time has made known, where they stand in other places too."""
    graph = source_of(version.document.kb_id).graph
    read = Version.objects.get(pk=version.pk)
    gazetteer = gazetteer_for(graph.pk, version.document_id, read.text)
    reading = read_by_rules(read, graph, gazetteer, lease)
    if more := with_own_names(gazetteer, graph.pk, version, read.text):
        reading = read_by_rules(read, graph, more, lease)
    with transaction.atomic():
        lease.check()
        end(reading)


def read_by_rules(version: Version, graph: Graph, gazetteer: Gazetteer, lease: Lease) -> ExtractedVersion:
    """One round over all of the text."""
    skeleton, decisions = skeleton_of(graph), decisions_of(graph.pk)
    reading = begun(version, skeleton_in_use(graph), lease)
    chunks = version.chunk_count or 0
    found = find(version.text, list(blocks_of(version)), skeleton, gazetteer, title=version.title)
    for batch in in_batches(found, BATCH):
        checked = check(batch, version.text, skeleton, decisions, title=version.title)
        with transaction.atomic():
            lease.check()
            record(graph.pk, version, reading.round, checked, skeleton)
        lease.progress(chunks * max(each.where.end for each in batch) // version.length, chunks)
    return reading


def begun(version: Version, skeleton: SkeletonVersion, lease: Lease) -> ExtractedVersion:
    """A new round. What waits in quarantine is judged anew."""
    with transaction.atomic():
        lease.check()
        reading, _made = ExtractedVersion.objects.select_for_update().get_or_create(
            version=version, defaults={"skeleton": skeleton}
        )
        reading.skeleton, reading.finished_at, reading.is_stale = skeleton, None, False
        reading.round = max(reading.round, reading.model_round) + 1
        reading.save()
        waiting = Quarantined.objects.filter(version=version, state=QuarantineState.OPEN)
        waiting.exclude(extractor=Extractor.MODEL.value).delete()
    return reading


def end(reading: ExtractedVersion) -> None:
    """Nothing more is found: what only earlier rounds found goes. What a model found again at the same place, under this skeleton, stays."""
    is_model_current = reading.skeleton is not None and reading.model_skeleton == reading.skeleton.fingerprint
    forget_evidence(
        "version_id = %(version)s AND round <> ALL(%(rounds)s) AND extractor <> ALL(%(kept)s)",
        version=reading.version_id,
        rounds=[reading.round, reading.model_round if is_model_current else reading.round],
        kept=list(KEPT_WITHOUT_READING),
    )
    ExtractedVersion.objects.filter(pk=reading.pk).update(finished_at=timezone.now())
    if Chunk.objects.filter(version_id=reading.version_id, is_live=True).exists():
        outbox.versions_changed([reading.version_id])


def forget(version: Version) -> None:
    """All that was found in a version, so that it is found again."""
    forget_evidence("version_id = %(version)s", version=version.pk)
    Quarantined.objects.filter(version=version).delete()
    ExtractedVersion.objects.filter(version=version).delete()


def in_batches(found: Iterable[Found], size: int) -> Iterator[list[Found]]:
    """Lists of at most `size`."""
    rest = iter(found)
    while batch := list(islice(rest, size)):
        yield batch
