"""Links by which somebody chooses a password, for invitations and resets. They need no e-mail server: whoever asks for one hands it over.

A link is signed, good once (it stops when the password changes) and for `PASSWORD_RESET_TIMEOUT`.
"""

from uuid import UUID

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.urls import reverse

from accounts.models import User
from accounts.services.audit import audit
from accounts.services.permissions import require_administrator, require_manager
from accounts.types import Subject

tokens = PasswordResetTokenGenerator()


def welcome_path(*, subject: Subject, user: User) -> str:
    """The path of a new link for this person. Raises Forbidden for anybody but their managers and administrators."""
    require_manager(subject, user.department_id)
    if user.is_administrator or user.is_operator:
        require_administrator(subject)
    audit(subject, "user.link", user, department_id=user.department_id)
    return reverse("account_welcome", kwargs={"user_id": user.pk, "token": tokens.make_token(user)})


def invitee(user_id: UUID, token: str) -> User | None:
    """Whose link this is, or None when it is no longer good."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    return user if user and tokens.check_token(user, token) else None
