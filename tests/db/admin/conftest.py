"""What tests of the administration share: people of each kind, signed in, and a knowledge base with documents."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from knowledge import tools as tools_of_process
from knowledge.models import Document, KnowledgeBase, Role
from tests.factories import Corpus, make_department, make_kb, make_member, make_user


@pytest.fixture
def kb(db: None) -> KnowledgeBase:
    return make_kb("pumps")


@pytest.fixture
def corpus(kb: KnowledgeBase, tmp_path: Path) -> Any:
    """Texts can be read into it; the pages use the same tools."""
    made = Corpus(kb, tmp_path)
    before = list(tools_of_process._made)
    tools_of_process.bind(lambda: made.tools)
    yield made
    tools_of_process._made[:] = before
    tools_of_process.tools.cache_clear()


@pytest.fixture
def people(kb: KnowledgeBase) -> dict[str, User]:
    """One of each kind. The stranger's department has a knowledge base of its own, which nobody else sees."""
    found = {
        "administrator": make_user("ada", is_administrator=True),
        "operator": make_user("otto", is_operator=True),
        "manager": make_user("mia"),
        "owner": make_member("oona", kb, Role.OWNER),
        "editor": make_member("edith", kb, Role.EDITOR),
        "viewer": make_member("vera", kb, Role.VIEWER),
        "stranger": make_user("stan", department="Elsewhere"),
    }
    found["manager"].managed_departments.add(make_department("Service"))
    make_kb("secrets", department="Elsewhere")
    return found


@pytest.fixture
def browse(people: dict[str, User]) -> Callable[[str], Client]:
    """`browse("editor")` is a client that is signed in."""

    def signed_in(kind: str) -> Client:
        client = Client()
        client.force_login(people[kind], backend="accounts.backends.NameOrEmailBackend")
        return client

    return signed_in


@pytest.fixture
def documents(corpus: Corpus) -> list[Document]:
    return [corpus.read("manuals/a.md", "# Alpha\n\nOne."), corpus.read("manuals/b.md", "# Beta\n\nTwo.")]
