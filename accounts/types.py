"""The subject: who asks, frozen at the door (session, API key or command line) and handed to every service and selector."""

from dataclasses import dataclass, field
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Subject:
    """A person or a key. What they may see in knowledge bases is decided by `knowledge.policy` alone.

    A key acts for its owner, inside its `scopes` (None for people: no limit) and, unless it `reads_all`, only in the knowledge bases granted to it. `owns_all`
    is true for administrators and their keys: an owner's role in every knowledge base. A key is never `is_administrator` or `is_operator`.
    """

    name: str
    user_id: UUID | None = None
    key_id: UUID | None = None
    department_id: UUID | None = None
    managed_department_ids: frozenset[UUID] = frozenset()
    is_administrator: bool = False
    is_operator: bool = False
    scopes: frozenset[str] | None = None
    reads_all: bool = True
    owns_all: bool = False
    language: str = ""
    request_id: str = field(default="", compare=False)

    @classmethod
    def system(cls) -> "Subject":
        """The server itself: periodic jobs and commands run by whoever holds the machine."""
        return cls(name="system", is_administrator=True, owns_all=True)

    @classmethod
    def nobody(cls) -> "Subject":
        """Sees nothing."""
        return cls(name="nobody", reads_all=False, scopes=frozenset())

    def may(self, scope: str) -> bool:
        """Whether the scope is not withheld (a key without it)."""
        return self.scopes is None or scope in self.scopes
