"""Which names a phrase's end means. The group of an end holds the words of the clause up to the phrase's own words; the name meant is the one nearest to those,
and others that are joined to it by "and" or a comma of enumeration.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from re import Pattern

from common.text import HAN
from ontology.rules.mentions import Mention
from ontology.rules.patterns import NamePatterns
from ontology.types import Extractor, Named

GAP_WORDS, GAP_HAN = 4, 8
_CLAUSE = re.compile(r"(?<!\d),|,(?!\d)|[;:!?，；：。！？、\n]|\.\s|[(（)）]")
_ASIDE = re.compile(r"[(（][^()（）]{0,100}[)）]")
_WORD = re.compile(rf"[{HAN}]|[^\W{HAN}]+")
_AND = re.compile(r"\s*(?:、|(?:和|与|及|以及|暨))\s*|\s+and\s+(?:the\s+)?|\s+&\s+")
_COMMA_AND = re.compile(r"\s*[,，]\s*(?:and\s+(?:the\s+)?|和|以及)")
_COMMA = re.compile(r"\s*,\s+")
_CALLED = "(?:导演|演员|歌手|作家|学者|编剧|主持人|制片人|艺人|女星|男星|影星|作者|画家|诗人|组合|乐队|团体|明星|音乐人|教授|博士|记者|总裁|经理)"
_LEADING = re.compile(
    rf"(?:(?:[Tt]he|an?|[Ii]ts|[Tt]heir|his|her|our)\s+|(?:著名|知名|香港|台湾|内地|韩国|日本|美国|中国|新锐|当红)?(?:男|女)?{_CALLED}(?=[{HAN}]{{2}})|[由请](?=[{HAN}]{{2}})|[\s\"'“‘「『《〈(（]+)*"
)
_TRAILING = re.compile(r"[\s\"'”’」』》〉)）]*$|(?:等人?|等多人)$")
_OFFICE = re.compile(r"(?:副)?(?:总经理|总經理|經理|经理|主任|总监|總監|部长|部長|主管|负责人|負責人|站长|站長)\s?")
MOST = 20
_TITLES = re.compile(rf"{_CALLED}|[由请]|主要有|包括")


@dataclass(frozen=True, slots=True)
class End:
    """A name that an end means, and where it stands in the sentence."""

    who: Named
    start: int
    end: int
    extractor: Extractor


@dataclass(frozen=True, slots=True)
class Side:
    """One end of a phrase that was found: its span, the classes allowed, and whether the phrase's own words stand behind it."""

    start: int
    end: int
    classes: tuple[str, ...]
    is_before: bool


@dataclass(frozen=True, slots=True)
class EndFinder:
    """Finds ends among the names found in a sentence; where none stands there, by the patterns of the classes, and by `shapes`: forms of
    names that are only trusted beside a phrase.
    """

    patterns: NamePatterns
    shapes: Mapping[str, Pattern[str]]

    def ends(self, sentence: str, found: Sequence[Mention], side: Side) -> list[End]:
        """The nearest name first, then those that are joined to it; [] where none is near enough."""
        first = self._nearest(sentence, found, side) or self._formed(sentence, found, side)
        if first is None:
            return []
        ends = [first]
        while len(ends) < MOST and (more := self._joined(sentence, found, side, ends)):
            ends.append(more)
        return ends

    def _nearest(self, sentence: str, found: Sequence[Mention], side: Side) -> End | None:
        """The name of these classes that stands nearest to the phrase's words, the longest of several."""
        near = [
            (each, who)
            for each in found
            if side.start <= each.start and each.end <= side.end and (who := each.of(side.classes))
        ]
        if not near:
            return None
        if side.is_before:
            mention, who = max(near, key=lambda pair: (pair[0].end, pair[0].end - pair[0].start))
            gap = sentence[mention.end : side.end]
        else:
            mention, who = min(near, key=lambda pair: (pair[0].start, pair[0].start - pair[0].end))
            gap = sentence[side.start : mention.start]
            mention, who = next(
                (each for each in near if _OFFICE.fullmatch(sentence, mention.end, each[0].start)), (mention, who)
            )  # "质量部经理顾知远" is the person
        return End(who, mention.start, mention.end, mention.extractor) if is_near(gap) else None

    def _formed(self, sentence: str, found: Sequence[Mention], side: Side) -> End | None:
        """The words beside the phrase, where they have the form of a name and belong to no name that was found."""
        start, end = trimmed(sentence, side)
        if start >= end:
            return None
        for class_name in side.classes:
            place = self._form_at(sentence, start, end, class_name, side)
            if place and self.patterns.is_name(sentence[slice(*place)], class_name) and not overlaps(found, place):
                return End(Named(sentence[slice(*place)], class_name), *place, Extractor.PHRASE)
        return None

    def _form_at(self, sentence: str, start: int, end: int, class_name: str, side: Side) -> tuple[int, int] | None:
        if shape := self.shapes.get(class_name):
            if not side.is_before:
                match = shape.match(sentence, start, end)
                return match.span() if match else None
            return next(((at, end) for at in starts(sentence, start, end) if shape.fullmatch(sentence, at, end)), None)
        return (start, end) if class_name in self.patterns.classes_of(sentence[start:end]) else None

    def _joined(self, sentence: str, found: Sequence[Mention], side: Side, so_far: Sequence[End]) -> End | None:
        """The name that "and" or a comma joins to the last one of those so far."""
        last, is_first = so_far[-1], len(so_far) == 1
        rest = (
            Side(side.start, last.start, side.classes, True)
            if side.is_before
            else Side(last.end, side.end, side.classes, False)
        )
        words = sentence[rest.start : rest.end]
        joint = joint_at_end(words, is_first=is_first) if side.is_before else joint_at_start(words, is_first=is_first)
        if joint is None:
            return None
        if side.is_before:
            rest = Side(rest.start, rest.start + joint, side.classes, True)
        else:
            rest = Side(rest.start + joint, rest.end, side.classes, False)
        beside = self._nearest(sentence, found, rest)
        if beside and (beside.end == rest.end if side.is_before else beside.start == rest.start):
            return beside
        return self._formed(sentence, found, rest)


