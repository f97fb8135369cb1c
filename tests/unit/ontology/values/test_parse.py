"""What people write is understood as the declared type, or refused with a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.types import AttributeType, ValueType
from ontology.values.parse import UnreadableValue, parse

INTEGER, NUMBER = ValueType.INTEGER, ValueType.NUMBER
ENUM = AttributeType(
    "license", ValueType.ENUM, options={"open": ("Apache 2.0", "开源"), "closed": ("专有", "API only")}
)


def read(raw, kind, unit=""):
    value = parse(raw, AttributeType("x", kind, unit=unit))
    return value.comparison, value.value


@pytest.mark.parametrize(
    ("raw", "unit", "expected"),
    [
        ("128K", "tokens", 131072),
        ("128k tokens", "tokens", 131072),
        ("1M", "tokens", 1048576),
        ("8,192 个 token", "tokens", 8192),
        ("1.2 万", "tokens", 12000),
        ("128K", "", 131072),
        ("128K", "people", 128000),
        ("3B", "", 3_000_000_000),
        ("1,200", "", 1200),
        ("1，200", "", 1200),
        ("1.2 万", "", 12000),
        ("1.2 萬", "", 12000),
        ("三千五百", "", 3500),
        ("十二", "", 12),
        ("一百零五", "", 105),
        ("两百", "", 200),
        ("一万二", "", 12000),
        ("一亿二千万", "", 120_000_000),
        ("3千5百", "", 3500),
        ("１２３", "", 123),
        ("412 people", "", 412),
        ("12 个", "", 12),
        ("−3", "", -3),
        ("3 million", "", 3_000_000),
        ("7B", "parameters", 7_000_000_000),
        ("1.3 万亿", "parameters", 1_300_000_000_000),
        ("二〇二四", "", 2024),
    ],
)
def test_an_integer_is_read_however_it_is_written(raw, unit, expected):
    assert read(raw, INTEGER, unit) == ("", expected)


@pytest.mark.parametrize(
    ("raw", "unit", "expected"),
    [
        ("≥ 80℃", "℃", ("≥", 80.0)),
        ("80℃以上", "℃", ("≥", 80.0)),
        ("at least 80 °C", "℃", ("≥", 80.0)),
        ("< 5,000 h", "h", ("<", 5000.0)),
        ("不超过 5 天", "h", ("≤", 120.0)),
        ("max 60 min", "h", ("≤", 1.0)),
        ("约 3.5 GB", "GB", ("≈", 3.5)),
        ("80±5", "℃", ("≈", 80.0)),
        ("168 mm ± 1 mm", "mm", ("≈", 168.0)),
        ("176 ℉", "℃", ("", 80.0)),
        ("353.15 K", "℃", ("", 80.0)),
        ("零下 5 度", "℃", ("", -5.0)),
        ("512 MB", "GB", ("", 0.5)),
        ("2T", "GB", ("", 2048.0)),
        ("80 G", "GB", ("", 80.0)),
        ("1500 ms", "s", ("", 1.5)),
        ("三天", "h", ("", 72.0)),
        ("5.6 m", "cm", ("", 560.0)),
        ("2 吨", "kg", ("", 2000.0)),
        ("85.3%", "%", ("", 85.3)),
        ("百分之八十", "%", ("", 80.0)),
        ("5 万元", "CNY", ("", 50000.0)),
        ("RMB 3,000", "CNY", ("", 3000.0)),
        ("€ 1,480", "EUR", ("", 1480.0)),
        ("118.00", "EUR", ("", 118.0)),
        ("2.3 points", "points", ("", 2.3)),
    ],
)
def test_a_number_is_kept_in_the_unit_of_its_attribute(raw, unit, expected):
    assert read(raw, NUMBER, unit) == expected


@pytest.mark.parametrize(
    ("raw", "kind", "unit"),
    [
        ("", INTEGER, ""),
        ("many", INTEGER, ""),
        ("1.5", INTEGER, ""),
        ("1,2", INTEGER, ""),
        ("7.4.2", NUMBER, ""),
        ("5 GB", INTEGER, ""),
        ("50 USD", NUMBER, "EUR"),
        ("5 kg", NUMBER, "℃"),
        ("−10 ℃ to 80 ℃", NUMBER, "℃"),
        ("2–14", NUMBER, "m³/h"),
        ("9" * 40, INTEGER, ""),
        ("9" * 40, NUMBER, ""),
        ("1e5", NUMBER, ""),
        ("一二百三", INTEGER, ""),
        ("万", INTEGER, ""),
        ("maybe", ValueType.BOOLEAN, ""),
        ("2024年第三季度", ValueType.DATE, ""),
        ("3/4/2024", ValueType.DATE, ""),
        ("3月", ValueType.DATE, ""),
        ("2024-02-30", ValueType.DATE, ""),
        ("x" * 2001, ValueType.TEXT, ""),
        ("x" * 201, ValueType.REFERENCE, ""),
    ],
)
def test_what_is_not_understood_is_refused_with_a_sentence(raw, kind, unit):
    with pytest.raises(UnreadableValue) as refused:
        parse(raw, AttributeType("x", kind, unit=unit))

    assert str(refused.value)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("2024", "2024"),
        ("2024年3月", "2024-03"),
        ("2024-03-01", "2024-03-01"),
        ("2024/3/1", "2024-03-01"),
        ("2024.3.1", "2024-03-01"),
        ("March 3, 2024", "2024-03-03"),
        ("3 Mar 2024", "2024-03-03"),
        ("Sept. 2024", "2024-09"),
        ("13/4/2024", "2024-04-13"),
        ("12.05.2026", "2026-05-12"),
        ("Saturday 22 March 2025, 18:00", "2025-03-22"),
        ("2024-03-01T10:00:00Z", "2024-03-01"),
        ("二〇二四年三月一日", "2024-03-01"),
        ("2024 年 3 月 1 日（星期五）", "2024-03-01"),
        ("２０２４年３月", "2024-03"),
    ],
)
def test_a_date_is_as_precise_as_it_is_written(raw, expected):
    assert read(raw, ValueType.DATE) == ("", expected)


@pytest.mark.parametrize(("raw", "expected"), [("是", True), ("支持", True), ("√", True), ("Yes.", True), ("✔️", True), ("不支持", False), ("×", False), ("no", False), ("Not supported", False)])  # fmt: skip
def test_yes_and_no_are_words_and_signs_of_both_languages(raw, expected):
    assert read(raw, ValueType.BOOLEAN) == ("", expected)


@pytest.mark.parametrize(
    ("raw", "expected"), [("OPEN", "open"), ("apache 2.0", "open"), ("開源", "open"), ("API-only", "closed")]
)
def test_an_option_is_found_by_name_or_spelling(raw, expected):
    assert parse(raw, ENUM).value == expected


def test_a_word_that_is_no_option_is_answered_with_the_options():
    with pytest.raises(UnreadableValue, match="open, closed"):
        parse("free", ENUM)


def test_white_space_in_a_text_is_single():
    assert parse("  8 ×\n H200 ", AttributeType("x")).value == "8 × H200"


def test_equal_values_have_equal_keys():
    attribute = AttributeType("x", NUMBER, unit="℃")

    assert {parse(raw, attribute).key for raw in ("80", "80.0 ℃", "176 °F", "８０度", "八十摄氏度")} == {"80.0 ℃"}


ATTRIBUTES = st.sampled_from(
    [
        AttributeType("x", kind, unit=unit)
        for kind in (INTEGER, NUMBER)
        for unit in ("", "tokens", "℃", "GB", "EUR", "min", "%")
    ]
    + [AttributeType("x", kind) for kind in (ValueType.TEXT, ValueType.BOOLEAN, ValueType.DATE, ValueType.REFERENCE)]
    + [ENUM]
)
WORDS = st.lists(st.sampled_from(["0", "1", "12", "3.5", ",", ".", "万", "亿", "十", "百", "千", "零", "点", "K", "M", "%", "℃", "GB", "€", "-", "±", "≥", "约", "年", "月", "日", "2024", "/", "May", "at", "least", "以上", "个", "°", "²", "İ", "½", "〇", "٣"]), max_size=9).map("".join)  # fmt: skip


@given(ATTRIBUTES, st.one_of(st.text(max_size=60), WORDS))
def test_nothing_but_an_unreadable_value_is_ever_raised(attribute, raw):
    try:
        value = parse(raw, attribute)
    except UnreadableValue:
        return

    assert value.type is attribute.type
    assert len(value.key) < 2100


@given(st.integers(-(2**53) + 1, 2**53 - 1), st.sampled_from(["", "tokens", "B"]))
def test_an_integer_reads_back_from_digits_and_with_separators(number, unit):
    assert read(str(number), INTEGER, unit) == ("", number)
    assert read(f"{number:,} {unit}", INTEGER, unit) == ("", number)


@given(st.dates(min_value=__import__("datetime").date(1000, 1, 1), max_value=__import__("datetime").date(2999, 12, 31)))
def test_a_date_reads_back_from_both_languages(day):
    expected = ("", f"{day:%Y}".zfill(4) + f"{day:-%m-%d}")

    assert read(f"{day.year}年{day.month}月{day.day}日", ValueType.DATE) == expected
    assert read(f"{day:%B} {day.day}, {day.year}", ValueType.DATE) == expected


def han(number):
    """A number below 100,000,000 in Chinese."""
    digits, steps = "零一二三四五六七八九", ["", "十", "百", "千"]
    if number >= 10000:
        low = number % 10000
        return han(number // 10000) + "万" + ("" if not low else ("零" if low < 1000 else "") + han(low))
    written = ""
    for place, digit in enumerate(reversed(str(number))):
        written = (digits[int(digit)] + steps[place] if digit != "0" else "零") + written
    while "零零" in written:
        written = written.replace("零零", "零")
    return written.rstrip("零") or "零"


@given(st.integers(0, 99_999_999))
def test_a_number_reads_back_from_chinese(number):
    assert read(han(number), INTEGER) == ("", number)


@pytest.mark.parametrize("raw", ["", "  ", "\u200b", "\u202e \u2060", "\ufeff"])
@pytest.mark.parametrize("kind", list(ValueType))
def test_nothing_that_is_seen_is_no_value(raw, kind):
    with pytest.raises(UnreadableValue, match="no value"):
        parse(raw, AttributeType("a", kind))


@pytest.mark.parametrize(
    ("raw", "unit", "value"), [("128K", "h", 128000), ("2K", "EUR", 2000), ("1.5K", "kW", 1500), ("2T", "GB", 2048)]
)
def test_a_multiplier_without_a_unit_counts_what_the_attribute_counts(raw, unit, value):
    assert parse(raw, AttributeType("a", ValueType.NUMBER, unit=unit)).value == value
