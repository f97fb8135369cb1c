"""What happens to graphs by itself: texts are searched for names that became known after them, records are cut anew, what is due is extracted again, vectors of facts, suggestions and
communities follow.

Called now and then by a periodic task; everything is seen from rows, so that it may be called at any time and by several at once.
"""

import time
from uuid import UUID

from django.db.models import F, Q

from common.errors import EngineUnavailable, LeaseLost
from knowledge import queue
from knowledge.models import DocumentState, KnowledgeBase, Version
from knowledge.recut import records_tend
from knowledge.stage import stage
from knowledge.tools import Tools
from ontology import extract
from ontology.communities.refresh import communities_refresh
from ontology.communities.tell import communities_tell
from ontology.fact_vectors.rows import vectors_forget_unheld
from ontology.fact_vectors.tend import fact_vectors_tend
from ontology.graphs import source_of
from ontology.model_reading import schedule
from ontology.models import Graph
from ontology.name_vectors.tend import name_vectors_tend
from ontology.seek import seek
from ontology.services.suggestions import suggestions_refresh

BUDGET_S = 40.0


def tend_graphs(tools: Tools, *, budget_s: float = BUDGET_S) -> int:
    """Everything that is due, within the time; gives how many versions were gone over."""
    ends = time.monotonic() + budget_s
    for kb_id in KnowledgeBase.objects.filter(graph_source=None, is_deleting=False).values_list("pk", flat=True):
        source_of(kb_id)
    count = 0
    vectors_forget_unheld()
    for graph in Graph.objects.select_related("skeleton"):
        seek(graph.pk)
        for source in graph.sources.select_related("graph__skeleton", "kb"):
            records_tend(source.kb, tools)
            queue.send_versions(schedule.have_read(source))
        for version_id in due(graph):
            if time.monotonic() > ends:
                return count
            count += again(version_id, tools)
        fact_vectors_tend(graph, tools.embedder, budget_s=max(1.0, ends - time.monotonic()))
        name_vectors_tend(graph_id=graph.pk, embedder=tools.embedder, budget_s=max(1.0, ends - time.monotonic()))
        suggestions_refresh(graph_id=graph.pk, budget_s=max(1.0, ends - time.monotonic()))
        communities_refresh(graph_id=graph.pk, budget_s=max(1.0, ends - time.monotonic()))
        communities_tell(graph_id=graph.pk, budget_s=max(1.0, ends - time.monotonic()))
    return count


def due(graph: Graph) -> list[UUID]:
    """Live versions that were not extracted under the skeleton in use, or in which more may be found; the oldest first."""
    done = Q(extracted__skeleton=graph.skeleton_id, extracted__is_stale=False, extracted__finished_at__isnull=False)
    live = Version.objects.filter(
        document__live_version=F("pk"), document__state=DocumentState.LIVE, document__kb__graph_source__graph=graph
    )
    return list(live.exclude(done).order_by("pk").values_list("pk", flat=True))


def again(version_id: UUID, tools: Tools) -> int:
    """Extract one version under the lease of its stage; 0 when another worker has it or it has gone."""
    version = Version.objects.select_related("document__kb").defer("text").filter(pk=version_id).first()
    if version is None or extract.is_done(version):
        return 0
    try:
        with stage(version, extract.name) as lease:
            extract.run(version, lease, tools)
    except (LeaseLost, EngineUnavailable):
        return 0
    return 1
