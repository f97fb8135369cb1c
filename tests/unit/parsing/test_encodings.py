"""Encodings are recognised on short and long texts, and what can't be decided is refused."""

import codecs

import pytest

from knowledge.parsing.decode import encoding_of
from tests.unit.parsing.conftest import ReadBytes, Refusal

SIMPLIFIED_SHORT = "请先关闭水泵电源。"
SIMPLIFIED = "离心泵启动前必须检查润滑油的油位。如果轴承温度超过八十摄氏度，操作人员应当立即停机，并通知维修班组。\n"
TRADITIONAL_SHORT = "請先關閉電源開關。"
TRADITIONAL = "離心泵啟動前必須檢查潤滑油的油位。如果軸承溫度超過八十攝氏度，操作人員應當立即停機，並通知維修班組。\n"
ENGLISH = "Check the oil level before starting the pump; stop it above 80 degrees.\n"
MIXED = "型号 P-100 的 pump 在 5000 rpm 以上会停机 (stop)。\n"


@pytest.mark.parametrize(
    "text",
    [SIMPLIFIED_SHORT, SIMPLIFIED, SIMPLIFIED * 200, MIXED, MIXED * 100],
    ids=["short", "one", "long", "mixed", "mixed-long"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "gbk"])
def test_simplified_chinese_is_decoded(read_bytes: ReadBytes, text: str, encoding: str) -> None:
    assert read_bytes("a.txt", text.encode(encoding)).text == text.strip()


@pytest.mark.parametrize("text", [TRADITIONAL_SHORT, TRADITIONAL, TRADITIONAL * 200], ids=["short", "one", "long"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "big5", "gb18030"])
def test_traditional_chinese_is_decoded(read_bytes: ReadBytes, text: str, encoding: str) -> None:
    assert read_bytes("a.txt", text.encode(encoding)).text == text.strip()


@pytest.mark.parametrize("text", ["Stop now.", ENGLISH, ENGLISH * 300])
@pytest.mark.parametrize("encoding", ["ascii", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_english_is_decoded(read_bytes: ReadBytes, text: str, encoding: str) -> None:
    assert read_bytes("a.txt", text.encode(encoding)).text == text.strip()


def test_characters_beyond_gbk_are_decoded_by_gb18030(read_bytes: ReadBytes) -> None:
    text = "公司名称是𠮷野家，请在此签字并注明日期。"
    assert read_bytes("a.txt", text.encode("gb18030")).text == text


def test_western_accents_are_decoded(read_bytes: ReadBytes) -> None:
    text = "The café’s motto – “déjà vu” – was naïve, but the crème brûlée was good."
    assert read_bytes("a.txt", text.encode("cp1252")).text == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("ポンプを起動する前に、潤滑油の量を必ず確認してください。", "shift_jis"),
        ("펌프를 시작하기 전에 윤활유 양을 확인하십시오.", "euc_kr"),
        ("Перед запуском насоса проверьте уровень масла и давление.", "koi8-r"),
    ],
)
def test_other_encodings_are_refused_with_advice(refusal: Refusal, text: str, encoding: str) -> None:
    error = refusal("a.txt", text.encode(encoding))
    assert error.reason == "unknown_encoding"
    assert "UTF-8" in str(error)


def test_a_broken_byte_in_the_middle_is_refused(refusal: Refusal) -> None:
    assert refusal("a.txt", SIMPLIFIED.encode() + b"\xff\xfe\xff" + ENGLISH.encode() * 3).reason == "unknown_encoding"


def test_random_bytes_are_binary(refusal: Refusal) -> None:
    assert refusal("a.txt", bytes(range(256)) * 8).reason == "binary"


def test_a_stray_nul_is_dropped(read_bytes: ReadBytes) -> None:
    assert read_bytes("a.txt", b"The pump\0 stops. " + ENGLISH.encode() * 5).text.startswith("The pump stops.")


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16-le"])
def test_a_sample_may_end_inside_a_character(encoding: str) -> None:
    data = (SIMPLIFIED * 5).encode(encoding)
    for cut in range(1, 5):
        assert codecs.lookup(encoding_of(data[:-cut], "a.txt", is_cut=True)) == codecs.lookup(encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16", "big5"])
def test_a_csv_is_decoded_like_a_text(read_bytes: ReadBytes, encoding: str) -> None:
    document = read_bytes("a.csv", "名稱,價格\n水泵,5000\n閥門,300\n".encode(encoding))
    assert "| 水泵 | 5000 |" in document.text
