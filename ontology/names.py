"""When two names are the same name, and what may be a name at all.

`normal` gives the form that is compared: folded (NFKC, case, width, traditional as simplified), single spaces, without book marks, quotes, company suffixes
and honorifics. It is only compared; what is shown is the name as it was written.
"""

import re

from common.text import HAN, fold

NAME_CHARACTERS = 200

_SPACES = re.compile(r"\s+")
_SPACE_BY_HAN = re.compile(rf"(?<=[{HAN}]) (?=\S)|(?<=\S) (?=[{HAN}])")
_AROUND = " \t\n\"'`“”‘’«»《》〈〉「」『』【】,，、;；:：。*_"
_WITHIN = re.compile('["“”«»《》〈〉「」『』【】]')
_COMPANY_HAN = re.compile(r"(?:集团)?(?:股份有限|有限责任|股份|有限)?(?<![分子总母])公司$|集团$")
_COMPANY_LATIN = re.compile(
    r"[\s,]+(?:&\s*)?(?:inc|incorporated|ltd|limited|llc|llp|plc|corp|corporation|company|co|gmbh|ag|kg|s\.?a|s\.?r\.?l|b\.?v|n\.?v|pty|k\.?k|oy|ab|a/s)\.?$"
)
_HONORIFIC_LATIN = re.compile(r"^(?:mr|mrs|ms|mx|dr|prof|professor|sir|madam)(?:\.\s*|\s+)(?=\S)")
_HONORIFIC_HAN = re.compile(rf"(?<=[{HAN}·])(?:先生|女士|教授|博士|小姐|老师)$")
_LETTERS = re.compile(r"[^\W\d_]")
_MARKUP = re.compile(r"[<>{}|\\`\n\r\t]|\*\*|__|\]\(|!\[|^#{1,6}\s|^\s*[-*+]\s|&(?:#\d+|[a-z]+);|https?://")


def normal(name: str) -> str:
    """The form in which two spellings of one name are equal. Doing it twice changes nothing; "" only for what is no name."""
    seen = _spaced(fold(name))
    while (shorter := _spaced(fold(_bared(seen)))) != seen:
        seen = shorter
    return seen


def is_clean_name(name: str) -> bool:
    """Whether it can be a name: letters in it, one line, at most 200 characters, no Markdown or HTML left."""
    return (
        0 < len(name.strip()) == len(name) <= NAME_CHARACTERS
        and bool(_LETTERS.search(name))
        and not _MARKUP.search(name)
        and bool(normal(name))
    )


def _spaced(name: str) -> str:
    """Single spaces, none next to a Chinese character; without quotes and what only surrounds a name."""
    spaced = _SPACES.sub(" ", _WITHIN.sub("", name)).strip(_AROUND)
    return _SPACE_BY_HAN.sub("", spaced)


def _bared(name: str) -> str:
    """Without one company suffix or honorific, where a name remains."""
    for pattern in (_COMPANY_LATIN, _COMPANY_HAN, _HONORIFIC_LATIN, _HONORIFIC_HAN):
        shorter = pattern.sub("", name)
        if shorter != name and _remains(shorter):
            return shorter
    return name


def _remains(name: str) -> bool:
    """At least two letters, so that "Mr. X" and "王先生" stay what they are."""
    return len(_LETTERS.findall(name)) >= 2
