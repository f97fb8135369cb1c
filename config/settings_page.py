"""Every setting of every package as one Markdown page, from the classes that read them, so that the page is never behind."""

from pydantic_settings import BaseSettings

from config.conf import EngineSettings, ServerSettings
from inference.conf import InferenceSettings
from knowledge.conf import KnowledgeSettings
from ontology.conf import OntologySettings
from retrieval.conf import RetrievalSettings

GROUPS: tuple[tuple[str, type[BaseSettings]], ...] = (
    ("The server", ServerSettings),
    ("Engines", EngineSettings),
    ("Models", InferenceSettings),
    ("Reading documents", KnowledgeSettings),
    ("Knowing", OntologySettings),
    ("Asking", RetrievalSettings),
)


def settings_page() -> str:
    """`docs/settings.md`."""
    lines = [
        "# Settings",
        "",
        "All come from the environment. A value that can't be used stops the process and names the variable. Made by `manage.py settings`.",
    ]
    for title, kind in GROUPS:
        lines += ["", f"## {title}", "", "| variable | default | what it is |", "|---|---|---|"]
        lines += [f"| `{name}` | {default} | {words} |" for name, default, words in rows(kind)]
    return "\n".join(lines) + "\n"


def rows(kind: type[BaseSettings]) -> list[tuple[str, str, str]]:
    """Variable, default and description of each field."""
    found = []
    for name, field in kind.model_fields.items():
        variable = str(field.validation_alias or f"{kind.model_config.get('env_prefix', '')}{name}".upper())
        default = field.get_default()
        shown = f"`{default}`" if default not in (None, "") and "SecretStr" not in repr(default) else ""
        found.append((variable, shown, (field.description or "").replace("|", "\\|")))
    return found
