"""Two of one name in one document are told apart line by line, and stay so when the document changes: what is unchanged is lost by nobody."""

from uuid import UUID

import pytest

from ontology.models import Entity, Evidence, Quarantined, Relation, SenseChoice
from ontology.senses import Senses, alike, line_at, words_of
from ontology.services.splitting import entity_split

HEAD = "# Systems\n\n| System | Memory | calls |\n| --- | --- | --- |\n"
ROWS = ("| Log Server | 64 | Auth Server |", "| Log Server | 128 | Mail Gateway |", "| Web Server | 32 | Auth Server |")
CHINESE = ("| 日志系统 | 64 | 认证系统 |", "| 日志系统 | 128 | 邮件系统 |", "| 网页系统 | 32 | 认证系统 |")


def table(*rows):
    return HEAD + "\n".join(rows) + "\n"


def known(entity):
    """Its live values, and whom it calls."""
    values = entity.attributes.filter(support__gt=0).values_list("value", flat=True)
    others = Relation.objects.filter(source=entity, support__gt=0).values_list("target__name", flat=True)
    return sorted(values), sorted(others)


@pytest.fixture(params=[ROWS, CHINESE], ids=["latin", "chinese"])
def rows(request):
    return request.param


@pytest.fixture
def parted(db, read, graph, editor, tend, rows):
    """Two of one name in two rows of one table."""
    document = read("systems.md", table(*rows))
    tend()
    old = Entity.objects.get(name=rows[0].split(" | ")[0][2:])
    second = document.live_version.text.index(rows[1])
    places = Evidence.objects.filter(entity=old, start__gte=second, start__lt=second + len(rows[1]))
    new = entity_split(subject=editor, entity_id=old.pk, evidence_ids=[each.pk for each in places])
    return old, new


def names(rows):
    return [row.strip("| ").split(" | ")[2] for row in rows]


def test_a_change_elsewhere_leaves_each_its_own(parted, read, tend, rows):
    old, new = parted
    auth, mail, _web = names(rows)
    assert (known(old), known(new)) == (([64], [auth]), ([128], [mail]))

    read("systems.md", table(rows[0], rows[1], rows[2].replace("32", "33")))
    tend()

    assert (known(old), known(new)) == (([64], [auth]), ([128], [mail]))
    assert not Quarantined.objects.filter(reason="homonym", state="open").exists()


def test_rows_in_another_order_keep_theirs(parted, read, tend, rows):
    old, new = parted
    auth, mail, _web = names(rows)

    read("systems.md", table(rows[2], rows[1], rows[0]))
    tend()

    assert (known(old), known(new)) == (([64], [auth]), ([128], [mail]))


def test_a_row_that_changed_goes_where_what_is_unchanged_in_it_points(parted, read, tend, rows):
    old, new = parted
    auth, mail, _web = names(rows)

    read("systems.md", table(rows[0], rows[1].replace("128", "256"), rows[2]))
    tend()

    assert (known(old), known(new)) == (([64], [auth]), ([256], [mail]))


def test_a_row_that_points_nowhere_is_a_question_and_the_other_loses_nothing(parted, read, tend, rows):
    old, new = parted
    auth, _mail, _web = names(rows)

    read("systems.md", table(rows[0], rows[1].replace("128", "999").replace(names(rows)[1], auth), rows[2]))
    tend()

    assert known(old) == ([64], [auth])
    assert known(new) == ([], [])
    assert Quarantined.objects.filter(reason="homonym", state="open").exists()


def test_a_new_row_of_that_name_is_a_question(parted, read, tend, rows):
    old, new = parted
    auth, mail, _web = names(rows)

    read("systems.md", table(*rows, rows[0].replace("64", "77")))
    tend()

    assert (known(old), known(new)) == (([64], [auth]), ([128], [mail]))
    assert Quarantined.objects.filter(reason="homonym", state="open").exists()


def test_each_line_is_remembered_once_and_for_whom(parted, rows):
    old, new = parted

    assert dict(SenseChoice.objects.values_list("line", "entity")) == {
        words_of(rows[0]): old.pk,
        words_of(rows[1]): new.pk,
    }


@pytest.mark.parametrize(
    ("text", "place", "line"),
    [
        ("a\nb c\nd", 3, "b c"),
        ("| A | **b** |", 5, "a b"),
        ("", 0, ""),
        ("李伟，财务部", 0, "李伟 财务部"),
        ("Ａ１\n", 0, "a1"),
    ],
)
def test_a_line_is_known_by_its_words(text, place, line):
    assert line_at(text, place) == line


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [
        ({"a"}, {"a"}, True),
        ({"a", "b"}, {"a", "c"}, True),
        ({"a", "b", "c"}, {"a", "x", "y"}, False),
        (set(), set(), False),
    ],
)
def test_half_of_the_words_make_a_line_alike(one, other, is_so):
    assert alike(one, other) is is_so


def test_a_line_that_still_stands_there_is_followed_by_no_other():
    line = words_of("| Li Wei | Finance | 1301 |")
    name = ("Person", "li wei")
    finance = UUID(int=1)
    senses = Senses(lines={name: {line: finance}}, now=frozenset([line]))

    assert senses.meant(name, line) == finance
    assert senses.meant(name, words_of("| Li Wei | Finance | 1302 |")) is None
