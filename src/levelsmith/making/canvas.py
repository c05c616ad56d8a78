"""Where a search starts: a size, a level that was given, and the cells of it that must stay as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game
from levelsmith.core import Canvas, Level, Size
from levelsmith.errors import LevelsmithError, listed, option, quoted, unknown
from levelsmith.numbers import parse_size

BORDER = "border"
_RECTANGLE = re.compile(r"(\d{1,6}),(\d{1,6})(?:,(\d{1,6})x(\d{1,6}))?")


def canvas(size: Size, start: Level | None, lock: Sequence[str]) -> Canvas:
    """Returns the canvas of a run; mistakes in `lock` are named."""
    if start is None:
        if lock:
            raise LevelsmithError(
                f"{option('lock')} keeps cells of a start, and none was given; add {option('start')}"
            )
        return Canvas(size)
    start.tiles.check_kinds(start.grid, "a search")
    locked = np.zeros(start.size, np.bool_)
    for spec in lock:
        locked |= _cells(spec, start)
    around = (start.size[0] - size[0]) // 2
    inside = np.s_[around : start.size[0] - around, around : start.size[1] - around]
    if locked[inside].all():
        raise LevelsmithError(f"expected at least one cell that may change, but {listed(lock)} lock them all")
    return Canvas(size, start.grid[inside], locked[inside])


def lock_words(lock: Any) -> tuple[str, ...]:
    """Returns what must stay as words, of which there may be one by itself."""
    words = (lock,) if isinstance(lock, str) else lock
    if not isinstance(words, tuple | list) or not all(isinstance(word, str) for word in words):
        raise LevelsmithError(f"expected text, or a list of texts for {option('lock')}, got {quoted(lock)}")
    return tuple(words)


def size_of(game: Game, asked: Any, start: Level | None) -> Size:
    """Returns the size that was asked for, that of the start or the game's; it must fit the game."""
    if start is not None and start.game != game.name:
        raise LevelsmithError(f"the start is a level of {start.game}, but {game.name} was asked for")
    inner = None if start is None else inner_size(start, game.border)
    if asked is None:
        asked = inner or game.default_size
    size = parse_size(asked)
    if inner is not None and size != inner:
        raise LevelsmithError(
            f"the start is {inner[1]}x{inner[0]}, but a size of {size[1]}x{size[0]} was asked for"
        )
    small, large = game.smallest, game.largest
    if not (small[0] <= size[0] <= large[0] and small[1] <= size[1] <= large[1]):
        raise LevelsmithError(
            f"expected a size from {small[1]}x{small[0]} to {large[1]}x{large[0]} for {game.name}, "
            f"got {size[1]}x{size[0]}"
        )
    return size


def inner_size(start: Level, border: int) -> Size:
    """Returns the size that is searched: without the solid border, where the game puts one around each
    level."""
    height, width = start.size
    if border == 0 or min(start.size) <= 2 * border:
        return start.size
    solid = [i for i, tile in enumerate(start.tiles) if "solid" in tile.tags]
    ring = np.ones(start.size, np.bool_)
    ring[border:-border, border:-border] = False
    if not np.isin(start.grid[ring], solid).all():
        return start.size
    return height - 2 * border, width - 2 * border


def _cells(spec: str, start: Level) -> NDArray[np.bool_]:
    """Returns the cells that one word names: a kind of tile, the border, or a rectangle `X,Y` or
    `X,Y,WxH`."""
    height, width = start.size
    chosen = np.zeros(start.size, np.bool_)
    if spec == BORDER:
        chosen[[0, -1], :] = chosen[:, [0, -1]] = True
        return chosen
    if spec in start.tiles.names:
        return np.asarray(start.grid == start.tiles.index_of(spec))
    found = _RECTANGLE.fullmatch(spec)
    if found is None:
        raise unknown("way to lock cells", spec, [*start.tiles.names, BORDER, "X,Y", "X,Y,WxH"])
    x, y, w, h = (int(text) if text else 1 for text in found.groups())
    if w < 1 or h < 1 or x + w > width or y + h > height:
        raise LevelsmithError(f"expected cells within {width}x{height} to lock, got {quoted(spec)}")
    chosen[y : y + h, x : x + w] = True
    return chosen
