"""Names and quotations are found as people would find them, and their offsets are those of the text."""

import pytest

from ontology.model_reading.ground import Ground, hull, nearest
from ontology.types import Where

TEXT = "Intro.\n\nThe **Mail  Gateway** calls\nAuth Server (ＡＵＴＨ) at “night”. 郵件網關調用認證服務。Gatewaying."
ALL = Where(0, len(TEXT))


def said(where):
    return TEXT[where.start : where.end] if where else None


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("Mail Gateway", ["Mail  Gateway"]),
        ("MAIL GATEWAY", ["Mail  Gateway"]),
        ("auth", ["Auth", "ＡＵＴＨ"]),
        ("邮件网关", ["郵件網關"]),
        ("Gateway", ["Gateway"]),
        ("ateway", []),
        ("Pump", []),
        ("", []),
        ("  ", []),
    ],
)
def test_a_name_is_found_whatever_its_case_width_script_and_spaces_but_only_whole(name, places):
    assert [said(each) for each in Ground.of(TEXT, ALL).names(name)] == places


@pytest.mark.parametrize(
    ("quote", "place"),
    [
        ("The Mail Gateway calls Auth Server", "The **Mail  Gateway** calls\nAuth Server"),
        ('"Auth Server (AUTH) at "night"."', "Auth Server (ＡＵＴＨ) at “night”."),
        ("Mail Gateway … at “night”", "Mail  Gateway** calls\nAuth Server (ＡＵＴＨ) at “night"),
        ("Auth Server (AUTH) at night.", None),
        ("邮件网关调用认证服务", "郵件網關調用認證服務"),
        ("邮件网关调用认证服务！", "郵件網關調用認證服務"),
        ("The Mail Gateway calls the Pump", None),
        ("", None),
        ("...", None),
    ],
)
def test_a_quotation_is_found_or_is_none(quote, place):
    assert said(Ground.of(TEXT, ALL).quote(quote)) == place


def test_offsets_are_those_of_the_whole_text_and_nothing_outside_of_the_chunk_is_found():
    start = TEXT.index("郵")
    ground = Ground.of(TEXT, Where(start, len(TEXT)))

    assert list(ground.names("Mail Gateway")) == []
    assert list(ground.names("认证服务")) == [Where(start + 6, start + 10)]


def test_the_hull_and_the_nearest():
    places = [Where(0, 3), Where(10, 12), Where(40, 44)]

    assert hull(places) == Where(0, 44)
    assert nearest(places, Where(14, 20)) == Where(10, 12)
    assert nearest([], Where(0, 1)) is None
