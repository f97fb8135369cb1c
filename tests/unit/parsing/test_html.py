"""HTML: what the page says, without what surrounds it."""

import pytest

from knowledge.types import BlockKind
from tests.unit.parsing.conftest import MemorySink, ReadBytes, Refusal
from tests.unit.parsing.rules import parts, texts

PAGE = """<!doctype html><html><head><title>P-100 &amp; P-200</title><style>p{color:red}</style></head><body>
<nav><a href=/>Home</a></nav><header>Company</header>
<main><h1>Pump <em>P-100</em></h1>
<p>Stops at a&lt;b &amp; &lt;5000 rpm;<br>m<sup>2</sup> and H<sub>2</sub>O, see <a href="x">the *manual*</a>.
<script>alert(1)</script><p hidden>secret</p>
<ul><li>oil<ul><li>5 l</ul><li>filter</ul><ol start=3><li>third</ol>
<table><caption>Prices</caption><thead><tr><th>Part<th colspan=2>Price</thead>
<tr><td rowspan=2>Seal<td>1<td>2<tr><td>3<td>4</table>
<pre><code class="language-python">x = 1 &lt; 2
  y</code></pre>
<dl><dt>NPSH<dd>net positive suction head</dl>
<figure><img src=cut.png alt="Cut"><figcaption>Figure 1: the pump cut open</figcaption></figure>
<p dir=rtl>مرحبا بالعالم</p><p>👩‍🔧 done</p>
</main><footer>© 2026</footer></body></html>"""


def test_a_page_reads_as_markdown(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.html", PAGE)
    assert (
        document.text
        == """\
# Pump P-100

Stops at a<b & <5000 rpm;
m² and H₂O, see the *manual*.

- oil
  - 5 l
- filter

3. third

Prices

| Part | Price | Price |
| --- | --- | --- |
| Seal | 1 | 2 |
| Seal | 3 | 4 |

```python
x = 1 < 2
  y
```

- NPSH: net positive suction head

Figure 1: the pump cut open
Cut

مرحبا بالعالم

👩‍🔧 done"""
    )
    assert document.title == "P-100 & P-200"


def test_its_blocks_are_of_the_right_kind(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.html", PAGE)
    assert texts(document, BlockKind.IMAGE) == ["Figure 1: the pump cut open\nCut"]
    (table,) = [block for block in document.blocks if block.kind is BlockKind.TABLE]
    assert table.header_parts == 1
    assert parts(document, table)[1] == "| Seal | 1 | 2 |"


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<meta charset="gb2312">', "gb18030"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=big5">', "big5"),
        ("", "gb18030"),
        ("", "utf-16"),
    ],
)
def test_the_encoding_is_declared_or_found(read_bytes: ReadBytes, head: str, encoding: str) -> None:
    document = read_bytes("a.htm", f"<html>{head}<p>水泵的操作方法和安全注意事</p></html>".encode(encoding))
    assert document.text == "水泵的操作方法和安全注意事"


def test_questions_in_details_and_definitions_become_pairs(read_bytes: ReadBytes) -> None:
    document = read_bytes(
        "a.html",
        "<details><summary>Why?</summary><p>Because.</p></details><dl><dt>水泵多重？<dd>五十公斤。</dl>",
    )
    assert texts(document, BlockKind.FAQ) == ["Q: Why?\nA: Because.", "问：水泵多重？\n答：五十公斤。"]


def test_a_table_of_questions_becomes_pairs(read_bytes: ReadBytes) -> None:
    document = read_bytes(
        "a.html", "<table><tr><th>问题<th>答案<tr><td>多重？<td>五十公斤<tr><td>多大?<td>一米</table>"
    )
    assert [parts(document, block) for block in document.blocks] == [["多重？", "五十公斤"], ["多大?", "一米"]]


def test_a_layout_table_is_text(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.html", "<table><tr><td><h2>Left</h2><p>One<td><p>Two</table>")
    assert document.text == "## Left\n\nOne\n\nTwo"


def test_embedded_pictures_are_kept(read_bytes: ReadBytes, sink: MemorySink) -> None:
    gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    document = read_bytes("a.html", f'<p>Text</p><img src="data:image/gif;base64,{gif}">')
    assert document.text == "Text"
    assert [picture.media_type for picture in document.pictures] == ["image/gif"]
    assert len(sink.kept) == 1


def test_very_deep_nesting_is_read_flat(read_bytes: ReadBytes) -> None:
    deep = "<div>" * 5_000 + "down here" + "</div>" * 5_000 + "<ul><li>" * 500 + "item"
    assert "down here" in read_bytes("a.html", deep).text


def test_hostile_spans_stay_small(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.html", "<table><tr><td colspan=999999 rowspan=999999>a<td>b<tr><td>c<td>d</table>")
    assert len(document.text) < 5_000


@pytest.mark.parametrize("markup", ["<script>alert(1)</script>", "<html><body></body></html>", "<img src=x>"])
def test_a_page_without_words_is_refused(refusal: Refusal, markup: str) -> None:
    assert refusal("a.html", markup.encode()).reason == "no_text"
