"""The files of a project: which of them hold levels, and what is said beside each level."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from levelsmith.checking.findings import in_words
from levelsmith.checking.outcome import FileOutcome, Memory
from levelsmith.checking.settings import Settings, matches
from levelsmith.contracts import Found
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.levels.files import EDITORS, OWN_FILES, STREAM, Placed, load_placed, split_number
from levelsmith.levels.formats.format import LEGEND, Place
from levelsmith.registry import formats, games

PICTURES = frozenset({".png", ".svg", ".gif"})  # they show levels; what is in them is seldom meant
SHUT = re.compile(r"\.|node_modules$|__pycache__$")  # folders that are never gone into
AT = re.compile(r"\bline (\d+)(?:,? column (\d+))?")
COMMENT = re.compile(r"\s*[;('/#]*\s*([a-z][\w -]*?)\s*[:=]\s*(.*?)\s*\)?\s*", re.I)
MOST_BESIDE = 20  # lines above and below a level that are looked at
OURS = '"levelsmith"'  # what JSON of ours says, or `"game"`


@dataclass
class Read:
    """One file, with its levels, or with what is wrong with it."""

    path: str
    levels: list[Placed] = field(default_factory=list)
    wrong: list[Found] = field(default_factory=list)
    notes: list[dict[str, str]] = field(default_factory=list)  # of each level, what lines beside it say
    outcome: FileOutcome | None = None  # what came of it last time, where it is as it was then


@dataclass
class Project:
    """All files of a check, and how many were of other kinds."""

    files: list[Read] = field(default_factory=list)
    skipped: int = 0


def read_project(
    paths: Iterable[str],
    settings: Settings,
    only: frozenset[str] | None = None,
    skip_others: bool = False,
    memory: Memory | None = None,
) -> Project:
    """Returns what files, folders, patterns and packs hold.

    Args:
        paths: as they are typed, or as the settings have them.
        settings: which files are excluded, the game and the tiles of those that do not say theirs.
        only: the real paths of the files to take; None for all.
        skip_others: files of other kinds are skipped though they are named one by one.
        memory: what is remembered of files; those that have not changed are not read again.
    """
    project = Project()
    seen: set[str] = set()
    for path in paths:
        for found, meant in spread_out(settings.folder + path, path):
            each = os.path.normpath(found)
            place = os.path.realpath(split_number(each)[0])
            excluded = any(matches(each, settings.folder + one) for one in settings.exclude)
            if excluded or each in seen or (only is not None and place not in only):
                continue
            seen.add(each)
            told = None if memory is None else memory.recall(each)
            read = _read(each, meant and not skip_others, settings) if told is None else Read(each)
            if read is None:
                project.skipped += 1
            else:
                read.outcome = told
                project.files.append(read)
    return project


def spread_out(path: str, typed: str) -> Iterator[tuple[str, bool]]:
    """Yields the files that a path stands for, and whether each was meant itself."""
    if os.path.isdir(path):
        yield from ((file, False) for file in _below(path))
    elif not os.path.exists(path) and glob.has_magic(path):
        found = sorted(glob.glob(path, recursive=True), key=natural)
        if not found:
            raise LevelsmithError(f"no file is called as {quoted(path)} says; expected some")
        for file in found:
            yield from spread_out(file, file) if os.path.isdir(file) else [(file, False)]
    else:
        yield (path if os.path.exists(split_number(path)[0]) else typed), True


def _below(folder: str) -> Iterator[str]:
    """Yields all files in a folder and in those in it, in natural order."""
    entries = sorted(os.scandir(folder), key=lambda entry: natural(entry.name))
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if not SHUT.match(entry.name):
                yield from _below(os.path.join(folder, entry.name))
        elif entry.is_file():
            yield os.path.normpath(os.path.join(folder, entry.name))


def natural(name: str) -> list[Any]:
    """Returns what names are sorted by: Level 2 comes before Level 10."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", name)]


def _read(path: str, meant: bool, settings: Settings) -> Read | None:
    """Returns a file; None for one of another kind, unless it was meant itself."""
    file = split_number(path)[0]
    ending = Path(file).suffix.lower()
    if file == STREAM or (os.path.exists(file) and not os.path.isfile(file)):
        text = "expected a plain file, got something else"
        return Read(file, wrong=[Found("unreadable", text)]) if meant else None
    if not meant and not _may_hold_levels(Path(file), ending, settings):
        return None
    try:
        tiles = settings.tiles if ending in EDITORS else None
        named = None if games.found(file) is not None else settings.game
        levels = load_placed(path, game=named, tiles=tiles)
    except LevelsmithError as error:
        return Read(file, wrong=list(_wrong(file, error)))
    text = _text_of(file)
    if ending in (".json", ".jsonl"):
        levels = _found_in_json(text, levels)
    lines = text.split("\n")
    return Read(file, levels, notes=[_beside(lines, placed) for placed in levels])


