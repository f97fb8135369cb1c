"""What the demo knows: each of its knowledge bases has a skeleton of its own, applied before its files are read."""

from accounts.types import Subject
from knowledge.demo import DemoBase
from knowledge.models import KnowledgeBase
from ontology.graphs import skeleton_in_use, source_of
from ontology.services.skeletons import skeleton_apply


def give_skeleton(kb: KnowledgeBase, of: DemoBase) -> None:
    """Once: a skeleton that somebody has changed since stays."""
    graph = source_of(kb.pk).graph
    if skeleton_in_use(graph).number == 1:
        text = of.skeleton.read_text(encoding="utf-8")
        skeleton_apply(subject=Subject.system(), graph_id=graph.pk, text=text)
