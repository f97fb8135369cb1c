"""The catalogue of translations: collects every translatable string of the code and the templates, merges it into the .po files and compiles them.

Babel does the reading and writing, so that no gettext tools are needed. Django's `templatize` turns a template into something Babel can read.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from config.conf import PROJECT

PACKAGES = ("common", "accounts", "inference", "knowledge", "ontology", "retrieval", "evaluation", "config")
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "_n": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
LANGUAGES = ("zh_Hans",)


def po_file(language: str) -> Path:
    """Where the translations into this language are kept."""
    return PROJECT / "locale" / language / "LC_MESSAGES" / "django.po"


def collect() -> Catalog:
    """Every translatable string of our own code and templates, with the files it stands in."""
    catalog = Catalog(charset="utf-8", project="Trellis", fuzzy=False)
    for path, source in sources():
        for _line, message, _comments, context in extract("python", BytesIO(source.encode()), keywords=KEYWORDS):
            catalog.add(message, locations=[(str(path.relative_to(PROJECT)), 0)], context=context)
    return catalog


def sources() -> Iterator[tuple[Path, str]]:
    for package in PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path, path.read_text(encoding="utf-8")
    for folder in ("templates", *(f"{package}/templates" for package in PACKAGES)):
        for path in sorted((PROJECT / folder).rglob("*.html")):
            calls = templatize(path.read_text(encoding="utf-8"), origin=str(path))
            yield path, "\n".join(line.strip() for line in calls.splitlines())  # Python's tokens forbid indentation


def read(language: str) -> Catalog:
    """The translations that are there."""
    path = po_file(language)
    if not path.exists():
        return Catalog(locale=language, charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def merge(language: str) -> Catalog:
    """The kept translations of the strings that are in use; new strings are empty."""
    kept, fresh = read(language), collect()
    merged = Catalog(locale=language, charset="utf-8", project="Trellis", fuzzy=False)
    for message in fresh:
        if not message.id:
            continue
        known = kept.get(message.id if isinstance(message.id, str) else message.id[0], message.context)
        merged.add(
            message.id,
            string=known.string if known else "",
            locations=message.locations,
            flags=message.flags & {"python-format"},
            context=message.context,
        )
    return merged


def untranslated(catalog: Catalog) -> list[Message]:
    """Strings without a translation."""
    return [
        message
        for message in catalog
        if message.id and not (all(message.string) if isinstance(message.string, tuple) else message.string)
    ]


def write(catalog: Catalog, language: str) -> None:
    """Keep the translations, and compile them for Django."""
    path = po_file(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=160, sort_output=True, include_lineno=False, omit_header=False)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)
