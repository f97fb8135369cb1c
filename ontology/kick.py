"""Have graphs tended soon. What the broker loses, the periodic look finds."""

from ontology import wake

TEND = "ontology.tasks.tend"
QUEUE = "indexing"


def tend() -> None:
    """Send one message; more do no harm."""
    wake.send(TEND, QUEUE)
