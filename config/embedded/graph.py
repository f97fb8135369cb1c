"""The Bolt graph: ArcadeDB with its own Java from the wheel `arcadedb-embedded`. The `neo4j` driver speaks with it as with Neo4j."""

import base64
from collections.abc import Sequence

from config.embedded.addresses import embedded_graph_address
from config.embedded.engine import Engine, Sign
from config.embedded.folders import private_folder
from config.embedded.http import status_of
from config.embedded.secret_files import secret_file
from config.embedded.wheels import wheel_file, wheel_version

HEAP = "512m"
INSTEAD = "Run `uv sync`, or set NEO4J_URI, NEO4J_USER and NEO4J_PASSWORD to a server."


class GraphEngine(Engine):
    """Two ports: Bolt, and HTTP, which alone says when the database is there (Bolt listens before)."""

    name = "graph"
    title = "The graph (ArcadeDB)"
    port_count = 2

    @property
    def url(self) -> str:
        return embedded_graph_address(self.data).url

    @property
    def version(self) -> str:
        return wheel_version("arcadedb-embedded")

    def prepare(self) -> None:
        assert self.password  # makes the file that the server reads

    def command(self, ports: Sequence[int]) -> list[str]:
        java = wheel_file("arcadedb_embedded", "jre/bin/java", instead=INSTEAD)
        jars = wheel_file("arcadedb_embedded", "jars", instead=INSTEAD)
        settings = {
            "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
            "server.defaultDatabases": "neo4j[root]",
            "server.rootPath": str(self.folder),
            "server.rootPasswordPath": str(secret_file(self.data, self.name)),
            "server.mode": "production",
            "server.httpIncomingHost": "127.0.0.1",
            "server.httpIncomingPort": str(ports[1]),
            "bolt.host": "127.0.0.1",
            "bolt.port": str(ports[0]),
        }
        return [
            *(str(java), f"-Xmx{HEAP}", "--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"),
            *("-XX:-UsePerfData", f"-Djava.io.tmpdir={private_folder(self.folder / 'tmp')}"),
            *(f"-Darcadedb.{name}={value}" for name, value in settings.items()),
            *("-cp", str(jars / "*"), "com.arcadedb.server.ArcadeDBServer"),
        ]

    def sign(self) -> Sign:
        ports = self.ports
        if len(ports) < self.port_count or status_of(ports[1], "/api/v1/ready", {}) != 204:
            return Sign.SILENT
        pair = base64.b64encode(f"root:{self.password}".encode()).decode()
        ready = status_of(ports[1], "/api/v1/exists/neo4j", {"Authorization": f"Basic {pair}"}) == 200
        return Sign.READY if ready else Sign.SILENT
