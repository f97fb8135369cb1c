"""Raised and lowered characters as Unicode has them (m², H₂O), so that units keep their meaning without markup."""

_RAISED = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_RAISABLE = frozenset("0123456789+-−=()n")


def raised(text: str) -> str:
    """Superscript where Unicode has all its characters, else the text as it is."""
    return text.translate(_RAISED) if text and set(text) <= _RAISABLE else text


def lowered(text: str) -> str:
    """Subscript likewise."""
    return text.translate(_LOWERED) if text and set(text) <= _RAISABLE - {"n"} else text
