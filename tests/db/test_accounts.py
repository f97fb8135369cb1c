"""People, departments and keys: who may change what, and what happens with it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.authentication import key_for
from accounts.models import AuditEvent, Department, User
from accounts.services.departments import department_create, department_delete
from accounts.services.keys import key_create, key_revoke
from accounts.services.people import (
    PersonFields,
    user_activate,
    user_deactivate,
    user_invite,
    user_set_managed,
    user_update,
)
from accounts.subjects import subject_of_user
from accounts.types import Subject
from common.errors import Conflict, Forbidden, InvalidInput, NotAuthenticated

pytestmark = pytest.mark.django_db

SYSTEM = Subject.system()


@pytest.fixture
def sales() -> Department:
    return department_create(subject=SYSTEM, name="Sales")


@pytest.fixture
def research() -> Department:
    return department_create(subject=SYSTEM, name="研发部")


def person(name: str, department: Department | None, **roles: bool) -> User:
    return user_invite(subject=SYSTEM, fields=PersonFields(username=name, department=department, **roles))


def test_a_manager_invites_into_their_own_department_only(sales: Department, research: Department) -> None:
    manager = person("mei", sales)
    user_set_managed(subject=SYSTEM, user=manager, departments=[sales])
    subject = subject_of_user(manager)

    invited = user_invite(subject=subject, fields=PersonFields(username="bob", department=sales))

    assert invited.department == sales
    with pytest.raises(Forbidden):
        user_invite(subject=subject, fields=PersonFields(username="eve", department=research))


@pytest.mark.parametrize("role", ["is_administrator", "is_operator"])
def test_a_manager_makes_nobody_administrator_or_operator(sales: Department, role: str) -> None:
    manager = person("mei", sales)
    user_set_managed(subject=SYSTEM, user=manager, departments=[sales])
    fields = PersonFields(username="bob", department=sales)._replace(**{role: True})

    with pytest.raises(Forbidden):
        user_invite(subject=subject_of_user(manager), fields=fields)


@pytest.mark.parametrize("name", ["", "   ", "x" * 151])
def test_a_person_needs_a_usable_name(name: str) -> None:
    with pytest.raises(InvalidInput):
        person(name, None)


def test_names_differ_by_more_than_case(sales: Department) -> None:
    person("Mei", sales)

    with pytest.raises(Conflict):
        person("mei", sales)


def test_the_last_administrator_stays(sales: Department) -> None:
    only = person("root", sales, is_administrator=True)

    with pytest.raises(Conflict):
        user_deactivate(subject=SYSTEM, user=only)
    with pytest.raises(Conflict):
        user_update(subject=SYSTEM, user=only, changes={"is_administrator": False})


def test_a_department_with_people_is_not_deleted(sales: Department) -> None:
    person("bob", sales)

    with pytest.raises(Conflict):
        department_delete(subject=SYSTEM, department=sales)


def test_a_key_is_known_by_its_text_and_kept_as_a_hash(sales: Department) -> None:
    owner = person("bob", sales)
    made = key_create(subject=subject_of_user(owner), owner=owner, name="report", scopes=["read"])

    assert key_for(made.text) == made.key
    assert made.text not in str(vars(made.key))


@pytest.mark.parametrize("text", ["", "trl_", "trl_abcdefgh_short", "Bearer x", "trl_abcdefgh_" + "A" * 43, "\x00"])
def test_an_unknown_key_is_refused(text: str) -> None:
    with pytest.raises(NotAuthenticated):
        key_for(text)


def test_an_expired_or_revoked_key_is_refused(sales: Department) -> None:
    owner = person("bob", sales)
    made = key_create(subject=SYSTEM, owner=owner, name="a", scopes=["read"])
    key_revoke(subject=SYSTEM, key=made.key)
    with pytest.raises(NotAuthenticated):
        key_for(made.text)

    other = key_create(subject=SYSTEM, owner=owner, name="b", scopes=["read"])
    type(other.key).objects.filter(pk=other.key.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(NotAuthenticated):
        key_for(other.text)


def test_switching_a_person_off_stops_their_keys(sales: Department) -> None:
    owner = person("bob", sales)
    made = key_create(subject=SYSTEM, owner=owner, name="a", scopes=["read"])
    user_deactivate(subject=SYSTEM, user=owner)
    user_activate(subject=SYSTEM, user=owner)

    with pytest.raises(NotAuthenticated):
        key_for(made.text)


@pytest.mark.parametrize("scopes", [[], ["everything"], ["read", "fly"]])
def test_a_key_needs_known_scopes(sales: Department, scopes: list[str]) -> None:
    with pytest.raises(InvalidInput):
        key_create(subject=SYSTEM, owner=person("bob", sales), name="a", scopes=scopes)


def test_every_change_stands_in_the_record(sales: Department) -> None:
    bob = person("bob", sales)
    user_update(subject=SYSTEM, user=bob, changes={"full_name": "Bob"})

    event = AuditEvent.objects.get(action="user.update")
    assert (event.actor, event.before["full_name"], event.after["full_name"]) == ("system", "", "Bob")


@pytest.mark.parametrize("role", ["is_administrator", "is_operator"])
def test_a_manager_changes_and_switches_off_no_administrator_or_operator(sales: Department, role: str) -> None:
    manager, other = person("mei", sales), person("root", sales, **{role: True})
    user_set_managed(subject=SYSTEM, user=manager, departments=[sales])

    with pytest.raises(Forbidden):
        user_update(subject=subject_of_user(manager), user=other, changes={"email": "mine@example.org"})
    with pytest.raises(Forbidden):
        user_deactivate(subject=subject_of_user(manager), user=other)
