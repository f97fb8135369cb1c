"""The ordinary life of documents over REST, from a key to an emptied bin."""

import io
import json
import zipfile
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from knowledge import tools as reading
from knowledge.ingest import ingest
from knowledge.models import Chunk, Document, Job, JobItem, KnowledgeBase, Role, StoredPicture, Version
from knowledge.tasks import purge_document
from tests.cases import cases
from tests.factories import Corpus, make_kb, make_member, make_user

pytestmark = pytest.mark.django_db

PUMPS = "/api/v1/knowledge-bases/pumps/"
PUMP = "# Pump\n\nThe pump P-100 stops at 80 °C.\n"


@pytest.fixture
def kb(db: None) -> KnowledgeBase:
    return make_kb()


@pytest.fixture
def corpus(kb: KnowledgeBase, tmp_path):
    made = Corpus(kb, tmp_path)
    before = list(reading._made)
    reading.bind(lambda: made.tools)
    yield made
    reading._made[:] = before
    reading.tools.cache_clear()


@pytest.fixture
def editor(kb: KnowledgeBase, corpus: Corpus) -> Client:
    client = Client()
    client.force_login(make_member("edith", kb, Role.EDITOR))
    return client


@pytest.fixture
def owner(kb: KnowledgeBase, corpus: Corpus) -> Client:
    client = Client()
    client.force_login(make_member("olga", kb, Role.OWNER))
    return client


def sent(response: Any, status: int = 200) -> Any:
    assert response.status_code == status, response.content
    return response.json() if response.content else None


def post(client: Client, path: str, body: Any = None, status: int = 200, **headers: str) -> Any:
    return sent(client.post(path, json.dumps(body or {}), content_type="application/json", headers=headers), status)


def patch(client: Client, path: str, body: Any, status: int = 200) -> Any:
    return sent(client.patch(path, json.dumps(body), content_type="application/json"), status)


def send_texts(client: Client, texts: dict[str, str], status: int = 202, **headers: str) -> Any:
    rows = [{"path": path, "text": text} for path, text in texts.items()]
    return post(client, f"{PUMPS}documents/", {"documents": rows}, status, **headers)


def read_all(corpus: Corpus) -> None:
    """What the workers would do."""
    for version in Version.objects.filter(published_at=None).select_related("document__kb").order_by("pk"):
        ingest(version, corpus.tools)


def file(name: str, content: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def archive(entries: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        for name, text in entries.items():
            made.writestr(name, text)
    return packed.getvalue()


def paths(client: Client, query: str = "") -> list[str]:
    return sorted(row["path"] for row in sent(client.get(f"{PUMPS}documents/{query}"))["results"])


def test_a_folder_arrives_with_its_paths(editor, corpus):
    job = sent(
        editor.post(
            f"{PUMPS}documents/",
            {"files": [file("a.md", "# A"), file("a.md", "# B")], "paths": ["one/a.md", "two/a.md"]},
        ),
        202,
    )
    read_all(corpus)

    assert job["counts"] == {"waiting": 2}
    assert paths(editor) == ["one/a.md", "two/a.md"]
    assert sent(editor.get(f"/api/v1/jobs/{job['id']}"))["counts"] == {"done": 2}


def test_an_archive_counts_as_its_files(editor, corpus):
    job = sent(
        editor.post(f"{PUMPS}documents/", {"files": [file("all.zip", archive({"x/a.md": "# A", "b.txt": "B"}))]}), 202
    )

    assert sum(job["counts"].values()) == 2


def test_as_many_paths_as_files(editor):
    response = editor.post(f"{PUMPS}documents/", {"files": [file("a.md", "# A")], "paths": ["a.md", "b.md"]})

    assert response.status_code == 400
    assert not Document.objects.exists()


def test_texts_arrive_with_what_is_said_of_them(editor, corpus):
    row = {"path": "pump", "text": PUMP, "title": "The pump", "tags": ["pumps"], "expires_on": "2999-01-01"}
    post(editor, f"{PUMPS}documents/", {"documents": [row]}, 202)
    read_all(corpus)

    shown = sent(editor.get(f"{PUMPS}documents/"))["results"][0]
    assert (shown["title"], shown["tags"], shown["expires_on"], shown["version"]) == (
        "The pump",
        ["pumps"],
        "2999-01-01",
        1,
    )


def test_one_text_needs_no_list(editor, corpus):
    post(editor, f"{PUMPS}documents/", {"path": "a.md", "text": "# A"}, 202)

    assert Document.objects.get().path == "a.md"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"documents": []},
        {"documents": "x"},
        {"documents": [1]},
        {"documents": [{"path": "a"}]},
        {"documents": None},
    ],
)
def test_nothing_to_read_is_refused(editor, body):
    post(editor, f"{PUMPS}documents/", body, 400)


