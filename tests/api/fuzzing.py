"""Requests made from the OpenAPI description: mostly of the right form with odd values, sometimes of no form at all. Seeded, so that a fault comes again.

Given the description and real ids, gives requests; who sends them counts the answers of 500.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode
from uuid import UUID

STRANGE = (
    "", " ", "\x00", "a\x00b", "\ud800", "🜚" * 5, "泵", "'; DROP TABLE x; --", "%00", "%", "\\", "../../etc/passwd", "a/b", "\u202e", "=1+1", "NaN",
    "null", "-1", "0", "9" * 40, "1e400", "x" * 5000, "{}", "[]", "2026-02-30", "9999-12-31", "0001-01-01", "\r\nX: y", "​", "İ", "ß" * 300, "*", "_", "true",
)  # fmt: skip
NUMBERS = (0, 1, -1, 2, 10, 200, 2**31 - 1, 2**31, 2**63, -(2**63) - 1, 10**40, 1.5, -0.0, 1e308)
ANYTHING: Sequence[Any] = (None, True, False, [], {}, [[]], {"": None}, [None], *NUMBERS, *STRANGE)
KINDS = ("application/json",) * 40 + (
    "text/plain",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "",
    "application/json; charset=utf-16",
)


@dataclass(frozen=True)
class FuzzedRequest:
    """One request as it goes over the wire."""

    method: str
    path: str
    body: bytes
    content_type: str
    headers: Mapping[str, str]


@dataclass
class Fuzzer:
    """`known` are values that lead somewhere: ids, slugs; `places` are those that fit an address, by its beginning and the name of the parameter."""

    description: Mapping[str, Any]
    known: Sequence[str]
    seed: int = 0
    skipped: Sequence[str] = ()
    places: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.operations = [
            (method, path, operation)
            for path, methods in self.description["paths"].items()
            for method, operation in methods.items()
            if operation["operationId"] not in self.skipped
        ]

    def requests(self, count: int) -> Iterator[FuzzedRequest]:
        for number in range(count):
            yield self.request(*self.operations[number % len(self.operations)])

    def request(self, method: str, path: str, operation: Mapping[str, Any]) -> FuzzedRequest:
        found = [parameter for parameter in operation.get("parameters", ()) if parameter["in"] == "query"]
        query = [
            (parameter["name"], self.text_for(parameter["schema"])) for parameter in found if self.dice.random() < 0.4
        ]
        if self.dice.random() < 0.1:
            query.append((self.dice.choice(["cursor", "limit", "q", "page", "format"]), self.dice.choice(STRANGE)))
        address = re.sub(r"\{(\w+)\}", lambda found: self.step(path, found[1]), path)
        kind = self.dice.choice(KINDS)
        accept = self.dice.choice(
            ["*/*"] * 20 + ["application/json", "text/event-stream", "text/html", "x/y", "\u00ff"]
        )
        return FuzzedRequest(
            method=method.upper()
            if self.dice.random() < 0.95
            else self.dice.choice(["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]),
            path=f"{address}?{urlencode(query, errors='replace')}" if query else address,
            body=b"" if method == "get" else self.body(operation, kind),
            content_type=kind,
            headers={"Accept": accept, "Idempotency-Key": self.dice.choice(["", "k", "x" * 500, "\u00e9"])},
        )

    def step(self, path: str, name: str) -> str:
        """One step of an address; four times in five it leads somewhere."""
        fitting = next(
            (names for start, names in self.places.items() if path.startswith(start) and name in names), None
        )
        chosen = fitting[name] if fitting and self.dice.random() < 0.8 else self.text_for({"type": "string"})
        return quote(chosen, safe="", errors="replace")

    def body(self, operation: Mapping[str, Any], kind: str) -> bytes:
        """JSON of the described form, of another, or no JSON."""
        roll = self.dice.random()
        if roll < 0.05:
            return self.dice.choice([b"", b"{", b"\xff\xfe", b"[" * 5000, b"--x\r\n\r\n--x--", b"nonsense"])
        schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        value = self.dice.choice(ANYTHING) if roll < 0.15 else self.value_for(schema)
        return json.dumps(value).encode("utf-16" if "utf-16" in kind else "utf-8")

    def text_for(self, schema: Mapping[str, Any]) -> str:
        """A value of the query or path."""
        if self.dice.random() < 0.6:
            return str(self.value_for(schema))
        return self.dice.choice(STRANGE)

    def value_for(self, schema: Mapping[str, Any], depth: int = 0) -> Any:
        """A value that fits the schema, or (one in eight) one that does not."""
        schema = self.resolved(schema)
        if self.dice.random() < 0.12 or depth > 5:
            return self.dice.choice(ANYTHING)
        if schema.get("nullable") and self.dice.random() < 0.2:
            return None
        if "enum" in schema:
            return self.dice.choice(schema["enum"])
        match schema.get("type"):
            case "object" if "properties" in schema:
                required = set(schema.get("required", ()))
                chosen = [name for name in schema["properties"] if name in required or self.dice.random() < 0.6]
                return {name: self.value_for(schema["properties"][name], depth + 1) for name in chosen}
            case "array":
                return [
                    self.value_for(schema.get("items", {}), depth + 1) for _ in range(self.dice.choice([0, 1, 2, 5]))
                ]
            case "integer" | "number":
                return self.dice.choice(NUMBERS)
            case "boolean":
                return self.dice.random() < 0.5
            case "string":
                return self.string_for(schema)
            case _:
                return self.dice.choice(ANYTHING)

    def string_for(self, schema: Mapping[str, Any]) -> str:
        match schema.get("format"):
            case "uuid":
                return self.dice.choice([*self.known, str(UUID(int=self.dice.getrandbits(128)))])
            case "date":
                return self.dice.choice(["2026-01-01", "2000-02-29", "9999-12-31", "0001-01-01", "2026-13-01"])
            case _:
                return self.dice.choice([*self.known, "pump", "When does it stop?", "a.md", self.dice.choice(STRANGE)])

    def resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Without `$ref`; of alternatives one."""
        while True:
            if "$ref" in schema:
                name = schema["$ref"].rpartition("/")[2]
                schema = self.description["components"]["schemas"][name]
            elif options := schema.get("oneOf") or schema.get("anyOf") or schema.get("allOf"):
                schema = self.dice.choice(options)
            else:
                return schema
