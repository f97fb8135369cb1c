"""The document page: its text, the marked evidence, chunks, versions, original; and who may see it."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.test import Client
from django.utils import timezone

from knowledge import tools as tools_of_process
from knowledge.models import Role
from knowledge.services.bin import document_bin
from tests.factories import make_member, make_user

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = "# Pump\n\nIt stops at 80 °C. 它在八十度停机。\n\n<script>alert(1)</script> & a<b\n"


@pytest.fixture
def document(corpus):
    return corpus.read("manuals/pump.md", TEXT)


@pytest.fixture(autouse=True)
def bound(corpus):
    """Pages use the tools of the process; here those of the corpus."""
    tools_of_process.bind(lambda: corpus.tools)
    yield
    from config.wiring import bind

    bind()


def signed_in(name, kb, role=Role.VIEWER):
    client = Client()
    client.force_login(make_member(name, kb, role), backend="accounts.backends.NameOrEmailBackend")
    return client


def page(client, document, query=""):
    return client.get(f"/documents/{document.pk}/{query}")


def test_a_reader_sees_the_text_and_nothing_of_it_is_code(kb, document):
    html = page(signed_in("ada", kb), document).content.decode()

    assert "它在八十度停机。" in html
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; a&lt;b" in html


def test_the_evidence_is_marked_where_it_stands(kb, document):
    start = TEXT.index("It stops")
    html = page(signed_in("ada", kb), document, f"?version=1&start={start}&end={start + 18}").content.decode()

    assert '<mark id="evidence">It stops at 80 °C.</mark>' in html


def test_places_that_are_none_show_the_document(kb, document):
    client = signed_in("ada", kb)
    for query in ("?start=x&end=3", "?start=5&end=1", "?start=0&end=99999", "?part=0", "?part=77"):
        assert page(client, document, query).status_code == 200, query


def test_a_version_that_is_none_is_not_found(kb, document):
    client = signed_in("ada", kb)
    for query in ("?version=2", "?version=0", "?version=999999999"):
        assert page(client, document, query).status_code == 404, query


def test_chunks_are_shown_on_demand_and_only_editors_may_switch_them(kb, document):
    assert 'data-switches="' not in page(signed_in("ada", kb), document, "?chunks=1").content.decode()
    assert 'data-switches="' in page(signed_in("eve", kb, Role.EDITOR), document, "?chunks=1").content.decode()


def test_a_stranger_finds_nothing_there(document):
    client = Client()
    client.force_login(make_user("mallory"), backend="accounts.backends.NameOrEmailBackend")

    assert page(client, document).status_code == 404
    assert client.get(f"/documents/{document.pk}/original").status_code == 404


def test_a_binned_document_is_shown_to_editors_only(corpus, kb, document):
    document_bin(subject=corpus.subject, document=document, tools=corpus.tools)

    assert page(signed_in("ada", kb), document).status_code == 404
    assert page(signed_in("eve", kb, Role.EDITOR), document).status_code == 200


def test_the_original_is_a_download_under_its_own_name(corpus, kb):
    document = corpus.read("手册/泵.md", TEXT)
    response = signed_in("ada", kb).get(f"/documents/{document.pk}/original")

    assert BytesIO(b"".join(response.streaming_content)).read() == TEXT.encode()
    assert response["Content-Disposition"].startswith("attachment;")
    assert "%E6%B3%B5.md" in response["Content-Disposition"]
    assert (response["Content-Type"], response["X-Content-Type-Options"]) == ("application/octet-stream", "nosniff")


def test_an_older_version_stays_readable_and_says_so(corpus, kb, document):
    corpus.read("manuals/pump.md", TEXT.replace("80", "90"))
    html = page(signed_in("ada", kb), document, "?version=1").content.decode()

    assert "80 °C" in html
    assert "not the one in force" in html


def test_a_long_text_comes_in_parts(corpus, kb):
    document = corpus.read("long.md", "".join(f"## Part {n}\n\n{'word ' * 200}\n\n" for n in range(60)))
    client = signed_in("ada", kb)

    first, second = (page(client, document, f"?part={n}").content.decode() for n in (1, 2))

    assert "Part 0</h" in first
    assert "Part 0</h" not in second
    assert "Part 1 of" in first


@pytest.mark.parametrize(
    ("field", "days", "list_says", "page_says"),
    [
        ("expires_on", -1, "expired", "has expired"),
        ("effective_on", 1, "not yet in force", "not yet in force"),
        ("expires_on", 0, "", ""),
        ("effective_on", 0, "", ""),
    ],
)
def test_a_document_whose_dates_keep_it_out_of_answers_says_so(kb, document, field, days, list_says, page_says):
    type(document).objects.filter(pk=document.pk).update(**{field: timezone.localdate() + timedelta(days)})
    client = signed_in("dated", kb)

    listed = client.get(f"/library/{kb.slug}/").content.decode()
    shown = client.get(f"/documents/{document.pk}/").content.decode()

    for html, says in ((listed, list_says), (shown, page_says)):
        if says:
            assert says in html
        else:
            for word in ("expired</span>", "has expired", "not yet in force"):
                assert word not in html
