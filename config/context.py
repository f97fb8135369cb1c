"""What every page may show."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.types import Subject
from knowledge.rights import Rights, rights_of
from ontology.rights import graphs_for


def page(request: HttpRequest) -> dict[str, Any]:
    """The subject who looks at the page, and what its navigation offers; asked for only where it is shown."""
    subject = getattr(request, "subject", None)
    return {"subject": subject, "nav": SimpleLazyObject(lambda: navigation(subject))}


def navigation(subject: Subject | None) -> dict[str, bool]:
    """Which ways are open."""
    rights = rights_of(subject) if subject is not None else Rights()
    return {
        "is_editor": rights.is_editor,
        "is_auditor": rights.sees_audit,
        "may_administer": rights.may_administer,
        "has_graph": subject is not None and graphs_for(subject).exists(),
    }
