"""Levels in and out of files: format, level of a pack, folders, standard streams."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

from levelsmith.contracts import Game
from levelsmith.core import MALFORMED, Level, Result, settle
from levelsmith.errors import LevelsmithError, listed, option, quoted, unknown
from levelsmith.files import read_at_most, write_files
from levelsmith.levels import bulk
from levelsmith.levels.formats.format import LEGEND, MAIN, Format, Place, ReadLimits, Source
from levelsmith.registry import formats, games

STREAM = "-"
EDITORS = {".tmj", ".tmx", ".ldtk"}  # whose numbers and names of tiles may mean anything
LONGEST_NAME = 60  # of a file that is called after its level
PathLike = str | os.PathLike[str]
Levels = Iterable[Level] | Result  # as a program hands them over


OWN_FILES = (".txt", ".puzzlescript")  # how paths of games with their levels end


@runtime_checkable
class WithLevels(Protocol):
    """A game that comes with its levels, in one file."""

    name: str

    def levels(self) -> list[Level]:
        """Returns all of them, in order."""

    def with_levels(self, levels: Sequence[Level]) -> str:
        """Returns the text of the file with these levels in place of its own."""

    def places(self) -> list[Place]:
        """Returns where each of them stands in the file."""


class Placed(NamedTuple):
    """A level with the name that loads it alone, and where it stands in which file."""

    name: str
    level: Level
    path: str
    place: Place


def load(
    where: PathLike,
    *,
    game: str | None = None,
    format: str | None = None,
    limits: ReadLimits | None = None,
    leave_out: Callable[[str], None] | None = None,
    tiles: Mapping[Any, str] | None = None,
) -> list[Level]:
    """Returns the levels of a file, of a folder of files, or of standard input (`-`).

    Args:
        where: a path; `pack.txt#3` names the third level of a pack, and `loderunner:corpus` a pack that ships
            with a game. The file of a PuzzleScript game holds its levels.
        game: needed if the file does not name its game.
        format: a name from `levelsmith list formats`; by default the extension decides.
        limits: how much to read before refusing.
        leave_out: called with the reason if a file of a folder cannot be read; the others are returned.
            Without it, or if none can be read, that is an error.
        tiles: of a map of Tiled or LDtk, the game's tile for each number or name that is not one of its own,
            such as `{3: "wall", "floor": "empty"}`.
    """
    return [level for _, level in load_named(where, game, format, limits, leave_out, tiles)]


def load_named(
    where: PathLike,
    game: str | None = None,
    format: str | None = None,
    limits: ReadLimits | None = None,
    leave_out: Callable[[str], None] | None = None,
    tiles: Mapping[Any, str] | None = None,
) -> list[tuple[str, Level]]:
    """Does what `load` does; returns each level with the name that loads it alone, `folder/a.xsb#2`."""
    spelled, number = split_number(_spelled(where))
    asked = None if game is None else games.get(game)
    limits = limits or ReadLimits()
    if not isinstance(limits, ReadLimits):
        raise LevelsmithError(f"expected limits as ReadLimits, got {quoted(limits)}")
    meant = _meant(tiles)
    if format is None and isinstance(whole := games.found(spelled), WithLevels):
        _check_tiles(meant, spelled, ())
        named = _named(spelled, _own_levels(whole, asked, limits))
    elif (path := _shipped(spelled)) == STREAM:
        data = read_at_most(sys.stdin.buffer, limits.bytes + 1)
        chosen = formats.get(format) if format else _guess(data)
        _check_tiles(meant, "standard input", chosen.extensions)
        source = Source("standard input", asked, limits, tiles=meant)
        named = _named(spelled, parse_bytes(data, chosen, source))
    elif os.path.isdir(path):  # unlike Path.is_dir, for a name that no file can have too
        named = _load_folder(Path(path), asked.name if asked else None, format, limits, leave_out, meant)
    else:
        named = _named(spelled, _parsed(Path(path), asked, format, limits, meant)[0])
    if number is None:
        return named
    if not 1 <= number <= len(named):
        raise LevelsmithError(
            f"{spelled} holds {len(named)} levels: expected #1 to #{len(named)}, got #{number}"
        )
    return [(f"{spelled}#{number}", named[number - 1][1])]


def load_placed(
    where: str,
    game: str | None = None,
    format: str | None = None,
    limits: ReadLimits | None = None,
    tiles: Mapping[Any, str] | None = None,
) -> list[Placed]:
    """Returns the levels of one file as `load_named` does, each with where it stands in it."""
    path, number = split_number(where)
    limits, asked = limits or ReadLimits(), None if game is None else games.get(game)
    if format is None and isinstance(whole := games.found(path), WithLevels):
        found, places = _own_levels(whole, asked, limits), whole.places()
    else:
        found, source = _parsed(Path(_shipped(path)), asked, format, limits, _meant(tiles))
        places = source.count.places
    placed = [
        Placed(name, level, path, place)
        for (name, level), place in zip(_named(path, found), places, strict=True)
    ]
    if number is None:
        return placed
    if not 1 <= number <= len(placed):
        raise LevelsmithError(
            f"{path} holds {len(placed)} levels: expected #1 to #{len(placed)}, got #{number}"
        )
    return [placed[number - 1]]


def _parsed(
    file: Path, game: Game | None, format: str | None, limits: ReadLimits, meant: Mapping[str, str]
) -> tuple[list[Level], Source]:
    """Returns the levels of a file, and the source that knows where each of them stands."""
    if not file.suffix and not format:
        _read(file, limits)  # a name that is no file's is told as such, not as an unknown format
    chosen = formats.get(format) if format else format_of(file)
    _check_tiles(meant, str(file), chosen.extensions)
    source = Source(str(file), game, limits, file.parent, meant)
    return parse_bytes(_read(file, limits), chosen, source), source


def _meant(tiles: object) -> dict[str, str]:
    """Returns what the numbers and names of tiles mean, as texts."""
    if tiles is None:
        return {}
    if not isinstance(tiles, Mapping) or not all(isinstance(tile, str) for tile in tiles.values()):
        raise LevelsmithError(f'expected tiles as a mapping such as {{3: "wall"}}, got {quoted(tiles)}')
    return {str(key): tile for key, tile in tiles.items()}


def _check_tiles(meant: Mapping[str, str], name: str, extensions: Sequence[str]) -> None:
    """Refuses to be told what tiles mean in a file whose tiles have names of their own."""
    if meant and not set(extensions) & EDITORS:
        raise LevelsmithError(
            f"{option('tiles', dict([next(iter(meant.items()))]))} is for maps of Tiled and LDtk, "
            f"got {name}: leave it out"
        )


def _named(path: str, levels: Sequence[Level]) -> list[tuple[str, Level]]:
    """Returns the levels of a file with their names: that of the file, with a number where it has several."""
    if len(levels) == 1:
        return [(path, levels[0])]
    return [(f"{path}#{number}", level) for number, level in enumerate(levels, start=1)]


def _own_levels(game: WithLevels, asked: Game | None, limits: ReadLimits) -> list[Level]:
    """Returns the levels that a game comes with."""
    levels = game.levels()
    if asked is not None and asked.name != game.name:
        if levels and levels[0].tiles != asked.tiles:
            raise LevelsmithError(
                f"{game.name} is a game with levels of its own, but {asked.name} was asked for"
            )
        levels = [replace(level, game=asked.name) for level in levels]  # other levels of the same game
    for level in levels:
        limits.check_side(*level.size, game.name)
    if not levels:
        raise LevelsmithError(f"{game.name}: expected at least one level, got none")
    return levels


def save(
    levels: Level | Levels,
    where: PathLike,
    *,
    format: str | None = None,
    **values: Any,
) -> None:
    """Writes levels to a file, to a folder (a path that ends in a slash) or to standard output (`-`).

    Nothing is left half written: files appear whole, under their final name, or not at all. A folder gets a
    file for each level, or, of levels that a generator has made together, what `generate -o folder/` of the
    command writes: files of 1000 levels each, with their solutions beside them.

    Args:
        levels: one level, many, or the result of `generate`, with all its levels.
        where: the path to write.
        format: a name from `levelsmith list formats`; by default the extension decides.
        **values: settings of the format, such as `scale=16` for a picture.
    """
    where = _spelled(where)
    if isinstance(levels, str | os.PathLike):
        raise LevelsmithError(f"expected levels to write, got the path {quoted(levels)}; load reads it first")
    levels = all_levels(levels)
    if not levels:
        raise LevelsmithError("expected at least one level to write, got none")
    if where == STREAM:
        chosen = formats.get(format or "text")
        sys.stdout.buffer.write(_encode(chosen, levels, "level", values)[MAIN])
        sys.stdout.buffer.flush()
        return
    path = Path(where)
    if is_folder(where):
        if format is None and not values and bulk.made_together(levels):
            bulk.write_levels(levels, where)
            return
        chosen = formats.get(format or "text")
        files: dict[Path, bytes] = {}
        for stem, level in zip(file_names(levels), levels, strict=True):
            encoded = _encode(chosen, [level], stem, values)
            files |= _placed(encoded, path / f"{stem}{chosen.extensions[0]}")
    elif format is None and not values and (game := _own_game(levels, path)) is not None:
        files = {path: game.with_levels(levels).encode()}
    else:
        chosen = formats.get(format) if format else format_of(path)
        files = _placed(_encode(chosen, levels, path.stem, values), path)
    write_files(files)


def file_names(levels: Sequence[Level]) -> list[str]:
    """Returns what the files of levels are called without their extension, no two the same, and in order when
    sorted: `01-First-steps` where there are titles, `sokoban-01` where there is none."""
    digits, titled = max(2, len(str(len(levels)))), any(file_name(level.title) for level in levels)
    names = []
    for number, level in enumerate(levels, start=1):
        count, game = f"{number:0{digits}}", file_name(game_name(level.game))
        title = re.sub(rf"^0*{number}(?![0-9])[-_.]*", "", file_name(level.title))  # one that is numbered
        names.append(f"{count}-{title or game}" if titled else f"{game}-{count}")
    return names


def file_name(text: str) -> str:
    """Returns a text as the name of a file: letters, digits, and hyphens for all else; it may be empty."""
    return re.sub(r"[^\w.-]+", "-", text, flags=re.ASCII).strip("-.")[:LONGEST_NAME]


def game_name(game: str) -> str:
    """Returns what a game is called in the names of files: without the folder that it lies in."""
    return Path(game.replace(":", "-")).stem


def _own_game(levels: Sequence[Level], path: Path) -> WithLevels | None:
    """Returns the game whose file levels shall go to: where all are of one that comes with its levels, and
    the path may be that of such a file."""
    game = games.get(levels[0].game)
    if path.suffix.lower() not in OWN_FILES or any(level.game != levels[0].game for level in levels):
        return None
    return game if isinstance(game, WithLevels) else None


def given_levels(levels: Levels | PathLike, game: str | None = None) -> Iterable[Level]:
    """Returns the levels of a result, of a file or of what can be gone through, each checked to be one.

    What is a list is checked at once, and what comes one by one as it comes.

    Args:
        game: the game of the levels, if the file does not name it.
    """
    if isinstance(levels, str | os.PathLike):
        return load(levels, game=game)
    if game is not None:
        raise LevelsmithError("game= says which game a file is of, and these levels say so themselves")
    if isinstance(levels, Result):
        return levels.levels
    if not isinstance(levels, Iterable):
        raise LevelsmithError(f"expected a level, several, or a result, got {quoted(levels)}")
    return list(_checked(levels)) if isinstance(levels, list | tuple) else _checked(levels)


def all_levels(levels: Level | Levels | PathLike) -> list[Level]:
    """Returns the levels that were given, one or several, as a list."""
    return [levels] if isinstance(levels, Level) else list(given_levels(levels))


def _checked(levels: Iterable[Level]) -> Iterator[Level]:
    for level in levels:
        if not isinstance(level, Level):
            raise LevelsmithError(
                f"expected levels, got {quoted(level)} among them; levelsmith.parse makes one"
            )
        yield level


def _spelled(where: PathLike) -> str:
    """Returns a path as text."""
    if not isinstance(where, str | os.PathLike):
        raise LevelsmithError(f"expected the path of a file or a folder, got {quoted(where)}")
    path = os.fspath(where)
    if not isinstance(path, str) or "\0" in path:
        raise LevelsmithError(f"expected the path of a file or a folder as text, got {quoted(path)}")
    return path


def writable(where: str, format: str | None = None) -> None:
    """Refuses an output that could not be written, before any work is done for it."""
    if where == STREAM:
        formats.get(format or "text")
        return
    path = Path(where)
    folder = path if is_folder(where) else path.parent
    if format:
        formats.get(format)
    elif folder is not path and path.suffix.lower() not in OWN_FILES:
        format_of(path)
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise LevelsmithError(f"cannot write {quoted(path)}: {quoted(folder)} is no folder you may write to")


def is_folder(where: str) -> bool:
    """Tells whether an output is a folder, there already or not."""
    return where.endswith(("/", os.sep)) or Path(where).is_dir()


def split_number(where: str) -> tuple[str, int | None]:
    """Returns a path without the number of a level: `pack.txt#3` is the third of pack.txt, unless a file has
    that very name."""
    match = re.fullmatch(r"(.+)#(\d{1,9})", where)
    if match is None or os.path.exists(where):
        return where, None
    return match[1], int(match[2])


def _shipped(path: str) -> str:
    """Returns the file of a pack that ships with a game, where a path names one; else the path."""
    game, _, name = path.partition(":")
    if not name or game not in games or os.path.exists(path):
        return path
    packs = games.get(game).packs
    if name not in packs:
        raise unknown(f"pack of {game}", name, packs)
    return str(packs[name])


def format_of(path: Path) -> Format:
    """Returns the format that a path's extension names."""
    extension = path.suffix.lower()
    if not extension:
        raise LevelsmithError(
            f"{path}: expected an extension that tells the format ({known_extensions()}), "
            f"or {option('format')} with one of: " + listed(formats)
        )
    if extension[1:] in formats:
        return formats.get(extension[1:])
    for name in formats:
        if extension in formats.get(name).extensions:
            return formats.get(name)
    if extension in (".html", ".htm"):
        raise LevelsmithError(
            f"{path}: no format is a page; levelsmith publish FILE -o FOLDER makes one to play your levels, "
            "levelsmith studio opens them in the browser, and .svg and .gif files show solutions anywhere"
        )
    raise unknown(
        "format",
        extension,
        _extensions(),
        hint=f"or {option('format', 'NAME')}",
    )


