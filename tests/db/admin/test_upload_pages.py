"""The upload as editors use it: pieces that join one batch, the plan, accepting, discarding, and the job's page."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from knowledge.ingest import ingest
from knowledge.models import Document, Job, RunState, StageRun, Upload, Version

STAGE = "/api/v1/knowledge-bases/pumps/uploads/"


def stage(client, files, **more):
    body = {
        "paths": list(files),
        "files": [SimpleUploadedFile(path.rpartition("/")[2], text.encode()) for path, text in files.items()],
        **more,
    }
    return client.post(STAGE, body)


@pytest.fixture
def editor(browse, corpus):
    return browse("editor")


@pytest.fixture
def staged(editor):
    return stage(editor, {"a.md": "# A\n\nOne.", "b.md": "# B\n\nTwo.", "empty.md": ""}).json()["id"]


def read_all(corpus):
    for version in Version.objects.select_related("document__kb"):
        ingest(version, corpus.tools)


def test_pieces_join_one_batch_and_become_one_job(editor):
    first = stage(editor, {"folder/a.md": "One."}).json()["id"]
    second = stage(editor, {"folder/b.md": "Two."}, upload=first).json()
    editor.post(f"/upload/{first}/")

    assert second["id"] == first
    assert [file["path"] for file in second["files"]] == ["folder/a.md", "folder/b.md"]
    assert Job.objects.get().items.count() == 2
    assert not Upload.objects.exists()


def test_a_path_that_the_batch_has_already_is_refused(editor):
    first = stage(editor, {"a.md": "One."}).json()["id"]
    files = stage(editor, {"a.md": "Another."}, upload=first).json()["files"]

    assert [file["outcome"] for file in files] == ["new", "refused"]


@pytest.mark.parametrize(("batch", "status"), [("no id", 400), ("01234567-89ab-7def-8123-456789abcdef", 404)])
def test_a_batch_that_there_is_not_is_told(editor, batch, status):
    assert stage(editor, {"a.md": "One."}, upload=batch).status_code == status


def test_nobody_joins_or_opens_the_batch_of_somebody_else(browse, staged):
    owner = browse("owner")

    assert stage(owner, {"c.md": "Three."}, upload=staged).status_code == 404
    assert owner.get(f"/upload/{staged}/").status_code == 404
    assert owner.post(f"/upload/{staged}/").status_code == 404
    assert not Document.objects.exists()


def test_the_plan_says_what_each_file_will_be_before_anything_is_there(editor, staged):
    page = editor.get(f"/upload/{staged}/")
    refused = editor.get(f"/upload/{staged}/?outcome=refused").content.decode()

    assert [(str(outcome), count) for outcome, count in page.context["counts"]] == [("refused", 1), ("new", 2)]
    assert page.context["taken"] == 2
    assert "empty.md" in refused
    assert "a.md" not in refused
    assert not Document.objects.exists()


def test_what_is_discarded_leaves_nothing(editor, staged, tmp_path):
    editor.post(f"/upload/{staged}/discard")

    assert not Upload.objects.exists()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_without_scripts_the_form_sends_the_files_itself(editor):
    answer = editor.post("/upload/", {"kb": "pumps", "files": [SimpleUploadedFile("a.md", b"One.")]})

    assert answer.status_code == 302
    assert answer["Location"] == f"/upload/{Upload.objects.get().pk}/"


def test_a_knowledge_base_that_one_does_not_edit_is_not_offered(editor):
    assert editor.get("/upload/?kb=secrets").status_code == 404
    assert "secrets" not in editor.get("/upload/").content.decode()


def test_the_page_of_a_job_tells_how_it_ended_and_the_bell_is_quiet_then(editor, staged, corpus):
    address = editor.post(f"/upload/{staged}/")["Location"]
    running = editor.get(address)
    read_all(corpus)
    over = editor.get(address)

    assert not running.context["progress"].is_over
    assert 'hx-trigger="every 2s"' in running.content.decode()
    assert over.context["progress"].counts == {"done": 2, "refused": 1}
    assert "hx-trigger" not in over.content.decode().split('<div id="job"')[1][:100]
    assert Job.objects.get().seen_at is not None


def test_what_failed_is_tried_again_from_the_page_of_its_job(editor, staged, corpus):
    address = editor.post(f"/upload/{staged}/")["Location"]
    read_all(corpus)
    version = Version.objects.get(document__path="a.md")
    Version.objects.filter(pk=version.pk).update(published_at=None)
    StageRun.objects.filter(version=version, stage="embed").update(
        state=RunState.FAILED, error={"code": "x", "message": "No."}
    )
    editor.post(f"{address}retry")

    assert StageRun.objects.get(version=version, stage="embed").state == RunState.WAITING


def test_a_job_is_cancelled(editor, staged):
    address = editor.post(f"/upload/{staged}/")["Location"]
    editor.post(f"{address}cancel")

    assert set(StageRun.objects.values_list("state", flat=True)) == {RunState.CANCELLED}


def test_viewers_and_strangers_find_no_jobs(browse, editor, staged):
    address = editor.post(f"/upload/{staged}/")["Location"]

    for kind in ("viewer", "stranger", "operator"):
        client = browse(kind)
        assert client.get(address).status_code == 404
        assert client.post(f"{address}cancel").status_code == 404
        assert client.get("/jobs/").status_code == 404