def test_the_same_key_and_request_give_the_same_job(editor, corpus):
    first = send_texts(editor, {"a.md": "# A"}, **{"Idempotency-Key": "night-1"})
    again = send_texts(editor, {"a.md": "# A"}, **{"Idempotency-Key": "night-1"})

    assert again["id"] == first["id"]
    assert Job.objects.count() == Version.objects.count() == 1


def test_the_same_key_with_another_request_is_a_conflict(editor, corpus):
    send_texts(editor, {"a.md": "# A"}, **{"Idempotency-Key": "night-1"})
    refused = send_texts(editor, {"a.md": "# Other"}, 409, **{"Idempotency-Key": "night-1"})

    assert refused["error"]["code"] == "conflict"
    assert Version.objects.count() == 1


def test_a_key_that_is_too_long_is_refused(editor):
    send_texts(editor, {"a.md": "# A"}, 400, **{"Idempotency-Key": "x" * 300})


def test_a_preview_says_what_each_file_will_be_and_makes_nothing(editor, corpus):
    corpus.read("known.md", "# Known")
    corpus.read("changed.md", "# Before")

    staged = sent(
        editor.post(
            f"{PUMPS}uploads/",
            {
                "files": [
                    file("new.md", "# New"),
                    file("known.md", "# Known"),
                    file("changed.md", "# After"),
                    file("empty.md", ""),
                ]
            },
        ),
        201,
    )

    outcomes = {row["path"]: row["outcome"] for row in staged["files"]}
    assert outcomes == {"new.md": "new", "known.md": "unchanged", "changed.md": "new_version", "empty.md": "refused"}
    assert next(row for row in staged["files"] if row["path"] == "empty.md")["error"]["message"]
    assert Document.objects.count() == 2
    assert sent(editor.get(f"/api/v1/uploads/{staged['id']}"))["files"] == staged["files"]


def test_a_preview_is_committed_once(editor, corpus):
    staged = post(editor, f"{PUMPS}uploads/", {"documents": [{"path": "a.md", "text": "# A"}]}, 201)
    job = post(editor, f"/api/v1/uploads/{staged['id']}/commit", status=202)

    assert job["items"][0]["path"] == "a.md"
    post(editor, f"/api/v1/uploads/{staged['id']}/commit", status=404)


def test_a_preview_that_is_discarded_leaves_nothing(editor, corpus):
    staged = post(editor, f"{PUMPS}uploads/", {"documents": [{"path": "a.md", "text": "# A"}]}, 201)
    sent(editor.delete(f"/api/v1/uploads/{staged['id']}"), 204)

    sent(editor.get(f"/api/v1/uploads/{staged['id']}"), 404)
    assert not Document.objects.exists()
    assert not [path for path in (corpus.folder / "storage").rglob("*") if path.is_file()]


def test_a_document_is_edited(editor, corpus):
    document = corpus.read("a.md", "# A")
    make_user("otto")
    changed = patch(
        editor,
        f"/api/v1/documents/{document.pk}/",
        {"title": "New", "path": "b/c.md", "tags": ["x"], "owner": "otto", "expires_on": "2030-01-01"},
    )

    assert (changed["title"], changed["path"], changed["folder"], changed["tags"], changed["owner"]) == (
        "New",
        "b/c.md",
        "b",
        ["x"],
        "otto",
    )
    assert patch(editor, f"/api/v1/documents/{document.pk}/", {"owner": None, "expires_on": None})["expires_on"] is None


@pytest.mark.parametrize(
    "change", [{"path": "../x"}, {"path": ""}, {"expires_on": "soon"}, {"owner": "nobody-there"}, {"tags": "x"}]
)
def test_an_edit_that_can_not_be_is_refused(editor, corpus, change):
    document = corpus.read("a.md", "# A")
    response = editor.patch(f"/api/v1/documents/{document.pk}/", json.dumps(change), content_type="application/json")

    assert response.status_code in (400, 404, 422)
    assert Document.objects.get().path == "a.md"


def test_many_documents_are_edited_at_once(editor, corpus):
    ids = [str(corpus.read(name, f"# {name}").pk) for name in ("a.md", "b.md")]
    assert post(editor, f"{PUMPS}documents/edit", {"documents": ids, "folder": "new", "add_tags": ["x"]}) == {
        "changed": 2
    }

    assert paths(editor, "?tag=x&folder=new") == ["new/a.md", "new/b.md"]


