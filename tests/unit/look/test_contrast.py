"""The colours of the tokens can be read in both themes: WCAG 2.2 AA, 4.5 for text and 3 for the edges of controls."""

import re
from pathlib import Path

import pytest

TOKENS = (Path(__file__).resolve().parents[3] / "static/css/tokens.css").read_text()
COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", TOKENS)
}
THEMES = {"light": 0, "dark": 1}

TEXT = [
    *[(ink, under) for ink in ("ink", "ink-soft") for under in ("paper", "surface", "sunken", "raised", "hover")],
    *[("ink-faint", under) for under in ("paper", "surface")],
    *[("accent", under) for under in ("paper", "surface", "raised", "accent-soft")],
    ("accent-ink", "accent"),
    ("accent-ink", "accent-hover"),
    ("ink", "accent-soft"),
    ("evidence-ink", "evidence"),
    *[(kind, under) for kind in ("fine", "warning", "fault") for under in ("paper", "surface", f"{kind}-soft")],
]
EDGES = [("line-strong", "paper"), ("line-strong", "surface"), ("accent", "paper")]


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2.2)."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lower, higher = sorted((luminance(one), luminance(other)))
    return (higher + 0.05) / (lower + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "under"), TEXT)
def test_text_stands_out_from_what_is_under_it(text: str, under: str, theme: str) -> None:
    assert contrast(COLOURS[text][THEMES[theme]], COLOURS[under][THEMES[theme]]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("edge", "under"), EDGES)
def test_edges_of_controls_can_be_seen(edge: str, under: str, theme: str) -> None:
    assert contrast(COLOURS[edge][THEMES[theme]], COLOURS[under][THEMES[theme]]) >= 3
