"""A text file's words, decoded and in canonical form, for the parsers of text formats."""

from common.text import canonical, is_blank
from knowledge.parsing import refusals
from knowledge.parsing.decode import decode
from knowledge.parsing.limits import ReadLimits
from knowledge.types import SourceFile


def text_of(source: SourceFile, limits: ReadLimits) -> str:
    """The whole text. Raises UnreadableFile when it is too long, of unknown encoding or blank."""
    if source.size_bytes > 4 * limits.text_chars:
        raise refusals.text_too_long(source.name, limit=limits.text_chars)
    text = canonical(decode(source.path.read_bytes(), source.name))
    if len(text) > limits.text_chars:
        raise refusals.text_too_long(source.name, limit=limits.text_chars)
    if is_blank(text):
        raise refusals.empty_file(source.name)
    return text
