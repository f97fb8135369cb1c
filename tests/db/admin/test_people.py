"""People, departments and keys in the administration: what is written, by whom, and what is shown once."""

import re

from django.test import Client

from accounts.models import ApiKey, AuditEvent, Department, User
from tests.factories import make_department

PASSWORD = "a long enough sentence"


def link_in(answer) -> str:
    return re.search(r'value="http://testserver([^"]+)"', answer.content.decode())[1]


def test_an_invited_person_chooses_a_password_by_the_link_that_is_shown(browse):
    fields = {"username": "nina", "full_name": "Nina N.", "email": "", "department": make_department("Service").pk}
    answer = browse("administrator").post("/admin/accounts/user/add/", fields)
    guest = Client()
    welcome = guest.post(link_in(answer), {"new_password1": PASSWORD, "new_password2": PASSWORD})

    assert "no-store" in answer["Cache-Control"]
    assert welcome.status_code == 302
    assert User.objects.get(username="nina").check_password(PASSWORD)
    assert guest.get("/accounts/password/change/").status_code == 200


def test_a_manager_invites_into_their_departments_only(browse):
    manager = browse("manager")
    inside = manager.post("/admin/accounts/user/add/", {"username": "ina", "department": make_department("Service").pk})
    outside = manager.post(
        "/admin/accounts/user/add/", {"username": "olaf", "department": make_department("Elsewhere").pk}
    )

    assert "/welcome/" in inside.content.decode()
    assert "/welcome/" not in outside.content.decode()
    assert not User.objects.filter(username="olaf").exists()


def test_a_manager_can_not_make_administrators(browse):
    fields = {"username": "ina", "department": make_department("Service").pk, "is_administrator": "on"}
    browse("manager").post("/admin/accounts/user/add/", fields)

    assert not User.objects.get(username="ina").is_administrator


def test_a_name_that_is_taken_is_an_error_of_the_form_and_nothing_is_written(browse):
    fields = {"username": "Edith", "department": make_department("Service").pk}
    answer = browse("administrator").post("/admin/accounts/user/add/", fields)

    assert answer.status_code == 200
    assert User.objects.filter(username__iexact="edith").count() == 1


def test_changing_a_person_is_recorded_with_before_and_after(browse, people):
    person = people["editor"]
    fields = {
        "username": "edith",
        "full_name": "Edith E.",
        "email": "",
        "department": person.department_id,
        "managed_departments": [make_department("Sales").pk],
    }
    browse("administrator").post(f"/admin/accounts/user/{person.pk}/change/", fields)
    person.refresh_from_db()
    event = AuditEvent.objects.get(action="user.update")

    assert person.full_name == "Edith E."
    assert [each.name for each in person.managed_departments.all()] == ["Sales"]
    assert (event.before["full_name"], event.after["full_name"]) == ("", "Edith E.")


def test_deactivating_asks_first_and_does_it_on_yes(browse, people):
    address = f"/admin/accounts/user/{people['viewer'].pk}/deactivate/"
    administrator = browse("administrator")
    administrator.get(address)
    people["viewer"].refresh_from_db()
    was_active = people["viewer"].is_active
    administrator.post(address)
    people["viewer"].refresh_from_db()

    assert was_active
    assert not people["viewer"].is_active


def test_the_last_administrator_can_not_be_taken_away(browse, people):
    person = people["administrator"]
    answer = browse("administrator").post(
        f"/admin/accounts/user/{person.pk}/change/", {"username": "ada", "department": person.department_id}
    )
    person.refresh_from_db()

    assert answer.status_code == 200
    assert person.is_administrator


def test_a_department_is_deleted_only_by_its_name_and_when_it_is_empty(browse):
    empty = make_department("Empty")
    administrator = browse("administrator")
    administrator.post(f"/admin/accounts/department/{empty.pk}/remove/", {"confirm": "Emty"})
    is_there = Department.objects.filter(pk=empty.pk).exists()
    administrator.post(f"/admin/accounts/department/{empty.pk}/remove/", {"confirm": "Empty"})
    full = make_department("Service")
    administrator.post(f"/admin/accounts/department/{full.pk}/remove/", {"confirm": "Service"})

    assert is_there
    assert not Department.objects.filter(pk=empty.pk).exists()
    assert Department.objects.filter(pk=full.pk).exists()


def test_a_key_is_shown_once_and_works_until_it_is_revoked(browse, people, kb):
    administrator = browse("administrator")
    fields = {
        "name": "Importer",
        "owner": people["editor"].pk,
        "department": "",
        "scopes": ["read"],
        "bases": [kb.pk],
        "expires_at_0": "",
        "expires_at_1": "",
    }
    shown = administrator.post("/admin/accounts/apikey/add/", fields).content.decode()
    text = re.search(r'value="(trl_[^"]+)"', shown)[1]
    key = ApiKey.objects.get()
    asked = {"HTTP_AUTHORIZATION": f"Bearer {text}"}
    found = Client().get("/api/v1/knowledge-bases/", **asked).json()["results"]
    page = administrator.get(f"/admin/accounts/apikey/{key.pk}/change/").content.decode()
    administrator.post(f"/admin/accounts/apikey/{key.pk}/revoke/")

    assert [base["slug"] for base in found] == ["pumps"]
    assert text not in page
    assert Client().get("/api/v1/knowledge-bases/", **asked).status_code == 401


def test_a_manager_makes_keys_for_their_own_people_only(browse, people):
    fields = {"name": "Mine", "owner": people["stranger"].pk, "scopes": ["read"]}
    browse("manager").post("/admin/accounts/apikey/add/", fields)

    assert not ApiKey.objects.exists()
