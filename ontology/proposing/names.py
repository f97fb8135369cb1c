"""Classes from frequent names that share a form: Latin names with the same last word, codes with the same prefix, Chinese names with the same ending.

A Chinese candidate is a run of two to eight characters that is seen often, whose characters stand together more often than by chance (pointwise mutual
information, Church and Hanks 1990), and that no dictionary has as a word.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from common.text import HAN
from ontology.proposing.drafts import Draft, Sample, class_name, examples_of
from ontology.rules.keys import Keys, folded_key
from ontology.rules.patterns import NamePatterns
from ontology.types import CompiledSkeleton

_LATIN = re.compile(r"(?<![.!?:]\s)(?<![\w-])[A-Z][a-z]+(?: [A-Z][a-z]+){1,3}(?![\w-])")
_CODE = re.compile(r"(?<![A-Za-z0-9-])([A-Z]{1,5})-\d{1,5}[A-Z]?(?![A-Za-z0-9-])")
_HAN = re.compile(rf"[{HAN}]{{2,40}}")
ENDINGS = (
    "系统",
    "平台",
    "数据库",
    "流程",
    "规程",
    "制度",
    "手册",
    "工厂",
    "部门",
    "委员会",
    "中心",
    "项目",
    "套件",
    "设备",
    "模块",
    "协议",
)
LEAST, NAMES_LEAST = 2, 2
LONGEST, MUTUAL = 8, 2.0

IsWord = Callable[[str], bool]


def from_names(samples: Iterable[Sample], skeleton: CompiledSkeleton, is_word: IsWord) -> list[Draft]:
    """Groups of at least two names that the skeleton does not find yet, the most frequent first."""
    texts = [sample.text for sample in samples]
    patterns = NamePatterns.of(skeleton)
    known = Keys.of(skeleton).classes
    groups = [
        *((words, {"suffixes": [words]}, found) for words, found in by_last_word(texts).items()),
        *((prefix, {"patterns": [rf"{prefix}-\d{{1,5}}[A-Z]?"]}, found) for prefix, found in by_prefix(texts).items()),
        *((ending, {"suffixes": [ending]}, found) for ending, found in by_ending(texts, is_word).items()),
    ]
    drafts = []
    for words, rules, found in groups:
        names = {
            name: count
            for name, count in found.items()
            if not patterns.classes_of(name) and not any(name.endswith(f" {other}") for other in found)
        }
        if len(names) >= NAMES_LEAST and folded_key(words)[0] not in known:
            label = {"zh" if words in ENDINGS else "en": words}
            entry = {"labels": label, "rules": rules}
            ordered = sorted(names, key=lambda name: -names[name])
            drafts.append(Draft(class_name(words), entry, sum(names.values()), examples_of(ordered), "names"))
    return sorted(drafts, key=lambda draft: -draft.count)


def by_last_word(texts: Iterable[str]) -> Mapping[str, Counter[str]]:
    """Capitalised runs that do not begin a sentence: “Mail Gateway” and “Pay Gateway” under Gateway."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for match in _LATIN.finditer(text):
            groups[match.group().rsplit(" ", 1)[1]][match.group()] += 1
    return groups


def by_prefix(texts: Iterable[str]) -> Mapping[str, Counter[str]]:
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for match in _CODE.finditer(text):
            groups[match[1]][match.group()] += 1
    return groups


def by_ending(texts: Iterable[str], is_word: IsWord) -> Mapping[str, Counter[str]]:
    """Chinese candidates under the ending that says what they are."""
    singles: Counter[str] = Counter()
    runs: Counter[str] = Counter()
    for text in texts:
        for match in _HAN.finditer(text):
            run = match.group()
            singles.update(run)
            for ending in ENDINGS:
                for at in (place for place in range(1, len(run)) if run.startswith(ending, place)):
                    end = at + len(ending)
                    runs.update(run[start:end] for start in range(max(0, end - LONGEST), at))
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for name in kept(runs, singles, is_word):
        groups[next(each for each in ENDINGS if name.endswith(each))][name] = runs[name]
    return groups


def kept(runs: Counter[str], singles: Counter[str], is_word: IsWord) -> list[str]:
    """Frequent, bound together, no word, and no piece of a longer one that is seen as often."""
    total = max(singles.total(), 1)
    bound = [
        name
        for name, count in runs.items()
        if count >= LEAST and not is_word(name) and mutual(name, count, singles, total) >= MUTUAL
    ]
    return [
        name
        for name in bound
        if not any(other != name and other.endswith(name) and runs[other] >= runs[name] for other in bound)
    ]


def mutual(name: str, count: int, singles: Counter[str], total: int) -> float:
    """Per character, in bits."""
    by_chance = sum(math.log2(singles[letter] / total) for letter in name)
    return (math.log2(count / total) - by_chance) / len(name)
