"""An LDtk project as we write it, with all that LDtk's JSON schema asks for.

One IntGrid layer holds the tiles and has a rule for each of them that draws it from the tileset picture, so
what is painted in the editor looks right at once. The game, the title and the rest are fields of the levels.
The parts of a project, with places for what differs, are in `ldtk_project.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from levelsmith.contracts import Game
from levelsmith.core import Level, Values
from levelsmith.levels.formats.editors import CELLS, DIGEST, GAME, PROVENANCE, carried, filled
from levelsmith.levels.formats.parts import parts_of
from levelsmith.registry import games

NAMESPACE = uuid5(NAMESPACE_URL, "levelsmith")
FIELDS = (GAME, "title", "author", "solution", PROVENANCE, CELLS, DIGEST)
LONGEST_IDENTIFIER = 60
GAP = 2  # cells between levels in the world, so that none is taken for a neighbour
CHUNK = 16  # cells along a side of the world's grid

# Numbers that LDtk gives its definitions, behind those in the file; those of entities and levels follow.
FIRST_FIELD_UID = 5
FIRST_RULE_UID = FIRST_FIELD_UID + len(FIELDS)


def identifiers(texts: Iterable[str], fallback: str = "Tile") -> Iterator[str]:
    """Yields names that LDtk takes (letters, digits, underscores; a letter first), no two alike."""
    taken: set[str] = set()
    last: dict[str, int] = {}
    for number, text in enumerate(texts, start=1):
        stem = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[:LONGEST_IDENTIFIER]
        if not stem or not stem[0].isalpha():
            stem = f"{fallback}_{stem or number}"
        name = stem
        while name.lower() in taken:
            last[stem.lower()] = last.get(stem.lower(), 1) + 1
            name = f"{stem}_{last[stem.lower()]}"
        taken.add(name.lower())
        yield name


def project(levels: Sequence[Level], image: str, values: Values) -> dict[str, Any]:
    """Returns levels of one game as the object that LDtk keeps in its file; `image` is the picture beside
    it."""
    whole: dict[str, Any] = _Project(levels, image, values).whole()
    return whole


def _colours(game: Game, theme: str) -> list[str]:
    """Returns a colour for each tile: its ground's, or its symbol's where the ground is that of the first
    tile."""
    look = game.look()
    first = look.terminal[game.tiles.names[0]][0]
    chosen = [first]
    for name in game.tiles.names[1:]:
        ground, symbol = look.terminal[name]
        chosen.append(symbol if ground == first else ground)
    return [look.palettes[theme][name].upper() for name in chosen]


def _iid(*content: object) -> str:
    """Returns a unique id that depends on nothing but the content, so that equal levels give equal files."""
    return str(uuid5(NAMESPACE, "\n".join(map(str, content))))


class _Project:
    """Makes the parts of a project."""

    def __init__(self, levels: Sequence[Level], image: str, values: Values):
        self.levels, self.game, self.scale = levels, games.get(levels[0].game), values["scale"]
        self.tiles, self.parts = self.game.tiles, parts_of(self.game.tiles)
        colours, count = _colours(self.game, values["theme"]), len(self.tiles)
        self.shared = {"scale": self.scale, "image": image, "background": colours[0]}
        self.first_level_uid = FIRST_RULE_UID + 2 * count
        self.known_as = [  # what is filled in of each tile
            {
                "tile": tile,
                "value": tile + 1,
                "name": name,
                "colour": colours[tile],
                "left": tile * self.scale,  # in the picture
                "rule_uid": FIRST_RULE_UID + tile,
                "entity_uid": FIRST_RULE_UID + count + tile,
            }
            for tile, name in enumerate(identifiers(self.tiles.names))
        ]

    def made(self, part: str, **values: Any) -> Any:
        """Returns a part of the project with its places filled."""
        return filled("ldtk_project.json", part, {**self.shared, **values})

    def whole(self) -> Any:
        everything = "\n\n".join(f"{level.size} {level.text}" for level in self.levels)
        kinds = self.parts.kinds
        terrain = [self.known_as[tile] for tile in range(len(self.tiles)) if self.parts.is_terrain(tile)]
        values = [self.made("value", **each) for each in terrain]
        rules = [self.made("rule", **each) for each in terrain]
        layers = [self.made("terrain", values=values, rules=rules)]
        return self.made(
            "project",
            iid=_iid("project", self.game.name, everything),
            world_iid=_iid("world", self.game.name, everything),
            next_uid=self.first_level_uid + len(self.levels),
            chunk=CHUNK * self.scale,
            tiles=len(self.tiles),
            pixels=len(self.tiles) * self.scale,
            layers=[self.made("objects"), *layers] if kinds else layers,
            entities=[self.made("entity", **self.known_as[tile]) for tile in kinds],
            fields=[
                self.made("field", name=name, uid=uid, shown="ValueOnly" if name == "title" else "Hidden")
                for uid, name in enumerate(FIELDS, FIRST_FIELD_UID)
            ],
            levels=list(self.placed()),
        )

    def placed(self) -> Iterator[Any]:
        """Yields the levels in rows, in about a square, with gaps between them."""
        named = identifiers((level.title for level in self.levels), "Level")
        columns = isqrt(len(self.levels) - 1) + 1
        x = y = 0  # in cells
        for number, (level, identifier) in enumerate(zip(self.levels, named, strict=True)):
            if number and number % columns == 0:
                above = self.levels[number - columns : number]
                x, y = 0, y + max(each.size[0] for each in above) + GAP
            height, width = level.size
            iid, uid = (
                _iid("level", number, level.game, level.size, level.text),
                self.first_level_uid + number,
            )
            yield self.made(
                "level",
                identifier=identifier,
                iid=iid,
                uid=uid,
                x=x * self.scale,
                y=y * self.scale,
                pixels_wide=width * self.scale,
                pixels_high=height * self.scale,
                fields=self.fields(level),
                layers=self.layers(level, uid, iid, x, y),
            )
            x += width + GAP

    def fields(self, level: Level) -> list[Any]:
        """Returns what the level carries besides its cells."""
        texts, found = carried(level), []
        for uid, name in enumerate(FIELDS, FIRST_FIELD_UID):
            edited = [{"id": "V_String", "params": [texts[name]]}] if name in texts else []
            found.append(
                self.made("field of a level", name=name, uid=uid, text=texts.get(name), edited=edited)
            )
        return found

    def layers(self, level: Level, uid: int, level_iid: str, x: int, y: int) -> list[Any]:
        """Returns the terrain, and above it what stands on it; the level lies at `x` and `y` in the world."""
        (height, width), scale = level.size, self.scale
        shared = {"width": width, "height": height, "uid": uid}
        cells = self.parts.seen(level)
        drawn = [
            {
                "px": [cell % width * scale, cell // width * scale],
                "src": [tile * scale, 0],
                "f": 0,
                "t": tile,
                "d": [FIRST_RULE_UID + tile, cell],
                "a": 1,
            }
            for cell, tile in enumerate(cells)
            if tile is not None
        ]
        numbers = [0 if tile is None else tile + 1 for tile in cells]
        iid = _iid("layer", level_iid)
        terrain = self.made("terrain of a level", **shared, iid=iid, cells=numbers, drawn=drawn)
        if not self.parts.kinds:
            return [terrain]
        entities = [
            self.made(
                "entity of a level",
                **self.known_as[thing.tile],
                iid=_iid("thing", level_iid, thing.name),
                column=thing.column,
                row=thing.row,
                x=thing.column * scale,
                y=thing.row * scale,
                world_x=(x + thing.column) * scale,
                world_y=(y + thing.row) * scale,
            )
            for thing in self.parts.placed(level)
        ]
        iid = _iid("objects", level_iid)
        return [self.made("objects of a level", **shared, iid=iid, entities=entities), terrain]
