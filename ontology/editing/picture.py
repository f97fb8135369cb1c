"""A skeleton as a picture: the classes from which relations lead on the left, the relations in the middle, the classes that they lead to on the right.

Gives places and curves; the template draws them as SVG. So every relation is drawn once, however many classes it joins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ontology.labels import labelled
from ontology.types import CompiledSkeleton

WIDTH, ROW, TOP = 720, 38, 20
BOX, BOX_HEIGHT = 168, 28
COLOURS = 10
LONGEST = {True: 11, False: 21}


@dataclass(frozen=True, slots=True)
class Box:
    """A class or a relation at `x:y` (its left and its middle)."""

    name: str
    label: str
    x: int
    y: int
    colour: int = 0

    @property
    def top(self) -> int:
        return self.y - BOX_HEIGHT // 2

    @property
    def centre(self) -> int:
        return self.x + BOX // 2

    @property
    def short(self) -> str:
        """As much of the label as its box holds; Chinese letters are twice as wide."""
        most = LONGEST[any(letter >= "\u2e80" for letter in self.label)]
        return self.label if len(self.label) <= most else self.label[: most - 1] + "…"


@dataclass(frozen=True, slots=True)
class Curve:
    """From one box to the next, in the colour of its class."""

    d: str
    colour: int


@dataclass(frozen=True, slots=True)
class Picture:
    width: int
    height: int
    box: int
    box_height: int
    sources: Sequence[Box]
    relations: Sequence[Box]
    targets: Sequence[Box]
    curves: Sequence[Curve]


def picture_of(skeleton: CompiledSkeleton) -> Picture:
    """Classes in the skeleton's order on both sides."""
    colours = {name: number % COLOURS + 1 for number, name in enumerate(skeleton.classes)}
    left = [name for name in skeleton.classes if any(name in each.sources for each in skeleton.relations.values())]
    right = [name for name in skeleton.classes if any(name in each.targets for each in skeleton.relations.values())]
    left += [name for name in skeleton.classes if name not in (*left, *right)]
    rows = max(len(left), len(right), len(skeleton.relations), 1)
    sources = column(left, skeleton.classes, 8, rows, colours)
    targets = column(right, skeleton.classes, WIDTH - BOX - 8, rows, colours)
    relations = column(list(skeleton.relations), skeleton.relations, (WIDTH - BOX) // 2, rows, {})
    curves = [
        curve
        for name, box in relations.items()
        for curve in (
            *(joined(sources[each], box, colours[each]) for each in skeleton.relations[name].sources),
            *(joined(box, targets[each], colours[each]) for each in skeleton.relations[name].targets),
        )
    ]
    return Picture(
        WIDTH,
        2 * TOP + rows * ROW,
        BOX,
        BOX_HEIGHT,
        list(sources.values()),
        list(relations.values()),
        list(targets.values()),
        curves,
    )


def column(
    names: Sequence[str], declared: Mapping[str, object], x: int, rows: int, colours: Mapping[str, int]
) -> dict[str, Box]:
    """Boxes at equal distances over the height of the longest column."""
    step = rows * ROW / max(len(names), 1)
    return {
        name: Box(
            name,
            labelled(declared[name], name),  # type: ignore[arg-type]
            x,
            round(TOP + step * (number + 0.5)),
            colours.get(name, 0),
        )
        for number, name in enumerate(names)
    }


def joined(left: Box, right: Box, colour: int) -> Curve:
    start, end = left.x + BOX, right.x
    middle = (start + end) // 2
    return Curve(f"M{start} {left.y}C{middle} {left.y} {middle} {right.y} {end} {right.y}", colour)
