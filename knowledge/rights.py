"""What kind of person looks at a page, so that navigation and the administration can show what is theirs. Whether they may do a thing is asked of the policy and the services."""

from dataclasses import dataclass

from django.http import HttpRequest

from accounts.types import Subject
from knowledge import policy
from knowledge.models import KnowledgeBase, Role


@dataclass(frozen=True, slots=True)
class Rights:
    """`is_editor` and `is_owner`: in some knowledge base. A manager manages some department."""

    is_administrator: bool = False
    is_operator: bool = False
    is_manager: bool = False
    is_editor: bool = False
    is_owner: bool = False

    @property
    def may_administer(self) -> bool:
        return self.is_administrator or self.is_operator or self.is_manager or self.is_editor

    @property
    def sees_people(self) -> bool:
        return self.is_administrator or self.is_manager

    @property
    def sees_bases(self) -> bool:
        return self.is_editor or self.sees_people

    @property
    def sees_audit(self) -> bool:
        return self.sees_people or self.is_owner

    @property
    def sees_engines(self) -> bool:
        return self.is_administrator or self.is_operator

    @property
    def sees_usage(self) -> bool:
        return self.is_administrator or self.is_operator or self.is_manager


def rights_of(subject: Subject) -> Rights:
    """Two questions to the database."""
    bases = KnowledgeBase.objects.all()
    is_owner = policy.visible(bases, subject, least=Role.OWNER).exists()
    return Rights(
        is_administrator=subject.is_administrator,
        is_operator=subject.is_operator,
        is_manager=bool(subject.managed_department_ids),
        is_editor=is_owner or policy.edits_anything(subject),
        is_owner=is_owner,
    )


def rights_in(request: HttpRequest) -> Rights:
    """The same, asked once a request."""
    kept: Rights | None = getattr(request, "_rights", None)
    if kept is None:
        kept = rights_of(request.subject)  # type: ignore[attr-defined]
        request._rights = kept  # type: ignore[attr-defined]
    return kept
