"""What binary maps look like: stone walls on a ruled floor."""

from __future__ import annotations

from levelsmith.levels.look import FLOOR, WALL, Look, palette

LOOK = Look(
    sprites={"empty": FLOOR, "wall": WALL},
    palettes=palette("floor", "floor line", "stone", "stone light", "stone dark"),
    terminal={"empty": ("floor", "floor"), "wall": ("stone", "stone")},
)
