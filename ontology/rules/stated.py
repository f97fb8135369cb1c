"""Whether a sentence states what its words say, or denies it, asks it or only supposes it: "Kraan does not use Osprey", "Does Kraan use Osprey?", "If Kraan uses Osprey, …".

Looked at are the end of the sentence, and the clause before and between the two names; what stands in other clauses speaks of other things.
"""

import re
from re import Pattern

_QUESTION = re.compile(r"[?？]['\"”’)）]*$|[吗么]['\"”’)）]*[。.]?$")
_CLAUSE = re.compile(r"[,，;；:：—]")
_DENIED = re.compile(
    r"""
    \b(?:not(?!\s+(?:only|just|merely)\b)|never|no\s+longer|cannot|neither|nor|hardly|without)\b | n['’]t\b
    | 不(?![仅但只断同少锈久]) | 没有? | 未(?![来必]) | 并非 | 非(?=[由属]) | 无(?=[法需须权]) | 勿 | 禁止 | 停止
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SUPPOSED = re.compile(r"\b(?:if|unless|whether)\b|如果|假如|假设|若(?!干)|要是|倘若|除非|是否", re.IGNORECASE)


def is_denial(phrase: Pattern[str]) -> bool:
    """Whether a phrase itself says no, so that a no in the sentence is what it looks for."""
    return bool(_DENIED.search(phrase.pattern))


def is_stated(sentence: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Of the spans of two names in a sentence, the one that comes first given first."""
    if _QUESTION.search(sentence):
        return False
    clauses = [cut.end() for cut in _CLAUSE.finditer(sentence, 0, first[0])]
    begin, between = clauses[-1] if clauses else 0, sentence[first[1] : max(first[1], second[0])]
    return not (
        any(each.search(between) for each in (_DENIED, _SUPPOSED))
        or _DENIED.search(sentence[begin : first[0]])
        or _SUPPOSED.search(sentence[begin : first[1]])
    )
