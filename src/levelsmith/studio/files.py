"""Levels out of the studio as files, and files into it as levels."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from levelsmith.contracts import Game, Playable, Solvable
from levelsmith.core import Effort, Level
from levelsmith.errors import LevelsmithError, listed, quoted
from levelsmith.levels.files import file_name, file_names, format_of, game_name
from levelsmith.levels.formats.format import MAIN, Format, ReadLimits, Source
from levelsmith.registry import formats, games
from levelsmith.studio.described import described, level_of

SOLVE_SECONDS = 1.0
SOLVE_ALL_SECONDS = 20.0  # for the levels of one file
SOLVE_STATES = 100_000
SOLVE_BYTES = 500_000_000


def write(levels: Sequence[Mapping[str, Any]], format: str) -> tuple[bytes, str]:
    """Returns levels in a format and the name of that: one file, or a ZIP where it takes several; files are
    called as the levels are."""
    zipped = format == "zip"
    chosen = formats.get("json" if zipped else format)
    made = [level_of(level) for level in levels]
    names = file_names(made) if len(made) > 1 else [_only_name(levels[0])]
    stem = names[0] if len(levels) == 1 else _stem(made)
    if zipped:
        files = {f"{stem}.json": chosen.write(made, stem, _defaults(chosen))[MAIN]}
        for name, level in zip(names, made, strict=True):
            kinds = ("png", games.get(level.game).text_format)
            for other in map(formats.get, kinds):
                files[f"{name}{other.extensions[0]}"] = other.write([level], name, _defaults(other))[MAIN]
        return _zip(files), f"{stem}.zip"
    if chosen.many or len(made) == 1 or format in ("png", "svg"):
        written = chosen.write(made, stem, _defaults(chosen))
        files = {name or f"{stem}{chosen.extensions[0]}": data for name, data in written.items()}
    else:
        files = {}
        for name, level in zip(names, made, strict=True):
            written = chosen.write([level], name, _defaults(chosen))
            files |= {beside or f"{name}{chosen.extensions[0]}": data for beside, data in written.items()}
    if len(files) == 1:
        ((name, data),) = files.items()
        return data, name
    return _zip(files), f"{stem}-{format}.zip"


def _only_name(level: Mapping[str, Any]) -> str:
    """Returns the name of one level's file: its title, or else its game and the number that it goes by."""
    return file_name(level["title"]) or f"{file_name(game_name(level['game']))}-{level['id']}"


def _stem(levels: Sequence[Level]) -> str:
    """Returns what several levels are called together: sokoban-10-levels."""
    kinds = {level.game for level in levels}
    game = file_name(game_name(kinds.pop())) if len(kinds) == 1 else "levelsmith"
    return f"{game}-{len(levels)}-levels"


def _defaults(chosen: Any) -> dict[str, Any]:
    return {parameter.name: parameter.default for parameter in chosen.parameters}


def _zip(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def read(
    data: bytes,
    name: str,
    game: str | None,
    most: int,
    cells: int,
    tiles: Mapping[str, str] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """Returns the levels of an uploaded file. Its name tells the format and nothing else; no file is opened.

    They are of the game that was asked for or, where they are none of that, of the one that they fit.
    A solution that the game's own rule book does not accept is left out.
    """
    chosen = format_of(Path(Path(name).name or "level"))
    limits = ReadLimits(levels=most, cells=most * cells)
    limits = replace(limits, bytes=max(limits.bytes, len(data)))
    source = Source(quoted(name).strip("'"), games.get(game) if game else None, limits, tiles=tiles)
    levels = _parsed(chosen, data, source)
    deadline = time.monotonic() + SOLVE_ALL_SECONDS
    return [described(_proved(level, time.monotonic() < deadline)) for level in levels]


def _parsed(chosen: Format, data: bytes, source: Source) -> list[Level]:
    try:
        return chosen.parse(data, _afresh(source, source.game))
    except LevelsmithError as error:
        if chosen.name != "text":
            raise
        found = {entry.name: _read_as(chosen, data, _afresh(source, entry)) for entry in games.working()}
        read = {name: levels for name, levels in found.items() if levels}
        whole = {name: levels for name, levels in read.items() if all(map(_can_begin, levels))}
        fitting = whole or read
        if len(fitting) == 1:
            return next(iter(fitting.values()))
        if not fitting or source.game is not None:
            raise error from None
        raise source.error(
            f"this could be a level of {listed(fitting)}; choose one under Game and add it again"
        ) from None


def _afresh(source: Source, game: Game | None) -> Source:
    """Returns the same source, nothing counted yet."""
    return Source(source.name, game, source.limits, tiles=source.tiles)


def _read_as(chosen: Format, data: bytes, source: Source) -> list[Level]:
    try:
        return chosen.parse(data, source)
    except LevelsmithError:
        return []


def _can_begin(level: Level) -> bool:
    game = games.get(level.game)
    try:
        game.check(level)
        game.check_start(level)
    except LevelsmithError:
        return False
    return True


def _proved(level: Level, solve: bool) -> Level:
    """Returns the level with its own solution, if that is one, or else with one that is soon found."""
    if level.solution is not None:
        level = _verified(level)
    game = games.get(level.game)
    if level.solution is not None or not isinstance(game, Solvable) or not solve:
        return level
    try:
        verdict = game.solve(level, Effort(states=SOLVE_STATES, seconds=SOLVE_SECONDS, memory=SOLVE_BYTES))
    except LevelsmithError:  # no level, or none that can be begun
        return level
    return replace(level, solution=verdict.solution)


def _verified(level: Level) -> Level:
    game = games.get(level.game)
    if not isinstance(game, Playable):
        return replace(level, solution=None)
    try:
        game.verify(level)
    except LevelsmithError:
        return replace(level, solution=None)
    return level
