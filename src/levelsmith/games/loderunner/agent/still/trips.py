"""Trips of the agent: through holes to gold from which no way leads back, and out again before they fill."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level
from levelsmith.games.loderunner.agent.still.kernels.digging import (
    BRICKS,
    GOLD_BITS,
    NO_BIT,
    DiggingSite,
    DiggingWorkspace,
)
from levelsmith.games.loderunner.agent.still.kernels.graph import Atlas, fetch, most_gold
from levelsmith.games.loderunner.agent.still.kernels.routes import flights
from levelsmith.games.loderunner.judge.judge import ANSWERS
from levelsmith.games.loderunner.judge.kernels import judge as kernels
from levelsmith.games.loderunner.judge.kernels.judge import (
    BRICK,
    FINISHED,
    GOLD,
    OUTSIDE,
    RELAXED,
    SOLID,
    CompiledLodeRunner,
)

Cells = NDArray[np.intp]
Flags = NDArray[np.bool_]
ABOVE, BELOW, ASIDE = 6, 4, 8  # cells around the gold that a trip may use
MOST_PARTS = 3  # of the map that a trip to some gold is begun from, at most


class Trips:
    """The trips of one level: each leads to a spare cell, where the gold it fetches is counted."""

    def __init__(
        self, game: CompiledLodeRunner, workspace: DiggingWorkspace, atlas: Atlas, start: int, level: Level
    ):
        self.game, self.workspace, self.atlas, self.start = game, workspace, atlas, start
        height, width = level.size
        self.stride, self.cells = width + 2, (height + 2) * (width + 2)
        relaxed = kernels.make(level.size, RELAXED)
        board = np.require(level.grid.reshape(1, -1), requirements=["C", "W"])
        kernels.judge_all(relaxed, board, False, np.zeros((1, ANSWERS), np.int64))
        self.diggable: Flags = (relaxed.tile == BRICK) & (relaxed.open > 0)
        self.rows, self.columns = np.divmod(np.arange(self.cells), self.stride)
        self.forget()

    def forget(self) -> None:
        self.gold: dict[int, list[int]] = {}  # what is fetched, by spare cell
        self.sources: dict[int, int] = {}  # from where
        self.tried: set[tuple[object, ...]] = set()
        self.game.worth[:] = self.game.tile == GOLD

    def count(self) -> None:
        """Makes the spare cells worth the gold that is left for them."""
        for spot, cells in self.gold.items():
            self.game.worth[spot] = (self.game.tile[cells] == GOLD).sum()
            self.game.worth[cells] = 0

    def find(self, holes: int, states: int, own: int, check: Callable[[], None]) -> bool:
        """Adds a trip to gold that is in a dead end; whether one was found."""
        before = int(most_gold(self.game, self.start))
        seen = self.game.number[: self.cells] == FINISHED
        names, most = self.game.low[: self.cells].copy(), self.game.most[: self.cells].copy()
        worth = self.game.worth[: self.cells].copy()
        ends = sorted({(int(most[at]), int(names[at])) for at in np.flatnonzero(seen & (worth > 0))})
        for ahead, name in ends:
            gold = np.flatnonzero(seen & (worth > 0) & (names == name))
            if len(gold) > GOLD_BITS:
                continue
            near = self._near(gold)
            bricks = self._bricks(gold, near)
            diggers = [at for at in near[seen[near]].tolist() if self._digs(at, bricks)]
            begins = sorted({(-int(most[at]), int(names[at])) for at in diggers if most[at] > ahead})
            for _, other in [begin for begin in begins if begin[1] != name][:MOST_PARTS]:
                check()
                part = np.flatnonzero(seen & (names == other))
                if self._fetched(gold, part, bricks, near, holes, states, own):
                    return bool(most_gold(self.game, self.start) > before) or self.find(
                        holes, states, own, check
                    )
        return False

    def _near(self, gold: Cells) -> Cells:
        """Returns the cells around some gold that are not hard."""
        rows, columns = self.rows[gold], self.columns[gold]
        tile = self.game.tile[: self.cells]
        return np.flatnonzero(
            (self.rows >= rows.min() - ABOVE)
            & (self.rows <= rows.max() + BELOW)
            & (abs(self.columns - (columns.min() + columns.max()) / 2) <= ASIDE + np.ptp(columns) / 2)
            & ~np.isin(tile, (SOLID, OUTSIDE))
        )

    def _fetched(
        self,
        gold: Cells,
        part: Cells,
        bricks: Cells,
        near: Cells,
        holes: int,
        states: int,
        own: int,
    ) -> bool:
        """Looks for a trip from a part of the map to all of some gold, that ends where no gold is lost."""
        game, workspace = self.game, self.workspace
        sources = [at for at in np.intersect1d(part, near).tolist() if self._digs(at, bricks)]
        worth = game.worth.copy()
        game.worth[gold] = 0
        most_gold(game, self.start)
        seen = game.number[: self.cells] == FINISHED
        most = game.most[: self.cells]
        here = int(part[0])
        later = int(most[here]) - int(game.worth[: self.cells][part].sum())
        hard = np.isin(game.tile[: self.cells], (BRICK, SOLID, OUTSIDE))
        good = seen & ~hard & (most >= (later or int(most[here]) + 1))
        game.worth[:] = worth
        key = (tuple(gold.tolist()), tuple(sources), holes, own, good.tobytes())
        if key in self.tried:
            return False
        self.tried.add(key)
        workspace.field[:] = 0
        workspace.field[near] = 1
        workspace.good[: self.cells] = good
        flights(game, workspace.ahead, workspace.good)
        workspace.bit[bricks] = np.arange(len(bricks))
        workspace.bit[gold] = BRICKS + np.arange(len(gold))
        workspace.sources[: len(sources)] = sources
        workspace.sources[len(sources)] = -1
        cells = np.zeros(GOLD_BITS, np.int32)
        cells[: len(gold)] = gold
        site = DiggingSite(0, 0, 0, self.stride, len(gold), cells, holes, own or int(game.low[here]))
        spot = self.cells + len(self.gold)
        found = spot < len(game.tile) and fetch(game, workspace, self.atlas, site, spot, states)
        workspace.bit[:] = NO_BIT
        workspace.field[:] = 0
        if found:
            first = int(self.atlas.used[0]) - 2
            self.gold[spot] = gold.tolist()
            self.sources[spot] = next(at for at in sources if first in self._jumps(at))
            self.count()
        return bool(found)

    def _bricks(self, gold: Cells, near: Cells) -> Cells:
        """Returns the bricks around some gold that may ever be dug, the nearest first, as many as a search
        takes."""
        bricks = near[self.diggable[near]]
        away = np.maximum(
            abs(self.rows[bricks][:, None] - self.rows[gold]),
            abs(self.columns[bricks][:, None] - self.columns[gold]),
        ).min(axis=1)
        return bricks[np.argsort(away, kind="stable")][:BRICKS]

    def _digs(self, at: int, bricks: Cells) -> bool:
        """Tells whether the runner can begin a trip with a dig in a cell."""
        tile = self.game.tile
        if not kernels.standing(tile, at, self.stride) or kernels.hard(tile[at]):
            return False
        sides = [at + side for side in (-1, 1) if kernels.plain(tile[at + side])]
        return any(side + self.stride in bricks for side in sides)

    def _jumps(self, at: int) -> list[int]:
        found, jump = [], int(self.game.first[at])
        while jump >= 0:
            found.append(jump)
            jump = int(self.game.jumps[jump, 1])
        return found
