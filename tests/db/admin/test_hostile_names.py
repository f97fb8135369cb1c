"""Names that people and files give are shown as text on every page of the administration, whose theme can't live under our Content-Security-Policy."""

import pytest

from knowledge.models import Document
from tests.cases import cases

HOSTILE = "<img src=x onerror=alert(1)>"
PAGES = [
    "/admin/",
    "/admin/knowledge/document/",
    "/admin/knowledge/document/{document}/change/",
    "/admin/knowledge/document/{document}/to-bin/",
    "/admin/knowledge/chunk/",
    "/admin/knowledge/knowledgebase/",
    "/admin/knowledge/knowledgebase/{kb}/change/",
    "/admin/knowledge/knowledgebase/{kb}/members/",
    "/admin/knowledge/knowledgebase/{kb}/remove/",
    "/admin/accounts/user/",
    "/admin/accounts/user/{person}/change/",
    "/admin/accounts/user/{person}/deactivate/",
    "/admin/accounts/department/",
    "/admin/accounts/apikey/add/",
    "/upload/",
    "/jobs/",
]


@pytest.fixture
def addresses(corpus, people):
    document = corpus.read("a.md", f"# Title\n\nText {HOSTILE} here.")
    Document.objects.update(title=HOSTILE, tags=[HOSTILE])
    corpus.kb.name = corpus.kb.description = HOSTILE
    corpus.kb.save()
    person, department = people["editor"], people["editor"].department
    person.full_name = department.name = HOSTILE
    person.save()
    department.save()
    return {"document": document.pk, "kb": corpus.kb.pk, "person": person.pk}


@cases("page", PAGES)
def test_a_hostile_name_is_shown_as_text(browse, addresses, page):
    answer = browse("administrator").get(page.format(**addresses), follow=True)

    assert answer.status_code == 200
    assert b"<img src=x" not in answer.content
