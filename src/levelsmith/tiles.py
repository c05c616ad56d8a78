"""The tile kinds of a game: what a cell of a level can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levelsmith.errors import LevelsmithError, listed, quoted, unknown

Grid = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Tile:
    """One kind of cell: its name, its canonical character, other characters read as it, its VGLC tags.

    `parts` names the tiles that it is made of, the ground first, for editors that have layers: a box on a
    goal is ("floor", "goal", "box"). Without parts it is ground itself. A tile that is `read_only` is read,
    drawn, played and measured, but no search and no model puts it into a level.
    """

    name: str
    symbol: str
    aliases: str = ""
    tags: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    read_only: bool = False


class Tiles(Sequence[Tile]):
    """The tile kinds of a game in order; a cell of a grid is an index into them.

    Args:
        tiles: the kinds, at most 255; those that are read only come last.
        blank: the tile that fills rows shorter than the longest; without one, ragged text is refused.
    """

    def __init__(self, *tiles: Tile, blank: str | None = None):
        _check_tiles(tiles)
        self._tiles = tiles
        self.symbols = "".join(tile.symbol for tile in tiles)
        self.names = tuple(tile.name for tile in tiles)
        self.kinds = sum(not tile.read_only for tile in tiles)  # that searches and models know, the first
        self.blank = None if blank is None else self.names.index(blank)
        self.by_character = {c: i for i, tile in enumerate(tiles) for c in tile.symbol + tile.aliases}
        self._bytes = np.frombuffer(self.symbols.encode("utf-32-le"), dtype="<u4")

    @overload
    def __getitem__(self, index: int) -> Tile: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Tile]: ...
    def __getitem__(self, index: int | slice) -> Tile | Sequence[Tile]:
        return self._tiles[index]

    def __len__(self) -> int:
        return len(self._tiles)

    def __iter__(self) -> Iterator[Tile]:
        return iter(self._tiles)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tiles) and (self._tiles, self.blank) == (other._tiles, other.blank)

    def __hash__(self) -> int:
        return hash(self._tiles)

    def __repr__(self) -> str:
        return f"Tiles({', '.join(map(repr, self._tiles))})"

    def index_of(self, name: str) -> int:
        if name not in self.names:
            raise unknown("tile", name, self.names)
        return self.names.index(name)

    def check_kinds(self, grid: Grid, by: str) -> None:
        """Raises LevelsmithError where a grid has a tile that is only read.

        Args:
            by: who does not know it, as in "a search".
        """
        if grid.max(initial=0) >= self.kinds:
            odd = self[int(grid.max())]
            raise LevelsmithError(
                f"expected tiles that {by} knows ({listed(self.names[: self.kinds])}), "
                f"got {odd.name} ({odd.symbol}); replace it"
            )

    def rows(self, grid: Grid) -> list[str]:
        """Returns a grid as rows of symbols."""
        return [self._bytes[row].tobytes().decode("utf-32-le") for row in grid]

    def grid(self, cells: ArrayLike, game: str) -> Grid:
        """Returns rows of cells as a grid: a cell is the number, the name or the symbol of a tile."""
        given = _array(cells)
        if given.ndim != 2 or given.size == 0:
            came = f"an array of shape {given.shape}" if given.ndim else quoted(given.item())
            raise LevelsmithError(f"expected cells of shape (height, width), got {came}")
        if given.dtype.kind not in "iu":
            numbers = [self._number(cell, game) for cell in given.ravel().tolist()]
            given = np.array(numbers).reshape(given.shape)
        if given.dtype.kind not in "iu":
            raise LevelsmithError("expected whole numbers as cells, got one of more than 64 bits")
        low, high = int(given.min()), int(given.max())
        if low < 0 or high >= len(self):
            raise LevelsmithError(
                f"expected cells from 0 to {len(self) - 1} for {game} "
                f"({listed(self.names)}), got {low if low < 0 else high}"
            )
        return given.astype(np.uint8)

    def _number(self, cell: Any, game: str) -> int:
        if isinstance(cell, str):
            if cell in self.names:
                return self.index_of(cell)
            if cell in self.by_character:
                return self.by_character[cell]
        elif isinstance(cell, int) or (isinstance(cell, float) and cell.is_integer()):
            return int(cell)
        raise LevelsmithError(
            f"expected cells as numbers from 0 to {len(self) - 1}, or names or symbols of tiles of {game} "
            f"({listed(self.names)}), got {quoted(cell)}"
        )


def _array(cells: ArrayLike) -> NDArray[Any]:
    """Returns cells as an array: numbers as they are, all else as objects."""
    try:
        numbers = np.asarray(cells)
        return numbers if numbers.dtype.kind in "iu" else np.asarray(cells, object)
    except (TypeError, ValueError):
        raise LevelsmithError("expected rows of cells of equal length, got others") from None


def _check_tiles(tiles: Sequence[Tile]) -> None:
    """Refuses tiles that text cannot tell apart."""
    taken: dict[str, str] = {}
    for tile in tiles:
        if len(tile.symbol) != 1 or not tile.symbol.isprintable():
            came = quoted(tile.symbol)
            raise LevelsmithError(
                f"expected one printable character as the symbol of the tile {tile.name}, got {came}"
            )
        for character in dict.fromkeys(tile.symbol + tile.aliases):
            if character in taken:
                raise LevelsmithError(
                    f"{quoted(character)} stands for two tiles, {taken[character]} and {tile.name}; "
                    "expected a character of its own for each"
                )
            taken[character] = tile.name
    names = [tile.name for tile in tiles]
    if [tile.read_only for tile in tiles] != sorted(tile.read_only for tile in tiles):
        raise LevelsmithError(f"expected tiles that are read only behind all others, got {listed(names)}")
    if len(set(names)) != len(names):
        raise LevelsmithError(f"expected a name of its own for each tile, got {listed(names)}")
