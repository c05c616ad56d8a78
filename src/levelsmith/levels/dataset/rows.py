"""The rows of a dataset: a level as text, a prompt, its solution, metrics, and a hash."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game, WithRuleBook
from levelsmith.core import Grid, Level
from levelsmith.levels.measure import measure
from levelsmith.levels.splits import Splits, keys_of_grids
from levelsmith.registry import arenas, arenas_by_game

Row = dict[str, Any]
FIELDS: Mapping[str, str] = {
    "id": "the game, the seed and the run that make the level again",
    "split": "the part that the level belongs to: levels alike up to symmetry are all of one",
    "level": "the level as text",
    "prompt": "what to ask somebody who is to solve it: the rules in a line, then the level",
    "solution": "a solution, written as the prompt asks for it",
    "optimal": "whether it is proved that no solution is shorter",
    "difficulty": "how hard it is, from 0 to 100; null where the game has no such metric",
    "metrics": "what can be counted about the level and its solution",
    "hash": "16 hexadecimal digits that levels alike up to symmetry share, and no others",
}


@runtime_checkable
class MeasuredTogether(Protocol):
    """A game that measures many levels of one size by their solutions in one call."""

    def measure_solved(self, grids: Grid, solutions: Sequence[str]) -> NDArray[np.float64]:
        """Returns the metrics of each level, in the order of `metrics`. grids: `[N, H, W]`"""


class Labels:
    """Makes rows of levels.

    Args:
        game: of the levels.
        splits: that they are split into.
        seed: that they are made from.
    """

    def __init__(self, game: Game, splits: Splits, seed: int):
        self.game, self.splits, self.seed = game, splits, seed
        self.head = prompt_head(game)
        self.symbols = np.array(list(game.tiles.symbols))

    def rows(
        self, runs: Sequence[int], grids: Grid, solutions: Sequence[str], optimal: bool
    ) -> tuple[list[Row], list[int]]:
        """Returns a row for each level, and its key. grids: `[N, H, W]`"""
        keys = keys_of_grids(self.game, grids)
        parts = self.splits.parts(keys).tolist()
        texts = ["\n".join(map("".join, level)) for level in self.symbols[grids].tolist()]
        rows = []
        for run, part, text, solution, metrics, key in zip(
            runs, parts, texts, solutions, self._metrics(grids, solutions), keys.tolist(), strict=True
        ):
            row = {
                "id": f"{self.game.name}-{self.seed}-{run}",
                "split": self.splits.names[part],
                "level": text,
                "prompt": self.head + text,
                "solution": solution,
                "optimal": optimal,
                "difficulty": metrics.get("difficulty"),
                "metrics": metrics,
                "hash": f"{key:016x}",
            }
            rows.append(row)
        return rows, keys.tolist()

    def _metrics(self, grids: Grid, solutions: Sequence[str]) -> list[dict[str, int | float | None]]:
        game = self.game
        if isinstance(game, MeasuredTogether):
            found = game.measure_solved(grids, solutions).tolist()
            return [dict(zip(game.metrics, map(_plain, row), strict=True)) for row in found]
        levels = zip(grids, solutions, strict=True)
        return measure([Level(game.name, game.tiles, grid, solution=moves) for grid, moves in levels])


def _plain(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def prompt_head(game: Game) -> str:
    """Returns what stands above the level in a prompt: what to do, what the symbols are, how to answer.

    >>> from levelsmith.registry import games
    >>> prompt_head(games.get("sokoban")).splitlines()[0][:60]
    "sokoban: push every box onto a goal. ' ' floor, '#' wall, '$"
    """
    symbols = ", ".join(f"'{tile.symbol}' {tile.name}" for tile in game.tiles)
    arena = arenas_by_game().get(game.name)
    letters = "" if arena is None else arenas.get(arena).letters
    answer = (
        f"the moves in order, of the letters {' '.join(letters)}" if letters else "the moves, a letter each"
    )
    asked = game.rule_book().answers if isinstance(game, WithRuleBook) else ""
    asked = asked or f"Answer with {answer}."
    return f"{game.name}: {game.summary}. {symbols}. {asked}\n\n"


def as_jsonl(rows: Sequence[Row]) -> bytes:
    """Returns rows as lines of JSON."""
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows).encode()


def as_parquet(rows: Sequence[Row], metrics: Sequence[str]) -> bytes:
    """Returns rows as a Parquet file; every metric is a 64-bit float."""
    import pyarrow
    import pyarrow.parquet

    text = pyarrow.string()
    kinds = {"optimal": pyarrow.bool_(), "difficulty": pyarrow.float64()}
    kinds["metrics"] = pyarrow.struct([(name, pyarrow.float64()) for name in metrics])
    schema = pyarrow.schema([(name, kinds.get(name, text)) for name in FIELDS])
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows), schema), sink, compression="zstd")
    data: bytes = sink.getvalue().to_pybytes()
    return data
