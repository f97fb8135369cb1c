"""`manage.py kb list|create|delete`: knowledge bases on the command line."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts.models import Department
from accounts.subjects import subject_named
from accounts.types import Subject
from common.commands import WRONG_USE, TrellisCommand
from knowledge.models import KnowledgeBase, Role
from knowledge.selectors.bases import base_named, bases_counted
from knowledge.services.bases import kb_create, kb_delete


class Command(TrellisCommand):
    help = "List knowledge bases, make one, or delete one with all its documents."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("what", choices=("list", "create", "delete"))
        parser.add_argument("slug", nargs="?", metavar="SLUG", help="short name: small letters, digits and hyphens")
        parser.add_argument("--name", default="", help="name for people")
        parser.add_argument("--department", metavar="NAME", help="department that pays for reading")
        parser.add_argument(
            "--everyone", choices=[role.value for role in Role], help="role of everyone who is signed in"
        )
        parser.add_argument("--as", dest="user", metavar="USER", help="act as this person")

    def run(self, options: dict[str, Any]) -> int:
        subject = subject_named(options["user"]) if options["user"] else Subject.system()
        if options["what"] == "list":
            for kb in bases_counted(subject):
                self.tell(kb, documents=kb.document_count)  # type: ignore[attr-defined]
            return 0
        if not options["slug"]:
            raise CommandError("Say which: kb create SLUG.", returncode=WRONG_USE)
        if options["what"] == "delete":
            kb_delete(subject=subject, kb=base_named(subject, options["slug"], least=Role.OWNER))
            return 0
        role = Role(options["everyone"]) if options["everyone"] else None
        kb = kb_create(
            subject=subject,
            slug=options["slug"],
            name=options["name"],
            department=department(options["department"]),
            role_of_everyone=role,
        )
        self.tell(kb, documents=0)
        return 0

    def tell(self, kb: KnowledgeBase, *, documents: int) -> None:
        """A line for one knowledge base."""
        self.say({"slug": kb.slug, "name": kb.name, "documents": documents}, f"{kb.slug:<20} {documents:>6}  {kb.name}")


def department(name: str | None) -> Department | None:
    """Made when it does not exist."""
    return Department.objects.get_or_create(name=name)[0] if name else None
