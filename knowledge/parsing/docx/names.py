"""The names of WordprocessingML's elements and attributes, as lxml spells them."""

from typing import Any

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006"
VML = "urn:schemas-microsoft-com:vml"


def w(name: str) -> str:
    """A name of Word's own vocabulary."""
    return f"{{{WORD}}}{name}"


def value_of(parent: Any, name: str, attribute: str = "val") -> str | None:
    """The attribute (usually `w:val`) of a child element; None without the child, "" without the attribute."""
    child = parent.find(w(name)) if parent is not None else None
    return None if child is None else child.get(w(attribute), "")


def is_on(parent: Any, name: str) -> bool:
    """Whether a switch such as `<w:vanish/>` is set."""
    value = value_of(parent, name)
    return value is not None and value not in ("0", "false", "off", "none")
