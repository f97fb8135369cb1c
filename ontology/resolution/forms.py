"""A name taken apart for comparison: its words, its numbers, its form without what is often left out. Given a name, gives one or more forms: what stands in brackets is a name of its own."""

import re
import unicodedata
from dataclasses import dataclass

from common.text import HAN, fold
from ontology.names import normal

_BRACKETS = re.compile(r"^(?P<before>[^()\[\]]+?)\s*[(\[](?P<inside>[^()\[\]]+)[)\]]\s*$")
_WORDS = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+")
_VERSION = re.compile(r"^v(?:er(?:sion)?)?\.?(?=\d)")
_HAS_DIGIT = re.compile(r"\d")
_HAN_NUMERALS = "零一二三四五六七八九十百千甲乙丙丁"
_HAN_LOOSE = re.compile("[的与和及之]")
_LATIN_LOOSE = {"and", "the", "of", "for", "de", "la", "von", "van"}
ABBREVIATED = {
    "dept": "department", "mgmt": "management", "mgt": "management", "univ": "university", "intl": "international", "natl": "national", "assoc": "association", "st": "saint", "tech": "technology",
    "organisation": "organization", "centre": "center", "colour": "color",
}  # fmt: skip
_ROMAN = re.compile(r"^(?:i{1,3}|iv|v|vi{0,3}|ix|x)$")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe"})


@dataclass(frozen=True, slots=True)
class Form:
    """`written` is the name with its case, `text` its normal form, `words` its words, `squeezed` without anything that is often left out.

    `marks` are numbers, versions and single letters: where they differ, two names differ. `is_inside`: it stood in brackets.
    """

    written: str
    text: str
    words: tuple[str, ...]
    squeezed: str
    marks: tuple[str, ...]
    is_inside: bool = False

    @property
    def is_han(self) -> bool:
        return len(self.words) == 1 and "一" <= self.text[0] <= "鿿"


def forms_of(name: str) -> tuple[Form, ...]:
    """The name's own form first."""
    found = [form(name)]
    if found[0].text != found[0].text.translate(_UMLAUTS):
        found.append(form(without_accents(name)))
    if parts := _BRACKETS.match(fold(name)):
        cut = len(parts["before"].rstrip())
        outside = form(name[:cut])
        inside = form(name.strip()[cut:].strip(" ()[]（）【】"), is_inside=True)
        found += [each for each in (outside, inside) if len(each.squeezed) > 1]
    return tuple(each for each in found if each.squeezed)


def form(name: str, *, is_inside: bool = False) -> Form:
    text = normal(name)
    words = tuple(ABBREVIATED.get(word) or _VERSION.sub("", word) or word for word in _WORDS.findall(bare(text)))
    return Form(name.strip(), text, words, squeezed(words), marks_of(words), is_inside)


def bare(text: str) -> str:
    """Without accents; umlauts as they are written where a keyboard has none."""
    return without_accents(text.translate(_UMLAUTS)).replace("'", "").replace("’", "")


def without_accents(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(each for each in apart if not unicodedata.combining(each)))


def squeezed(words: tuple[str, ...]) -> str:
    """All in one, without small words, plural endings and what joins."""
    kept = [_HAN_LOOSE.sub("", word) if len(word) > 3 else word for word in words if word not in _LATIN_LOOSE]
    return "".join(singular(word) for word in kept)


def singular(word: str) -> str:
    """A rough one: only compared, never shown."""
    is_plural = len(word) > 4 and word.isascii() and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if is_plural else word


def marks_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """Numbers, versions, single letters and numerals, in order."""
    return tuple(mark for word in words for mark in marks_in(word))


def marks_in(word: str) -> list[str]:
    if _HAS_DIGIT.search(word):
        return re.findall(r"\d+[a-z]{0,2}", word)
    if word.isascii():
        return [word] if len(word) == 1 or _ROMAN.match(word) else []
    return [each for each in word if each in _HAN_NUMERALS]
