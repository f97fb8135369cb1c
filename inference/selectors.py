"""Read what is known of models: the embedding spaces."""

from django.utils.translation import gettext as _

from common.errors import NotFound
from inference.fingerprint import recognise
from inference.models import EmbeddingSpace, SpaceState

WRITTEN = (SpaceState.FILLING, SpaceState.READY, SpaceState.ACTIVE)


def active_space() -> EmbeddingSpace | None:
    """The space that questions are compared in; None before the first text was embedded."""
    return EmbeddingSpace.objects.filter(state=SpaceState.ACTIVE).first()


def space_numbered(number: int) -> EmbeddingSpace:
    """Raises NotFound."""
    space = EmbeddingSpace.objects.filter(number=number).first()
    if space is None:
        raise NotFound(_("There is no embedding space number %(number)d.") % {"number": number})
    return space


def known_fingerprint(found: str) -> str:
    """The fingerprint under which this model's spaces are kept; its own when it has none yet."""
    return recognise(found, EmbeddingSpace.objects.order_by().values_list("fingerprint", flat=True).distinct())


def spaces_written(fingerprint: str) -> list[EmbeddingSpace]:
    """Every space that a new vector of this model belongs in."""
    return list(EmbeddingSpace.objects.filter(fingerprint=known_fingerprint(fingerprint), state__in=WRITTEN))
