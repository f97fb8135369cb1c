"""Quarantine over REST: kinds with examples at their places, decisions for ever and back, single cases, proposals."""

import pytest

from ontology.models import Quarantined, SenseChoice
from ontology.quarantine import key_of, kind_of, payload
from ontology.services.splitting import entity_split
from ontology.skeleton.read import read_skeleton
from ontology.types import AttributeFound, EntityFound, Extractor, Named, Reason, Where
from tests.cases import cases

pytestmark = pytest.mark.django_db


def post(client, path, status=200, **body):
    answer = client.post(f"/api/v1/{path}", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def get(client, path, status=200):
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == status, answer.content
    return answer.json()


@pytest.fixture
def aside(note, graph):
    """`aside(found, reason, about)` puts something into quarantine."""
    from knowledge.models import Chunk, Version

    def put(found, reason: Reason, about: str) -> Quarantined:
        plain = payload(found)
        version = Version.objects.get(document=note)
        return Quarantined.objects.create(
            graph=graph, document=note, version=version, chunk=Chunk.objects.filter(version=version).first(),
            start=found.where.start, end=found.where.end, kind=kind_of(found), reason=reason.value, about=about,
            found=plain, found_key=key_of(plain), extractor="model",
        )  # fmt: skip

    return put


@pytest.fixture
def robots(aside):
    """Two cases of an unknown class."""
    return [
        aside(
            EntityFound(Named("Mail Gateway", "Robot"), Where(*where), Extractor.MODEL), Reason.UNKNOWN_CLASS, "Robot"
        )
        for where in ((16, 28), (35, 46))
    ]


def test_kinds_come_with_counts_and_examples_at_their_places(robots, graph, edith):
    (group,) = get(edith, f"graphs/{graph.pk}/quarantine/")["results"]

    assert (group["reason"], group["about"], group["count"], group["documents"]) == ("unknown_class", "Robot", 2, 1)
    example = group["examples"][0]
    assert example["quote"] == "Mail Gateway"
    assert example["before"] == "The "
    assert example["after"].startswith(" calls")
    assert example["url"].endswith("start=16&end=28#evidence")


def test_a_kind_is_ignored_for_ever_and_asked_about_again(robots, graph, edith):
    done = post(edith, f"graphs/{graph.pk}/quarantine/decide", reason="unknown_class", about="Robot", action="ignore")
    assert done["count"] == 2
    assert get(edith, f"graphs/{graph.pk}/quarantine/")["results"] == []
    (rule,) = get(edith, f"graphs/{graph.pk}/quarantine/rules/")["results"]
    assert (rule["about"], rule["action"], rule["by"]) == ("Robot", "ignore", "edith-http")

    assert edith.delete(f"/api/v1/quarantine-rules/{done['rule']}").status_code == 204

    assert get(edith, f"graphs/{graph.pk}/quarantine/")["results"][0]["count"] == 2


def test_a_kind_is_taken_for_a_declared_one_only(robots, graph, edith):
    which = {"reason": "unknown_class", "about": "Robot", "action": "map"}
    post(edith, f"graphs/{graph.pk}/quarantine/decide", status=400, **which, becomes="Nobody")

    done = post(edith, f"graphs/{graph.pk}/quarantine/decide", **which, becomes="System")

    assert done["count"] == 1
    assert get(edith, f"graphs/{graph.pk}/quarantine/")["results"] == []


def test_one_case_is_dismissed_and_restored(robots, graph, edith):
    post(edith, f"quarantine/{robots[0].pk}/dismiss", status=204)
    assert get(edith, f"graphs/{graph.pk}/quarantine/")["results"][0]["count"] == 1
    post(edith, f"quarantine/{robots[0].pk}/dismiss", status=409)

    assert edith.delete(f"/api/v1/quarantine/{robots[0].pk}/dismiss").status_code == 204

    assert get(edith, f"graphs/{graph.pk}/quarantine/")["results"][0]["count"] == 2


def test_cases_of_a_kind_are_listed_page_by_page(robots, graph, edith):
    path = f"graphs/{graph.pk}/quarantine/cases/?reason=unknown_class&about=Robot&limit=1"
    first = get(edith, path)
    second = edith.get(first["next"]).json()

    assert second["next"] is None
    assert [each["id"] for page in (first, second) for each in page["results"]] == sorted(
        str(each.pk) for each in robots
    )


def test_kinds_are_listed_page_by_page(robots, aside, graph, edith):
    for about in ("甲", "乙", "丙"):
        aside(EntityFound(Named("Mail Gateway", about), Where(16, 28), Extractor.MODEL), Reason.UNKNOWN_CLASS, about)
    address, seen = f"/api/v1/graphs/{graph.pk}/quarantine/?limit=1", []
    while address:
        page = edith.get(address).json()
        seen += [(each["about"], each["count"], len(each["examples"])) for each in page["results"]]
        address = page["next"]

    assert seen[0] == ("Robot", 2, 2)
    assert {each[0] for each in seen} == {"Robot", "甲", "乙", "丙"}
    assert len(seen) == 4


def test_a_case_is_proposed_as_a_change_of_the_skeleton(robots, aside, edith):
    value = aside(
        AttributeFound(Named("Auth Server", "System"), "cores", "16", Where(60, 70), Extractor.MODEL),
        Reason.UNKNOWN_ATTRIBUTE,
        "System.cores",
    )

    with_class = read_skeleton(get(edith, f"quarantine/{robots[0].pk}/proposal")["text"]).skeleton
    with_attribute = read_skeleton(get(edith, f"quarantine/{value.pk}/proposal")["text"]).skeleton

    assert "Robot" in with_class.classes
    assert with_attribute.classes["System"].attribute("cores").type == "integer"


def test_a_name_of_two_means_one_of_them_in_this_document(read, graph, edith, editor, named):
    other = read("b.md", "The Auth Server is old.")
    auth = named("Auth Server")
    new = entity_split(subject=editor, entity_id=auth.pk, document_ids=[other.pk])
    read("c.md", "Nobody restarts Auth Server.")
    case = Quarantined.objects.get(document__path="c.md", reason="homonym")

    told = post(edith, f"quarantine/{case.pk}/means", entity=str(new.pk), in_document=True)

    assert told == {"cases": [str(case.pk)]}

    assert SenseChoice.objects.get(document__path="c.md").entity == new
    assert not Quarantined.objects.filter(document__path="c.md", reason="homonym", state="open").exists()


@pytest.fixture
def two_rows(read, graph, editor, named):
    """Two of one name, and a table with a row of that name for each, which nobody has decided."""
    other = read("b.md", "The Auth Server is old.")
    auth = named("Auth Server")
    new = entity_split(subject=editor, entity_id=auth.pk, document_ids=[other.pk])
    read("c.md", "# 清单\n\n| System | Memory |\n| --- | --- |\n| Auth Server | 1301 |\n| Auth Server | 1455 |\n")
    cases = Quarantined.objects.filter(document__path="c.md", reason="homonym").order_by("start")
    return auth, new, list(cases)


def test_what_a_name_means_in_one_row_decides_nothing_for_another(two_rows, edith, tend):
    auth, new, cases = two_rows
    assert len(cases) == 2

    told = post(edith, f"quarantine/{cases[0].pk}/means", entity=str(new.pk))
    tend()

    assert told == {"cases": [str(cases[0].pk)]}
    assert [each.value for each in new.attributes.filter(support__gt=0)] == [1301]
    assert not auth.attributes.filter(value=1455).exists()
    (waiting,) = Quarantined.objects.filter(document__path="c.md", reason="homonym", state="open")
    post(edith, f"quarantine/{waiting.pk}/means", entity=str(auth.pk))
    tend()
    assert [each.value for each in new.attributes.filter(support__gt=0)] == [1301]
    assert auth.attributes.filter(value=1455, support__gt=0).exists()


def test_for_the_whole_document_is_a_choice_of_its_own(two_rows, edith, tend):
    _auth, new, cases = two_rows

    told = post(edith, f"quarantine/{cases[0].pk}/means", entity=str(new.pk), in_document=True)
    tend()

    assert set(told["cases"]) == {str(each.pk) for each in cases}
    assert {each.value for each in new.attributes.filter(support__gt=0)} == {1301, 1455}


@cases("wrong", [{"in_document": "?"}, {"entity": "x"}, {"entity": None}])
def test_a_meaning_that_can_not_be_read_is_refused(two_rows, edith, wrong):
    _auth, new, cases = two_rows

    post(edith, f"quarantine/{cases[0].pk}/means", status=400, **({"entity": str(new.pk)} | wrong))

    assert not SenseChoice.objects.filter(document__path="c.md").exists()


def test_the_page_says_how_far_a_decision_reaches(two_rows, edith, kb):
    page = edith.get(f"/quarantine/?kb={kb.slug}").content.decode()

    assert page.count("data-whole") == 2
    assert "holds for this line or row alone" in page


def test_a_name_can_not_mean_one_that_does_not_bear_it(robots, edith, named):
    post(edith, f"quarantine/{robots[0].pk}/means", status=400, entity=str(named("Auth Server").pk))


def test_strangers_and_viewers_decide_nothing(robots, graph, vera, stan):
    body = {"reason": "unknown_class", "about": "Robot", "action": "ignore"}
    post(vera, f"graphs/{graph.pk}/quarantine/decide", status=403, **body)
    post(stan, f"graphs/{graph.pk}/quarantine/decide", status=404, **body)
    post(vera, f"quarantine/{robots[0].pk}/dismiss", status=403)
    post(stan, f"quarantine/{robots[0].pk}/dismiss", status=404)
    get(vera, f"quarantine/{robots[0].pk}/proposal", status=403)
    get(stan, f"quarantine/{robots[0].pk}/proposal", status=404)
