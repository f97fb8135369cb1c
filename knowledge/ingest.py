"""The way in: a document version is parsed, chunked, embedded and indexed, then published. Given a version and tools, gives a version that can be found."""

from contextlib import suppress

from common.errors import TrellisError
from knowledge import chunk, embed, index, jobs, parse
from knowledge.models import Version
from knowledge.ports import Step
from knowledge.publish import publish
from knowledge.stage import stage
from knowledge.tools import Tools

WAY_IN: tuple[Step, ...] = (parse, chunk, embed, index)


def ingest(version: Version, tools: Tools) -> None:
    """Take a document version through every step it has not yet passed. Readers see the old version until `publish`; what comes after it can't take that back.

    May be called again at any time, by several workers at once: finished work is not done twice, and a second worker leaves with LeaseTaken.
    """
    for step in tools.way_in:
        if step.is_done(version):
            continue
        with stage(version, step.name) as lease:
            step.run(version, lease, tools)
    publish(version, tools)
    with suppress(TrellisError):  # on record with its stage, and not the reader's concern
        for step in tools.afterwards:
            if not step.is_done(version):
                with stage(version, step.name) as lease:
                    step.run(version, lease, tools)
                jobs.settle(version.document_id)
