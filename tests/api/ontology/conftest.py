"""What tests of the graph over HTTP share: a knowledge base that was read with extraction, people of each role, and clients for them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from knowledge.models import Membership, Role
from ontology.models import Entity, Relation
from tests.db.ontology import conftest as rows
from tests.factories import make_kb, make_member, make_user

department = rows.department
kb = rows.kb
editor = rows.editor
send = rows.send
read = rows.read
tools = rows.tools
graph = rows.graph
tend = rows.tend
NOTE = """# Gateways

The Mail Gateway calls Auth Server at night.

| System | Memory |
| --- | --- |
| Auth Server | 64 |
"""


@pytest.fixture
def note(read: Callable[..., Any], graph: Any) -> Any:
    """One document that says who calls whom."""
    return read("note.md", NOTE)


def client_of(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def edith(kb: Any) -> Client:
    return client_of(make_member("edith-http", kb, Role.EDITOR))


@pytest.fixture
def vera(kb: Any) -> Client:
    return client_of(make_member("vera-http", kb))


@pytest.fixture
def stan(db: Any) -> Client:
    return client_of(make_user("stan-http", department="Elsewhere"))


@pytest.fixture
def one_sided(graph: Any) -> Client:
    """Somebody who may read another knowledge base that feeds the same graph, and not this one."""
    from ontology.models import GraphSource

    other = make_kb("other")
    GraphSource.objects.create(kb=other, graph=graph)
    user = make_user("one-sided", department="Elsewhere")
    Membership.objects.create(kb=other, user=user, role=Role.VIEWER)
    return client_of(user)


@pytest.fixture
def named(note: Any) -> Callable[[str], Entity]:
    return lambda name: Entity.objects.get(name=name)


@pytest.fixture
def call(note: Any) -> Relation:
    return Relation.objects.get()
