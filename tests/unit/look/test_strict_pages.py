"""Every template and script keeps to the Content-Security-Policy and to what is in the tree: no inline script or style, nothing from another host, no missing icon or word."""

import re
from pathlib import Path

import pytest

from common.templatetags.look import SPRITE

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.html") if "admin" not in path.parts)
SCRIPTS = sorted((ROOT / "static/js").rglob("*.js"))
STYLES = sorted((ROOT / "static/css").rglob("*.css"))
MARKUP = "\n".join(path.read_text() for path in TEMPLATES)
VENDORED = ROOT / "static/vendor"


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", TEMPLATES, ids=named)
def test_a_template_has_no_inline_script_style_or_handler(path: Path) -> None:
    markup = path.read_text()

    assert not re.search(r"\sstyle\s*=", markup)
    assert not re.search(r"\son[a-z]+\s*=", markup)
    assert not re.search(r"<style\b", markup)
    assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", markup)
    assert not re.search(r"hx-on|hx-vals\s*=\s*[\"']js:|javascript:", markup)


@pytest.mark.parametrize("path", [*TEMPLATES, *STYLES], ids=named)
def test_nothing_is_fetched_from_another_host(path: Path) -> None:
    assert not re.search(r"""(?:src|href|action|@import|url\()\s*[=(]?\s*["']?(?:https?:)?//""", path.read_text())


@pytest.mark.parametrize("path", SCRIPTS, ids=named)
def test_a_script_makes_no_code_out_of_text(path: Path) -> None:
    assert not re.search(r"\beval\(|new Function|document\.write|insertAdjacentHTML|\.outerHTML\s*=", path.read_text())


@pytest.mark.parametrize("path", SCRIPTS, ids=named)
def test_a_script_says_what_it_is_for(path: Path) -> None:
    assert path.read_text().startswith("// ")


def test_every_icon_is_in_the_sprite() -> None:
    known = set(re.findall(r'<symbol id="([^"]+)"', (ROOT / "static" / SPRITE).read_text()))
    used = set(re.findall(r"""\{% icon ["']([^"']+)["']""", MARKUP)) | set(re.findall(r'icon_name="([^"]+)"', MARKUP))

    assert used - known == set()


def test_every_word_a_script_says_stands_in_a_template() -> None:
    known = {name.split(".")[0] for name in re.findall(r'data-word="([^"]+)"', MARKUP)}
    said = {name for path in SCRIPTS for name in re.findall(r'(?<![\w.])say\("([^"]+)"', path.read_text())}

    assert said - known == set()


def test_every_vendored_folder_has_a_licence_and_a_line_in_the_table() -> None:
    table = (VENDORED / "README.md").read_text()
    folders = [path for path in VENDORED.iterdir() if path.is_dir()]

    assert folders
    assert [path.name for path in folders if not (path / "LICENSE").is_file()] == []
    assert [path.name for path in folders if f"`{path.name}/`" not in table] == []
