"""The contract of a file format, the limits every parser keeps, and the helpers parsers share."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from levelsmith.contracts import Game
from levelsmith.core import Grid, Level, Parameters, Values
from levelsmith.errors import LevelsmithError, listed, option, quoted
from levelsmith.registry import games

BYTES_A_CONTAINER = 20  # JSON with more lists and objects than one in so many bytes of the limit is refused
BYTES_A_LINE = 30  # text with more lines that are no row than one in so many bytes of the limit is refused
LEGEND = ".legend.json"  # how the name of a legend beside levels ends; it is no level itself
MAIN = ""  # the key of the main file among the files a format writes


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """How much a parser takes before it refuses."""

    bytes: int = 10_000_000
    side: int = 1_000  # cells along either side of one level
    levels: int = 100_000
    cells: int = 20_000_000  # in all levels of one file

    def check_side(self, height: int, width: int, name: str) -> None:
        if height > self.side or width > self.side:
            raise LevelsmithError(
                f"{name}: expected at most {self.side}x{self.side} cells, got {width}x{height}; "
                f"raise the limit with {option('limit_side')}"
            )


class Place(NamedTuple):
    """Where a level stands in a text: the line of each of its rows, or of the first alone, and its column."""

    lines: Sequence[int] = (1,)
    column: int = 1


@dataclass(slots=True)
class Count:
    """How much a parser has made so far, and where it stands."""

    levels: int = 0
    cells: int = 0
    places: list[Place] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Source:
    """What a parser knows besides the bytes: a name for messages, the game asked for, limits, the folder, and
    what the tiles of an editor are.

    It counts the levels and cells that are made from it, so that no parser needs to.
    """

    name: str
    game: Game | None = None
    limits: ReadLimits = field(default_factory=ReadLimits)
    folder: Path | None = None
    tiles: Mapping[str, str] = field(default_factory=dict)  # what an editor's numbers and names of tiles mean
    count: Count = field(default_factory=Count, compare=False, repr=False)

    def error(self, message: str) -> LevelsmithError:
        return LevelsmithError(f"{self.name}: {message}")

    def check_room(self, levels: int = 1, cells: int = 0) -> None:
        """Refuses so many more levels and cells where they would pass the limits, before they are made."""
        if self.count.levels + levels > self.limits.levels:
            raise self.error(f"expected at most {self.limits.levels:,} levels, got more")
        if self.count.cells + cells > self.limits.cells:
            raise self.error(f"expected at most {self.limits.cells:,} cells in all levels, got more")

    def the_game(self, named: object = None) -> Game:
        """Returns the game asked for, or else the one that the file names."""
        if self.game is not None:
            if isinstance(named, str) and named in games and named != self.game.name:
                raise self.error(f"this is a level of {named}, but {self.game.name} was asked for")
            return self.game
        if named is None:
            raise self.error(f"which game is this? expected {option('game')} with one of: {listed(games)}")
        if not isinstance(named, str):
            raise self.error(f"expected the name of a game, got {quoted(named)}")
        return games.get(named)

    def level(self, game: Game, grid: ArrayLike, place: Place = Place(), **fields: Any) -> Level:  # noqa: B008
        """Counts and returns a level of the grid: within the limits, and every cell a tile of the game."""
        cells = np.asarray(grid)
        if cells.ndim != 2 or cells.size == 0:
            raise self.error("expected a grid of at least 1x1 cells, got an empty one")
        self.limits.check_side(cells.shape[0], cells.shape[1], self.name)
        self.check_room(1, cells.size)
        self.count.levels += 1
        self.count.cells += cells.size
        self.count.places.append(place)
        if cells.dtype.kind not in "iu":
            raise self.error("expected whole numbers as cells")
        low, high = 0 if cells.dtype.kind == "u" else int(cells.min()), int(cells.max())
        if low < 0 or high >= len(game.tiles):
            raise self.error(
                f"expected cells from 0 to {len(game.tiles) - 1} for {game.name} "
                f"({listed(game.tiles.names)}), got {low if low < 0 else high}"
            )
        return Level(game.name, game.tiles, cells.astype(np.uint8, copy=False), **fields)

    def neighbour(self, name: str) -> bytes | None:
        """Returns the bytes of a file in the same folder; None where there is none; a path that leaves is
        refused."""
        if self.folder is None:
            return None
        if not name or name in (".", "..") or set(name) & set("/\\:\0"):
            raise self.error(f"expected a file in the same folder, got the path {quoted(name)}")
        path = self.folder / name
        try:
            if path.is_symlink() or not path.is_file():
                return None
            fits = path.stat().st_size <= self.limits.bytes
            data = path.read_bytes() if fits else b""
        except (OSError, ValueError):  # a name that no file can have, a file that may not be read
            return None
        if not fits:
            raise self.error(f"its neighbour {quoted(name)} is larger than {self.limits.bytes:,} bytes")
        return data


@runtime_checkable
class Format(Protocol):
    """One file format: bytes to levels and back."""

    name: str
    summary: str
    extensions: tuple[str, ...]  # with the dot; the first is the one written
    many: bool  # one file holds many levels
    names_game: bool  # a file says which game it is of
    parameters: Parameters  # of write

    def parse(self, data: bytes, source: Source) -> list[Level]:
        """Returns the levels in the bytes; raises LevelsmithError and nothing else, whatever the bytes."""

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        """Returns the main file under `MAIN`, and files that must lie beside it under their names."""


def decode_text(data: bytes, source: Source) -> str:
    """Returns bytes as text with plain newlines; a binary file is refused."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise source.error(
            f"expected text in UTF-8, got byte 0x{data[error.start]:02x} "
            f"at offset {error.start}; is it a binary file?"
        ) from None
    if "\0" in text:
        raise source.error("expected text, got a zero byte; is it a binary file?")
    return text.replace("\r\n", "\n").replace("\r", "\n")


