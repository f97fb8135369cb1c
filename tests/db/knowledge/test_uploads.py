"""What files become when they are sent: new documents, versions, nothing at all, or a refusal with its reason."""

import io
import zipfile
from pathlib import Path

import pytest

from common.errors import Conflict, Forbidden, NotFound
from knowledge.models import Document, JobItem, Original, Outcome, StageRun, Upload, Version
from knowledge.selectors.uploads import upload_plan
from knowledge.services.uploads import upload, upload_commit, upload_discard, upload_stage
from knowledge.uploading import IncomingFile


def outcomes(job):
    return {item.path: item.outcome for item in job.items.all()}


def files_in(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def archive(entries: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, data in entries.items():
            file.writestr(name, data)
    return packed.getvalue()


def test_the_same_name_in_two_folders_is_two_documents(send):
    send({"a/readme.md": "One.", "b/readme.md": "Two."})

    assert set(Document.objects.values_list("path", "folder")) == {("a/readme.md", "a"), ("b/readme.md", "b")}


def test_the_same_bytes_again_are_unchanged_and_make_nothing(read, send):
    read("a.md", "One.")

    job = send({"a.md": "One."})

    assert outcomes(job) == {"a.md": Outcome.UNCHANGED}
    assert Version.objects.count() == Original.objects.count() == 1
    assert job.finished_at is not None


def test_other_bytes_under_the_same_path_are_a_new_version(read, send):
    document = read("a.md", "One.")

    job = send({"a.md": "Two."})

    assert outcomes(job) == {"a.md": Outcome.NEW_VERSION}
    assert list(document.versions.values_list("number", flat=True)) == [2, 1]


def test_bytes_that_the_document_had_before_are_kept_once(read):
    read("a.md", "One.")
    read("a.md", "Two.")

    document = read("a.md", "One.")

    assert document.live_version.number == 3
    assert document.originals.count() == 2


def test_the_same_bytes_at_two_paths_are_two_documents_with_a_notice(read, send):
    read("a.md", "One.")

    job = send({"b.md": "One."})

    assert job.items.get().notices == [{"code": "same_bytes", "path": "a.md"}]
    assert Document.objects.count() == 2


def test_a_path_whose_document_is_in_the_bin_gets_a_new_document_and_a_notice(read, send, editor, tools):
    from knowledge.services.bin import document_bin

    document_bin(subject=editor, document=read("a.md", "One."), tools=tools)

    item = send({"a.md": "One."}).items.get()

    assert item.outcome == Outcome.NEW
    assert item.notices == [{"code": "in_bin", "path": "a.md"}]


def test_a_failed_reading_is_tried_again_by_the_same_bytes(send):
    version_id = send({"a.md": "One."}).items.get().version_id
    StageRun.objects.filter(version_id=version_id, stage="embed").update(state="failed")

    job = send({"a.md": "One."})

    assert outcomes(job) == {"a.md": Outcome.AGAIN}
    assert StageRun.objects.get(version_id=version_id, stage="embed").state == "waiting"


def test_a_file_that_cannot_be_read_is_refused_and_the_others_go_on(send):
    job = send({"empty.md": "", "../etc/passwd": "x", "good.md": "Good."})

    assert [(item.path, item.outcome, (item.error or {}).get("code")) for item in job.items.all()] == [
        ("empty.md", "refused", "empty_file"),
        ("../etc/passwd", "refused", "unsafe_path"),
        ("good.md", "new", None),
    ]


def test_an_archive_counts_as_its_files_with_their_paths(kb, editor, tools, tmp_path):
    packed = tmp_path / "all.zip"
    packed.write_bytes(archive({"manuals/pump.md": b"Pump.", "manuals/.DS_Store": b"x", "../evil.md": b"Evil."}))

    job = upload(subject=editor, kb=kb, files=[IncomingFile("sent/all.zip", packed)], tools=tools, enqueue=False)

    assert outcomes(job) == {"sent/manuals/pump.md": "new", "sent/all.zip › sent/../evil.md": "refused"}


def test_a_staged_upload_says_what_each_file_will_be_and_is_no_document_yet(read, kb, editor, tools):
    read("a.md", "One.")
    files = [IncomingFile("a.md", b"Two."), IncomingFile("b.md", b"New."), IncomingFile("c.md", b"")]

    staged = upload_stage(subject=editor, kb=kb, files=files, tools=tools)

    assert [(file.path, file.outcome) for file in upload_plan(staged)] == [
        ("a.md", "new_version"),
        ("b.md", "new"),
        ("c.md", "refused"),
    ]
    assert Document.objects.count() == 1


def test_a_discarded_upload_leaves_nothing(kb, editor, tools, tmp_path):
    staged = upload_stage(subject=editor, kb=kb, files=[IncomingFile("b.md", b"New.")], tools=tools)

    upload_discard(subject=editor, upload=staged, tools=tools)

    assert not Upload.objects.exists()
    assert files_in(tmp_path / "storage") == 0


def test_what_was_not_needed_is_not_kept(read, send, tmp_path):
    read("a.md", "One.")
    before = files_in(tmp_path / "storage")

    send({"a.md": "One."})

    assert files_in(tmp_path / "storage") == before


def test_an_idempotency_key_gives_the_same_job(kb, editor, tools):
    first = upload(
        subject=editor, kb=kb, files=[IncomingFile("a.md", b"One.")], tools=tools, idempotency_key="k", enqueue=False
    )
    again = upload(
        subject=editor, kb=kb, files=[IncomingFile("a.md", b"One.")], tools=tools, idempotency_key="k", enqueue=False
    )

    assert again == first
    assert JobItem.objects.count() == 1


def test_an_idempotency_key_for_other_files_is_refused_and_leaves_nothing(kb, editor, tools, tmp_path):
    upload(
        subject=editor, kb=kb, files=[IncomingFile("a.md", b"One.")], tools=tools, idempotency_key="k", enqueue=False
    )

    with pytest.raises(Conflict):
        upload(
            subject=editor,
            kb=kb,
            files=[IncomingFile("a.md", b"Two.")],
            tools=tools,
            idempotency_key="k",
            enqueue=False,
        )

    assert files_in(tmp_path / "storage") == 1


def test_a_viewer_may_not_upload(kb, viewer, tools):
    with pytest.raises(Forbidden):
        upload_stage(subject=viewer, kb=kb, files=[], tools=tools)


def test_a_stranger_does_not_learn_of_the_knowledge_base(kb, stranger, tools):
    with pytest.raises(NotFound):
        upload_stage(subject=stranger, kb=kb, files=[], tools=tools)


def test_nobody_commits_the_upload_of_another(kb, editor, tools, department):
    from accounts.models import User
    from accounts.subjects import subject_of_user
    from knowledge.models import Membership, Role

    other = User.objects.create(username="otto", department=department)
    Membership.objects.create(kb=kb, user=other, role=Role.EDITOR)
    staged = upload_stage(subject=editor, kb=kb, files=[IncomingFile("b.md", b"New.")], tools=tools)

    with pytest.raises(NotFound):
        upload_commit(subject=subject_of_user(other), upload=staged, tools=tools)


def test_what_the_sender_says_goes_before_what_the_file_says(read):
    document = read("a.md", "---\ntitle: From file\ntags: [x]\nexpires: 2030-01-31\n---\nText.", title="From sender")

    assert (document.title, document.tags, str(document.expires_on)) == ("From sender", ["x"], "2030-01-31")
