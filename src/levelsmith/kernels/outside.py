"""A game measured by plain Python: the compiled search waits at each board until it is told the metrics.

The board is laid into an array that Python reads, the metrics into one that it writes, and between the two
lies one call of a function by its address. So every search takes such a game without knowing of it.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.errors import LevelsmithError
from levelsmith.kernels.boards import tile_at
from levelsmith.kernels.compile import replace_inside
from levelsmith.kernels.problem import implement, metric

if TYPE_CHECKING:
    from levelsmith.core import Grid, Size

NO_TILE = 255  # what a board never holds
FUNCTION = ctypes.CFUNCTYPE(None)

_raised: dict[int, BaseException] = {}  # by address: what came instead of metrics


class Outside(NamedTuple):
    address: int  # of the function that measures
    cells: NDArray[np.uint8]  # [cells] the board that was measured last
    values: NDArray[np.float64]  # [metrics] of it


def ask(address):
    """Calls the function at an address."""
    FUNCTION(int(address))()


def _ask(address):
    return import_module("levelsmith.kernels.intrinsics").ask


replace_inside(ask, _ask)


@implement(metric, Outside)
def outside_metric(game, cells, k):
    same = True
    for cell in range(len(game.cells)):
        tile = np.uint8(tile_at(cells, cell))
        same = same and game.cells[cell] == tile
        game.cells[cell] = tile
    if not same:
        ask(game.address)
    return game.values[k]


def make(size: Size, metrics: int, measured: Callable[[Grid], Sequence[float]]) -> Outside:
    """Returns a game whose metrics `measured` gives for a grid `[H, W]`, which the next one overwrites."""
    board, found = bytearray(size[0] * size[1]), bytearray(8 * metrics)
    grid, values = np.frombuffer(board, np.uint8).reshape(size), np.frombuffer(found)
    grid[:] = NO_TILE

    def answer() -> None:
        if address in _raised:
            return
        try:
            values[:] = measured(grid)
        except BaseException as error:  # Ctrl-C too: nothing may pass through compiled code
            _raised[address] = error
            values[:] = 0.0

    function = FUNCTION(answer)
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    game = Outside(address, np.frombuffer(board, np.uint8), np.frombuffer(found))
    weakref.finalize(game.cells, _forget, function, address)  # holds the function as long as the game lives
    return game


def _forget(function: object, address: int) -> None:
    _raised.pop(address, None)


def reraise(game: tuple[Any, ...]) -> None:
    """Raises what the measuring of a game, or of a part of it, raised since the last time."""
    for asked in (game, *game):
        if not isinstance(asked, Outside) or asked.address not in _raised:
            continue
        error = _raised.pop(asked.address)
        asked.cells[:] = NO_TILE
        if isinstance(error, KeyboardInterrupt):  # what came after it was not measured: no best so far
            raise LevelsmithError("interrupted while a level was measured; nothing was made") from error
        raise error
