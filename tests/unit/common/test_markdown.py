"""Markdown of strangers as HTML that is safe, with a stretch marked."""

import pytest

from common.markdown import safe_html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "[click](javascript:alert(1))",
        "[click](vbscript:x) [click](data:text/html;base64,PHNjcmlwdD4=)",
        "<a href='javascript:alert(1)'>x</a>",
        "![x](javascript:alert(1))",
        "![x](https://evil.example/pixel.png)",
        "<iframe src=//evil.example></iframe>",
        '<p style="position:fixed">x</p>',
        "[x](/accounts/logout/)",
        "```<script>\nalert(1)\n```",
    ],
)
def test_hostile_text_stays_text(text):
    html = safe_html(text).lower()

    for tag in (
        "<script",
        "<img",
        "<iframe",
        "<p style",
        'href="javascript',
        'href="vbscript',
        'href="data',
        'href="/',
    ):
        assert tag not in html


def test_ordinary_markdown_is_shown():
    html = safe_html(
        "# Head\n\n**bold** and `code` [site](https://example.org)\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"
    )

    for piece in (
        "<h3>Head</h3>",
        "<strong>bold</strong>",
        "<code>code</code>",
        'href="https://example.org"',
        "<td>1</td>",
    ):
        assert piece in html


def test_our_own_pictures_are_shown():
    assert '<img src="/pictures/1" alt="A pump">' in safe_html(
        "![A pump](p.png)", picture_url=lambda source: "/pictures/1"
    )


def marked(text, start, end, mark_id="evidence"):
    return safe_html(text, marks=[(start, end)], mark_id=mark_id)


def test_a_stretch_is_marked_with_the_id():
    assert '<p>One. <mark id="evidence">Two.</mark> Three.</p>' in marked("One. Two. Three.", 5, 9)


def test_a_mark_that_crosses_elements_is_in_pieces_and_only_the_first_has_the_id():
    html = marked("1. one\n2. two\n", 0, 13)

    assert html.count("<mark") == 2
    assert html.count('id="evidence"') == 1
    assert "<li><mark" in html


@pytest.mark.parametrize(
    ("text", "element"),
    [
        ("| a | b |\n| --- | --- |\n| 1 | 2 |\n", "<table>"),
        ("- one\n- two\n", "<ul>"),
        ("> quoted\n", "<blockquote>"),
        ("## Head\n", "<h4>"),
    ],
)
def test_marking_a_whole_block_does_not_break_it(text, element):
    last = text.rstrip("\n").rfind("\n") + 1

    html = marked(text, last, len(text) - 1)

    assert element in html
    assert "<mark" in html


def test_text_that_holds_the_ends_of_marks_can_not_forge_one():
    assert "<mark" not in safe_html("a \ufdd0forged\ufdd1 b")


@pytest.mark.parametrize("quote", ["", "> "])
@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_a_mark_over_a_block_of_code_leaves_it_one(quote, fence):
    block = f"{quote}{fence}\n{quote}run --x=1\n{quote}second\n{quote}{fence}"
    text = f"{block}\n{quote}\n{quote}After.\n"

    for start in (0, len(quote)):
        html = safe_html(text, marks=[(start, len(block))])
        assert '<pre tabindex="0"><code><mark>run --x=1\nsecond</mark>\n</code></pre>' in html
        assert "<p>After.</p>" in html
        assert "`" not in html
        assert "~" not in html


def test_a_mark_of_nothing_but_a_fence_marks_nothing():
    assert "<mark>" not in safe_html("```\nrun\n```\n", marks=[(0, 3)])


@pytest.mark.parametrize("item", ["- ", "1. "])
def test_a_block_of_code_in_a_list_stays_one_too(item):
    indent = " " * len(item)
    block = f"{item}```\n{indent}run --x=1\n{indent}```"

    html = safe_html(f"{block}\n\nAfter.\n", marks=[(0, len(block))])

    assert "<code><mark>run --x=1</mark>\n</code></pre>" in html.replace("<mark>\n", "<mark>")
    assert "`" not in html
