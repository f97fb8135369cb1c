"""Bytes of a text file become text: byte order marks first, then UTF-16 by its pattern, UTF-8 strictly, and GB18030 against Big5 by plausibility.

Nothing is guessed in silence: what none of them decodes without a fault, or decodes to characters that nobody writes, is refused.
"""

import codecs
from collections.abc import Callable
from functools import lru_cache

from knowledge.parsing import refusals

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SCORED_CHARS = 20_000
_PLAUSIBLE = 0.5
_CLEAR_LEAD = 0.08
_LATIN_CEILING = 0.25
_CONTROL_CEILING = 0.02
# The most frequent characters of running text, simplified and traditional: they tell real text from bytes that happen to decode.
_FREQUENT = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"
    "日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名"
    "真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住"
    "告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运"
    "這個們來為國說時會對過發後種經現當沒動還進樣開從實軍與長機無關點業將兩間問應戰頭體見產話內給門東聲員解論處義幾認條氣題爾別變總電數報結務場計資許統區隊決馬書則聽卻達強難權設記類據邊張該規萬術領確傳師觀識帶導爭運"
    "請您啊嗎吧嗎吗呢请按停止操作温度溫產品规格說明文件公司客服問題答案步骤步驟系统系統管理使用方法注意设备設備型号型號價格价格"
)
_CJK_PUNCTUATION = frozenset("，。、；：？！「」『』（）《》〈〉【】“”‘’—…·～　％＋－０１２３４５６７８９")


def decode(data: bytes, name: str) -> str:
    """The text of a whole file. Raises UnreadableFile when its encoding is not clear or it is no text."""
    encoding = encoding_of(data, name)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise refusals.unknown_encoding(name) from error


def encoding_of(data: bytes, name: str, *, is_cut: bool = False) -> str:
    """The name of a text's encoding; `is_cut` says that `data` is only the beginning of it, so that its last character may be incomplete."""
    if marked := marked_encoding(data):
        return marked
    is_text_like = _control_share(data) <= _CONTROL_CEILING
    if is_text_like and _reads_as(data, "utf-8", is_cut=is_cut) is not None:
        return "utf-8"
    if wide := _plausible_wide(data, is_cut=is_cut):
        return wide
    if not is_text_like or b"\0" in data:
        raise refusals.binary_data(name)
    return _narrow_encoding(data, name, is_cut=is_cut)


def marked_encoding(data: bytes) -> str | None:
    """The encoding that a byte order mark names."""
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)


def _narrow_encoding(data: bytes, name: str, *, is_cut: bool) -> str:
    """GB18030, Big5 or, for Latin letters with a few accents, Windows-1252: the one whose reading is the most plausible, if it is clearly so."""
    readings = {encoding: _reads_as(data, encoding, is_cut=is_cut) for encoding in ("gb18030", "big5hkscs", "cp950")}
    scores = sorted(
        ((_han_score(text), encoding) for encoding, text in readings.items() if text is not None), reverse=True
    )
    latin = _reads_as(data, "cp1252", is_cut=is_cut)
    if latin is not None and _looks_latin(latin) and (not scores or scores[0][0] < 0.8):
        return "cp1252"
    if not scores or scores[0][0] < _PLAUSIBLE or (scores[0][0] < 0.85 and _is_korean(data, is_cut=is_cut)):
        raise refusals.unknown_encoding(name)
    best, encoding = scores[0]
    rivals = [score for score, other in scores if (other == "gb18030") != (encoding == "gb18030")]
    if rivals and best - rivals[0] < _CLEAR_LEAD:
        raise refusals.unknown_encoding(name)
    return encoding


def _plausible_wide(data: bytes, *, is_cut: bool) -> str | None:
    """UTF-16 of either order when one reading is plausible text and the other is not."""
    if len(data) % 2 and not is_cut:
        return None
    scores: list[tuple[float, str]] = []
    for encoding in ("utf-16-le", "utf-16-be"):
        text = _reads_as(data, encoding, is_cut=is_cut)
        scores.append((_any_score(text) if text else 0.0, encoding))
    best, second = sorted(scores, reverse=True)
    return best[1] if best[0] > 0.75 and best[0] - second[0] > 0.3 else None


def _reads_as(data: bytes, encoding: str, *, is_cut: bool) -> str | None:
    try:
        return codecs.getincrementaldecoder(encoding)("strict").decode(data, not is_cut)
    except UnicodeDecodeError:
        return None


def _control_share(data: bytes) -> float:
    """How much of the bytes are control characters that no text holds."""
    sample = data[: _SCORED_CHARS * 4]
    return sum(byte < 32 and byte not in b"\t\n\r\f\v\x1b\b\x1a" for byte in sample) / max(len(sample), 1)


def _han_score(text: str) -> float:
    """How plausible the characters beyond ASCII are as Chinese, from 0 to 1."""
    return _mean(_han_weight, [character for character in text[: _SCORED_CHARS * 4] if character > "\x7f"])


def _any_score(text: str) -> float:
    """The same for text that may be Latin as well."""
    return _mean(
        lambda character: 1.0 if " " <= character <= "~" or character in "\t\n\r" else _han_weight(character),
        list(text[:_SCORED_CHARS]),
    )


def _mean(weight: Callable[[str], float], characters: list[str]) -> float:
    sample = characters[:_SCORED_CHARS]
    return sum(map(weight, sample)) / len(sample) if sample else 0.0


@lru_cache(maxsize=16_384)
def _han_weight(character: str) -> float:
    if character in _FREQUENT or character in _CJK_PUNCTUATION:
        return 1.0
    if "一" <= character <= "鿿":
        return 0.7 if _is_everyday(character) else 0.2
    if "\uff01" <= character <= "\uff5e":
        return 0.8
    return 0.3 if character.isalpha() and not "\ue000" <= character <= "\uf8ff" else 0.0


def _is_everyday(character: str) -> bool:
    """Whether a character is of the first level of GB 2312 or of Big5, the levels of everyday characters."""
    for encoding, first, last in (("gb2312", b"\xb0\xa1", b"\xd7\xf9"), ("big5", b"\xa4\x40", b"\xc6\x7e")):
        try:
            if first <= character.encode(encoding) <= last:
                return True
        except UnicodeEncodeError:
            continue
    return False


def _is_korean(data: bytes, *, is_cut: bool) -> bool:
    """Whether the bytes read as Korean throughout: its two-byte codes are those of everyday Chinese characters."""
    beyond = [character for character in _reads_as(data, "euc_kr", is_cut=is_cut) or "" if character > "\x7f"]
    return len(beyond) > 3 and sum("가" <= character <= "힣" for character in beyond) > 0.9 * len(beyond)


def _looks_latin(text: str) -> bool:
    """Latin words in which a few letters have accents: few characters beyond ASCII, and those within or beside words."""
    beyond = [character for character in text if character > "\x7f"]
    letters = sum(character.isalpha() for character in text)
    usual = sum(character.isalpha() or character in "“”‘’–—…€°£«»·§©®" for character in beyond)
    return bool(beyond) and len(beyond) < _LATIN_CEILING * max(letters, 1) and usual >= 0.95 * len(beyond)
