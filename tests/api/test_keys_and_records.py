"""Keys, what they may reach, the record of who did what, and the bill; over REST and as pages."""

import csv
import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiKey, AuditEvent, User
from accounts.services.audit import audit
from accounts.services.people import user_deactivate
from accounts.types import Subject
from inference.models import UsageRecord
from knowledge.models import KeyGrant, KnowledgeBase, Membership, Role
from knowledge.selectors.audit import safe_cell
from tests.factories import make_department, make_kb, make_member, make_user, subject_for

pytestmark = pytest.mark.django_db

KEYS = "/api/v1/keys/"


@pytest.fixture
def kb(db: None) -> KnowledgeBase:
    return make_kb()


@pytest.fixture
def olga(kb: KnowledgeBase) -> User:
    return make_member("olga", kb, Role.OWNER)


@pytest.fixture
def owner(olga: User) -> Client:
    return signed_in(olga)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def made(client: Client, **fields: Any) -> dict[str, Any]:
    body = {"name": "import", "scopes": ["read"], **fields}
    response = client.post(KEYS, json.dumps(body), content_type="application/json")
    assert response.status_code == 201, response.content
    return response.json()


def with_key(text: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {text}"})


def slugs(client: Client) -> list[str]:
    return [row["slug"] for row in client.get("/api/v1/knowledge-bases/").json()["results"]]


def test_a_key_is_shown_once_and_kept_as_a_hash(owner):
    key = made(owner)

    assert key["text"].startswith(f"trl_{key['prefix']}_")
    assert "text" not in owner.get(f"{KEYS}{key['id']}").json()
    assert key["text"] not in owner.get(KEYS).content.decode()
    assert key["text"].split("_", 2)[2] not in ApiKey.objects.get().secret_hash


def test_a_key_reads_nothing_until_it_is_granted_something(owner):
    key = made(owner)
    assert slugs(with_key(key["text"])) == []

    assert owner.put(f"{KEYS}{key['id']}/grants/pumps").status_code == 204
    assert slugs(with_key(key["text"])) == ["pumps"]
    assert [row["slug"] for row in owner.get(f"{KEYS}{key['id']}/grants/").json()["results"]] == ["pumps"]

    assert owner.delete(f"{KEYS}{key['id']}/grants/pumps").status_code == 204
    assert slugs(with_key(key["text"])) == []


def test_a_key_loses_what_its_owner_loses(owner, olga):
    key = made(owner, reads_all=True)
    assert slugs(with_key(key["text"])) == ["pumps"]

    Membership.objects.filter(user=olga).delete()
    assert slugs(with_key(key["text"])) == []


def test_a_knowledge_base_that_one_may_not_read_can_not_be_granted(owner):
    make_kb("secret", department="Elsewhere")
    key = made(owner)

    assert owner.put(f"{KEYS}{key['id']}/grants/secret").status_code == 404
    assert not KeyGrant.objects.exists()


@pytest.mark.parametrize("end", ["revoked", "expired", "owner switched off"])
def test_a_key_ends(owner, olga, end):
    key = made(owner)
    client = with_key(key["text"])
    assert client.get("/api/v1/me").json()["key"] == key["id"]
    if end == "revoked":
        assert owner.delete(f"{KEYS}{key['id']}").status_code == 204
    elif end == "expired":
        ApiKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    else:
        user_deactivate(subject=Subject.system(), user=olga)

    assert client.get("/api/v1/me").status_code == 401


def test_a_key_can_not_make_keys_or_widen_itself(owner):
    key = made(owner, scopes=["read", "write", "manage"])
    client = with_key(key["text"])

    assert (
        client.post(KEYS, json.dumps({"name": "more", "scopes": ["read"]}), content_type="application/json").status_code
        == 403
    )
    assert client.put(f"{KEYS}{key['id']}/grants/pumps").status_code == 403
    assert client.get(KEYS).status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "x"},
        {"name": "", "scopes": ["read"]},
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["all"]},
        {"name": "x", "scopes": ["read"], "expires_at": "2001-01-01T00:00:00Z"},
    ],
)
def test_a_key_that_can_not_be_is_refused(owner, body):
    response = owner.post(KEYS, json.dumps(body), content_type="application/json")

    assert response.status_code == 400
    assert not ApiKey.objects.exists()


def test_last_use_is_remembered(owner):
    key = made(owner)
    with_key(key["text"]).get("/api/v1/me")

    assert owner.get(f"{KEYS}{key['id']}").json()["last_used_at"]


