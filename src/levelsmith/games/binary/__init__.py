"""Binary maps: each cell is empty or wall. The game of Bhaumik, Khalifa, Green and Togelius (FDG 2020)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Found, Game, Inspected
from levelsmith.core import (
    Aim,
    Cancel,
    Effort,
    Grid,
    Level,
    Objective,
    Parameter,
    Size,
    Term,
    Tile,
    Tiles,
    Values,
    Verdict,
)
from levelsmith.errors import LevelsmithError, amount, option
from levelsmith.levels.formats.peers import Peer
from levelsmith.levels.look import Look, Mark

AUTOMATIC = -1
# What the paper asks of 10x10 maps (section 4): 45 to 65 empty tiles, a path of 26 steps.
EMPTY_SHARES = (0.45, 0.65)
PATH_PER_SIDE = 1.3  # 26 for 10 + 10
PATH_SHARE = 0.4  # small maps have no room for that much


def longest_possible(size: Size) -> int:
    """No map of the size has a longer shortest path: of any four cells in a square, it uses at most three."""
    height, width = size
    return 3 * (height // 2) * (width // 2) + (height % 2) * width + (width % 2) * (height - height % 2) - 1


def _empty_tiles(size: Size, values: Values) -> list[Term]:
    """Equation 1 of the paper."""
    cells = size[0] * size[1]
    low, high = (
        round(share * cells) if values[name] == AUTOMATIC else values[name]
        for name, share in zip(("r1", "r2"), EMPTY_SHARES, strict=True)
    )
    if low > high:
        raise LevelsmithError(f"expected r1 of at most r2, got r1 {low:g} and r2 {high:g}")
    if low > cells:
        raise LevelsmithError(
            f"expected r1 of at most {cells}, the cells of {size[1]}x{size[0]}, got {low:g}"
        )
    return [Term("empty", "ramp", zero=0, low=low, high=high, end=cells)]


def _path_length(size: Size, values: Values) -> list[Term]:
    """Equation 2 of the paper."""
    goal = values["goal"]
    if goal == AUTOMATIC:
        goal = min(round(PATH_PER_SIDE * (size[0] + size[1])), round(PATH_SHARE * size[0] * size[1]))
    if goal > longest_possible(size):
        raise LevelsmithError(
            f"expected a goal of at most {longest_possible(size)}, which no path on {size[1]}x{size[0]} "
            f"can exceed, got {goal:g}"
        )
    return [Term("path", "ramp", zero=0, low=goal)]


def _connectivity(size: Size, values: Values) -> list[Term]:
    """Equation 3 of the paper."""
    return [Term("regions", "inverse", low=1)]


def _fits(size: Size) -> bool:
    """Tells whether a map is a few words, and no wider than one."""
    from levelsmith.games.binary.kernels.small import WIDEST
    from levelsmith.kernels.bits import BY_VALUE, words_for

    return words_for(size[0] * size[1]) in BY_VALUE and size[1] <= WIDEST


@lru_cache(maxsize=64)
def _small(size: Size) -> Any:
    """Of a map that fits a few words: made once, as nothing is ever written to it."""
    from levelsmith.games.binary.kernels import small as kernels

    return kernels.make(size)


class Binary(Game):
    name = "binary"
    summary = "cave maps: empty cells and walls"
    tiles = Tiles(Tile("empty", ".", tags=("passable", "empty")), Tile("wall", "#", tags=("solid",)))
    metrics: Mapping[str, str] = {
        "empty": "empty cells",
        "path": "steps of the longest shortest path between any two empty cells",
        "regions": "connected regions of empty cells",
        "openings": "empty cells in the border",
        "way": "steps from the one opening to the other, where there are two, else 0",
        "smoothness": "share of neighbouring cells that are alike: 0.5 for noise, 0.85 for smooth walls",
    }
    objectives: Mapping[str, Objective] = {
        "empty-tiles": Objective(
            "empty-tiles",
            "a number of empty cells from r1 to r2",
            _empty_tiles,
            (
                Parameter("r1", AUTOMATIC, "fewest empty cells; -1 for 45 % of them", low=-1),
                Parameter("r2", AUTOMATIC, "most empty cells; -1 for 65 % of them", low=-1),
            ),
        ),
        "path-length": Objective(
            "path-length",
            "a longest shortest path of at least goal steps",
            _path_length,
            (Parameter("goal", AUTOMATIC, "steps; -1 for 1.3 times width + height", low=-1),),
        ),
        "connectivity": Objective("connectivity", "one connected region", _connectivity),
    }
    defaults: Mapping[str, str] = {
        "search": "hc",
        "representation": "wide",
        "objective": "path-length",
        "generator": "caves",
        "repair": "connectivity",
    }
    settings: Mapping[str, Any] = {"elites.by": "empty:0..100%:10, path:0..60%:10"}
    aims = tuple(  # a border stays as closed as it is
        Aim(metric, at_least=("openings",), at_most=("regions", "openings")) for metric in ("path", "way")
    )
    solution_columns = ("way",)
    fewest = "step"
    mirrors = True  # the mirror image of a level is a level
    peers: Mapping[str, Peer] = {
        "pcg-benchmark": Peer(("wall", "empty")),
        "gym-pcgrl": Peer(("empty", "wall")),
    }
    default_size: Size = (10, 10)
    smallest: Size = (2, 2)
    largest: Size = (128, 128)

    def most(self, size: Size) -> dict[str, float]:
        """Returns the most that metrics can be on a map."""
        cells = size[0] * size[1]
        path = longest_possible(size)
        return {"empty": cells, "path": path, "regions": (cells + 1) // 2, "way": path, "smoothness": 1}

    def gpu_lacks(self, size: Size) -> str | None:
        """Tells why a GPU does not measure maps of a size; None where it does."""
        if _fits(size):
            return None
        got = f"{size[1]}x{size[0]}"
        return f"a GPU measures maps of up to 256 cells, got {got}: leave out {option('device')}"

    def measure(self, grids: Grid, device: str = "cpu") -> NDArray[np.float64]:
        from levelsmith.kernels.bits import pack_masks
        from levelsmith.kernels.device import chosen

        batch, height, width = grids.shape
        game = self.compiled((height, width))
        if chosen(device, self.gpu_lacks((height, width))) == "cuda":
            from levelsmith.games.binary.kernels import gpu as gpu_kernels

            return gpu_kernels.measure(game, grids.reshape(batch, height * width), len(self.metrics))
        out = np.zeros((batch, len(self.metrics)))
        walls = pack_masks(grids.reshape(batch, height * width))
        self._kernels((height, width)).measure_all(game, walls, out)
        return out

    def details(self, level: Level) -> dict[str, Any]:
        """Returns the ends of one longest shortest path, as (x, y)."""
        from levelsmith.games.binary.kernels import large as large_kernels
        from levelsmith.kernels.bits import pack_masks

        empty, path = self.measure(level.grid[None])[0][:2]
        if empty == 0:
            return {"path_ends": None}
        ends = np.zeros(2, np.int64)
        walls = pack_masks(level.grid.reshape(1, -1))[0]
        large_kernels.find_ends(large_kernels.make(level.size), walls, int(path), ends)
        return {"path_ends": [[int(end % level.size[1]), int(end // level.size[1])] for end in ends]}

    def headline(self, level: Level) -> str:
        """Tells the way through a cave, of another map the longest path and the regions."""
        from levelsmith.games.binary.cells import way

        through = way(level.grid)
        if through:
            return f"{amount(through, 'step')} from entry to exit"
        _, path, regions = map(int, self.measure(level.grid[None])[0][:3])
        return f"longest path {amount(path, 'step')}, {amount(regions, 'region')}"

    def path(self, level: Level) -> list[tuple[int, int]]:
        """Returns the cells of a longest shortest path, from end to end."""
        from levelsmith.games.binary.cells import shortest_path

        ends = self.details(level)["path_ends"]
        return shortest_path(level.grid, *((y, x) for x, y in ends)) if ends else []

    def marks(self, level: Level) -> list[Mark]:
        """Returns where a cave is entered and left."""
        from levelsmith.games.binary.look import marks

        return marks(level.grid)

    def check(self, level: Level) -> None:
        """Every grid of empty and wall cells is a map."""

    def walk(self, level: Level) -> Verdict:
        """Returns whether a way leads from a cave's entry to its exit, and one with the fewest steps."""
        from levelsmith.games.binary.cells import letters, openings, way_through

        begun = time.perf_counter()
        path = way_through(level.grid)
        told: dict[str, Any] = {"states": int((level.grid == 0).sum())}
        told["seconds"] = round(time.perf_counter() - begun, 6)
        if path:
            return Verdict("solved", True, letters(path), {"way": len(path) - 1}, told)
        ends = (f"row {row + 1}, column {column + 1}" for row, column in openings(level.grid))
        told["why"] = "no way leads from {} to {}".format(*ends)
        return Verdict("unsolvable", False, None, {}, told)

    @property
    def inspections(self) -> Mapping[str, tuple[str, str]]:
        """What is looked for in a map besides a way through it."""
        return {"unreached-floor": ("warning", "floor that nobody can ever reach from the rest of it")}

    def faults(self, level: Level) -> Iterator[Found]:
        """Every grid of empty and wall cells is a map."""
        return iter(())

    def inspect(
        self, name: str, level: Level, verdict: Verdict, effort: Effort, cancel: Cancel | None
    ) -> Inspected:
        """Returns one finding for each region but that of the entry, or the largest, at its first cell."""
        from levelsmith.games.binary.cells import openings, regions

        found = regions(level.grid)
        ends = openings(level.grid)
        entry = next((one for one in found if len(ends) == 2 and ends[0] in one), None)
        main = entry or max(found, key=len, default=None)
        told = [
            f"nobody can reach {'this cell' if len(one) == 1 else f'these {len(one)} cells'}" for one in found
        ]
        return Inspected(
            [Found(name, text, min(one)) for one, text in zip(found, told, strict=True) if one is not main]
        )

    def inspect_all(self, name: str, levels: Sequence[Level], facts: Sequence[Any]) -> Iterator[Found]:
        """Nothing is found in several maps together."""
        return iter(())

    def joined(self, whole: Level, room: Level) -> Level:
        from levelsmith.games.binary.chain import joined

        return joined(self, whole, room)

    def compiled(self, size: Size) -> Any:
        return _small(size) if _fits(size) else self._kernels(size).make(size)

    @staticmethod
    def _kernels(size: Size) -> Any:
        from levelsmith.games.binary.kernels import large as large_kernels
        from levelsmith.games.binary.kernels import small as kernels

        return kernels if _fits(size) else large_kernels

    def look(self) -> Look:
        from levelsmith.games.binary.look import LOOK

        return LOOK


GAME = Binary()
