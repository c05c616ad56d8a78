"""What binary maps look like: stone walls on a ruled floor, and marks where a cave is entered and left."""

from __future__ import annotations

from levelsmith.core import Grid
from levelsmith.games.binary.cells import openings
from levelsmith.levels.look import FLOOR, UNITS, WALL, Look, Mark, Point, Polygon, Rect, Sprite, palette

LOOK = Look(
    sprites={"empty": FLOOR, "wall": WALL},
    palettes=palette("floor", "floor line", "stone", "stone light", "stone dark"),
    terminal={"empty": ("floor", "floor"), "wall": ("stone", "stone")},
)
ARROW = ((4.5, 6.5), (8, 6.5), (8, 4), (12.5, 8), (8, 12), (8, 9.5), (4.5, 9.5))  # to the right


def _sign(colour: str, right: int, down: int) -> Sprite:
    """Returns a plate with an arrow in a direction."""

    def turned(point: Point) -> Point:
        x, y = point[0] - UNITS / 2, point[1] - UNITS / 2
        return UNITS / 2 + x * right - y * down, UNITS / 2 + x * down + y * right

    return (
        Rect(1, 1, 14, 14, f"{colour} dark", 3),
        Rect(1.8, 1.8, 12.4, 12.4, colour, 2.4),
        Polygon(tuple(turned(point) for point in ARROW), "paper"),
    )


def marks(grid: Grid) -> list[Mark]:
    """Returns an arrow in at the entry of a cave, the opening farther left, and one out at its exit."""
    ends = openings(grid)
    if len(ends) != 2:
        return []
    height, width = grid.shape
    found = []
    for (row, column), colour, out in zip(ends, ("jade", "rose"), (-1, 1), strict=True):
        down = 1 if row == height - 1 else -1 if row == 0 else 0
        right = 0 if down else 1 if column == width - 1 else -1
        found.append(Mark(row, column, _sign(colour, out * right, out * down)))
    return found
