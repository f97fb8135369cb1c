"""Who may enter the administration, and what each kind of person finds and does not find there."""

from django.test import Client

from tests.cases import cases

PAGES = {
    "/admin/": {"administrator", "operator", "manager", "owner", "editor"},
    "/admin/knowledge/knowledgebase/": {"administrator", "manager", "owner", "editor"},
    "/admin/knowledge/knowledgebase/add/": {"administrator", "manager"},
    "/admin/knowledge/document/": {"administrator", "owner", "editor"},
    "/admin/knowledge/document/?state=binned": {"administrator", "owner", "editor"},
    "/admin/knowledge/chunk/": {"administrator", "owner", "editor"},
    "/admin/accounts/user/": {"administrator", "manager"},
    "/admin/accounts/user/add/": {"administrator", "manager"},
    "/admin/accounts/department/": {"administrator", "manager"},
    "/admin/accounts/department/add/": {"administrator"},
    "/admin/accounts/apikey/": {"administrator", "manager"},
    "/admin/accounts/apikey/add/": {"administrator", "manager"},
    "/admin/inference/embeddingspace/": {"administrator", "operator"},
    "/admin/queues/": {"administrator", "operator"},
    "/admin/usage/": {"administrator", "operator", "manager"},
    "/upload/": {"administrator", "owner", "editor"},
    "/jobs/": {"administrator", "owner", "editor"},
}


@cases("kind", ["administrator", "operator", "manager", "owner", "editor", "viewer", "stranger"])
def test_each_page_opens_for_its_people_and_for_nobody_else(browse, documents, kind):
    browser = browse(kind)
    statuses = {path: browser.get(path, follow=True).status_code for path in PAGES}

    assert {path for path, status in statuses.items() if status == 200} == {
        path for path, kinds in PAGES.items() if kind in kinds
    }
    assert set(statuses.values()) <= {200, 403, 404}


def test_who_is_not_signed_in_is_sent_to_the_one_page_for_signing_in(db):
    answer = Client().get("/admin/knowledge/document/")
    answer = Client().get(answer["Location"]) if answer["Location"].startswith("/admin/login") else answer

    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/?next=")


def test_an_editor_finds_only_the_documents_of_their_knowledge_bases(browse, documents, corpus):
    body = browse("editor").get("/admin/knowledge/document/").content.decode()

    assert "manuals/a.md" in body
    assert "secrets" not in body.lower()


def test_an_operator_finds_no_content(browse, documents):
    operator = browse("operator")

    for path in ("/admin/", "/admin/queues/", "/admin/usage/"):
        body = operator.get(path).content.decode()
        assert "manuals" not in body
        assert "Alpha" not in body
    assert operator.get(f"/admin/knowledge/document/{documents[0].pk}/change/").status_code in (302, 403, 404)


def test_a_document_of_another_knowledge_base_can_not_be_opened_by_its_address(browse, documents):
    answer = browse("stranger").get(f"/admin/knowledge/document/{documents[0].pk}/change/")

    assert answer.status_code in (302, 403)
    assert b"Alpha" not in answer.content


def test_a_manager_sees_the_people_of_their_departments_only(browse):
    body = browse("manager").get("/admin/accounts/user/").content.decode()

    assert "edith" in body
    assert "stan" not in body


def test_a_manager_can_not_change_an_administrator(browse, people):
    address = f"/admin/accounts/user/{people['administrator'].pk}/change/"

    assert browse("manager").post(address, {"username": "ada", "email": "x@example.org"}).status_code == 403
