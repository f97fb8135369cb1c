"""Short ways to write a name: initials of words, a person's initials, a name without the general word at its end, and Chinese short forms."""

import re
from collections.abc import Sequence

from ontology.resolution.forms import Form

_JOINTS = re.compile(r"[.&\s]")

# Words that say what kind of thing it is; without them a name often stands for the same.
HEADS_LATIN = frozenset((
    "system", "systems", "server", "service", "platform", "software", "application", "app", "tool", "department", "dept", "team", "division", "office", "group", "university", "college", "institute", "project", "product", "model", "database", "company", "committee", "agency", "ministry", "laboratory", "labs", "lab", "foundation", "association", "framework", "library", "language", "engine", "bank",
))  # fmt: skip
HEADS_HAN = (
    "管理系统", "信息系统", "管理平台", "系统", "平台", "软件", "应用", "工具", "服务器", "服务", "数据库", "大学", "学院", "研究院", "研究所", "部门", "部", "处", "科", "局", "厅", "室", "组", "中心", "公司", "集团",
    "银行", "医院", "项目", "产品", "模型", "框架", "省", "市", "县", "区", "委员会", "协会", "基金会", "实验室", "算法", "语言", "流程", "制度", "办法",
)  # fmt: skip
PARTS_HAN = (
    "学院",
    "分公司",
    "分行",
    "支行",
    "附属",
    "分部",
    "研究院",
    "研究所",
    "医院",
    "出版社",
    "实验室",
    "子公司",
    "分院",
    "校区",
    "车间",
    "班组",
)
LONGEST_SHORT = 6
SMALL = frozenset(("of", "and", "the", "for", "in", "de", "on"))
ONE_KIND = (("部", "部门"), ("系统", "平台"), ("管理系统", "系统"), ("研究院", "研究所"))


def has_initials(short: Form, long: Form) -> bool:
    """IBM for International Business Machines: capitals, one for each word that counts."""
    letters = _JOINTS.sub("", short.written)
    if not (2 <= len(letters) <= 8 and letters.isascii() and letters.isalpha() and letters.isupper()):
        return False
    words = [word for word in long.words if word.isascii()]
    if len(words) < 2 or len(words) != len(long.words):
        return False
    return letters.lower() in initials(words)


def initials(words: Sequence[str]) -> set[str]:
    """Of all words, of those that count, and of those without the kind of thing at the end."""
    kept = [word for word in words if word not in SMALL]
    ways = [words, kept, *([kept[:-1]] if len(kept) > 2 and is_head(kept[-1]) else [])]
    return {"".join(word[0] for word in way) for way in ways}


def is_person_short(one: Form, other: Form) -> bool:
    """J. Smith for John Smith, John R. Smith for John Smith: the last word is the same, the others begin alike, one side is written out."""
    a, b = one.words, other.words
    if len(a) < 2 or len(b) < 2 or a[-1] != b[-1] or len(a[-1]) < 2 or not all(word.isascii() for word in (*a, *b)):
        return False
    if a[0][0] != b[0][0]:
        return False
    short, long = sorted((a[:-1], b[:-1]), key=lambda words: (len(words), sum(map(len, words))))
    places = iter(long)
    follows = all(any(begins(word, place) for place in places) for word in short)
    is_cut = any(len(word) == 1 for word in (*short, *long))
    return follows and is_cut


def begins(one: str, other: str) -> bool:
    return one == other or (1 in (len(one), len(other)) and one[0] == other[0])


def lacks_head(short: Form, long: Form) -> bool:
    """Mail for Mail Server, 清华 for 清华大学: what is missing at the end only says what kind of thing it is."""
    if short.is_han and long.is_han:
        rest = long.text[len(short.text) :]
        return (
            len(short.text) > 1 and long.text.startswith(short.text) and rest in HEADS_HAN and not is_part(short, long)
        )
    count = len(short.words)
    rest_words = long.words[count:]
    return long.words[:count] == short.words and len(rest_words) == 1 and is_head(rest_words[0]) and has_body(short)


def names_kind_otherwise(one: Form, other: Form) -> bool:
    """采购部 and 采购部门, 支付系统 and 支付平台."""
    return any(
        len(a.text) - len(x) >= 2
        and a.text.endswith(x)
        and b.text.endswith(y)
        and a.text[: -len(x)] == b.text[: -len(y)]
        for a, b in ((one, other), (other, one))
        for x, y in ONE_KIND
    )


def is_head(word: str) -> bool:
    return word in HEADS_LATIN or word in HEADS_HAN


def has_body(form: Form) -> bool:
    """It says more than the kind of thing."""
    return len(form.squeezed) > 2 and any(not is_head(word) for word in form.words)


def is_part(short: Form, long: Form) -> bool:
    """北京大学医学院 is a part of 北京大学."""
    rest = long.text.removeprefix(short.text)
    return rest != long.text and short.text.endswith(HEADS_HAN) and rest.endswith((*PARTS_HAN, *HEADS_HAN))


def is_han_short(short: Form, long: Form) -> bool:
    """北大 for 北京大学, 人社局 for 人力资源和社会保障局: the first character and others in order; the last one or the second word's first."""
    a, b = short.text, long.text
    if not (short.is_han and long.is_han and 2 <= len(a) <= LONGEST_SHORT and len(b) >= len(a) + 2 and a[0] == b[0]):
        return False
    is_whole = (b.startswith(a[:-1]) and len(a) > 2) or a.endswith(tuple(head for head in HEADS_HAN if len(head) > 1))
    if is_whole or b.startswith(a) or not in_order(a, b) or short.marks != long.marks:
        return False
    if len(a) == 2:
        return len(b) == 4 and b[2] == a[1]
    return a[-1] == b[-1] or len(b) <= 2 * len(a)


def in_order(short: str, long: str) -> bool:
    places = iter(long)
    return all(each in places for each in short)
