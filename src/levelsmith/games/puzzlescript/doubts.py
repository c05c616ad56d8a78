"""What is odd in a PuzzleScript source though it can be read: settings, and rules that ask for too much."""

from __future__ import annotations

import re

from levelsmith.games.puzzlescript.colours import COLOUR_NAMES, PALETTES
from levelsmith.games.puzzlescript.rules import Cell, RuleLine
from levelsmith.games.puzzlescript.source import Source

_HEX = re.compile(r"#([0-9a-f]{3}){1,2}")


def check_settings(source: Source) -> None:
    """Tells of colours, a palette and sizes in the prelude that are none."""
    faults = source.faults
    for key in ("text_color", "background_color"):
        value = source.prelude.get(key, "black").lower()
        if value not in COLOUR_NAMES and not _HEX.fullmatch(value):
            text = f"expected a colour such as red or #8cf after {key}, got {value!r}"
            faults.error(source.setting_lines[key], 1, text + faults.guess(value, COLOUR_NAMES))
    palette = source.prelude.get("color_palette", "4").lower()
    if palette not in PALETTES:
        text = f"expected a palette such as arnecolors, got {palette!r}{faults.guess(palette, PALETTES)}"
        faults.error(source.setting_lines["color_palette"], 1, text)
    for key in ("flickscreen", "zoomscreen"):
        value = source.prelude.get(key, "1x1").lower()
        if not re.fullmatch(r"\s*0*[1-9]\d*\s*x\s*0*[1-9]\d*\s*", value):
            text = f"expected a size such as 8x5 after {key}, got {value!r}"
            faults.warn(source.setting_lines[key], 1, text)


def tell_contradictions(source: Source, layer_of: dict[str, int], line: RuleLine) -> None:
    """Tells of objects that a rule both has and has not in a cell, and of `no X` that says nothing."""
    used = {
        name for row in (*line.left, *line.right) for cell in row for word, name in cell if word != "random"
    }
    for name in sorted(used & source.unsettled):
        text = f"expected names in terms of objects, got {name!r}"
        source.faults.error(line.line, line.column, text)
    for row in line.right:
        for cell in row:
            there = {name for word, name in cell if word != "no" and name in source.objects}
            for name in _excluded(source, cell):
                if there.intersection(source.members(name)[1]):
                    text = f"expected {name!r} or no {name} in a cell on the right side, got both"
                    source.faults.error(line.line, line.column, text)
    for row in line.left:
        for cell in row:
            there, layers = _required(source, layer_of, cell)
            for name in _excluded(source, cell):
                members = source.members(name)[1]
                if (
                    members
                    and there.isdisjoint(members)
                    and layers.issuperset(layer_of.get(one) for one in members)
                ):
                    text = f"no {name} says nothing where its layers are taken by others"
                    source.faults.warn(line.line, line.column, text)


def _excluded(source: Source, cell: Cell) -> list[str]:
    return [name for word, name in cell if word == "no" and source.members(name)[0] != "aggregate"]


def _required(source: Source, layer_of: dict[str, int], cell: Cell) -> tuple[set[str], set[int | None]]:
    """Returns the objects that a cell may ask for, and the layers that are taken by them."""
    there: set[str] = set()
    layers: set[int | None] = set()
    for word, name in cell:
        kind, members = source.members(name)
        mine = {layer_of.get(one) for one in members}
        if (
            word == "no"
            or (kind == "property" and len(mine) > 1)
            or (kind == "object" and members[0] != name)
        ):
            continue  # the original does not look through a second name
        there.update(members)
        layers |= mine
    return there, layers
