"""What the workers do for the graph: each task takes an id, fetches, and calls one function. A message may come twice, late or never; rows say what is to be done."""

from uuid import UUID

import structlog
from celery import shared_task

from common.errors import EngineUnavailable
from common.tasks import TrellisTask
from knowledge.tools import tools
from ontology import kick, outbox, wake
from ontology.fact_vectors.tend import fact_vectors_tend
from ontology.graph import lag
from ontology.graph.binding import projector_of
from ontology.models import Graph
from ontology.tend_graphs import tend_graphs

log = structlog.get_logger(__name__)

AT_A_GO_S = 20.0
EMBED = "ontology.tasks.embed_facts"


@shared_task(base=TrellisTask, name="ontology.tasks.project")
def project(graph_id: str) -> None:
    """Bring the graph database up to the ledger, for a while; then others get their turn. One that is away is tried again by the periodic look."""
    graph = Graph.objects.select_related("skeleton").filter(pk=UUID(graph_id)).first()
    if graph is None:
        return
    try:
        is_done = projector_of(graph).project(limit_s=AT_A_GO_S)
    except EngineUnavailable as error:
        log.warning("graph.behind", graph=graph_id, error=str(error))
        return
    if is_done:
        wake.send(EMBED, kick.QUEUE, [graph_id])
    else:
        outbox.Wake(graph.pk)()


@shared_task(base=TrellisTask, name=EMBED)
def embed_facts(graph_id: str) -> None:
    """Give the graph's facts their vectors, for a while; what is left, and what an embedder that is away leaves, the periodic tending finds."""
    graph = Graph.objects.select_related("skeleton").filter(pk=UUID(graph_id)).first()
    if graph is not None:
        fact_vectors_tend(graph, tools().embedder, budget_s=AT_A_GO_S)


@shared_task(base=TrellisTask, name="ontology.tasks.tend")
def tend() -> None:
    """Search what was read for names that became known later; extract again what is due. Comes again while there is more."""
    if tend_graphs(tools()):
        kick.tend()


@shared_task(base=TrellisTask, name="ontology.tasks.project_what_waits")
def project_what_waits() -> None:
    """Wake the projector of every graph that is behind."""
    for graph_id in lag.graphs_behind():
        outbox.Wake(graph_id)()