def _may_hold_levels(file: Path, ending: str, settings: Settings) -> bool:
    """Tells whether a file of a folder is one of levels: by its ending, and where that says too little, by
    what it says of itself."""
    known = {end for name in formats for end in formats.get(name).extensions} | set(OWN_FILES)
    if ending not in known - PICTURES or file.name.endswith(LEGEND):
        return False
    if ending in (".json", ".jsonl"):
        head = _text_of(str(file))
        return OURS in head or ('"game"' in head and '"text"' in head)
    says_game = any(ending in form.extensions and form.names_game for form in map(formats.get, formats))
    if ending not in OWN_FILES:
        return says_game or settings.game is not None
    try:
        if games.found(str(file)) is not None:
            return True
    except LevelsmithError:
        return True  # a game, with mistakes
    return settings.game is not None or re.search(r"^;\s*game:", _text_of(str(file)), re.M) is not None


def _text_of(file: str) -> str:
    """Returns a file as text with plain newlines; nothing where it is none."""
    try:
        data = Path(file).read_bytes()
    except OSError:
        return ""
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")


def _wrong(file: str, error: LevelsmithError) -> Iterator[Found]:
    """Yields what is wrong with a file: each mistake at its line where it is a game with mistakes."""
    told = 0
    if Path(file).suffix.lower() in OWN_FILES and os.path.isfile(file) and _says_game(file):
        for fault in games.explained(_text_of(file))["faults"]:
            if not fault["odd"]:
                told += 1
                yield Found("unreadable", fault["text"], None, fault["line"] or 1, fault["column"] or 1)
    if not told:
        text = in_words(error).removeprefix(f"{file}: ")
        at = AT.search(text)
        yield Found("unreadable", text, None, int(at[1]) if at else 1, int(at[2] or 1) if at else 1)


def _says_game(file: str) -> bool:
    """Tells whether a file is a game, be it with mistakes that keep it from being played."""
    try:
        return games.found(file) is not None
    except LevelsmithError:
        return True


def _found_in_json(text: str, levels: list[Placed]) -> list[Placed]:
    """Returns levels with the lines on which their texts stand, where there are as many of these."""
    lines = [text.count("\n", 0, match.start()) + 1 for match in re.finditer(r'"text"\s*:', text)]
    if len(lines) != len(levels):
        return levels
    return [one._replace(place=Place((line,))) for one, line in zip(levels, lines, strict=True)]


def _beside(lines: list[str], placed: Placed) -> dict[str, str]:
    """Returns what the lines right above a level and right below it say, as `key: value`."""
    rows = placed.place.lines
    if len(rows) != placed.level.size[0] or rows[-1] > len(lines):  # those of a pack that ships are none
        return {}
    notes: dict[str, str] = {}
    above = range(rows[0] - 2, max(-1, rows[0] - 2 - MOST_BESIDE), -1)
    for numbers in (above, range(rows[-1], min(len(lines), rows[-1] + MOST_BESIDE))):
        for number in numbers:  # those that touch it, up to a blank line or another level
            said = COMMENT.fullmatch(lines[number])
            if said is None:
                break
            notes.setdefault(said[1].strip().lower(), said[2])
    return notes


def needs_of(placed: Placed, notes: Mapping[str, str], settings: Settings) -> tuple[str, ...]:
    """Returns the rules and things that a level is said to need."""
    found = [need for need in re.split(r"[,\s]+", notes.get("needs", "")) if need]
    for told in settings.levels:
        if matches(placed.name, settings.folder + told.level):
            found += told.needs
    return tuple(dict.fromkeys(found))


def minimum_of(
    placed: Placed, notes: Mapping[str, str], settings: Settings, fewest: str | None
) -> int | None:
    """Returns the fewest that a solution takes, as it is written beside a level; None where it is not."""
    for told in settings.levels:
        if told.minimum is not None and matches(placed.name, settings.folder + told.level):
            return told.minimum
    for key in ("minimum", "fewest", "par", *([fewest] if fewest else [])):
        if re.fullmatch(r"\d{1,9}", notes.get(key, "")):
            return int(notes[key])
    return None
