"""The pages of the ontology: who may see and change it, what the editor answers, proposals, and entities from a table."""

from html import unescape
from html.parser import HTMLParser
from io import BytesIO

import pytest
from django.test import Client

from accounts.models import AuditEvent, User
from ontology.models import Alias, AttributeValue, Entity, SkeletonVersion
from ontology.services.skeletons import skeleton_apply
from tests.cases import cases
from tests.db.ontology.conftest import SKELETON

pytestmark = pytest.mark.django_db

OTHER = SKELETON.replace("  Paper:", "  Ship:\n    labels: {en: Ship}\n  Paper:")
EDIT = "/ontology/pumps/edit/"


def client_of(subject):
    client = Client()
    client.force_login(User.objects.get(pk=subject.user_id), backend="accounts.backends.NameOrEmailBackend")
    return client


@pytest.fixture
def page(graph, editor):
    return client_of(editor)


def html(answer):
    return answer.content.decode()


def write(page, piece, text, **more):
    return page.post(f"{EDIT}{piece}", {"text": text, "base": "1", **more})


@pytest.mark.parametrize(
    ("who", "path", "status"),
    [
        ("viewer", "/ontology/pumps/", 200),
        ("viewer", "/ontology/pumps/ontology.yaml", 200),
        ("viewer", EDIT, 403),
        ("viewer", "/ontology/pumps/propose/", 403),
        ("viewer", "/ontology/pumps/import/", 403),
        ("stranger", "/ontology/pumps/", 404),
        ("stranger", EDIT, 404),
        ("editor", EDIT, 200),
        ("editor", "/ontology/pumps/propose/", 200),
        ("editor", "/ontology/pumps/import/", 200),
        ("editor", f"{EDIT}?version=9", 404),
        ("editor", f"{EDIT}?draft=nonsense", 200),
    ],
)
def test_readers_look_and_editors_change(who, path, status, graph, request):
    assert client_of(request.getfixturevalue(who)).get(path).status_code == status


@pytest.mark.parametrize("piece", ["check", "part", "change", "try", "apply", "draft"])
def test_a_reader_can_send_nothing(piece, graph, viewer):
    assert client_of(viewer).post(f"{EDIT}{piece}", {"text": OTHER, "base": "1"}).status_code == 403
    assert SkeletonVersion.objects.count() == 1


def test_the_page_says_the_skeleton_in_words_and_gives_the_file(page):
    shown = html(page.get("/ontology/pumps/"))

    assert "<svg" in shown
    assert "whole number" in shown
    assert html(page.get("/ontology/pumps/ontology.yaml")) == SKELETON


def test_the_reader_s_language_is_spoken(page):
    assert "人员" in html(page.get("/ontology/pumps/", headers={"accept-language": "zh-hans"}))


def test_faults_come_with_their_lines_and_what_to_write(page):
    answer = html(write(page, "check", SKELETON.replace("type: integer", "type: intger")))

    assert "There is no type “intger”" in answer
    assert "Did you mean “integer”?" in answer
    assert 'data-line="8"' in answer


def part(page, key, text=SKELETON):
    return html(page.post(f"{EDIT}part", {"text": text, "base": "1", "part": key}))


def shown_with(page, key, text=SKELETON):
    """What a browser would send of the forms of a part, by name; boxes that are not ticked are not."""
    parser = Fields()
    parser.feed(part(page, key, text))
    return parser.given


class Fields(HTMLParser):
    """Inputs, areas and choices with their values."""

    def __init__(self):
        super().__init__()
        self.given = {}
        self.inside = None
        self.is_area = False

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "input" and (attrs.get("type") != "checkbox" or "checked" in attrs):
            self.given.setdefault(attrs["name"], []).append(attrs.get("value", ""))
        elif tag in ("textarea", "select"):
            self.inside, self.is_area = attrs["name"], tag == "textarea"
            self.given[self.inside] = [""] if tag == "textarea" else []
        elif tag == "option" and "selected" in attrs:
            self.given[self.inside].append(attrs["value"])

    def handle_data(self, data):
        if self.is_area and self.given[self.inside] == [""]:
            self.given[self.inside] = [data.removeprefix("\n")]

    def handle_endtag(self, tag):
        if tag in ("textarea", "select"):
            self.inside, self.is_area = None, False


