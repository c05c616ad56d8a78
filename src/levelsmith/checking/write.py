"""Shortest solutions, their lengths and difficulties, written beside levels or into their files.

Nothing else of a file changes: its comments, its line ends, levels that are not proved. What shall be
written is read first, from a copy. Where anything comes out otherwise the file stays, and the solutions go
into a file beside it.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from levelsmith.checking.examine import DIFFICULTY, WON, counted
from levelsmith.checking.run import Checked, Examined
from levelsmith.contracts import Playable
from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.files import write_files
from levelsmith.levels.files import load_placed
from levelsmith.registry import games

BESIDE = ".solved.json"  # how the name of the file beside one ends
KEYS = ("solution", "minimum", DIFFICULTY)
ABOVE = {".txt": ("; {}: {}", "; "), ".puzzlescript": ("({}: {})", "(")}
BELOW = (".xsb", ".sok")
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
BELOW_IT = re.compile(r"[\w;:-][^#]*")  # a line that says something about the level above it
MOVES = re.compile(r"[udlrUDLR0-9()\s]+")


def write_solutions(checked: Checked) -> dict[str, int]:
    """Writes what was proved into the files of levels, or beside them; returns of how many levels something
    new was written to each file."""
    written: dict[str, int] = {}
    for path, levels in checked.levels.items():
        proved = [each for each in levels if each.verdict is not None and each.verdict["status"] == WON]
        if not proved:
            continue
        whole = Path(path).suffix.lower() in (*ABOVE, *BELOW) and _written_into(path, levels, written)
        if not whole:
            _write_beside(path, proved, written)
    return written


def told(each: Examined) -> dict[str, str]:
    """Returns what is written of a level that was proved."""
    verdict, game = each.verdict or {}, games.get(each.placed.level.game)
    found = {"solution": str(verdict["solution"])}
    count = verdict["metrics"].get(counted(game))
    if count is not None:
        found["minimum"] = f"{count:g}"
    difficulty = each.answers.get(DIFFICULTY, {}).get("value")
    if difficulty is not None:
        found[DIFFICULTY] = f"{difficulty:.0f}"
    return found


def _written_into(path: str, levels: Sequence[Examined], written: dict[str, int]) -> bool:
    """Writes into a file of text; returns False where the levels do not come out of it as they went in."""
    file = Path(path)
    data = file.read_bytes()
    text, encoding = _decoded(data)
    lines = LINE.findall(text)
    end = Counter(map(_end_of, lines[:-1])).most_common(1)[0][0] if lines[1:] else "\n"
    count = 0
    for each in reversed(levels):  # from below, so that lines above stay where they are
        rows = each.placed.place.lines
        if each.verdict is None or each.verdict["status"] != WON:
            continue
        if len(rows) != each.placed.level.size[0] or rows[-1] > len(lines):
            return False
        before = list(lines)
        if file.suffix.lower() in BELOW:
            _put_below(lines, rows[-1], told(each), end)
        else:
            _put_above(lines, rows[0] - 1, told(each), each, end)
        count += lines != before
    new = "".join(lines).encode(encoding)
    if new != data:
        with TemporaryDirectory() as folder:
            copy = Path(folder) / file.name
            copy.write_bytes(new)
            if not _is_right(str(copy), levels):
                return False
        write_files({file: new})
    written[path] = count
    return True


def _decoded(data: bytes) -> tuple[str, str]:
    """Returns text that becomes the same bytes again by its encoding."""
    try:
        name = "utf-8-sig" if data.startswith(BOM_UTF8) else "utf-8"
        return data.decode(name), name
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def _end_of(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _insert(lines: list[str], row: int, text: str, end: str) -> None:
    """Puts in a line; where it comes behind one that has no end, this gets one, and the new line has none."""
    if row and not _end_of(lines[row - 1]):
        lines[row - 1] += end
        end = ""
    lines.insert(row, text + end)


def _put_above(lines: list[str], row: int, found: dict[str, str], each: Examined, end: str) -> None:
    """Puts notes above a level, in the place of those that are there."""
    from levelsmith.levels.files import WithLevels

    script = isinstance(games.found(each.placed.path), WithLevels)
    form, opening = ABOVE[".puzzlescript" if script else Path(each.placed.path).suffix.lower()]
    for key, value in found.items():
        line = form.format(key, value)
        at = row - 1
        while at >= 0 and lines[at].lstrip().startswith(opening.strip()):
            if re.match(rf"\s*[;(]\s*{key}\s*:", lines[at], re.I):
                lines[at] = line + _end_of(lines[at])
                break
            at -= 1
        else:
            _insert(lines, row, line, end)
            row += 1


def _put_below(lines: list[str], row: int, found: dict[str, str], end: str) -> None:
    """Puts notes below a level, in the place of those that are there; `row` is that of the line below it."""
    last = row
    while last < len(lines) and BELOW_IT.fullmatch(lines[last].strip()):
        last += 1
    for key, value in found.items():
        line = f"{key.title()}: {value}"
        for at in range(row, last):
            if re.match(rf"\s*;?\s*{key}\b", lines[at], re.I):
                behind = at + 1
                while key == "solution" and behind < last and MOVES.fullmatch(lines[behind]):
                    behind += 1
                last -= behind - at - 1
                lines[at:behind] = [line + _end_of(lines[behind - 1])]
                break
        else:
            _insert(lines, last, line, end)
            last += 1


def _is_right(path: str, levels: Sequence[Examined]) -> bool:
    """Tells whether the levels of a file are what they were, and those that were proved have solutions that
    win."""
    try:
        found = load_placed(path, game=_named_game(path, levels))
    except LevelsmithError:
        return False
    if len(found) != len(levels):
        return False
    for new, old in zip(found, levels, strict=True):
        one, other = new.level, old.placed.level
        same = np.array_equal(one.grid, other.grid) and (one.title, one.author) == (other.title, other.author)
        if not same or not _carries(one, old):
            return False
    return True


def _named_game(path: str, levels: Sequence[Examined]) -> str | None:
    return None if games.found(path) is not None else levels[0].placed.level.game


def _carries(level: Level, each: Examined) -> bool:
    verdict: Any = each.verdict or {}
    if verdict.get("status") != WON:
        return level.solution == each.placed.level.solution
    game = games.get(level.game)
    if (level.solution or "") != verdict["solution"]:
        return False
    if isinstance(game, Playable):
        game.verify(replace(level, solution=verdict["solution"]))
    return True


def _write_beside(path: str, proved: Sequence[Examined], written: dict[str, int]) -> None:
    document = {
        each.placed.name.removeprefix(path) or "#1": {"title": each.placed.level.title, **told(each)}
        for each in proved
    }
    target = Path(f"{path}{BESIDE}")
    data = (json.dumps({"solved": document}, indent=1, ensure_ascii=False) + "\n").encode()
    if not target.exists() or target.read_bytes() != data:
        write_files({target: data})
    written[str(target)] = len(proved)
