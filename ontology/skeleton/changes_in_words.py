"""A difference of two skeletons in sentences for people."""

from typing import Any

from django.utils.translation import gettext as _

from ontology.skeleton.compare import Action, Change, Difference, Part

LONGEST = 120


def sentences_of(difference: Difference) -> list[str]:
    """One sentence a change; one that says so when there is none."""
    return [in_words(each) for each in difference.changes] or [_("The two mean the same.")]


def in_words(change: Change) -> str:
    """“System.vendor is new.”"""
    names = {
        Part.CLASS: _("The class %(name)s"),
        Part.RELATION: _("The relation %(name)s"),
        Part.ATTRIBUTE: _("The attribute %(name)s"),
    }
    subject = names[change.part] % {"name": change.path}
    if change.action is Action.ADDED:
        return _("%(subject)s is new.") % {"subject": subject}
    if change.action is Action.REMOVED:
        return _("%(subject)s is gone.") % {"subject": subject}
    details = "; ".join(
        _("%(field)s was %(before)s and is %(after)s")
        % {"field": key, "before": shown(change.before[key]), "after": shown(value)}
        for key, value in change.after.items()
    )
    return _("%(subject)s has changed: %(details)s.") % {"subject": subject, "details": details}


def shown(value: Any) -> str:
    """A value of a skeleton, short."""
    if isinstance(value, dict):
        words = ", ".join(f"{key}: {shown(each)}" for key, each in value.items())
    elif isinstance(value, list):
        words = ", ".join(shown(each) for each in value)
    else:
        words = str(value)
    words = words or "–"
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
