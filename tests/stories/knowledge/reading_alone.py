"""Reads texts one after the other in a process of its own and prints a line for each: by how many MiB it raised the peak of the process's memory, and its chunks."""

import os
import resource
import sys
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from accounts.types import Subject  # noqa: E402
from common.storage import FolderStorage  # noqa: E402
from inference.hash_embedder import HashEmbedder  # noqa: E402
from knowledge.ingest import WAY_IN, ingest  # noqa: E402
from knowledge.models import KnowledgeBase, Version  # noqa: E402
from knowledge.services.uploads import upload  # noqa: E402
from knowledge.tools import Tools  # noqa: E402
from knowledge.uploading import IncomingFile  # noqa: E402
from knowledge.words.split import WordSplitter  # noqa: E402


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(folder: str, slug: str, *paths: str) -> None:
    tools = Tools(storage=FolderStorage(Path(folder)), embedder=HashEmbedder(), splitter=WordSplitter(), way_in=WAY_IN)
    tools.splitter.terms("加载词典 and stems")
    kb = KnowledgeBase.objects.get(slug=slug)
    texts = [
        IncomingFile("warm.md", b"Warm up.\n\n- one\n- two"),
        *(IncomingFile(Path(p).name, Path(p)) for p in paths),
    ]
    job = upload(subject=Subject.system(), kb=kb, files=texts, tools=tools, enqueue=False)
    versions = {v.document.path: v for v in Version.objects.select_related("document__kb").filter(job_items__job=job)}
    for text in texts:
        version = versions[text.path]
        before = peak_mib()
        ingest(version, tools)
        print(round(peak_mib() - before, 1), Version.objects.values_list("chunk_count", flat=True).get(pk=version.pk))


main(*sys.argv[1:])
