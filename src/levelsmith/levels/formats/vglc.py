"""The text of the Video Game Level Corpus: bare rows of symbols, with a JSON legend of tags beside them.

A legend in the file's folder or the one above says what its symbols mean; without one the game's own apply.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from levelsmith.contracts import Game
from levelsmith.core import Level, Parameters, Tile, Values
from levelsmith.errors import LevelsmithError, listed, quoted
from levelsmith.levels.formats.format import LEGEND, MAIN, Source, decode_json, decode_text, single
from levelsmith.levels.formats.text import cells
from levelsmith.registry import games


class VglcFormat:
    name = "vglc"
    summary = "bare text with a legend of tags beside it (--format vglc)"
    extensions = (".txt",)  # as the corpus has it; `load` takes it for plain text unless told
    many = False
    names_game = False
    parameters: Parameters = ()

    def parse(self, data: bytes, source: Source) -> list[Level]:
        game = source.the_game()
        rows = decode_text(data, source).strip("\n").split("\n")
        legend = _legend(game, source)
        if legend:
            meaning = {
                symbol: game.tiles[_tile(symbol, tags, game, source)].symbol
                for symbol, tags in legend.items()
            }
            # A symbol the legend does not list stays as it is, and must be one of the game's.
            rows = ["".join(meaning.get(character, character) for character in row) for row in rows]
        return [source.level(game, cells(rows, game, source))]

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        level = single(levels, "VGLC")
        tags = {tile.symbol: list(tile.tags or (tile.name,)) for tile in games.get(level.game).tiles}
        legend = json.dumps({"tiles": tags}, indent=1, ensure_ascii=False) + "\n"
        return {MAIN: (level.text + "\n").encode(), legend_name(level.game): legend.encode()}


def legend_name(game: str) -> str:
    """Ours never has the name of a file of levels, lest it replaces one."""
    return f"{game}{LEGEND}"


def _legend(game: Game, source: Source) -> dict[str, Any] | None:
    """Returns the legend beside the level or in the folder above: ours, or the corpus' own, called as the
    game."""
    if source.folder is None:
        return None
    for folder in (source.folder, source.folder.resolve().parent):
        found = _named_legend(folder, (legend_name(game.name), f"{game.name}.json"))
        if found is not None:
            place = Source(str(found), game, source.limits, folder)
            document = decode_json(place.neighbour(found.name) or b"{}", place)
            tiles = document.get("tiles") if isinstance(document, dict) else None
            if not isinstance(tiles, dict):
                raise place.error("expected a legend with the key 'tiles', got none")
            return tiles
    return None


def _named_legend(folder: Path, names: tuple[str, ...]) -> Path | None:
    try:
        found = {file.name.lower(): file for file in sorted(folder.glob("*.json"))}
        return next((found[name] for name in names if name in found), None)
    except OSError:
        return None


def _tile(symbol: str, tags: Any, game: Game, source: Source) -> int:
    """Returns the tile whose tags are the most like the legend's."""
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags) or len(symbol) != 1:
        raise source.error(
            f"expected a list of tags for each symbol of the legend, got {quoted(symbol)}: {quoted(tags)}"
        )

    def likeness(tile: Tile) -> float:
        own = {*tile.tags, tile.name}
        return len(own & set(tags)) / len(own | set(tags))

    ranked = sorted(range(len(game.tiles)), key=lambda i: -likeness(game.tiles[i]))
    if likeness(game.tiles[ranked[0]]) == 0:
        raise LevelsmithError(
            f"{source.name}: no tile of {game.name} has any of the tags {listed(tags)} "
            f"that the legend gives {quoted(symbol)}"
        )
    return ranked[0]


FORMAT = VglcFormat()
