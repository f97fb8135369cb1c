"""DOCX: the body in order; what people see is what is written."""

import io
from typing import Any

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from PIL import Image

from knowledge.types import BlockKind
from tests.unit.parsing.conftest import MemorySink, ReadBytes
from tests.unit.parsing.rules import parts, texts

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def saved(document: Any) -> bytes:
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def picture() -> io.BytesIO:
    target = io.BytesIO()
    Image.new("RGB", (60, 60), "blue").save(target, "PNG")
    target.seek(0)
    return target


def add_xml(document: Any, xml: str) -> None:
    """Put XML at the end of the body."""
    body = document.element.body
    body.insert(len(body) - 1, parse_xml(xml))


def add_part(document: Any, name: str, xml: str) -> None:
    part = Part(
        PackURI(f"/word/{name}.xml"),
        f"application/vnd.openxmlformats-officedocument.wordprocessingml.{name}+xml",
        xml.encode(),
        document.part.package,
    )
    document.part.relate_to(part, f"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{name}")


def test_titles_headings_and_paragraphs_keep_every_sign(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    document.add_heading("Pump manual", 0)
    document.add_heading("Safety & care", 1)
    document.add_paragraph("Stops when a<b & <5000 rpm, *always* [x](y).")
    document.add_heading("水泵", 2)
    document.add_paragraph("مرحبا بالعالم 👩‍🔧")
    result = read_bytes("a.docx", saved(document))
    assert (
        result.text
        == """\
# Pump manual

## Safety & care

Stops when a<b & <5000 rpm, *always* [x](y).

### 水泵

مرحبا بالعالم 👩‍🔧"""
    )
    assert result.title == "Pump manual"


@pytest.mark.parametrize(("name", "level"), [("标题 2", 2), ("heading 3", 3), ("Überschrift 1", 1), ("Own style", 4)])
def test_headings_are_known_by_localised_names_and_outline_levels(read_bytes: ReadBytes, name: str, level: int) -> None:
    document = docx.Document()
    style = document.styles.add_style("x1", WD_STYLE_TYPE.PARAGRAPH)
    style._element.find(qn("w:name")).set(qn("w:val"), name)
    if name == "Own style":
        style._element.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {W} w:val="3"/>'))
    document.add_paragraph("Words", style=style)
    assert [block.level for block in read_bytes("a.docx", saved(document)).blocks] == [level]


def test_lists_are_nested_and_numbered_as_people_see_them(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    add_numbering(document)
    for level, words in [(0, "first"), (1, "inner"), (1, "inner two"), (2, "deep"), (0, "second")]:
        numbered(document, words, 90, level)
    document.add_paragraph("Between.")
    numbered(document, "third", 90, 0)
    numbered(document, "again", 91, 0)
    document.add_paragraph("bullet", style="List Bullet")
    document.add_paragraph("below", style="List Bullet 2")
    result = read_bytes("a.docx", saved(document))
    lists = [block for block in result.blocks if block.kind is BlockKind.LIST]
    assert parts(result, lists[0]) == ["1. first\n   1.1 inner\n   1.2 inner two\n       (a) deep", "2. second"]
    assert result.text[lists[1].start : lists[1].end] == "3. third\n5. again\n- bullet\n- below"


def test_numbered_headings_keep_their_numbers(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    add_numbering(document)
    for level, words in [(0, "Scope"), (1, "Pumps"), (1, "Valves")]:
        heading = document.add_heading(words, level + 1)
        heading._p.get_or_add_pPr().append(number_properties(90, level))
    assert read_bytes("a.docx", saved(document)).text == "# 1. Scope\n\n## 1.1 Pumps\n\n## 1.2 Valves"


def test_tables_have_headers_and_filled_merged_cells(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    table = document.add_table(4, 3)
    for row, values in enumerate(
        [["part", "price", ""], ["", "net", "gross"], ["seal a<b", "1|2", "3"], ["", "4", "5\n6"]]
    ):
        for column, value in enumerate(values):
            table.cell(row, column).text = value
    table.cell(0, 0).merge(table.cell(1, 0))
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(2, 0).merge(table.cell(3, 0))
    for row in list(table.rows)[:2]:
        row._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {W}/>"))
    result = read_bytes("a.docx", saved(document))
    (block,) = result.blocks
    assert block.header_parts == 2
    assert parts(result, block) == [
        "| part | price | price |",
        "| part | net | gross |",
        "| seal a<b | 1\\|2 | 3 |",
        "| seal a<b | 4 | 5 / 6 |",
    ]


def test_a_table_inside_a_table_is_flattened(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    table = document.add_table(2, 2)
    for column, value in enumerate(["part", "sizes"]):
        table.cell(0, column).text = value
    table.cell(1, 0).text = "seal"
    inner = table.cell(1, 1).add_table(2, 2)
    for index, cell in enumerate([cell for row in inner.rows for cell in row.cells]):
        cell.text = f"c{index}"
    assert "| seal | c0, c1 / c2, c3 |" in read_bytes("a.docx", saved(document)).text


def test_a_box_drawn_as_a_table_of_one_cell_is_text(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    cell = document.add_table(1, 1).cell(0, 0)
    cell.text = "Warning"
    cell.add_paragraph("Hot surface")
    assert texts(read_bytes("a.docx", saved(document)), BlockKind.PARAGRAPH) == ["Warning", "Hot surface"]


def test_a_table_of_questions_becomes_pairs(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    table = document.add_table(2, 2)
    for index, value in enumerate(["问题", "答案", "多重？", "五十公斤"]):
        table.cell(index // 2, index % 2).text = value
    assert texts(read_bytes("a.docx", saved(document)), BlockKind.FAQ) == ["问：多重？\n答：五十公斤"]


def test_notes_stand_at_the_end_of_their_section(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    note = '<w:{0} w:id="{1}"><w:p><w:r><w:{0}Ref/></w:r><w:r><w:t xml:space="preserve"> {2}</w:t></w:r></w:p></w:{0}>'
    add_part(
        document,
        "footnotes",
        f"<w:footnotes {W}>{note.format('footnote', 5, 'See a&lt;b.')}{note.format('footnote', 6, 'Two.')}</w:footnotes>",
    )
    add_part(document, "endnotes", f"<w:endnotes {W}>{note.format('endnote', 1, 'The end.')}</w:endnotes>")
    document.add_heading("One", 1)
    reference(document.add_paragraph("Pumps stop"), "footnote", 5)
    document.add_heading("Two", 1)
    paragraph = document.add_paragraph("Valves")
    reference(paragraph, "footnote", 6)
    reference(paragraph, "endnote", 1)
    assert (
        read_bytes("a.docx", saved(document)).text
        == """\
# One

Pumps stop[^1]

[^1]: See a<b.

# Two

Valves[^2][^e1]

[^2]: Two.

[^e1]: The end."""
    )


def test_tracked_changes_give_the_text_as_accepted(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    add_xml(
        document,
        f'<w:p {W}><w:r><w:t xml:space="preserve">It </w:t></w:r><w:del w:id="1" w:author="a"><w:r><w:delText>stops</w:delText></w:r></w:del>'
        '<w:ins w:id="2" w:author="a"><w:r><w:t>runs</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>',
    )
    assert read_bytes("a.docx", saved(document)).text == "It runs"


def test_links_fields_boxes_scripts_and_breaks_are_text(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    add_xml(
        document,
        f'<w:p {W}><w:hyperlink w:anchor="x"><w:r><w:t>the manual</w:t></w:r></w:hyperlink><w:r><w:br/><w:t>m</w:t></w:r>'
        '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>2</w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        '<w:r><w:instrText> PAGEREF x </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t xml:space="preserve"> p. 7</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:br w:type="page"/><w:noBreakHyphen/><w:sym w:font="Wingdings" w:char="F0FE"/></w:r></w:p>',
    )
    box = "<w:txbxContent><w:p><w:r><w:t>boxed words</w:t></w:r></w:p></w:txbxContent>"
    add_xml(
        document,
        f'<w:p {W} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
        ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>'
        f"<wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>",
    )
    assert read_bytes("a.docx", saved(document)).text == "the manual\nm² p. 7-☑\n\nboxed words"


def test_content_controls_are_read_and_contents_lists_are_not(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    style = document.styles.add_style("TOC1", WD_STYLE_TYPE.PARAGRAPH)
    style._element.find(qn("w:name")).set(qn("w:val"), "toc 1")
    document.add_paragraph("Safety 7", style=style)
    add_xml(document, f"<w:sdt {W}><w:sdtContent><w:p><w:r><w:t>controlled</w:t></w:r></w:p></w:sdtContent></w:sdt>")
    assert read_bytes("a.docx", saved(document)).text == "controlled"


def test_headers_footers_and_comments_are_left_out(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Company"
    document.sections[0].footer.paragraphs[0].text = "Page 1"
    paragraph = document.add_paragraph("Words.")
    document.add_comment(paragraph.runs, "Really?", author="a")
    assert read_bytes("a.docx", saved(document)).text == "Words."


def test_pictures_stand_in_their_place_with_caption_and_alternative_text(
    read_bytes: ReadBytes, sink: MemorySink
) -> None:
    document = docx.Document()
    document.add_paragraph("Before.")
    run = document.add_paragraph().add_run()
    run.add_picture(picture())
    run._r.find(f".//{qn('wp:docPr')}").set("descr", "The pump cut open")
    document.add_paragraph("Figure 1: Pump P-100", style="Caption")
    document.add_paragraph("After.")
    result = read_bytes("a.docx", saved(document))
    assert result.text == "Before.\n\nFigure 1: Pump P-100\nThe pump cut open\n\nAfter."
    assert [block.kind for block in result.blocks] == [BlockKind.PARAGRAPH, BlockKind.IMAGE, BlockKind.PARAGRAPH]
    assert result.text[result.pictures[0].start :].startswith("Figure 1")
    assert sink.kept[result.pictures[0].key][1] == "image/png"


def test_equations_read_as_text(read_bytes: ReadBytes) -> None:
    document = docx.Document()
    run = "<m:r><m:t>{}</m:t></m:r>"
    fraction = f"<m:f><m:num>{run.format('a+b')}</m:num><m:den>{run.format('2')}</m:den></m:f>"
    power = f"<m:sSup><m:e>{run.format('x')}</m:e><m:sup>{run.format('2')}</m:sup></m:sSup>"
    root = f"<m:rad><m:radPr/><m:deg/><m:e>{run.format('c')}</m:e></m:rad>"
    add_xml(document, f"<w:p {nsdecls('w', 'm')}><m:oMath>{run.format('y=')}{fraction}{power}{root}</m:oMath></w:p>")
    assert read_bytes("a.docx", saved(document)).text == "y=(a+b)/2x^2√(c)"


def reference(paragraph: Any, kind: str, identifier: int) -> None:
    paragraph._p.append(parse_xml(f'<w:r {W}><w:{kind}Reference w:id="{identifier}"/></w:r>'))


def number_properties(list_id: int, level: int) -> Any:
    return parse_xml(f'<w:numPr {W}><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>')


def numbered(document: Any, words: str, list_id: int, level: int) -> None:
    document.add_paragraph(words)._p.get_or_add_pPr().append(number_properties(list_id, level))


def add_numbering(document: Any) -> None:
    """List 90 counts 1. / 1.1 / (a); list 91 goes on with it but starts at 5."""
    root = document.part.numbering_part.element
    level = '<w:lvl w:ilvl="{0}"><w:start w:val="1"/><w:numFmt w:val="{1}"/><w:lvlText w:val="{2}"/></w:lvl>'
    levels = (
        level.format(0, "decimal", "%1.") + level.format(1, "decimal", "%1.%2") + level.format(2, "lowerLetter", "(%3)")
    )
    root.insert(0, parse_xml(f'<w:abstractNum {W} w:abstractNumId="90">{levels}</w:abstractNum>'))
    root.append(parse_xml(f'<w:num {W} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    root.append(parse_xml(f'<w:num {W} w:numId="91"><w:abstractNumId w:val="90"/>{override}</w:num>'))