def known_extensions() -> str:
    return listed(_extensions())


def _extensions() -> list[str]:
    return list(dict.fromkeys(e for name in formats for e in formats.get(name).extensions))


def parse_bytes(data: bytes, chosen: Format, source: Source) -> list[Level]:
    """Returns bytes through a format's parser, within the limits."""
    if len(data) > source.limits.bytes:
        raise source.error(
            f"expected at most {source.limits.bytes:,} bytes, got more; "
            f"raise the limit with {option('limit_bytes')}"
        )
    if not data:
        raise source.error(f"expected a level in the format {chosen.name}, got an empty file")
    return chosen.parse(data, source)


def _guess(data: bytes) -> Format:
    """Returns the format of a stream without a name: JSON and pictures say so themselves, all else is
    text."""
    head = data.lstrip()[:64]
    for signature, name in (
        (b"\x89PNG", "png"),
        (b"GIF8", "gif"),
        (b"PK\x03\x04", "npz"),
        (b"<svg", "svg"),
        (b"{", "json"),
    ):
        if head.startswith(signature):
            return formats.get(name)
    return formats.get("text")


def _read(file: Path, limits: ReadLimits) -> bytes:
    try:
        with file.open("rb") as stream:
            return read_at_most(stream, limits.bytes + 1)
    except FileNotFoundError:
        raise LevelsmithError(
            f"no file is called {quoted(file)}; expected an existing file, or - for standard input"
        ) from None
    except OSError as error:
        raise LevelsmithError(f"cannot read {quoted(file)}: {error.strerror or error}") from None


