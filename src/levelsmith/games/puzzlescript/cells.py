"""The tiles of a PuzzleScript game: what can stand in one cell, each a set of objects.

First come the sets that stand in the author's levels. The others are read only: those that characters of the
legend stand for, each object alone, and where they are few, all sets that can come up in play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod

import numpy as np

from levelsmith.core import Grid, Tile, Tiles
from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.compile import Program
from levelsmith.games.puzzlescript.pixels import Pixels, pixels_of
from levelsmith.games.puzzlescript.tables import Words, as_int, object_words

MOST_TILES = 255
SPARE = "0123456789+=~:!?%&$/<>{}[]^_'|-,*@#."  # for sets that have no character, then letters of Europe


class CellSets:
    """The sets of objects of a game that are tiles, and what their objects look like.

    Args:
        program: the game.
        typed: its levels as they were typed, which know capitals.
    """

    def __init__(self, program: Program, typed: str):
        self.program, self.names = program, program.names
        number = {name: i for i, name in enumerate(program.names) if name}
        self.background = 1 << number[program.source.members("background")[1][0]]
        ground_layer = program.tables.layer_sets[program.tables.layer_of[self.background.bit_length() - 1]]
        self.grounds = as_int(ground_layer)
        self.glyphs = {c: self._grounded(found) for c, found in program.glyphs.items() if len(c) == 1}
        self.sets = list(dict.fromkeys([self.background, *self._in_levels()]))
        if len(self.sets) > MOST_TILES:
            raise LevelsmithError(
                f"expected at most {MOST_TILES} different cells in all levels, got {len(self.sets)}"
            )
        kinds = len(self.sets)
        self.sets = list(dict.fromkeys([*self.sets, *self._others()]))[:MOST_TILES]
        self.index = {found: i for i, found in enumerate(self.sets)}
        self.words = object_words(self.sets, len(self.names))
        self._numbers: dict[bytes, int] = {}  # the tile of each set that was seen, by its words
        self.characters: dict[int, str] = {}  # of the legend, by the tile that one stands for
        self.tiles = Tiles(*self._tiles(kinds, typed))

    def _in_levels(self) -> Iterator[int]:
        for level in self.program.levels:
            if level.board is not None:
                yield from (as_int(words) for words in np.unique(level.board, axis=0))

    def _others(self) -> Iterator[int]:
        yield from self.glyphs.values()
        yield from (self._grounded(1 << i) for i, name in enumerate(self.names) if name)
        layers = [as_int(words) & ~self.grounds for words in self.program.tables.layer_sets]
        choices = [[0, *(1 << i for i in _members(layer))] for layer in layers if layer]
        choices.append([1 << i for i in _members(self.grounds)])
        if prod(map(len, choices)) <= MOST_TILES:
            yield from (sum(found) for found in product(*choices))

    def _grounded(self, found: int) -> int:
        return found if found & self.grounds else found | self.background

    def objects(self, found: int) -> list[int]:
        """Returns the numbers of a set's objects, as they are drawn: from back to front."""
        layer_of = self.program.tables.layer_of
        return sorted(_members(found), key=lambda i: (layer_of[i], i))

    def _tiles(self, kinds: int, typed: str) -> Iterator[Tile]:
        letters = self._characters(typed)
        spare = iter([c for c in (*SPARE, *map(chr, range(0xC0, 0x250))) if c not in self._taken])
        for i, found in enumerate(self.sets):
            known = letters.get(found, "")
            aliases = known[1:] + "".join(
                c for c in (known.swapcase() if known.isascii() else "") if c not in self._taken
            )
            if known:
                self.characters[i] = known[0]
            parts = self._parts(found)
            tags = ("player",) if self.is_player(found) else ()
            name = self.name(found)
            yield Tile(name, known[:1] or next(spare), aliases, tags, parts, read_only=i >= kinds)

    def _characters(self, typed: str) -> dict[int, str]:
        """Returns the characters of each set: as they are typed in the levels, the commonest first."""
        often, letters = Counter(typed), dict[int, str]()
        for c, found in self.glyphs.items():
            if c.isprintable() and not c.isspace():
                shown = c.upper() if len(c.upper()) == 1 and often[c.upper()] > often[c] else c
                letters[found] = letters.get(found, "") + shown
        self._taken = set("".join(letters.values())) | set(";()")
        return {found: "".join(sorted(some, key=lambda c: -often[c])) for found, some in letters.items()}

    def name(self, found: int) -> str:
        """Returns the objects of a set in words, without the usual background."""
        names = [self.names[i] for i in self.objects(found & ~self.background)]
        return " and ".join(names) or (self.names[self.objects(found)[0]] if found else "nothing")

    def _parts(self, found: int) -> tuple[str, ...]:
        """Returns what a set is made of: its ground, then each thing; none for what hides all below it."""
        things, ground = self.objects(found & ~self.grounds), found & self.grounds
        alone = [self._grounded(1 << i) for i in things]
        if not things or ground != self.background or any(one not in self.index for one in alone):
            return ()
        if any(all(None not in row for row in self.pixels(i)) for i in things):
            return ()
        return self.name(ground), *map(self.name, alone)

    def layer(self, found: int) -> int:
        """Returns all objects of the layer that one object is in."""
        tables = self.program.tables
        return as_int(tables.layer_sets[tables.layer_of[found.bit_length() - 1]])

    def is_player(self, found: int) -> bool:
        """Returns whether a set has a player in it."""
        player = as_int(self.program.tables.player)
        return found & player == player if self.program.tables.player_all else bool(found & player)

    def stops_players(self, found: int) -> bool:
        """Returns whether a set has an object, not a player, in a layer of players."""
        player = as_int(self.program.tables.player)
        layers = [self.layer(1 << i) for i in _members(player)]
        return any(found & layer & ~player for layer in layers)

    # boards

    def board(self, grid: Grid) -> Words:
        """Returns a grid of tiles as a board: column after column. `[cells, W]`"""
        return np.ascontiguousarray(self.words[grid.T.ravel()])

    def grid(self, board: Words, height: int, width: int) -> Grid:
        """Returns a board as a grid of tiles; a set that is none is shown as the last object of it alone."""
        numbers = [self._nearest(words) for words in board.view(f"V{board.shape[1] * 8}").ravel().tolist()]
        return np.ascontiguousarray(np.array(numbers, np.uint8).reshape(width, height).T)

    def _nearest(self, words: bytes) -> int:
        if words not in self._numbers:
            found = as_int(np.frombuffer(words, np.uint64))
            top = self.code_of_top(found.bit_length() - 1) if found else 0
            self._numbers[words] = self.index.get(found, top)
        return self._numbers[words]

    def code_of_top(self, number: int) -> int:
        """Returns the tile of a set that is none, by its highest object, which is on top."""
        return self.index.get(self._grounded(1 << number), 0)

    def pixels(self, number: int) -> Pixels:
        """Returns the sprite of an object."""
        return pixels_of(self.program, number)


def _members(found: int) -> list[int]:
    return [i for i in range(found.bit_length()) if found >> i & 1]
