"""Makes any text fit for a model written in C."""


def plain(text: str) -> str:
    """Without NUL, which would end the text there, and without lone surrogates, which have no bytes."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()
