"""Values of which there are few: yes or no, and the options of an enum."""

from django.utils.translation import gettext as _

from common.text import fold
from ontology.types import AttributeType, Value, ValueType
from ontology.values.unreadable import UnreadableValue

YES = frozenset(
    [
        "yes",
        "y",
        "true",
        "on",
        "supported",
        "enabled",
        "available",
        "included",
        "是",
        "真",
        "有",
        "对",
        "支持",
        "启用",
        "已启用",
        "开启",
        "可以",
        "可",
        "需要",
        "√",
        "✓",
        "✔",
        "☑",
        "✅",
        "1",
    ]
)
NO = frozenset(
    [
        "no",
        "n",
        "false",
        "off",
        "unsupported",
        "disabled",
        "unavailable",
        "none",
        "否",
        "假",
        "无",
        "没有",
        "不",
        "不是",
        "不支持",
        "未启用",
        "停用",
        "禁用",
        "关闭",
        "不可以",
        "不可",
        "不需要",
        "×",
        "✗",
        "✘",
        "✕",
        "☒",
        "❌",
        "x",
        "0",
    ]
) | {"not supported", "not available", "not included"}
_AROUND = " .。!！;；\"'“”‘’()（）"


def parse_boolean(written: str) -> Value:
    """Yes or no in either language, as words or signs."""
    word = folded(written)
    if word in YES:
        return Value(ValueType.BOOLEAN, True, written)
    if word in NO:
        return Value(ValueType.BOOLEAN, False, written)
    raise UnreadableValue(_("“%(written)s” is neither yes nor no.") % {"written": written})


def parse_option(written: str, attribute: AttributeType) -> Value:
    """An option by its name or by one of its spellings, whatever the case, width and script."""
    word = folded(written)
    for option, spellings in attribute.options.items():
        if word in (folded(option), *map(folded, spellings)):
            return Value(ValueType.ENUM, option, written)
    known = ", ".join(attribute.options)
    raise UnreadableValue(_("“%(written)s” is none of the options: %(known)s.") % {"written": written, "known": known})


def folded(written: str) -> str:
    """As options are compared. Variation selectors behind a sign are left out by folding."""
    return " ".join(fold(written).strip(_AROUND).replace("_", " ").replace("-", " ").split())
