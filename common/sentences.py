"""Where Chinese and English sentences end. Given any text, gives spans that cover every character of it, in order; white space after a sentence is part of it.

Ends are 。！？；… and . ! ? with the quotes and brackets that close after them, and line breaks, unless the line plainly goes on. What only looks like an end is not
one: abbreviations, initials, decimals, versions, addresses, the numbers of a list, an ellipsis in mid-sentence.
"""

import re

_CLOSERS = "\"'”’」』）)\\]】》〉*_~`"
_CANDIDATE = re.compile(
    rf"""(?P<wide>[。！？；｡…]+[!?.]*[{_CLOSERS}]*)        # ends a Chinese sentence
    | (?P<latin>[.!?]+(?:[{_CLOSERS}]|\[\d+\])*)           # may end a sentence
    | (?P<line>\n\s*)                                     # may end a line of running text
    """,
    re.VERBOSE,
)
_GOES_ON_AFTER_WIDE = "，、,：:；。！？～—"
_HAN = re.compile("[\u3400-\u9fff]")
_LINE_GOES_ON = re.compile(r"[,，、;；(（\[\-–—][^\S\n]*$")
_WORD_BEFORE = re.compile(r"[^\s\"'“”‘’「『（(\[【《*_,，、;；:：!?！？。…\u3400-\u9fff]*$")
_NEXT_WORD = re.compile(r"[\"'“‘(]*([A-Za-z]+)")
_LIST_MARK = re.compile(r"(?:^|\n)[^\S\n]*[>#\-*+]*[^\S\n]*(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})$")
_INITIALS = re.compile(r"(?:[A-Za-z]\.)*[A-Za-z]$")
# Before these a full stop is part of the word and a name or a number follows.
_NEVER_LAST = frozenset(
    str.split("""
    dr mr mrs ms mx prof gen rep sen gov capt lt col sgt rev hon pres supt vs cf e.g i.e eg ie viz approx ca al
    messrs mme mlle mt ft
    """)
)
# These may stand last too: only a word that usually begins a sentence shows it.
_OFTEN_INSIDE = frozenset(
    str.split("""
    inc ltd co corp bros jr sr st ave blvd rd dept univ est etc assn u.s u.k u.n e.u d.c ph.d a.m p.m b.c a.d op ed eds
    trans repr
    """)
)
# After these a number follows: "No. 5", "Fig. 3".
_BEFORE_NUMBER = frozenset(
    str.split("""
    no nos fig figs sec ch chap art eq p pp vol vols para par item nr tab ver ext tel jan feb mar apr jun jul aug
    sep sept oct nov dec
    """)
)
_STARTERS = frozenset(
    str.split("""
    the a an he she it they we you i this that these those his her its their our my there here in on at by for
    from with after before when while as if although however but and so then what who why how where is are was
    were do does did no not all some many most each
    """)
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences, half open; `[]` for an empty text. Text without any end is one sentence."""
    spans: list[tuple[int, int]] = []
    start = 0
    for found in _CANDIDATE.finditer(text):
        end = _end_of(found, text)
        if end is None or end <= start:
            continue
        if not text[start:end].isspace():
            spans.append((start, end))
        elif spans:
            spans[-1] = (spans[-1][0], end)
        else:
            continue
        start = end
    if start < len(text):
        if spans and text[start:].isspace():
            spans[-1] = (spans[-1][0], len(text))
        else:
            spans.append((start, len(text)))
    return spans


def _end_of(found: re.Match[str], text: str) -> int | None:
    """Where the next sentence begins if this mark ends one, white space included."""
    if found["line"]:
        return found.end() if _line_ends(found, text) else None
    end = found.end()
    if end == len(text):
        return end
    ends = _wide_ends(found, text) if found["wide"] else _latin_ends(found, text)
    if not ends:
        return None
    while end < len(text) and text[end] in " \t\u3000\u00a0":
        end += 1
    return end


def _line_ends(found: re.Match[str], text: str) -> bool:
    """A line break ends a sentence unless the line breaks off in a comma or a dash, or the next goes on in lower case."""
    if found.end() == len(text) or found.group().count("\n") > 1:
        return True
    return not (text[found.end()].islower() or _LINE_GOES_ON.search(text[max(0, found.start() - 40) : found.start()]))


def _wide_ends(found: re.Match[str], text: str) -> bool:
    following = text[found.end()]
    if following in _GOES_ON_AFTER_WIDE:
        return False
    only_ellipsis = not found.group().strip("…")
    return not only_ellipsis or following.isspace() or following in "“「『（《"


def _latin_ends(found: re.Match[str], text: str) -> bool:
    following = text[found.end()]
    before = text[max(0, found.start() - 40) : found.start()]
    if not following.isspace():
        # No space after it: an address, a decimal, a version; or a half-width mark in Chinese.
        return bool(_HAN.match(following)) and bool(_HAN.search(before[-1:]) or found.group()[0] in "!?")
    rest = text[found.end() : found.end() + 60].lstrip()
    if not rest:
        return True
    if rest[0].islower():
        return False
    return not found.group().startswith(".") or found.group().startswith("..") or _full_stop_ends(before, rest)


def _full_stop_ends(before: str, rest: str) -> bool:
    """Whether a single full stop between these two ends a sentence rather than an abbreviation or a list's number."""
    word_found = _WORD_BEFORE.search(before)
    word = word_found.group() if word_found else ""
    lower = word.lower()
    if _LIST_MARK.search(before) or lower in _NEVER_LAST:
        return False
    if lower in _BEFORE_NUMBER and rest[0].isdigit():
        return False
    if lower in _OFTEN_INSIDE or _INITIALS.fullmatch(word):
        next_word = re.match(r"[\"'“‘(]*([A-Za-z]+)", rest)
        return (
            lower not in _BEFORE_NUMBER
            and bool(next_word)
            and next_word is not None
            and next_word[1].lower() in _STARTERS
        )
    return True