def text_in(answer):
    return unescape(answer.split('<textarea id="skeleton-text"')[1].split(">\n", 1)[1].split("</textarea>")[0])


def send(page, key, deed, text=SKELETON, **fields):
    """One form as a browser sends it: what it was shown with, and what a person changed."""
    given = shown_with(page, key, text) | {name: value for name, value in fields.items() if value is not None}
    given = {name: value for name, value in given.items() if name not in fields or fields[name] is not None}
    return html(write(page, "change", text, **{**given, "part": key, "deed": deed}))


def test_a_form_changes_the_text_and_stores_nothing(page):
    answer = send(page, "classes", "class", name="Ship", en="Ship", zh="船")

    assert "Ship: {labels: {en: Ship, zh: 船}}" in text_in(answer)
    assert SkeletonVersion.objects.count() == 1


def test_a_form_that_changes_nothing_leaves_every_letter(page):
    text = SKELETON.replace("Person:", "Person:   # people\n    # of ours")
    for key, deed in (
        ("classes/System", "class"),
        ("classes/System", "rules"),
        ("classes/System/attributes/memory_limit", "attribute"),
        ("relations/calls", "relation"),
        ("relations/calls", "phrases"),
    ):
        assert text_in(send(page, key, deed, text)) == text


@cases(
    ("key", "deed", "fields", "line"),
    [
        ("classes/System", "class", {"zh": "信息系统"}, "    labels: {en: System, zh: 信息系统}"),
        ("classes/Person", "class", {"description_zh": "在这里工作的人"}, "    description: {zh: 在这里工作的人}"),
        ("classes/System", "rules", {"stop_names": "This Server\r\n本系统"}, "stop_names: [This Server, 本系统]}"),
        (
            "classes/System/attributes/memory_limit",
            "attribute",
            {"unit": "GB"},
            "memory_limit: {type: integer, keys: [Memory, 内存], unit: GB}",
        ),
        ("relations/calls", "relation", {"inverse_en": "is called by"}, "    inverse: {en: is called by}"),
        ("relations/calls", "relation", {"targets": ["System", "Person"]}, "    to: [System, Person]"),
        (
            "relations/calls",
            "phrases",
            {"phrases": "{source} calls {target}\n{source}调用{target}\n{source} asks {target}"},
            "    phrases: ['{source} calls {target}', '{source}调用{target}', '{source} asks {target}']",
        ),
    ],
)
def test_every_form_writes_one_thing_and_leaves_the_rest(page, key, deed, fields, line):
    before, after = SKELETON.splitlines(), text_in(send(page, key, deed, **fields)).splitlines()

    assert len([each for each in before if each not in after]) <= 1
    assert [each for each in after if line in each and each not in before]


def test_an_attribute_of_options_is_added_renamed_and_removed(page):
    added = send(
        page,
        "classes/Person/attributes",
        "attribute",
        name="state",
        type="enum",
        options="active\nretired: gone | 退休",
    )
    text = text_in(added)
    renamed = text_in(send(page, "classes/Person/attributes/state", "attribute", text, name="status", type="enum"))
    gone = text_in(html(write(page, "change", renamed, part="classes/Person/attributes/status", deed="remove")))

    assert "attributes: {state: {type: enum, options: {active: [], retired: [gone, 退休]}}}" in text
    assert renamed == text.replace("state:", "status:")
    assert gone == SKELETON


