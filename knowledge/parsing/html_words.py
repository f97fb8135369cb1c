"""The words of a node in HTML: white space as browsers show it, line breaks kept, raised and lowered characters as Unicode has them."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from knowledge.parsing.scripts import lowered, raised

# These begin and end a line of their own.
BLOCK_TAGS = frozenset(
    re.split(
        r"\s+",
        "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 "
        "header hr li main ol p pre section summary table tbody td tfoot th thead tr ul",
    )
)
DEPTH_AT_MOST = 120
_SPACES = re.compile(r"[^\S\n]+")


def inline(node: LexborNode, pictures: list[LexborNode]) -> str:
    """The words of a node on one line, `<br>` and block ends as line breaks; pictures in it are gathered."""
    return "".join(_nodes(node, pictures))


def _nodes(node: LexborNode, pictures: list[LexborNode], depth: int = 0) -> Iterator[str]:
    tag = str(node.tag)
    if tag == "-text":
        yield re.sub(r"\s+", " ", node.text_content or "")
    elif tag == "br":
        yield "\n"
    elif tag == "img":
        pictures.append(node)
    elif tag in ("sup", "sub") or depth > DEPTH_AT_MOST:
        words = node.text()
        yield raised(words) if tag == "sup" else lowered(words) if tag == "sub" else words
    elif not tag.startswith(("-", "!", "_")):
        is_block = tag in BLOCK_TAGS
        if is_block:
            yield "\n"
        for child in node.iter(include_text=True):
            yield from _nodes(child, pictures, depth + 1)
            if tag == "tr":
                yield " "
        if is_block:
            yield "\n"


def tidy(text: str) -> str:
    """Single spaces within lines, no space at their ends, no empty lines."""
    lines = (line.strip() for line in _SPACES.sub(" ", text).split("\n"))
    return "\n".join(line for line in lines if line)
