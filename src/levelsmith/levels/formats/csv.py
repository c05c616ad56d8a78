"""Levels as comma-separated tile numbers, a row a line, a blank line between levels; for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level, Parameters, Values
from levelsmith.errors import quoted
from levelsmith.levels.formats.format import MAIN, Source, decode_text, numbered_lines, uniform

NUMBERS = {str(number): number for number in range(1_000)}


class CsvFormat:
    name = "csv"
    summary = "tile numbers between commas, for spreadsheets"
    extensions = (".csv",)
    many = True
    names_game = False
    parameters: Parameters = ()

    def parse(self, data: bytes, source: Source) -> list[Level]:
        game = source.the_game()
        blocks: list[tuple[int, list[str]]] = []
        for block in _blocks(decode_text(data, source), source):
            source.check_room(len(blocks) + 1)  # too many are refused before any is made
            blocks.append(block)
        if not blocks:
            raise source.error("expected at least one level, got none")
        grids = [
            _cells(lines, first, source) for first, lines in blocks
        ]  # a mistake is told before all is made
        return [source.level(game, grid) for grid in grids]

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        _, grids = uniform(levels, "CSV", one_size=False)
        blocks = ("".join(",".join(map(str, row)) + "\n" for row in grid.tolist()) for grid in grids)
        return {MAIN: "\n".join(blocks).encode()}


def _blocks(text: str, source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yields the lines of one level after the other, each with the number of the first."""
    lines: list[str] = []
    for number, line in numbered_lines(text):
        if line.strip():
            source.limits.check_side(len(lines) + 1, line.count(",") + 1, source.name)
            lines.append(line)
        elif lines:
            yield number - len(lines), lines
            lines = []
    if lines:
        yield number + 1 - len(lines), lines


def _cells(lines: Sequence[str], first: int, source: Source) -> NDArray[np.int16]:
    """Returns the numbers on the lines `[H, W]`."""
    rows: list[list[int]] = []
    for number, line in enumerate(lines, start=first):
        rows.append(_row(line, number, source))
        if len(rows[-1]) != len(rows[0]):
            raise source.error(
                f"expected {len(rows[0])} cells on line {number}, as above, got {len(rows[-1])}"
            )
    return np.array(rows, np.int16)


def _row(line: str, number: int, source: Source) -> list[int]:
    cells = line.split(",")
    try:
        return [NUMBERS[cell] for cell in cells]
    except KeyError:  # blanks, quotes or a mistake
        return [_cell(cell, number, source) for cell in cells]


def _cell(text: str, line: int, source: Source) -> int:
    text = text.strip().strip('"')
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise source.error(f"expected tile numbers between commas, got {quoted(text)} on line {line}")
    return int(text)


FORMAT = CsvFormat()
