"""Phrases that people can read, compiled to regular expressions.

"{source} is better than {target} on {benchmark}" has slots for the two ends and for attributes of the relation; `(is|was)` is a choice, `[the ]`
may be missing (an attribute too: `[by {score_delta} ]`), `…` skips up to forty characters. Case makes no difference, white space little, and a simplified character finds its
traditional form. A slot never leaves its sentence, so the time is bounded by the sentence's length.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from django.utils.translation import gettext as _
from opencc import OpenCC

from ontology.skeleton.faults import nearest
from ontology.skeleton.regexes import UnsafePattern
from ontology.types import AttributeType, ValueType

LENGTH_MAX = 200
SLOTS_MAX = 4
ENDS = ("source", "target")
FIGURES = (ValueType.INTEGER, ValueType.NUMBER)
_TOKEN = re.compile(r"\{(?P<slot>\w+)\}|\((?P<choice>[^(){}\[\]]+)\)|\[(?P<maybe>[^()\[\]]+)\]|(?P<gap>…|\.\.\.)")
_SLOT = re.compile(r"\{(\w+)\}")
_STRAY = re.compile(r"[{}()\[\]]")
_STOP = r"。！？!?；;|\n"
# A phrase is looked for in one sentence at a time, so a full stop only ends a slot as the sentence's last sign: others are of “v1.5”, “Dr.”, “Ltd.”.
_WORDS = rf"(?:[^{_STOP}.]|\.(?=\s{{0,3}}\S)){{1,160}}"
_GAP = rf"(?:[^{_STOP}.]|\.(?=\s{{0,3}}\S)){{0,40}}?"
_FIGURE = r"[+\-−±≥≤><≈~约]?\s?\d[\d.,]{0,15}\s?[%％‰A-Za-z℃°万亿千个百分点元欧歐美港英日圆圓]{0,12}"
_CLAUSE_END = rf"(?=\s{{0,3}}(?:[{_STOP},，、]|\.?\s{{0,3}}\Z))"
_LATIN = re.compile(r"[A-Za-z0-9]")


def compiled_phrase(written: str, attributes: Sequence[AttributeType]) -> str:
    """The regular expression, with a named group a slot. Raises UnsafePattern, which says what to write instead."""
    kinds = {each.name: each.type for each in attributes}
    pieces = split(written)
    refuse_odd_slots(_SLOT.findall(written), kinds)
    refuse_neighbours(pieces, kinds)
    made = [piece_of(kind, words, kinds) for kind, words in pieces]
    expression = "".join(made)
    if pieces[-1][0] == "maybe":
        return expression + _CLAUSE_END
    return last_slot_to_the_end(expression) if pieces[-1][0] == "slot" else expression


def split(written: str) -> list[tuple[str, str]]:
    """Slots, choices, what may be missing, gaps, and the plain words between."""
    if len(written) > LENGTH_MAX:
        raise UnsafePattern(_("The phrase is longer than 200 characters."), _("Split it into several."))
    pieces: list[tuple[str, str]] = []
    place = 0
    for token in _TOKEN.finditer(written):
        pieces += [("plain", written[place : token.start()])] if token.start() > place else []
        pieces.append((str(token.lastgroup), token[str(token.lastgroup)] or token[0]))
        place = token.end()
    pieces += [("plain", written[place:])] if place < len(written) else []
    if any(is_stray(kind, words) for kind, words in pieces):
        raise UnsafePattern(
            _("A bracket in the phrase has no partner, or brackets stand in brackets."),
            _("Write {source}, {target}, {an attribute}, (one|other) or [maybe]."),
        )
    return pieces


def is_stray(kind: str, words: str) -> bool:
    """A bracket without a partner, or an end in what may be missing."""
    if kind == "maybe":
        return bool(set(_SLOT.findall(words)) & set(ENDS)) or bool(_STRAY.search(_SLOT.sub("", words)))
    return kind == "plain" and bool(_STRAY.search(words))


def refuse_odd_slots(slots: Sequence[str], kinds: Mapping[str, ValueType]) -> None:
    """Both ends once, and nothing that is no attribute."""
    for end in ENDS:
        if slots.count(end) != 1:
            message = _("The phrase must hold {%(end)s} exactly once.") % {"end": end}
            raise UnsafePattern(message, _("For example: {source} replaces {target}"))
    for slot in slots:
        if slot not in ENDS and slot not in kinds:
            message = _("{%(slot)s} is no attribute of this relation.") % {"slot": slot}
            raise UnsafePattern(message, nearest(slot, [*ENDS, *kinds]))
    if len(set(slots)) != len(slots) or len(slots) > SLOTS_MAX:
        raise UnsafePattern(_("A phrase may hold four different slots, each once."), _("Split it into several."))


def refuse_neighbours(pieces: Sequence[tuple[str, str]], kinds: Mapping[str, ValueType]) -> None:
    """Without words between them nobody could say where one slot ends; a figure begins by itself after white space."""
    signs = ""
    for kind, words in pieces:
        if kind == "slot":
            signs += "f" if kinds.get(words) in FIGURES else "s"
        else:
            signs += {"plain": "p" if words.strip() else " ", "choice": "p"}.get(kind, "m")
    if re.search(r"[sf][m ]*s|[sf]m*f", signs):
        raise UnsafePattern(
            _("Two slots stand side by side, with no words between them that must be there."),
            _("Write words between them, as in “{source} replaces {target}”."),
        )


def piece_of(kind: str, words: str, kinds: Mapping[str, ValueType]) -> str:
    """The expression of one piece."""
    match kind:
        case "slot":
            is_figure = kinds.get(words) in FIGURES
            return f"(?P<{words}>{_FIGURE if is_figure else _WORDS + '?'})"
        case "choice":
            return "(?:" + "|".join(plain(each) for each in words.split("|")) + ")"
        case "maybe" if "{" in words:
            return "(?:" + "".join(piece_of(*piece, kinds) for piece in split(words)) + ")?"
        case "maybe":
            return "(?:" + "|".join(plain(each) for each in words.split("|")) + ")?"
        case "gap":
            return _GAP
        case _:
            return plain(words)


def plain(words: str) -> str:
    """Words as they are, but for case, white space and script; Latin ones stand alone."""
    pieces = re.findall(r"\s+|[A-Za-z0-9]+|.", words)
    return "".join(space(words) if piece.isspace() else word(piece) for piece in pieces)


def space(words: str) -> str:
    """White space that must be there between Latin words and may be missing beside Chinese ones."""
    return r"\s{1,3}" if words.isascii() else r"\s{0,3}"


def word(piece: str) -> str:
    """One Latin word, or one other sign."""
    if _LATIN.match(piece):
        return rf"(?i:(?<![A-Za-z0-9]){re.escape(piece)}(?![A-Za-z0-9]))"
    traditional = traditional_of(piece)
    return f"[{piece}{traditional}]" if traditional != piece else re.escape(piece)


def last_slot_to_the_end(expression: str) -> str:
    """A slot that closes the phrase takes the rest of its clause."""
    return re.sub(re.escape(_WORDS) + r"\?\)$", lambda _found: _WORDS + ")", expression)


@lru_cache(maxsize=10_000)
def traditional_of(character: str) -> str:
    """Its usual traditional form, or itself."""
    converted = _to_traditional().convert(character)
    return converted if len(converted) == 1 else character


@lru_cache(maxsize=1)
def _to_traditional() -> OpenCC:
    """Made once: it reads its tables."""
    return OpenCC("s2t")