def _load_folder(
    folder: Path,
    game: str | None,
    format: str | None,
    limits: ReadLimits,
    leave_out: Callable[[str], None] | None,
    tiles: Mapping[str, str],
) -> list[tuple[str, Level]]:
    """Returns the levels of every file right in a folder with their names, in natural order (Level 2 before
    Level 10)."""
    told = bulk.game_of(folder)
    game = game or told
    chosen = formats.get(format) if format else None
    by_extension = {e for name in formats for e in formats.get(name).extensions}
    wanted = set(chosen.extensions) if chosen else by_extension - {".png", ".svg", ".gif"}
    files = [
        file
        for file in folder.iterdir()
        if file.suffix.lower() in wanted and file.is_file() and not file.name.endswith(LEGEND)
    ]
    if not files:
        raise LevelsmithError(
            f"{folder}: expected a folder with level files ({listed(sorted(wanted))}), got none in it"
        )
    _check_tiles(tiles, str(folder), [file.suffix.lower() for file in files])
    files.sort(key=lambda file: [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", file.name)])
    named: list[tuple[str, Level]] = []
    broken: list[LevelsmithError] = []
    for file in files:
        try:
            meant = tiles if file.suffix.lower() in EDITORS else None
            found = load(str(file), game=game, format=format, limits=limits, tiles=meant)
        except LevelsmithError as error:
            if leave_out is None:
                raise
            broken.append(error)
            continue
        found = bulk.with_solutions(found, file, limits.bytes) if told else found
        titled = [level if level.title else replace(level, title=file.stem) for level in found]
        named += _named(str(file), titled)
    if broken and not named:
        raise broken[0]
    for each in broken:
        if leave_out is not None:
            leave_out(each.marked)
    return named


def _encode(chosen: Format, levels: list[Level], stem: str, values: Mapping[str, Any]) -> Mapping[str, bytes]:
    for number, level in enumerate(levels, start=1):
        if wrong := level.provenance.get(MALFORMED):
            raise LevelsmithError(f"level {number} is malformed and cannot be written: {wrong}")
    return chosen.write(levels, stem, settle(f"the format {chosen.name}", chosen.parameters, values))


def _placed(encoded: Mapping[str, bytes], path: Path) -> dict[Path, bytes]:
    """Returns the paths of files by name, the main file last, so that what it refers to is there first."""
    beside = {path.parent / name: data for name, data in encoded.items() if name != MAIN}
    return {**beside, path: encoded[MAIN]}
