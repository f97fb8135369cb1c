"""The demo: knowledge bases made from the files in `demo/`, that everyone may read. Loaded once; who removed one is not given it again unasked."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import yaml
from django.conf import settings

from accounts.models import AuditEvent
from accounts.types import Subject
from knowledge.models import KnowledgeBase, Role, StageRun
from knowledge.parsing.paths import is_clutter
from knowledge.runs import UNFINISHED
from knowledge.services.bases import kb_create, kb_delete
from knowledge.services.uploads import upload
from knowledge.tools import Tools
from knowledge.uploading import IncomingFile

FOLDER = Path(settings.BASE_DIR) / "demo"
SAID = "metadata.yaml"


@dataclass(frozen=True, slots=True)
class DemoBase:
    """One knowledge base of the demo: a folder of files, the skeleton it knows things by, and the key of its questions in `questions.yaml`."""

    slug: str
    name: str
    description: str
    folder: Path
    skeleton: Path
    questions: str


COMPANY = DemoBase(
    slug="demo",
    name="Quellmar (demo)",
    description="The files of a fictional company, to try questions on. 一家虚构公司的资料，供试用。",
    folder=FOLDER / "corpus",
    skeleton=FOLDER / "ontology.yaml",
    questions="suggested",
)
MODELS = DemoBase(
    slug="models",
    name="Language models (demo)",
    description="A catalogue of made-up language models, to ask the graph about. 虚构语言模型目录，供试用图谱。",
    folder=FOLDER / "models",
    skeleton=FOLDER / "models" / "ontology.yaml",
    questions="models",
)
BASES = (COMPANY, MODELS)
SLUG = COMPANY.slug


def demo_base(of: DemoBase = COMPANY) -> KnowledgeBase | None:
    """The knowledge base, when it is loaded. Of somebody else's that has its address nothing is said."""
    kb = KnowledgeBase.objects.filter(slug=of.slug, is_deleting=False).first()
    return kb if kb is None or of is COMPANY or kb.description == of.description else None


def was_removed(of: DemoBase = COMPANY) -> bool:
    """Whether somebody has deleted it."""
    return AuditEvent.objects.filter(action="kb.delete", before__slug=of.slug).exists()


def made(of: DemoBase = COMPANY) -> KnowledgeBase | None:
    """The knowledge base, made where it is missing; None when its address is taken."""
    if kb := demo_base(of):
        return kb
    if KnowledgeBase.objects.filter(slug=of.slug).exists():
        return None
    return kb_create(
        subject=Subject.system(),
        slug=of.slug,
        name=of.name,
        description=of.description,
        questions=questions(of),
        role_of_everyone=Role.VIEWER,
    )


def fill(kb: KnowledgeBase, tools: Tools, *, enqueue: bool, of: DemoBase = COMPANY) -> None:
    """Send its files where it is empty."""
    if not kb.documents.exists():
        upload(subject=Subject.system(), kb=kb, files=list(files(of)), tools=tools, enqueue=enqueue)


def remove(of: DemoBase = COMPANY) -> bool:
    """Delete it with all its documents; False when there is none."""
    kb = demo_base(of)
    if kb is None:
        return False
    kb_delete(subject=Subject.system(), kb=kb)
    return True


def files(of: DemoBase = COMPANY) -> Iterator[IncomingFile]:
    """The demo's files, with what is said of those that can't say it themselves."""
    kept = of.folder / SAID
    said = yaml.safe_load(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    for path in sorted(of.folder.rglob("*")):
        name = path.relative_to(of.folder).as_posix()
        if path.is_file() and path.suffix != ".yaml" and not is_clutter(name):
            yield IncomingFile(name, path, said=said.get(name, {}))


def questions(of: DemoBase = COMPANY) -> list[str]:
    """What the first page suggests."""
    kept = yaml.safe_load((FOLDER / "questions.yaml").read_text(encoding="utf-8"))
    return [entry["question"] for entry in kept[of.questions]]


def unread(kb: KnowledgeBase) -> list[UUID]:
    """Versions of the demo that are not read yet."""
    runs = StageRun.objects.filter(document__kb=kb, state__in=UNFINISHED, version__isnull=False)
    return list(runs.order_by("version_id").values_list("version_id", flat=True).distinct())
