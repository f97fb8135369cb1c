"""Names by their form: what a class's patterns fit, and what ends in one of its suffixes, but for its stop names. Compiled once per skeleton."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from re import Pattern

from common.sentences import sentences
from common.text import HAN, fold
from ontology.names import is_clean_name
from ontology.types import CompiledSkeleton, EntityClass

# A name that ends in a Chinese suffix begins after one of these, which stand before names and hardly ever in them.
_HAN_STOPS = (
    "的了是在和与由向把被对从为及或到给将经该各每其此这那请需须应可会能已未并而则也都就若如即凡至于让使交归属按据"
)
_HAN_NAME = re.compile(rf"(?![{_HAN_STOPS}])[{HAN}A-Za-z0-9·&-]")
_HAN_LONGEST = 16
# Words of two characters in which one of those stands and is no stop: "会议系统" is a name, "会" does not part it.
_HAN_WHOLE = re.compile(
    "交易|交通|交换|交付|会议|会员|会计|社会|协会|工会|能源|能力|能耗|智能|功能|性能|职能|储能|节能|数据|票据|单据|证据|在线|应急|应收|应付|供应|响应|对账|对外|归档|经营|"
    "经济|可视|可信|许可|到货|并购|为民|公交|移交|外交|使命|大使|从业|主从|报告|调度|方向|导向|给排|供给|已办|未来|凡例|即时|经销|财经|各地|每日|将军|该隐|据点|会展|会务"
)
_HAN_PREDICATES = re.compile(
    "负责(?:管理|维护|运营|运行|开发|建设|操作)?|使用|选用|启用|停用|改用|利用|引入|上线|购买|安装|"
    "调用|依赖|采用|访问|连接|包括|通过|需要|位于|属于|以及|关于|根据|升级|部署|运行|启动|登录|进入|提交|报送|接入|对接|替代|取代|联系|如果|假如|要是|倘若|除非|是否"
)
# These may stand in a name ("订单管理系统"), but no name begins in the middle of one.
_HAN_VERBS = re.compile("管理|维护|运营|开发|建设|操作|应用|适用|查询|更新|配置")
_LATIN_RUN = re.compile(rf"(?:[A-Z0-9À-ÖØ-Þ](?:[^\W{HAN}]|[.&'’-]){{0,30}}[ ]){{1,6}}\Z")
_DETERMINERS = re.compile(
    r"(?:(?:[Tt]he|[Aa]n?|[Oo]ur|[Ii]ts|[Tt]heir|[Hh]is|[Hh]er|[Yy]our|[Mm]y|[Tt]his|[Tt]hat|[Ee]ach|[Ee]very)\s+)+"
)
_OPENING = re.compile(
    r"(?:In|On|At|After|Before|When|While|For|As|By|From|To|With|Both|Since|If|But|And|Or|Then|Also|Though|Although)\s+"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:;。！？：；\n|]|[-*+•]\s)\s*\Z")
_LATIN = re.compile(r"[A-Za-z0-9À-ɏ]")
_LOOKED_BACK = 120


@dataclass(frozen=True, slots=True)
class NamePatterns:
    """Patterns by class. `suffixes` is one pattern for all of them; `by_suffix` says which classes a suffix means."""

    patterns: tuple[tuple[str, Pattern[str]], ...]
    suffixes: Pattern[str] | None
    by_suffix: Mapping[str, tuple[str, ...]]
    stop_names: Mapping[str, frozenset[str]]
    as_written: frozenset[str] = frozenset()

    @classmethod
    def of(cls, skeleton: CompiledSkeleton) -> "NamePatterns":
        classes = tuple(skeleton.classes.values())
        by_suffix: dict[str, tuple[str, ...]] = {}
        for each in classes:
            for suffix in each.suffixes:
                by_suffix[fold(suffix)] = (*by_suffix.get(fold(suffix), ()), each.name)
        return cls(
            tuple((each.name, pattern) for each in classes for pattern in each.patterns),
            suffix_pattern(classes),
            by_suffix,
            {each.name: frozenset(map(fold, each.stop_names)) for each in classes if each.stop_names},
            frozenset(each.name for each in classes if each.is_as_written),
        )

    def names(self, text: str) -> Iterator[tuple[int, int, str]]:
        """(start, end, class) of every name that fits; a place may fit several classes."""
        yield from self.names_by_pattern(text)
        if self.suffixes:
            earlier: dict[str, int] = {}
            closed = 0
            for match in self.suffixes.finditer(text):
                key = fold(match.group())
                # Behind "Ltd." another name begins, unless the next suffix follows at once ("Co. Ltd.").
                first = closed if text[closed : match.start()].strip(" ,") else 0
                start, end = begin_of(text, match, max(first, earlier.get(key, 0))), match.end()
                earlier[key] = end
                closed = end if key.endswith(".") else closed
                for class_name in self.by_suffix.get(key, ()) if start < match.start() else ():
                    if self.is_name(text[start:end], class_name):
                        yield start, end, class_name

    def names_by_pattern(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Likewise, suffixes aside."""
        for class_name, pattern in self.patterns:
            for match in pattern.finditer(text):
                start, end = match.span("name" if "name" in pattern.groupindex else 0)
                if is_whole(text, start, end) and self.is_name(text[start:end], class_name):
                    yield start, end, class_name

    def is_meant(self, name: str, class_name: str, words: str) -> bool:
        """Whether these words, which differ from the name by case at most, mean it."""
        return class_name not in self.as_written or name.islower() or not words.islower()

    def classes_of(self, name: str) -> tuple[str, ...]:
        """Classes whose patterns or suffixes fit the whole name, in the skeleton's order."""
        stripped = name.strip()
        fitting = {class_name for start, end, class_name in self.names(stripped) if (start, end) == (0, len(stripped))}
        fitting |= {class_name for class_name, pattern in self.patterns if pattern.fullmatch(stripped)}
        for suffix, classes in self.by_suffix.items():
            if fold(stripped).endswith(suffix) and len(stripped) > len(suffix):
                fitting |= set(classes)
        return tuple(sorted(each for each in fitting if self.is_name(stripped, each)))

    def bared(self, name: str) -> str:
        """Without an article before it, where what is left has the form of a name; else as it is."""
        rest = without_article(name)
        return rest if rest != name and self.classes_of(rest) else name

    def is_name(self, name: str, class_name: str) -> bool:
        """Clean, and not among the names that are none."""
        return is_clean_name(name) and fold(name) not in self.stop_names.get(class_name, frozenset())

    def stops(self, name: str, classes: Iterable[str]) -> bool:
        """Whether every one of these classes says that this is no name."""
        return bool(self.stop_names) and all(fold(name) in self.stop_names.get(each, ()) for each in classes)