def test_a_renamed_class_is_renamed_in_its_relations_and_a_removed_one_is_told(page):
    renamed = text_in(send(page, "classes/System", "class", name="Machine"))
    removed = html(write(page, "change", SKELETON, part="classes/Person", deed="remove"))

    assert "from: [Machine]" in renamed
    assert "System]" not in renamed
    assert "keeps" in part(page, "classes/Person")
    assert "There is no class “Person”." in removed


def test_what_was_written_beside_the_form_is_not_overwritten(page):
    shown = shown_with(page, "classes/System")
    text = SKELETON.replace("zh: 系统", "zh: 信息系统")

    answer = write(page, "change", text, **{**shown, "en": "Software", "part": "classes/System", "deed": "class"})

    assert "labels: {en: Software, zh: 信息系统}" in text_in(html(answer))


@cases(
    ("key", "deed", "fields", "beside", "words"),
    [
        ("classes", "class", {"name": "System"}, "name", "is there already"),
        ("classes", "class", {"name": "two words"}, "name", "can’t be a name"),
        ("classes", "class", {"name": "Chunk"}, "name", "Trellis uses itself"),
        ("classes", "class", {"name": ""}, "name", "required"),
        ("classes/System", "rules", {"patterns": "(a+)+"}, "patterns", ""),
        ("classes/System", "rules", {"record_headings": "["}, "record_headings", ""),
        ("classes/System/attributes/memory_limit", "attribute", {"unit": "parsec"}, "unit", "parsec"),
        ("classes/System/attributes/memory_limit", "attribute", {"type": "enum"}, "options", "line for each"),
        ("classes/System/attributes/memory_limit", "attribute", {"type": "reference"}, "to", "Choose the class"),
        ("classes/System/attributes/memory_limit", "attribute", {"type": "nonsense"}, "type", "valid choice"),
        ("relations/calls", "phrases", {"phrases": "calls {target}"}, "phrases", "{source}"),
        ("relations/calls", "relation", {"sources": None}, "sources", "required"),
        ("relations", "relation", {"name": "reads", "sources": "Person"}, "targets", "required"),
    ],
)
def test_a_wrong_value_is_told_beside_its_field_and_changes_nothing(page, key, deed, fields, beside, words):
    answer = send(page, key, deed, **fields)

    said = answer.split(
        f'id="part-{beside}_error"' if f'id="part-{beside}_error"' in answer else f'id="{beside}_error"'
    )
    assert len(said) == 2, beside
    assert words.replace("’", "'") in unescape(said[1].split("</ul>")[0])
    assert text_in(answer) == SKELETON


def test_a_form_of_something_that_is_gone_or_nonsense_is_refused_with_a_sentence(page):
    assert "There is no “Gone”" in part(page, "classes/Gone")
    assert "There is no “Gone”" in html(write(page, "change", SKELETON, part="classes/Gone", deed="class", name="Gone"))
    assert "Choose a class" in part(page, "classes/System/rules/patterns")
    assert "There is no such change" in html(write(page, "change", SKELETON, part="classes/System", deed="phrases"))
    assert "Mend the faults" in html(write(page, "change", "a: [", part="classes", deed="class", name="Ship"))
    assert "Mend the faults" in part(page, "classes/System", "a: [")


def test_forms_still_work_on_a_text_that_can_not_be_used_yet(page):
    text = SKELETON.replace("type: integer", "type: intger")

    assert "type: date" in text_in(send(page, "classes/System/attributes/memory_limit", "attribute", text, type="date"))


def test_a_dry_run_says_what_changes_and_applying_makes_a_version(page):
    trial = html(write(page, "try", OTHER))
    answer = write(page, "apply", OTHER)

    assert "The class Ship is new." in trial
    assert answer["HX-Redirect"] == "/ontology/pumps/"
    assert SkeletonVersion.objects.order_by("-number").first().text == OTHER


