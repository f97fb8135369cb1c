"""The rows of what we have read. Django looks for models here, so this module names them all."""

from knowledge.models.bases import KeyGrant, KnowledgeBase, Membership, Role
from knowledge.models.chunks import (
    Chunk,
    ChunkKeywords,
    ChunkVector,
    ContentVector,
    KeywordTerm,
    Section,
    StoredBlock,
    StoredPicture,
)
from knowledge.models.documents import Document, DocumentState, Original, Version
from knowledge.models.jobs import Job, JobItem, JobKind, Outcome, RunState, StageRun, WorkerBeat
from knowledge.models.uploads import Upload, UploadFile

__all__ = [
    "Chunk",
    "ChunkKeywords",
    "ChunkVector",
    "ContentVector",
    "Document",
    "DocumentState",
    "Job",
    "JobItem",
    "JobKind",
    "KeyGrant",
    "KeywordTerm",
    "KnowledgeBase",
    "Membership",
    "Original",
    "Outcome",
    "Role",
    "RunState",
    "Section",
    "StageRun",
    "StoredBlock",
    "StoredPicture",
    "Upload",
    "UploadFile",
    "Version",
    "WorkerBeat",
]
