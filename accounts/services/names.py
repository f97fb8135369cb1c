"""Names of departments, people and keys."""

from django.utils.translation import gettext_lazy as _

from common.errors import InvalidInput


def valid_name(name: str) -> str:
    """Raises InvalidInput for an empty one."""
    cleaned = " ".join(name.split())
    if not cleaned:
        raise InvalidInput(_("A name is needed."))
    return cleaned