def test_who_was_slower_sees_what_was_changed_and_overwrites_nothing(page, graph, editor):
    skeleton_apply(subject=editor, graph_id=graph.pk, text=OTHER)

    answer = html(write(page, "apply", SKELETON.replace("  Paper:", "  Boat: {}\n  Paper:")))

    assert "was applied meanwhile" in answer
    assert "The class Ship is new." in answer
    assert SkeletonVersion.objects.count() == 2


def test_two_versions_are_compared_and_an_old_one_is_taken_again(page, graph, editor):
    skeleton_apply(subject=editor, graph_id=graph.pk, text=OTHER)

    assert "The class Ship is gone." in html(page.get("/ontology/pumps/?left=2&right=1"))
    assert "Ship" not in html(page.get(f"{EDIT}?version=1")).split("<textarea")[1].split("</textarea>")[0]


def test_a_file_is_opened_in_the_editor(page):
    file = BytesIO(OTHER.replace("\n", "\r\n").encode("utf-8-sig"))
    file.name = "ontology.yaml"

    shown = html(page.post(f"{EDIT}draft", {"file": file}))

    assert "Ship" in shown
    assert SkeletonVersion.objects.count() == 1


def test_what_documents_hold_is_proposed_and_goes_into_the_text(page, read):
    read("machines.md", "# Machines\n\n| Machine | Weight |\n| --- | --- |\n| Crane | 12 |\n| Winch | 3 |")

    assert "Crane · Winch" in html(page.get("/ontology/pumps/propose/"))
    assert "Machine: {labels: {en: Machine}" in html(page.post("/ontology/pumps/propose/", {"draft": "Machine"}))


TABLE = "class,name,aliases,Memory\nSystem,Mail Gateway,邮件网关|MG,2\n系统,Auth Server,,plenty\nBoat,Erna,,\n"


def send_table(page, deed, text=TABLE):
    file = BytesIO(text.encode())
    file.name = "systems.csv"
    return html(page.post("/ontology/pumps/import/", {"file": file, "deed": deed}))


def test_a_dry_run_of_a_table_says_line_by_line_what_it_would_do_and_stores_nothing(page):
    shown = send_table(page, "try")

    assert "1 new, 0 known already, 2 left out" in shown
    assert "There is no class “Boat” in the skeleton." in shown
    assert not Entity.objects.exists()


def test_a_table_is_imported_and_taken_back_as_a_whole(page, graph):
    send_table(page, "apply")

    entity = Entity.objects.get()
    assert (entity.name, entity.is_confirmed) == ("Mail Gateway", True)
    assert set(Alias.objects.values_list("text", flat=True)) == {"邮件网关", "MG"}
    assert AttributeValue.objects.get().value == 2

    event = AuditEvent.objects.get(action="entities.import")
    page.post(f"/ontology/pumps/import/{event.pk}/undo")

    assert not Entity.objects.exists()
    assert not Alias.objects.exists()
    assert "taken back" in html(page.get("/ontology/pumps/import/"))


def test_taking_back_leaves_what_people_or_documents_say(page, graph, editor, read):
    read("a.md", "The Mail Gateway calls Auth Server.")
    send_table(page, "apply")
    event = AuditEvent.objects.get(action="entities.import")

    page.post(f"/ontology/pumps/import/{event.pk}/undo")

    assert Entity.objects.filter(name="Mail Gateway", is_confirmed=False, support__gt=0).exists()
    assert not Alias.objects.exists()


def test_an_import_is_taken_back_once_and_only_by_editors(page, graph, viewer):
    send_table(page, "apply")
    event = AuditEvent.objects.get(action="entities.import")
    path = f"/ontology/pumps/import/{event.pk}/undo"

    assert client_of(viewer).post(path).status_code == 403
    page.post(path)
    page.post(path)
    assert AuditEvent.objects.filter(action="entities.import_undo").count() == 1


@pytest.mark.parametrize("text", ["", "name\nMail", "class,name\n", "\x00\xff"])
def test_a_file_that_is_no_table_is_told(page, text):
    assert "notice--fault" in send_table(page, "try", text)
