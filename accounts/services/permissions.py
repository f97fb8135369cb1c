"""Who may do what: administrators everything; managers of a department its people (never their roles as administrator or operator) and its keys;
everybody their own keys, name, language and password.
"""

from uuid import UUID

from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import Forbidden


def require_administrator(subject: Subject) -> None:
    """Raises Forbidden."""
    if not subject.is_administrator:
        raise Forbidden(_("Only an administrator may do this."))


def require_manager(subject: Subject, department_id: UUID | None) -> None:
    """Raises Forbidden for anybody but an administrator and the department's managers."""
    if not subject.is_administrator and department_id not in subject.managed_department_ids:
        raise Forbidden(_("Only an administrator or a manager of the department may do this."))


def require_no_key(subject: Subject) -> None:
    """Raises Forbidden for a key: it could otherwise make itself another one with more rights."""
    if subject.key_id is not None:
        raise Forbidden(_("Keys are made and changed by people who are signed in, not by keys."))
