"""What people decided about kinds of things that did not fit, for the check."""

from uuid import UUID

from ontology.models import QuarantineRule, RuleAction
from ontology.types import Decisions, Reason


def decisions_of(graph_id: UUID) -> Decisions:
    """All of a graph's."""
    rules = QuarantineRule.objects.filter(graph_id=graph_id).values_list("reason", "about", "action", "becomes")
    return Decisions(
        ignored=frozenset(
            (Reason(reason), about) for reason, about, action, _to in rules if action == RuleAction.IGNORE
        ),
        becomes={(Reason(reason), about): to for reason, about, action, to in rules if action == RuleAction.MAP},
    )
