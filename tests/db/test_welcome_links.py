"""Links by which people choose a password."""

import pytest
from django.test import Client

from accounts.links import welcome_path
from accounts.models import User
from accounts.types import Subject
from common.errors import Forbidden

pytestmark = pytest.mark.django_db

PASSWORD = "a-long-enough-phrase-7"


@pytest.fixture
def link() -> str:
    user = User(username="mei")
    user.set_unusable_password()
    user.save()
    return welcome_path(subject=Subject.system(), user=user)


def accept(client: Client, link: str, second: str = PASSWORD) -> int:
    return client.post(link, {"new_password1": PASSWORD, "new_password2": second}).status_code


def test_a_link_sets_the_password_and_signs_in(client: Client, link: str) -> None:
    assert client.get(link).status_code == 200
    assert accept(client, link) == 302

    assert client.session["_auth_user_id"] == str(User.objects.get().pk)
    assert User.objects.get().check_password(PASSWORD)


def test_a_link_is_good_once(client: Client, link: str) -> None:
    accept(client, link)

    assert Client().get(link).status_code == 410


def test_two_different_passwords_are_refused(client: Client, link: str) -> None:
    assert accept(client, link, second="another-phrase-8") == 200
    assert not User.objects.get().has_usable_password()


def test_a_link_with_another_token_is_refused(client: Client, link: str) -> None:
    assert client.get(link.rsplit("/", 2)[0] + "/abc-def/").status_code == 410


def test_a_reader_makes_no_links(link: str) -> None:
    with pytest.raises(Forbidden):
        welcome_path(subject=Subject(name="eve"), user=User.objects.get())
