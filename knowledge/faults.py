"""An error as rows keep it: its code, and its sentence in each language that readers have, because nobody knows yet who will read it."""

from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language, override

from common.errors import TrellisError

Fault = dict[str, Any]


def fault(code: str, message: str | Promise) -> Fault:
    """`{"code", "message", "translations"}`; the message itself is in the source's language."""
    spoken = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            spoken[language] = str(message)
    default = spoken.pop(settings.LANGUAGE_CODE)
    return {"code": code, "message": default, "translations": spoken}


def fault_of(error: TrellisError) -> Fault:
    """From one of our errors. Its message is translated as far as it is still lazy."""
    return fault(error.code, error.message)


def in_words(kept: Fault | None) -> dict[str, str] | None:
    """`{"code", "message"}` in the language of whoever reads now."""
    if kept is None:
        return None
    message = kept.get("translations", {}).get(get_language() or "", kept.get("message", ""))
    return {"code": kept.get("code", ""), "message": message}
