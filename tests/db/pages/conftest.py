"""The fixtures of pages: documents that were read, and people who look."""

from tests.asking import ask, corpus, editor, kb, reader, search, stranger, tools

__all__ = ["ask", "corpus", "editor", "kb", "reader", "search", "stranger", "tools"]