def test_the_page_makes_a_key_shows_it_once_and_revokes_it(owner):
    page = owner.post("/account/keys/", {"name": "nightly", "scopes": ["read", "ask"], "bases": ["pumps"]})
    key = ApiKey.objects.get()
    text = page.content.decode().partition('value="trl_')[2].partition('"')[0]
    assert slugs(with_key(f"trl_{text}")) == ["pumps"]
    assert "no-store" in page["Cache-Control"]
    assert text not in owner.get("/account/keys/").content.decode()

    owner.post(f"/account/keys/{key.pk}/grants", {})
    assert slugs(with_key(f"trl_{text}")) == []
    assert owner.post(f"/account/keys/{key.pk}/revoke").status_code == 302
    assert with_key(f"trl_{text}").get("/api/v1/me").status_code == 401


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"name": "x"},
        {"name": "x", "scopes": ["all"]},
        {"name": "x", "scopes": ["read"], "bases": ["secret"]},
        {"name": "x", "scopes": ["read"], "expires_on": "2001-01-01"},
    ],
)
def test_the_page_refuses_what_can_not_be(owner, fields):
    make_kb("secret", department="Elsewhere")
    page = owner.post("/account/keys/", fields)

    assert page.status_code == 200
    assert not ApiKey.objects.exists()


def test_somebody_without_a_department_is_told_what_is_missing(db):
    user = User.objects.create(username="nomad")
    page = signed_in(user).post("/account/keys/", {"name": "x", "scopes": ["read"]})

    assert "department" in page.content.decode()


def actions(client: Client, query: str = "") -> list[str]:
    return [row["action"] for row in client.get(f"/api/v1/audit/{query}").json()["results"]]


def test_everybody_sees_of_the_record_what_they_may(kb, olga):
    other = make_kb("other", department="Elsewhere")
    audit(subject_for(olga), "one", kb, kb_id=kb.pk)
    audit(subject_for(olga), "two", other, kb_id=other.pk, department_id=make_department("Elsewhere").pk)
    manager = make_user("max")
    manager.managed_departments.add(make_department("Elsewhere"))

    assert actions(signed_in(make_user("ada", is_administrator=True))) == ["two", "one"]
    assert actions(signed_in(olga)) == ["one"]
    assert actions(signed_in(manager)) == ["two"]
    assert actions(signed_in(make_member("vera", kb))) == []
    assert actions(signed_in(make_user("opal", is_operator=True))) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?who=olg", 2),
        ("?who=nobody", 0),
        ("?what=kb.", 1),
        ("?what=Pumps", 2),
        ("?kind=knowledgebase", 2),
        ("?kind=user", 0),
        ("?kb=pumps", 2),
        ("?kb=none", 0),
        ("?since=2001-01-01", 2),
        ("?until=2001-01-01", 0),
    ],
)
def test_the_record_is_filtered(kb, olga, owner, query, found):
    audit(subject_for(olga), "kb.update", kb, kb_id=kb.pk)
    audit(subject_for(olga), "upload", kb, kb_id=kb.pk)

    assert len(actions(owner, query)) == found
    assert owner.get(f"/audit/{query}").content.decode().count('data-as="moment"') == found


@pytest.mark.parametrize("path", ["/api/v1/audit.csv", "/audit/events.csv"])
def test_csv_holds_the_events_and_no_formula(kb, olga, owner, path):
    audit(
        subject_for(olga), "kb.update", kb, kb_id=kb.pk, label='=HYPERLINK("http://evil.example")', after={"name": "泵"}
    )
    response = owner.get(path)
    text = response.getvalue().decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))

    assert rows[0]["target"] == '\'=HYPERLINK("http://evil.example")'
    assert "泵" in rows[0]["after"]
    assert response["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1", "\n=1"])
def test_no_cell_is_taken_for_a_formula(text):
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize(("value", "cell"), [(None, ""), ({}, ""), ("a=b", "a=b"), ("泵", "泵"), (5, "5")])
def test_other_cells_stay_as_they_are(value, cell):
    assert safe_cell(value) == cell


def test_the_record_has_a_page_for_those_whom_it_concerns_only(kb, owner):
    assert owner.get("/audit/").status_code == 200
    assert signed_in(make_member("vera", kb)).get("/audit/").status_code == 404


def test_the_bill_adds_up_by_month_department_and_purpose(kb):
    service, elsewhere = make_department(), make_department("Elsewhere")
    for department, purpose, tokens in (
        (service, "embed", 5),
        (service, "embed", 7),
        (service, "answer", 1),
        (elsewhere, "embed", 3),
    ):
        UsageRecord.objects.create(
            department_id=department.pk, purpose=purpose, model="m", prompt_tokens=tokens, cost_micros=tokens
        )
    manager = make_user("max")
    manager.managed_departments.add(service)

    def totals(user: User, query: str = "") -> list[tuple[Any, ...]]:
        rows = signed_in(user).get(f"/api/v1/usage{query}").json()["results"]
        return sorted((row["department"], row["purpose"], row["calls"], row["prompt_tokens"]) for row in rows)

    mine = [("Service", "answer", 1, 1), ("Service", "embed", 2, 12)]
    assert totals(manager) == mine
    assert totals(make_user("ada", is_administrator=True)) == [("Elsewhere", "embed", 1, 3), *mine]
    assert len(totals(make_user("opal", is_operator=True), f"?department={service.pk}")) == 2
    assert totals(make_user("vera")) == []
    assert totals(manager, "?until=2001-01-01") == []


def test_nothing_in_the_record_is_changed_or_lost_by_asking(kb, owner):
    before = AuditEvent.objects.count()
    owner.get("/audit/")
    owner.get("/api/v1/audit/")

    assert AuditEvent.objects.count() == before
