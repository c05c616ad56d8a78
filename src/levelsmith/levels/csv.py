"""Levels as comma-separated tile numbers, a row a line, a blank line between levels; for spreadsheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from levelsmith.core import Level, Parameters, Values
from levelsmith.errors import quoted
from levelsmith.levels.format import MAIN, Source, decode_text, uniform


class CsvFormat:
    name = "csv"
    summary = "tile numbers between commas, for spreadsheets"
    extensions = (".csv",)
    many = True
    names_game = False
    parameters: Parameters = ()

    def parse(self, data: bytes, source: Source) -> list[Level]:
        game = source.the_game()
        blocks: list[list[list[int]]] = [[]]
        for number, line in enumerate(decode_text(data, source).split("\n"), start=1):
            if not line.strip():
                blocks.append([])
                continue
            row = [_cell(cell, number, source) for cell in line.split(",")]
            if blocks[-1] and len(row) != len(blocks[-1][0]):
                raise source.error(
                    f"expected {len(blocks[-1][0])} cells on line {number}, as above, got {len(row)}"
                )
            blocks[-1].append(row)
        levels = [source.level(game, np.array(block)) for block in blocks if block]
        if not levels:
            raise source.error("expected at least one level, got none")
        return levels

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        _, grids = uniform(levels, "CSV", one_size=False)
        blocks = ("".join(",".join(map(str, row)) + "\n" for row in grid.tolist()) for grid in grids)
        return {MAIN: "\n".join(blocks).encode()}


def _cell(text: str, line: int, source: Source) -> int:
    text = text.strip().strip('"')
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise source.error(f"expected tile numbers between commas, got {quoted(text)} on line {line}")
    return int(text)


FORMAT = CsvFormat()