# 部 alone is no suffix where it begins a word of its own (部署, 部分, 部位), but it is one before 分析 or 位于.
_GOES_ON = {"部": "(?![署件队]|分(?![析管公工发配布享])|位(?!于)|落(?!实))"}


def suffix_pattern(classes: Iterable[EntityClass]) -> Pattern[str] | None:
    """All suffixes, the longest first; a Latin one ends at a word's end, and 部 is not the beginning of another word (部署)."""
    suffixes = sorted({suffix.strip() for each in classes for suffix in each.suffixes}, key=len, reverse=True)
    ways = [
        re.escape(each) + (rf"(?![^\W{HAN}])" if each[-1].isascii() else _GOES_ON.get(each, ""))
        for each in suffixes
        if each
    ]
    return re.compile("|".join(ways), re.IGNORECASE) if ways else None


def begin_of(text: str, suffix: re.Match[str], earlier: int) -> int:
    """Where the name begins that ends in this suffix, not before `earlier`; the suffix's own start when nothing stands before it."""
    if suffix.group()[0].isascii():
        run = _LATIN_RUN.search(text[max(earlier, suffix.start() - _LOOKED_BACK) : suffix.start()])
        if not run:
            return suffix.start()
        return after_opening(text, run_begin(run.group(), suffix.start()), suffix.start())
    begin, first = suffix.start(), max(earlier, suffix.start() - _HAN_LONGEST)
    while begin > first and goes_on(text, begin - 1):
        begin -= 1
    before = max(earlier, begin - 1)
    predicates = [each.end() for each in _HAN_PREDICATES.finditer(text, before, suffix.start()) if each.end() > begin]
    if predicates:
        return predicates[-1]
    verb = _HAN_VERBS.match(text, before, suffix.start()) if before < begin else None
    return verb.end() if verb else begin


def goes_on(text: str, place: int) -> bool:
    """Whether the character can stand in a Chinese name: none that stands before names, but for one inside of a word."""
    if _HAN_NAME.match(text, place):
        return True
    return any(_HAN_WHOLE.match(text, at) for at in (place, place - 1) if at >= 0)


def after_opening(text: str, start: int, end: int) -> int:
    """Where the name begins in a run of capitalised words: after an article, and after a preposition that opens the sentence."""
    if _SENTENCE_START.search(text, max(0, start - 10), start) and (opening := _OPENING.match(text, start, end)):
        start = opening.end()
    article = _DETERMINERS.match(text, start, end)
    return article.end() if article else start


def without_article(name: str) -> str:
    """“The Finance Department” is called Finance Department."""
    return _DETERMINERS.sub("", name, count=1) if _DETERMINERS.match(name) else name


def run_begin(run: str, end: int) -> int:
    """Where a run of capitalised words that ends at `end` begins, without the end of the sentence before."""
    return end - len(run) + sentences(run)[-1][0]


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether no Latin word is cut at either end."""
    return start < end and not (cuts(text, start) or cuts(text, end))


def cuts(text: str, place: int) -> bool:
    return 0 < place < len(text) and bool(_LATIN.match(text[place - 1]) and _LATIN.match(text[place]))
