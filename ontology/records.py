"""Plays knowledge's rules of records: the record headings of all classes of the skeleton in use."""

from uuid import UUID

from knowledge.chunking.records import RecordHeadings
from ontology.graphs import skeleton_of, source_of
from ontology.types import CompiledSkeleton


class SkeletonRecords:
    """Asks the ledger each time, because a skeleton may be applied at any moment."""

    def of(self, kb_id: UUID) -> RecordHeadings:
        return record_headings(skeleton_of(source_of(kb_id).graph))


def record_headings(skeleton: CompiledSkeleton) -> RecordHeadings:
    """Of all classes."""
    return RecordHeadings(tuple(each for one in skeleton.classes.values() for each in one.record_headings))