_BLANK = re.compile(r"\s*\n")


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields the lines with their numbers; blank lines in a row are one, and it is empty."""
    number, start = 1, 0
    while start < len(text):
        blank = _BLANK.match(text, start)
        if blank:
            yield number, ""
            number += text.count("\n", start, blank.end())
            start = blank.end()
        else:
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            yield number, text[start:end]
            number, start = number + 1, end + 1


def check_brackets(text: str, source: Source) -> None:
    """Refuses JSON of more lists and objects than levels need: each costs a hundred bytes to hold."""
    if text.count("[") + text.count("{") > source.limits.bytes // BYTES_A_CONTAINER:
        raise source.error("expected levels, got JSON made of brackets")


def decode_json(data: bytes | str, source: Source) -> Any:
    """Returns bytes as JSON; nesting that would exhaust the stack is refused like any other mistake."""
    text = decode_text(data, source) if isinstance(data, bytes) else data
    check_brackets(text, source)
    try:
        return json.loads(text, parse_constant=_no_such_number)
    except json.JSONDecodeError as error:
        raise source.error(
            f"expected JSON, but line {error.lineno} column {error.colno}: {error.msg}"
        ) from None
    except (RecursionError, ValueError):
        raise source.error("expected JSON, got one nested too deeply or with a number that is none") from None


def _no_such_number(name: str) -> float:
    raise ValueError(name)  # NaN and Infinity are Python's, not JSON's


def member(mapping: Any, key: str, kind: type, source: Source, default: Any = ...) -> Any:
    """Returns `mapping[key]`, of the expected type, or the default where it is missing."""
    words = {dict: "an object", list: "a list", str: "text", int: "a whole number"}
    if not isinstance(mapping, dict):
        raise source.error(f"expected an object with the key {quoted(key)}, got {quoted(mapping)}")
    if key not in mapping:
        if default is ...:
            raise source.error(f"expected the key {quoted(key)}, got: {listed(map(str, list(mapping)[:12]))}")
        return default
    value = mapping[key]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise source.error(f"expected {words[kind]} for {quoted(key)}, got {quoted(value)}")
    return value


def single(levels: Sequence[Level], name: str) -> Level:
    """Returns the one level a format can hold."""
    if len(levels) != 1:
        raise LevelsmithError(
            f"one {name} file holds one level, got {len(levels)}; "
            "name one (pack.json#3) or write a folder of files (an output that ends in /)"
        )
    return levels[0]


def uniform(levels: Sequence[Level], name: str, one_size: bool = True) -> tuple[str, list[Grid]]:
    """Returns the game and grids of levels that must share a game and, if asked, a size."""
    if not levels:
        raise LevelsmithError(f"expected at least one level to write as {name}, got none")
    kinds = {(level.game, level.size if one_size else None) for level in levels}
    if len(kinds) > 1:
        what = "one game and one size" if one_size else "one game"
        raise LevelsmithError(
            f"one {name} file holds levels of {what}, got {len(kinds)} kinds; write them as .json"
        )
    return levels[0].game, [level.grid for level in levels]
