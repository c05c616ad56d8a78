"""An LDtk project as we write it, with all that LDtk's JSON schema asks for.

One IntGrid layer holds the tiles and has a rule for each of them that draws it from the tileset picture, so
what is painted in the editor looks right at once. The game, the title and the rest are fields of the levels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from math import isqrt
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from levelsmith.contracts import Game
from levelsmith.core import Level, Tiles, Values
from levelsmith.levels.formats.editors import CELLS, DIGEST, GAME, PROVENANCE, carried
from levelsmith.levels.formats.parts import PlacedThing, parts_of
from levelsmith.registry import games

VERSION = "1.5.3"
BUILD = 473703  # LDtk's number for that version
NAMESPACE = uuid5(NAMESPACE_URL, "levelsmith")
FIELDS = (GAME, "title", "author", "solution", PROVENANCE, CELLS, DIGEST)
LONGEST_IDENTIFIER = 60
GAP = 2  # cells between levels in the world, so that none is taken for a neighbour

# Numbers that LDtk gives its definitions; those of rules, entities and levels follow.
TILESET_UID, LAYER_UID, OBJECTS_UID, GROUP_UID, FIRST_FIELD_UID = 1, 2, 3, 4, 5
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
    game, scale = games.get(levels[0].game), values["scale"]
    colours = _colours(game, values["theme"])
    background = colours[0]
    everything = "\n\n".join(f"{level.size} {level.text}" for level in levels)
    kinds = parts_of(game.tiles).kinds
    layers = [_objects_definition(scale)] if kinds else []
    default = {"defaultLevelWidth": scale * 16, "defaultLevelHeight": scale * 16}
    return {
        "__header__": {
            "fileType": "LDtk Project JSON",
            "app": "LDtk",
            "doc": "https://ldtk.io/json",
            "schema": "https://ldtk.io/files/JSON_SCHEMA.json",
            "appVersion": VERSION,
            "url": "https://ldtk.io",
        },
        "iid": _iid("project", game.name, everything),
        "jsonVersion": VERSION,
        "appBuildId": BUILD,
        "nextUid": _first_level_uid(game.tiles) + len(levels),
        "identifierStyle": "Free",  # the other styles would rename our values and fields
        "toc": [],
        "worldLayout": "Free",
        "worldGridWidth": scale * 16,
        "worldGridHeight": scale * 16,
        **default,
        "defaultPivotX": 0,
        "defaultPivotY": 0,
        "defaultGridSize": scale,
        "defaultEntityWidth": scale,
        "defaultEntityHeight": scale,
        "bgColor": background,
        "defaultLevelBgColor": background,
        "minifyJson": True,
        "externalLevels": False,
        "exportTiled": False,
        "simplifiedExport": False,
        "imageExportMode": "None",
        "exportLevelBg": True,
        "pngFilePattern": None,
        "backupOnSave": False,
        "backupLimit": 10,
        "backupRelPath": None,
        "levelNamePattern": "Level_%idx",
        "tutorialDesc": None,
        "customCommands": [],
        "flags": [],
        "defs": {
            "layers": [*layers, _layer_definition(game, colours, scale)],
            "entities": [_entity_definition(game, tile, colours, scale) for tile in kinds],
            "tilesets": [_tileset_definition(game, image, scale)],
            "enums": [],
            "externalEnums": [],
            "levelFields": [_field_definition(uid, name) for uid, name in enumerate(FIELDS, FIRST_FIELD_UID)],
        },
        "levels": _level_instances(levels, image, colours, scale),
        "worlds": [],
        "dummyWorldIid": _iid("world", game.name, everything),
    }


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


def _tile_rectangle(index: int, scale: int) -> dict[str, int]:
    return {"tilesetUid": TILESET_UID, "x": index * scale, "y": 0, "w": scale, "h": scale}


def _tileset_definition(game: Game, image: str, scale: int) -> dict[str, Any]:
    return {
        "__cWid": len(game.tiles),
        "__cHei": 1,
        "identifier": "Tiles",
        "uid": TILESET_UID,
        "relPath": image,
        "embedAtlas": None,
        "pxWid": len(game.tiles) * scale,
        "pxHei": scale,
        "tileGridSize": scale,
        "spacing": 0,
        "padding": 0,
        "tags": [],
        "tagsSourceEnumUid": None,
        "enumTags": [],
        "customData": [],
        "savedSelections": [],
        "cachedPixelData": None,
    }


def _any_layer(kind: str, identifier: str, uid: int, scale: int) -> dict[str, Any]:
    """Returns what the definitions of all layers have."""
    zeros = ("guideGridWid", "guideGridHei", "pxOffsetX", "pxOffsetY", "parallaxFactorX", "parallaxFactorY")
    nothing = ("doc", "uiColor", "autoTilesKilledByOtherLayerUid", "autoSourceLayerDefUid", "biomeFieldUid")
    return {
        "__type": kind,
        "identifier": identifier,
        "type": kind,
        "uid": uid,
        "gridSize": scale,
        "displayOpacity": 1,
        "inactiveOpacity": 1,
        "hideInList": False,
        "hideFieldsWhenInactive": True,
        "canSelectWhenInactive": True,
        "renderInWorldView": True,
        "parallaxScaling": True,
        "requiredTags": [],
        "excludedTags": [],
        "uiFilterTags": [],
        "useAsyncRender": False,
        **dict.fromkeys(zeros, 0),
        **dict.fromkeys(nothing),
        "intGridValues": [],
        "intGridValuesGroups": [],
        "autoRuleGroups": [],
        "tilesetDefUid": None,
        "tilePivotX": 0,
        "tilePivotY": 0,
    }


def _objects_definition(scale: int) -> dict[str, Any]:
    """Returns the layer of the things that stand on the terrain."""
    return _any_layer("Entities", "Objects", OBJECTS_UID, scale)


def _layer_definition(game: Game, colours: Sequence[str], scale: int) -> dict[str, Any]:
    named = list(identifiers(game.tiles.names))
    terrain = [tile for tile in range(len(game.tiles)) if parts_of(game.tiles).is_terrain(tile)]
    return {
        **_any_layer("IntGrid", "Level", LAYER_UID, scale),
        "intGridValues": [
            {
                "value": index + 1,
                "identifier": named[index],
                "color": colours[index],
                "tile": _tile_rectangle(index, scale),
                "groupUid": 0,
            }
            for index in terrain
        ],
        "autoRuleGroups": [
            {
                "uid": GROUP_UID,
                "name": "Tiles",
                "color": None,
                "icon": None,
                "active": True,
                "isOptional": False,
                "rules": [_rule(index) for index in terrain],
                "usesWizard": False,
                "requiredBiomeValues": [],
                "biomeRequirementMode": 0,
            }
        ],
        "tilesetDefUid": TILESET_UID,
    }


def _entity_uid(tiles: Tiles, tile: int) -> int:
    return FIRST_RULE_UID + len(tiles) + tile


def _first_level_uid(tiles: Tiles) -> int:
    return FIRST_RULE_UID + 2 * len(tiles)


def _entity_name(tiles: Tiles, tile: int) -> str:
    return list(identifiers(tiles.names))[tile]


def _entity_definition(game: Game, tile: int, colours: Sequence[str], scale: int) -> dict[str, Any]:
    no = (
        "allowOutOfBounds",
        "exportToToc",
        "hollow",
        "keepAspectRatio",
        "resizableX",
        "resizableY",
        "showName",
    )
    zeros = ("maxCount", "pivotX", "pivotY")
    nothing = ("doc", "maxHeight", "maxWidth", "minHeight", "minWidth", "uiTileRect")
    return {
        "identifier": _entity_name(game.tiles, tile),
        "uid": _entity_uid(game.tiles, tile),
        "width": scale,
        "height": scale,
        "color": colours[tile],
        "renderMode": "Tile",
        "tilesetId": TILESET_UID,
        "tileRect": _tile_rectangle(tile, scale),
        "tileRenderMode": "FitInside",
        "tileOpacity": 1,
        "fillOpacity": 1,
        "lineOpacity": 1,
        "limitBehavior": "MoveLastOne",
        "limitScope": "PerLevel",
        "nineSliceBorders": [],
        "fieldDefs": [],
        "tags": [],
        **dict.fromkeys(no, False),
        **dict.fromkeys(zeros, 0),
        **dict.fromkeys(nothing),
    }


def _rule(index: int) -> dict[str, Any]:
    """Wherever the value stands, draw its tile."""
    zeros = (
        *("xOffset", "yOffset", "tileXOffset", "tileYOffset", "tileRandomXMin", "tileRandomXMax"),
        *("tileRandomYMin", "tileRandomYMax", "pivotX", "pivotY", "perlinSeed"),
    )
    return {
        "uid": FIRST_RULE_UID + index,
        "active": True,
        "size": 1,
        "tileRectsIds": [[index]],
        "alpha": 1,
        "chance": 1,
        "breakOnMatch": True,
        "pattern": [index + 1],
        "flipX": False,
        "flipY": False,
        "xModulo": 1,
        "yModulo": 1,
        **dict.fromkeys(zeros, 0),
        "checker": "None",
        "tileMode": "Single",
        "outOfBoundsValue": None,
        "invalidated": False,
        "perlinActive": False,
        "perlinScale": 0.2,
        "perlinOctaves": 2,
    }


def _field_definition(uid: int, name: str) -> dict[str, Any]:
    no = ("isArray", "editorAlwaysShow", "useForSmartColor", "exportToToc", "symmetricalRef")
    yes = ("canBeNull", "editorShowInWorld", "editorCutLongValues", "searchable", "autoChainRef")
    nothing = (
        *("doc", "arrayMinLength", "arrayMaxLength", "editorDisplayColor", "editorTextSuffix", "min", "max"),
        *("editorTextPrefix", "regex", "acceptFileTypes", "defaultOverride", "textLanguageMode"),
    )
    return {
        "identifier": name,
        "__type": "String",
        "uid": uid,
        "type": "F_String",
        **dict.fromkeys(no, False),
        **dict.fromkeys(yes, True),
        **dict.fromkeys(nothing),
        "editorDisplayMode": "ValueOnly" if name == "title" else "Hidden",
        "editorDisplayScale": 1,
        "editorDisplayPos": "Above",
        "editorLinkStyle": "StraightArrow",
        "allowOutOfLevelRef": True,
        "allowedRefs": "OnlySame",
        "allowedRefsEntityUid": None,
        "allowedRefTags": [],
        "tilesetUid": None,
    }


def _level_instances(
    levels: Sequence[Level], image: str, colours: Sequence[str], scale: int
) -> list[dict[str, Any]]:
    """Returns the levels in rows, in about a square, with gaps between them."""
    background = colours[0]
    named = identifiers((level.title for level in levels), "Level")
    columns = isqrt(len(levels) - 1) + 1
    uids = count(_first_level_uid(levels[0].tiles))
    x = y = 0  # in cells
    instances = []
    for number, (level, identifier) in enumerate(zip(levels, named, strict=True)):
        if number and number % columns == 0:
            x, y = 0, y + max(each.size[0] for each in levels[number - columns : number]) + GAP
        height, width = level.size
        iid, uid = _iid("level", number, level.game, level.size, level.text), next(uids)
        instances.append(
            {
                "identifier": identifier,
                "iid": iid,
                "uid": uid,
                "worldX": x * scale,
                "worldY": y * scale,
                "worldDepth": 0,
                "pxWid": width * scale,
                "pxHei": height * scale,
                "__bgColor": background,
                "bgColor": None,
                "useAutoIdentifier": False,
                "bgRelPath": None,
                "bgPos": None,
                "bgPivotX": 0.5,
                "bgPivotY": 0.5,
                "__smartColor": background,
                "__bgPos": None,
                "externalRelPath": None,
                "fieldInstances": _field_instances(level),
                "layerInstances": _layer_instances(level, uid, iid, image, colours, scale, (x, y)),
                "__neighbours": [],
            }
        )
        x += width + GAP
    return instances


def _field_instances(level: Level) -> list[dict[str, Any]]:
    texts = carried(level)
    return [
        {
            "__identifier": name,
            "__type": "String",
            "__value": texts.get(name),
            "__tile": None,
            "defUid": uid,
            "realEditorValues": [{"id": "V_String", "params": [texts[name]]}] if name in texts else [],
        }
        for uid, name in enumerate(FIELDS, FIRST_FIELD_UID)
    ]


def _layer_instances(
    level: Level,
    level_uid: int,
    level_iid: str,
    image: str,
    colours: Sequence[str],
    scale: int,
    corner: tuple[int, int],
) -> list[dict[str, Any]]:
    """Returns the terrain, and above it what stands on it; `corner` is where the level lies in the world."""
    height, width = level.size
    cells = parts_of(level.tiles).seen(level)
    shared = {
        "__cWid": width,
        "__cHei": height,
        "__gridSize": scale,
        "__opacity": 1,
        "__pxTotalOffsetX": 0,
        "__pxTotalOffsetY": 0,
        "levelId": level_uid,
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "visible": True,
        "optionalRules": [],
        "seed": 0,
        "overrideTilesetUid": None,
        "gridTiles": [],
    }
    terrain = {
        **shared,
        "__identifier": "Level",
        "__type": "IntGrid",
        "__tilesetDefUid": TILESET_UID,
        "__tilesetRelPath": image,
        "iid": _iid("layer", level_iid),
        "layerDefUid": LAYER_UID,
        "intGridCsv": [0 if tile is None else tile + 1 for tile in cells],
        "autoLayerTiles": [
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
        ],
        "entityInstances": [],
    }
    if not parts_of(level.tiles).kinds:
        return [terrain]
    objects = {
        **shared,
        "__identifier": "Objects",
        "__type": "Entities",
        "__tilesetDefUid": None,
        "__tilesetRelPath": None,
        "iid": _iid("objects", level_iid),
        "layerDefUid": OBJECTS_UID,
        "intGridCsv": [],
        "autoLayerTiles": [],
        "entityInstances": [
            _entity_instance(level, thing, level_iid, colours, scale, corner)
            for thing in parts_of(level.tiles).placed(level)
        ],
    }
    return [objects, terrain]


def _entity_instance(
    level: Level,
    thing: PlacedThing,
    level_iid: str,
    colours: Sequence[str],
    scale: int,
    corner: tuple[int, int],
) -> dict[str, Any]:
    return {
        "__identifier": _entity_name(level.tiles, thing.tile),
        "__grid": [thing.column, thing.row],
        "__pivot": [0, 0],
        "__tags": [],
        "__tile": _tile_rectangle(thing.tile, scale),
        "__smartColor": colours[thing.tile],
        "__worldX": (corner[0] + thing.column) * scale,
        "__worldY": (corner[1] + thing.row) * scale,
        "iid": _iid("thing", level_iid, thing.name),
        "width": scale,
        "height": scale,
        "defUid": _entity_uid(level.tiles, thing.tile),
        "px": [thing.column * scale, thing.row * scale],
        "fieldInstances": [],
    }