def test_what_is_in_the_bin_is_found_by_nobody_and_comes_back(editor, corpus):
    document = corpus.read("a.md", PUMP)
    assert post(editor, f"/api/v1/documents/{document.pk}/bin")["state"] == "binned"

    assert paths(editor) == []
    assert paths(editor, "?state=binned") == ["a.md"]
    assert post(editor, f"/api/v1/documents/{document.pk}/restore")["state"] == "live"
    assert paths(editor) == ["a.md"]


def test_emptying_the_bin_leaves_nothing(editor, corpus):
    document = corpus.read("a.md", PUMP)
    post(editor, f"/api/v1/documents/{document.pk}/bin")
    job = post(editor, f"{PUMPS}bin/empty", {"documents": [str(document.pk)]}, 202)["job"]
    purge_document(str(document.pk))

    assert not Document.objects.exists()
    assert not Chunk.objects.exists()
    assert sent(editor.get(f"/api/v1/jobs/{job}"))["counts"] == {"purged": 1}


def test_an_empty_bin_is_emptied_without_a_fault(editor, corpus):
    response = editor.post(f"{PUMPS}bin/empty", "{}", content_type="application/json")

    assert response.status_code < 500


def test_documents_are_read_again(editor, corpus):
    corpus.read("a.md", PUMP)

    assert post(editor, f"{PUMPS}reread") == {"job": None}
    job = post(editor, f"{PUMPS}reread", {"force": True}, 202)["job"]
    assert sent(editor.get(f"/api/v1/jobs/{job}"))["kind"] == "reread"


def test_a_reading_is_cancelled_and_tried_again(editor, corpus):
    job = send_texts(editor, {"a.md": "# A"})
    version = JobItem.objects.get().version_id
    assert post(editor, f"/api/v1/jobs/{job['id']}/cancel") == {"cancelled": 1}
    assert sent(editor.get(f"/api/v1/versions/{version}/reading"))["state"] == "cancelled"

    assert post(editor, f"/api/v1/versions/{version}/reading/retry")["waiting"] > 0
    read_all(corpus)
    assert sent(editor.get(f"/api/v1/versions/{version}/reading"))["state"] == "done"
    post(editor, f"/api/v1/versions/{version}/reading/retry", {"stage": "nothing"}, 400)


def test_chunks_come_in_reading_order_page_by_page(editor, corpus):
    document = corpus.read("a.md", "\n\n".join(f"# Part {n}\n\nText of part {n}." for n in range(5)))
    version = document.live_version_id
    text = sent(editor.get(f"/api/v1/versions/{version}/text"))["text"]
    found: list[Any] = []
    page: str | None = f"/api/v1/versions/{version}/chunks/?limit=2"
    while page:
        answer = sent(editor.get(page))
        found, page = found + answer["results"], answer["next"]

    assert len(found) == Chunk.objects.count()
    assert [row["ordinal"] for row in found] == sorted(row["ordinal"] for row in found)
    assert all(row["text"] == text[row["start"] : row["end"]] for row in found)


def test_a_chunk_is_switched_off_and_on(editor, corpus):
    corpus.read("a.md", PUMP)
    chunk = Chunk.objects.first()
    assert patch(editor, f"/api/v1/chunks/{chunk.pk}", {"is_disabled": True})["is_disabled"] is True
    assert not Chunk.objects.get(pk=chunk.pk).is_live

    assert patch(editor, f"/api/v1/chunks/{chunk.pk}", {"is_disabled": False})["is_disabled"] is False


def test_the_bell_rings_once(editor, corpus):
    send_texts(editor, {"a.md": "# A"})
    read_all(corpus)

    assert len(sent(editor.get("/api/v1/notices/"))["results"]) == 1
    post(editor, "/api/v1/notices/", status=204)
    assert sent(editor.get("/api/v1/notices/"))["results"] == []


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.md", b"# A"), ("a.html", b"<p>Hello there</p><script>alert(1)</script>")],
)
def test_an_original_is_saved_and_never_opened_as_a_page(editor, corpus, name, content):
    document = corpus.read(name, content)

    for path in (f"/api/v1/versions/{document.live_version_id}/original", f"/documents/{document.pk}/original"):
        response = editor.get(path)
        assert response.getvalue() == content
        assert response["Content-Disposition"].startswith("attachment")
        assert response["Content-Type"] == "application/octet-stream"
        assert response["X-Content-Type-Options"] == "nosniff"


