"""An equation of Office Math as one line of text: fractions, powers, indices, roots, sums and matrices keep their structure with plain signs."""

from typing import Any

from knowledge.parsing.docx.names import MATH

_M = f"{{{MATH}}}"
_DEPTH = 30


def equation_text(element: Any, depth: int = 0) -> str:
    """The words of an equation, or of a part of one."""
    if depth > _DEPTH:
        return "".join(element.itertext())
    tag = element.tag.removeprefix(_M) if isinstance(element.tag, str) else ""
    match tag:
        case "t":
            return element.text or ""
        case "f":
            return f"{_grouped(element, 'num', depth)}/{_grouped(element, 'den', depth)}"
        case "sSup":
            return f"{_grouped(element, 'e', depth)}^{_grouped(element, 'sup', depth)}"
        case "sSub":
            return f"{_grouped(element, 'e', depth)}_{_grouped(element, 'sub', depth)}"
        case "sSubSup":
            base, below, above = (_grouped(element, name, depth) for name in ("e", "sub", "sup"))
            return f"{base}_{below}^{above}"
        case "rad":
            degree = _part(element, "deg", depth)
            return f"√[{degree}]({_part(element, 'e', depth)})" if degree else f"√({_part(element, 'e', depth)})"
        case "nary":
            return _sum(element, depth)
        case "d":
            return _delimited(element, depth)
        case "m":
            rows = [
                ", ".join(equation_text(cell, depth + 1) for cell in row.findall(f"{_M}e"))
                for row in element.findall(f"{_M}mr")
            ]
            return f"[{'; '.join(rows)}]"
    return "".join(equation_text(child, depth + 1) for child in element)


def _part(element: Any, name: str, depth: int) -> str:
    part = element.find(f"{_M}{name}")
    return "" if part is None else equation_text(part, depth + 1).strip()


def _grouped(element: Any, name: str, depth: int) -> str:
    words = _part(element, name, depth)
    return words if len(words) <= 1 or words.isalnum() else f"({words})"


def _sum(element: Any, depth: int) -> str:
    sign = _property(element, "naryPr", "chr") or "∫"
    below, above = (_grouped(element, name, depth) for name in ("sub", "sup"))
    limits = (f"_{below}" if below else "") + (f"^{above}" if above else "")
    return f"{sign}{limits} {_part(element, 'e', depth)}"


def _delimited(element: Any, depth: int) -> str:
    first = _property(element, "dPr", "begChr")
    last = _property(element, "dPr", "endChr")
    inner = ", ".join(equation_text(part, depth + 1) for part in element.findall(f"{_M}e"))
    return f"{'(' if first is None else first}{inner}{')' if last is None else last}"


def _property(element: Any, properties: str, name: str) -> str | None:
    found = element.find(f"{_M}{properties}/{_M}{name}")
    return None if found is None else found.get(f"{_M}val", "")
