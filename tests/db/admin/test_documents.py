"""Documents in the administration: filters, bulk actions with preview and undo, the bin, chunks."""

from knowledge.models import Chunk, DocumentState, Job, JobKind
from tests.cases import cases

LIST = "/admin/knowledge/document/"


def act(client, name, documents, **more):
    """Choose an action in the list."""
    return client.post(
        more.pop("at", LIST), {"action": name, "_selected_action": [each.pk for each in documents], **more}
    )


def go_on(client, name, documents, **more):
    """The page after it."""
    return client.post(
        f"{LIST}bulk/{name}/", {"ids": ",".join(str(each.pk) for each in documents), **more}, follow=True
    )


@cases(
    ("query", "paths"),
    [
        ("", {"a.md", "b.md", "c.md"}),
        ("kb=pumps", {"a.md", "b.md", "c.md"}),
        ("kb=secrets", set()),
        ("kb=pumps&folder=manuals", {"a.md", "b.md"}),
        ("kb=pumps&tag=urgent", {"c.md"}),
        ("reading=done", {"a.md", "b.md", "c.md"}),
        ("reading=failed", set()),
        ("expired=yes", {"c.md"}),
        ("expired=no", {"a.md", "b.md"}),
        ("language=en", {"a.md", "b.md", "c.md"}),
        ("state=binned", set()),
        ("q=Beta", {"b.md"}),
        ("q=manuals/a", {"a.md"}),
    ],
)
def test_the_list_is_narrowed_and_its_count_is_true(browse, corpus, documents, query, paths):
    corpus.read("c.md", "# Gamma\n\nThe third of these.", tags=["urgent"], expires_on="2020-01-01")
    answer = browse("editor").get(f"{LIST}?{query}")
    changes = answer.context["cl"]

    assert {each.path.rpartition("/")[2] for each in changes.result_list} == paths
    assert changes.result_count == len(paths)


def test_one_document_is_changed_by_hand(browse, documents):
    document = documents[0]
    fields = {
        "title": "Alpha manual",
        "path": "handbooks/a.md",
        "tags_text": "pump， old, pump",
        "owner_name": "edith",
        "source_url": "",
        "effective_on": "",
        "expires_on": "2030-01-31",
    }
    browse("editor").post(f"{LIST}{document.pk}/change/", fields)
    document.refresh_from_db()

    assert (document.title, document.path, document.folder) == ("Alpha manual", "handbooks/a.md", "handbooks")
    assert document.tags == ["pump", "old"]
    assert document.owner.username == "edith"
    assert str(document.expires_on) == "2030-01-31"


def test_a_path_that_is_taken_is_an_error_of_its_field(browse, documents):
    answer = browse("editor").post(f"{LIST}{documents[0].pk}/change/", {"title": "A", "path": "manuals/b.md"})

    assert "path" in answer.context["adminform"].form.errors


def test_a_bulk_change_shows_what_it_will_do_then_does_it_and_can_be_undone(browse, documents):
    editor = browse("editor")
    first = act(editor, "edit", documents)
    change = {"add_tags": "pump", "folder": "handbooks"}
    preview = go_on(editor, "edit", documents, preview="1", **change)
    untouched = [each.tags for each in reloaded(documents)]
    go_on(editor, "edit", documents, sure="1", **change)
    changed = [(each.path, each.tags) for each in reloaded(documents)]
    editor.post(f"{LIST}undo/")

    assert "2 documents" in first.content.decode()
    assert "<ins>handbooks/a.md</ins>" in preview.content.decode()
    assert untouched == [[], []]
    assert changed == [("handbooks/a.md", ["pump"]), ("handbooks/b.md", ["pump"])]
    assert [(each.path, each.tags) for each in reloaded(documents)] == [("manuals/a.md", []), ("manuals/b.md", [])]


def test_a_bulk_change_that_can_not_be_is_told_and_changes_nothing(browse, corpus, documents):
    corpus.read("a.md", "# Another\n\nText.")
    answer = go_on(browse("editor"), "edit", documents, sure="1", folder="/")

    assert "already" in answer.content.decode()
    assert [each.path for each in reloaded(documents)] == ["manuals/a.md", "manuals/b.md"]


def test_the_bin_and_back_by_undo(browse, documents):
    editor = browse("editor")
    act(editor, "bin", documents)
    still_live = {each.state for each in reloaded(documents)}
    told = go_on(editor, "bin", documents)
    binned = {each.state for each in reloaded(documents)}
    editor.post(f"{LIST}undo/")

    assert still_live == {DocumentState.LIVE}
    assert binned == {DocumentState.BINNED}
    assert "undo/" in told.content.decode()
    assert {each.state for each in reloaded(documents)} == {DocumentState.LIVE}


def test_deleting_for_good_asks_for_the_name_and_is_a_job(browse, documents):
    editor = browse("editor")
    go_on(editor, "bin", documents)
    first = act(editor, "purge", documents, at=f"{LIST}?state=binned")
    go_on(editor, "purge", documents, confirm="Pumps")
    before = Job.objects.filter(kind=JobKind.PURGE).count()
    go_on(editor, "purge", documents, confirm="pumps")

    assert "can&#x27;t be undone" in first.content.decode()
    assert before == 0
    assert Job.objects.get(kind=JobKind.PURGE).items.count() == 2


def test_a_bin_is_emptied_by_the_name_of_its_knowledge_base(browse, kb, documents):
    editor, address = browse("editor"), f"/admin/knowledge/knowledgebase/{kb.pk}/empty-bin/"
    go_on(editor, "bin", documents[:1])
    editor.post(address, {"confirm": "bin"})
    before = Job.objects.filter(kind=JobKind.PURGE).exists()
    editor.post(address, {"confirm": "pumps"})

    assert not before
    assert [item.document for item in Job.objects.get(kind=JobKind.PURGE).items.all()] == documents[:1]


def test_reading_again_makes_new_versions(browse, documents):
    go_on(browse("editor"), "reread", documents)

    assert [each.versions.count() for each in documents] == [2, 2]


def test_nothing_can_be_done_to_documents_of_others_by_their_ids(browse, documents):
    go_on(browse("viewer"), "bin", documents)
    go_on(browse("stranger"), "bin", documents)

    assert {each.state for each in reloaded(documents)} == {DocumentState.LIVE}


def test_the_state_of_readings_is_told_for_ones_own_documents_only(browse, documents):
    version = documents[0].versions.get().pk
    mine = browse("editor").get(f"{LIST}readings/?of={version}").json()
    theirs = browse("stranger").get(f"{LIST}readings/?of={version}")

    assert mine[str(version)]["is_over"]
    assert theirs.status_code in (302, 403)


def test_chunks_of_a_document_are_switched_off_and_on(browse, documents):
    editor, address = browse("editor"), f"/admin/knowledge/chunk/?document={documents[0].pk}"
    shown = editor.get(address).context["cl"].result_list
    act(editor, "switch_off", shown, at=address)
    off = list(Chunk.objects.filter(document=documents[0]).values_list("is_disabled", "is_live"))
    act(editor, "switch_on", shown, at=address)

    assert len(shown) == len(off)
    assert set(off) == {(True, False)}
    assert not Chunk.objects.filter(document=documents[0], is_disabled=True).exists()


def reloaded(documents):
    for each in documents:
        each.refresh_from_db()
    return documents
