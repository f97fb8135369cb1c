"""Which engines a command needs. A command that is not named here needs the database; a few need nothing."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from config.embedded.registry import ALL_ENGINES

DATABASE_ONLY = ("postgres",)
READING = ("postgres", "valkey", "embedder", "llama")
ASKING = ("postgres", "embedder", "llama")
NOTHING: tuple[str, ...] = ()

NEEDS: dict[str, tuple[str, ...]] = {
    "up": ALL_ENGINES,
    "ingest": READING,
    "demo": READING,
    "reread": READING,
    "evaluate": READING,
    "reconcile": (*READING, "graph"),
    "graph": ("postgres", "graph"),
    "search": ASKING,
    "ask": ASKING,
    "space": ASKING,
    "corpus_stats": ASKING,
    "text": DATABASE_ONLY,
    "kb": DATABASE_ONLY,
    "createsuperuser": DATABASE_ONLY,
    "reset_password": DATABASE_ONLY,
}
# These look at no row, or (down, status, doctor) look at the engines as they are.
NEED_NOTHING = {
    *("down", "status", "doctor", "help", "version", "check", "diffsettings", "test", "testserver", "startapp"),
    *("startproject", "makemessages", "compilemessages", "messages", "collectstatic", "findstatic"),
    *("spectacular", "settings"),
}


def engines_needed(arguments: Sequence[str]) -> tuple[str, ...]:
    """Names of the engines that `manage.py` with these arguments (the command first) has to have."""
    if (
        not arguments
        or arguments[0].startswith("-")
        or arguments[0] in NEED_NOTHING
        or {"-h", "--help"} & set(arguments)
    ):
        return NOTHING
    if list(arguments[:2]) == ["evaluate", "extraction"] and extractor_named(arguments) == "rules":
        return NOTHING
    return NEEDS.get(arguments[0], DATABASE_ONLY)


def extractor_named(arguments: Sequence[str]) -> str:
    """What `evaluate extraction --extractor NAME` is to extract with; the rules read no row and ask no engine."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--extractor", default="rules")
    name: str = parser.parse_known_args(list(arguments[2:]))[0].extractor
    return name


def wants_schema(arguments: Sequence[str]) -> bool:
    """Whether the command reads or writes rows, so that the schema has to be up to date."""
    return bool(engines_needed(arguments)) and arguments[0] in NEEDS


def gguf_named(arguments: Sequence[str]) -> Path | None:
    """The file that `up --gguf FILE` names; it has to be known before the engines are taken."""
    if arguments[:1] != ["up"]:
        return None
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--gguf", type=Path)
    file: Path | None = parser.parse_known_args(list(arguments[1:]))[0].gguf
    return file
