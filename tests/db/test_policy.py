"""Who sees what: the one access policy, for people of each role and for keys."""

import pytest

from accounts.models import Department, User
from accounts.services.keys import key_create
from accounts.services.people import PersonFields, user_invite
from accounts.subjects import subject_of_key, subject_of_user
from accounts.types import Subject
from common.errors import Forbidden, NotFound
from knowledge import policy
from knowledge.models import KeyGrant, KnowledgeBase, Membership, Role

pytestmark = pytest.mark.django_db

SYSTEM = Subject.system()


@pytest.fixture
def sales() -> Department:
    return Department.objects.create(name="Sales")


@pytest.fixture
def handbook(sales: Department) -> KnowledgeBase:
    return KnowledgeBase.objects.create(slug="handbook", name="Handbook", department=sales)


def person(name: str, department: Department | None = None, *, administrator: bool = False) -> User:
    return User.objects.create(username=name, department=department, is_administrator=administrator)


def grant(kb: KnowledgeBase, role: Role, **whom: object) -> None:
    Membership.objects.create(kb=kb, role=role, **whom)


def readable(subject: Subject) -> list[str]:
    return list(policy.visible(KnowledgeBase.objects.all(), subject).values_list("slug", flat=True))


def test_a_stranger_sees_nothing(handbook: KnowledgeBase) -> None:
    assert readable(subject_of_user(person("eve"))) == []
    with pytest.raises(NotFound):
        policy.require_editor(subject_of_user(person("mallory")), handbook.pk)


def test_nobody_sees_nothing_even_of_what_is_for_everyone(handbook: KnowledgeBase) -> None:
    grant(handbook, Role.VIEWER)

    assert readable(Subject.nobody()) == []


@pytest.mark.parametrize("whom", ["user", "department", "everyone"])
def test_a_grant_reaches_a_person_in_three_ways(handbook: KnowledgeBase, sales: Department, whom: str) -> None:
    bob = person("bob", sales)
    grant(handbook, Role.VIEWER, **{"user": {"user": bob}, "department": {"department": sales}, "everyone": {}}[whom])

    assert readable(subject_of_user(bob)) == ["handbook"]


def test_the_highest_role_counts(handbook: KnowledgeBase, sales: Department) -> None:
    bob = person("bob", sales)
    grant(handbook, Role.VIEWER)
    grant(handbook, Role.EDITOR, department=sales)

    assert policy.role_in(subject_of_user(bob), handbook.pk) == Role.EDITOR


def test_a_viewer_may_not_edit_and_is_told_so(handbook: KnowledgeBase) -> None:
    bob = person("bob")
    grant(handbook, Role.VIEWER, user=bob)

    with pytest.raises(Forbidden):
        policy.require_editor(subject_of_user(bob), handbook.pk)


def test_an_administrator_owns_all_and_an_operator_reads_none(handbook: KnowledgeBase) -> None:
    operator = User.objects.create(username="op", is_operator=True)

    assert readable(subject_of_user(person("root", administrator=True))) == ["handbook"]
    assert readable(subject_of_user(operator)) == []


def test_somebody_switched_off_sees_nothing(handbook: KnowledgeBase) -> None:
    bob = User.objects.create(username="bob", is_active=False)
    grant(handbook, Role.OWNER, user=bob)

    assert readable(subject_of_user(bob)) == []


def key_subject(owner: User, sales: Department, *, scopes: list[str], reads_all: bool = False) -> Subject:
    made = key_create(subject=SYSTEM, owner=owner, name="k", scopes=scopes, department=sales, reads_all=reads_all)
    return subject_of_key(made.key)


def test_a_key_without_a_grant_reads_nothing(handbook: KnowledgeBase, sales: Department) -> None:
    bob = person("bob", sales)
    grant(handbook, Role.VIEWER, user=bob)

    assert readable(key_subject(bob, sales, scopes=["read"])) == []
    assert readable(key_subject(bob, sales, scopes=["read"], reads_all=True)) == ["handbook"]


def test_a_grant_gives_a_key_no_more_than_its_owner_has(handbook: KnowledgeBase, sales: Department) -> None:
    bob = person("bob", sales)
    subject = key_subject(bob, sales, scopes=["read", "write"])
    KeyGrant.objects.create(kb=handbook, key_id=subject.key_id)
    assert readable(subject) == []

    grant(handbook, Role.VIEWER, user=bob)
    assert policy.role_in(subject, handbook.pk) == Role.VIEWER


def test_scopes_limit_what_a_key_may_do(handbook: KnowledgeBase, sales: Department) -> None:
    root = person("root", sales, administrator=True)
    subject = key_subject(root, sales, scopes=["ask"], reads_all=True)

    assert policy.role_in(subject, handbook.pk) == Role.VIEWER
    assert not subject.is_administrator


def test_a_view_of_a_base_one_may_not_see_is_refused_by_name(handbook: KnowledgeBase) -> None:
    from datetime import date

    with pytest.raises(NotFound):
        policy.corpus_view(subject_of_user(person("eve")), slugs=["handbook"], today=date(2026, 1, 1))


def test_fields_of_an_invited_person_are_kept(sales: Department) -> None:
    made = user_invite(subject=SYSTEM, fields=PersonFields(username="mei", email="m@x.org", department=sales))

    assert (made.email, made.has_usable_password()) == ("m@x.org", False)