def joint_at_start(words: str, *, is_first: bool) -> int | None:
    """Where the next name begins when the words begin with a joint. The first comma only counts where an "and" is still to come, the last one before it."""
    words = words[:300]
    if joint := _AND.match(words) or (None if is_first else _COMMA_AND.match(words)):
        return joint.end()
    comma = _COMMA.match(words)
    rest = words[comma.end() : _stop(words)] if comma and not _COMMA_AND.match(words) else ""
    return comma.end() if comma and (_AND.search(rest) or _COMMA_AND.search(rest)) else None


def joint_at_end(words: str, *, is_first: bool) -> int | None:
    """Where the name before ends when the words end with a joint. Read backwards: an "and" comes first, commas after it."""
    tail = words[-40:]
    kinds = (_AND, _COMMA_AND) if is_first else (_AND, _COMMA_AND, _COMMA)
    joints = [each for kind in kinds for each in kind.finditer(tail) if each.end() == len(tail)]
    start = min((each.start() for each in joints), default=None)
    if start is None or (is_first and _COMMA.match(tail, start) and not _COMMA.search(tail[:start])):
        return None
    return len(words) - len(tail) + start


def _stop(words: str) -> int:
    """Where the enumeration can't go on."""
    stop = re.search(r"[;:。；：(（]", words)
    return stop.start() if stop else len(words)


def trimmed(sentence: str, side: Side) -> tuple[int, int]:
    """The end's span without articles, quotes and brackets around the words beside the phrase."""
    start, end = side.start, side.end
    if leading := _LEADING.match(sentence, start, end):
        start = leading.end()
    if side.is_before:
        for _ in range(2):
            if trailing := _TRAILING.search(sentence[start:end]):
                end = start + trailing.start()
    return start, end


def starts(sentence: str, start: int, end: int) -> list[int]:
    """Places at which a name may begin that ends at `end`, the far ones first: where words begin; in Chinese after a mark or what a person is called by."""
    edges = {each.end() for each in _TITLES.finditer(sentence, start, end)}
    return [
        at for at in range(max(start, end - 80), end) if at == start or at in edges or not cuts_word(sentence, at, end)
    ]


def cuts_word(sentence: str, at: int, stop: int) -> bool:
    """Whether a word or a run of Chinese goes on over this place."""
    return 0 < at < stop and sentence[at - 1].isalnum() and sentence[at].isalnum()


def overlaps(found: Sequence[Mention], place: tuple[int, int]) -> bool:
    """Whether a name that was found lies partly in and partly out of it."""
    start, end = place
    return any(
        each.start < end and start < each.end and not (start <= each.start and each.end <= end) for each in found
    )


def is_near(gap: str) -> bool:
    """A few words, and none of the marks that part clauses; an aside in brackets does not count."""
    words = _ASIDE.sub("", gap).strip(" \"'“”‘’「」『』《》")
    if _CLAUSE.search(words):
        return False
    found: list[str] = _WORD.findall(words)
    han = sum(len(each) == 1 and each >= "\u2e80" for each in found)
    latin = len(found) - han
    return han <= GAP_HAN and latin <= GAP_WORDS
