"""Values that people have vouched for and that contradict each other. Given what a line of a table says, gives sentences that name the others."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from ontology.models import AttributeValue
from ontology.recording.facts import AttributeKey


def contradictions(line: int, keys: Sequence[AttributeKey], lines: dict[AttributeKey, int]) -> tuple[str, ...]:
    """Where people's word now stands for another value of the same attribute too, of this file or from before; both are kept. `lines` are those
    of the file that gave a value; this one's are added.
    """
    said: list[str] = []
    for key in keys:
        others = AttributeValue.objects.filter(entity=key.entity, name=key.name, is_confirmed=True)
        for other in others.exclude(value_key=key.value_key).order_by("pk"):
            before = lines.get(AttributeKey(key.entity, key.name, other.value_key))
            facts = {"name": key.name, "value": other.text or other.value, "line": before}
            if before is None:
                said.append(_("“%(name)s” was confirmed as “%(value)s” before; both are kept.") % facts)
            else:
                said.append(_("“%(name)s” is “%(value)s” in line %(line)d; both are kept.") % facts)
        lines.setdefault(key, line)
    return tuple(said)
