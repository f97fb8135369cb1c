"""Both graph databases: the embedded one always, a real Neo4j where TEST_NEO4J_URI names one. Each is emptied of what a test has left by its graph's own key."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from config.embedded.graph import GraphEngine
from ontology.graph.database import GraphDatabaseClient
from tests.ontology_rows import World, make_world

REAL = "TEST_NEO4J_URI"


@dataclass(frozen=True)
class Address:
    url: str
    user: str
    password: str


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    engine = GraphEngine(tmp_path_factory.mktemp("graph"))
    engine.start()
    yield Address(engine.url, "root", engine.password)
    engine.stop()


@pytest.fixture(scope="session", params=["embedded", "neo4j"] if os.environ.get(REAL) else ["embedded"])
def graph_address(request: pytest.FixtureRequest) -> Address:
    if request.param == "embedded":
        return request.getfixturevalue("embedded")
    return Address(
        os.environ[REAL], os.environ.get("TEST_NEO4J_USER", "neo4j"), os.environ.get("TEST_NEO4J_PASSWORD", "")
    )


@pytest.fixture(scope="session")
def database(graph_address: Address) -> Iterator[GraphDatabaseClient]:
    client = GraphDatabaseClient(lambda: graph_address)
    yield client
    client.close()


@pytest.fixture
def clean(database: GraphDatabaseClient) -> GraphDatabaseClient:
    """Without anything from tests before."""
    database.write([("MATCH (n) DETACH DELETE n", {})])
    return database


@pytest.fixture
def world(db: None, clean: GraphDatabaseClient) -> World:
    return make_world(clean, kbs=2)