def test_a_pdf_may_open_in_the_browser_and_still_is_not_sniffed(editor, corpus):
    document = corpus.read("a.md", PUMP)
    document.live_version.original.__class__.objects.update(media_type="application/pdf")

    response = editor.get(f"/documents/{document.pk}/original")
    assert response.getvalue() == PUMP.encode()
    assert response["Content-Type"] == "application/pdf"
    assert not response.get("Content-Disposition", "").startswith("attachment")
    assert response["X-Content-Type-Options"] == "nosniff"
    saved = editor.get(f"/documents/{document.pk}/original?download")
    assert saved.getvalue() == PUMP.encode()
    assert saved["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    ("media_type", "shown_as"),
    [
        ("image/png", "image/png"),
        ("image/svg+xml", "application/octet-stream"),
        ("text/html", "application/octet-stream"),
    ],
)
def test_pictures_are_listed_and_only_safe_kinds_open(editor, corpus, media_type, shown_as):
    document = corpus.read("a.md", PUMP)
    corpus.tools.storage.keep("pictures/1", [b"bytes"])
    picture = StoredPicture.objects.create(
        version_id=document.live_version_id, key="pictures/1", media_type=media_type, start=0, end=0
    )

    listed = sent(editor.get(f"/api/v1/versions/{document.live_version_id}/pictures/"))["results"]
    assert [row["id"] for row in listed] == [str(picture.pk)]
    response = editor.get(f"/api/v1/pictures/{picture.pk}")
    assert (response["Content-Type"], response.getvalue()) == (shown_as, b"bytes")


@cases(
    ("query", "found"),
    [
        ("", 2),
        ("?q=pump", 1),
        ("?folder=x", 1),
        ("?tag=red", 1),
        ("?tag=red&tag=blue", 0),
        ("?language=en", 2),
        ("?reading=done", 2),
        ("?reading=failed", 0),
        ("?expired=true", 0),
        ("?limit=1", 1),
    ],
)
def test_lists_are_narrowed(editor, corpus, query, found):
    corpus.read("x/pump.md", PUMP)
    corpus.read("other.md", "# Other\n\nAnother thing altogether.", tags=["red"])

    assert len(paths(editor, query)) == found


@pytest.mark.parametrize("query", ["?reading=x", "?state=x", "?expired=maybe", "?owner=nobody-there"])
def test_a_filter_that_makes_no_sense_is_refused(editor, query):
    assert editor.get(f"{PUMPS}documents/{query}").status_code in (400, 404)


def test_pages_hold_each_document_once(editor, corpus):
    send_texts(editor, {f"{n}.md": f"# {n}" for n in range(7)})
    found: list[str] = []
    page: str | None = "/api/v1/documents/?limit=3"
    while page:
        answer = sent(editor.get(page))
        found, page = found + [row["path"] for row in answer["results"]], answer["next"]

    assert sorted(found) == [f"{n}.md" for n in range(7)]


def test_a_knowledge_base_has_folders_tags_and_members(owner, corpus):
    corpus.read("x/y/a.md", "# A", tags=["red"])
    shown = sent(owner.get(PUMPS))
    assert shown["folders"]["folders"][0]["folders"][0]["path"] == "x/y"
    assert shown["tags"] == [{"name": "red", "documents": 1}]

    make_user("stan")
    sent(owner.put(f"{PUMPS}members/", json.dumps({"user": "stan", "role": "viewer"}), content_type="application/json"))
    members = sent(owner.get(f"{PUMPS}members/"))["results"]
    stan = next(row for row in members if row["user"] == "stan")
    sent(owner.delete(f"{PUMPS}members/{stan['id']}"), 204)
    sent(owner.delete(f"{PUMPS}members/{stan['id']}"), 404)


def test_a_knowledge_base_is_made_changed_and_deleted(corpus):
    client = Client()
    client.force_login(make_user("ada", is_administrator=True))
    assert post(client, "/api/v1/knowledge-bases/", {"slug": "valves", "everyone": "viewer"}, 201)["name"] == "valves"
    post(client, "/api/v1/knowledge-bases/", {"slug": "valves"}, 409)
    post(client, "/api/v1/knowledge-bases/", {"slug": "No!"}, 400)

    assert patch(client, "/api/v1/knowledge-bases/valves/", {"questions": ["Why?"]})["questions"] == ["Why?"]
    sent(client.delete("/api/v1/knowledge-bases/valves/"), 204)
    sent(client.get("/api/v1/knowledge-bases/valves/"), 404)


def test_a_large_original_is_sent_piece_by_piece(editor, corpus):
    text = "# Long\n\n" + "A sentence of some length. " * 40_000
    document = corpus.read("long.md", text)
    response = editor.get(f"/api/v1/versions/{document.live_version_id}/original")

    async def pieces() -> list[bytes]:
        return [piece async for piece in response]

    sent_pieces = async_to_sync(pieces)()
    response.close()
    assert b"".join(sent_pieces).decode() == text
    assert len(sent_pieces) > 3
