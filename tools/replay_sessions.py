"""Plays what was recorded again: sessions of PuzzleScript games, and solutions of levels.

python tools/replay_sessions.py FILE [--engine kernel|twin|browser|chromium]

FILE holds JSON, gzipped or not, in one of three forms. In a list of sessions `[name, [source, inputs, final
text, level, seed, sounds]]` the last three may be missing; a line of JSON for each says whether it ends as
recorded (`ok`), and where not, the first cell that differs. In a list of games `{"game", "source",
"solutions"}` each level has a text of keys or null; a line for each level says whether it is `won`. In a list
of faulty sources `[name, [source, messages, errors]]` nothing is played; a line for each says whether there
is an error or none as recorded (`ok`), at lines that the messages name, and where not, the lines.

Any other FILE is one of levels with solutions, of a game that `players.py` has a module for; a line for each
says whether it is `won`, by the rule book (kernel) or in a page (browser, chromium). The last line counts.

With `--random N` nothing recorded is played: each game gets N random inputs from its first level on, by all
the engines that are named, and a line of JSON says whether they agree after every one of them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from pages import Page
from players import PLAYERS

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import levelsmith
from levelsmith.contracts import Playable
from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.compile import Program, compile_game, compile_source
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.faults import MOST_ERRORS
from levelsmith.games.puzzlescript.plain import plain_program
from levelsmith.games.puzzlescript.session import Session, board_text
from levelsmith.games.puzzlescript.tables import Words
from levelsmith.registry import games
from levelsmith.studio.catalogue import game_entry
from levelsmith.studio.compiled import with_files
from reference.puzzlescript import Twin

KEYS = {"W": 0, "A": 1, "S": 2, "D": 3, "X": 4}
OTHERS = ("tick", "undo", "restart")
FACTOR = 2654435761  # odd, so that sums of boards tell all their bits apart
PLAY = """
import { Endless, programOf } from "./games/puzzlescript/game.js";
import { Session } from "./games/puzzlescript/session.js";
import { carried, loaded } from "./kernels.js";

let compiled = null;

export default async function play({ kernels, program, level, inputs, toWin, trail }) {
  compiled ??= await loaded("puzzlescript", carried({ puzzlescript: kernels }));
  try {
    const session = new Session(compiled, programOf(program), level);
    const seen = trail ? [state(session)] : [];
    let used = 0;
    for (const key of inputs) {
      if (toWin && session.won) break;
      session.press(key);
      used += 1;
      if (trail) seen.push(state(session));
    }
    return { level: session.level, won: session.won, used, board: [...session.engine.board()], trail: seen };
  } catch (error) {
    if (error instanceof Endless) return { error: error.message };
    throw error;
  }
}

function state({ engine, level, won, endless }) {
  let [sum, power] = [0, 1];
  for (const word of engine.board()) {
    sum = (sum + Math.imul(word, power)) | 0;
    power = Math.imul(power, FACTOR);
  }
  return [level, won, Number(endless), sum >>> 0];
}
""".replace("FACTOR", str(FACTOR))


@dataclass
class Played:
    """What came of some inputs."""

    level: int
    won: int
    used: int  # inputs
    board: Words
    trail: list[list[int]]  # after each input: level, wins, whether cut off, a sum of the board


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--engine", default="kernel", help="kernel, twin, browser or chromium; several by commas"
    )
    parser.add_argument("--random", type=int, metavar="N", help="play N random inputs of each game instead")
    parser.add_argument("--games", type=int, metavar="N", help="with --random: the N smallest games alone")
    parser.add_argument(
        "--seconds", action="store_true", help="add how long each took, compiling the game included"
    )
    asked = parser.parse_args()
    engines = {name: ENGINES.get(name) for name in asked.engine.split(",")}
    if None in engines.values() or (len(engines) > 1 and asked.random is None):
        parser.error(f"expected one of {', '.join(ENGINES)} (several with --random), got {asked.engine}")
    try:
        data = asked.file.read_bytes()
        found = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except OSError as error:
        parser.error(f"expected a file of sessions or of levels, got {asked.file}: {error}")
    except ValueError:
        found = None
    if not isinstance(found, list):
        lines = replay_levels(asked.file, asked.engine)
    elif asked.random is not None:
        lines = compared(found, engines, asked.random, asked.games)
    else:
        lines = (line for entry in found for line in answers(entry, engines[asked.engine]))
    count = good = 0
    started = time.process_time()
    for line in lines:
        if asked.seconds:
            line["seconds"] = round(time.process_time() - started, 3)
        print(json.dumps(line), flush=True)
        good += bool(line.get("ok", line.get("won")))
        count += 1
        started = time.process_time()
    print(json.dumps({"replayed": count, "as recorded": good}))
    raise SystemExit(good != count)


# engines


def by_kernel(program: Program, level: int, seed: str, inputs: list[Any], **asked: bool) -> Played:
    """Plays inputs by the compiled engine."""
    return _by(Kernel, program, level, seed, inputs, **asked)


def by_twin(program: Program, level: int, seed: str, inputs: list[Any], **asked: bool) -> Played:
    """Plays inputs by the engine in plain Python."""
    return _by(Twin, program, level, seed, inputs, **asked)


def _by(
    engine: Any,
    program: Program,
    level: int,
    seed: str,
    inputs: list[Any],
    to_win: bool = False,
    trail: bool = False,
) -> Played:
    session, used = Session(program, engine, level, seed), 0
    seen = [state(session)] if trail else []
    for key in inputs:
        if to_win and session.won:
            break
        session.press(key)
        used += 1
        if trail:
            seen.append(state(session))
    return Played(session.level, session.won, used, session.engine.board(), seen)


def state(session: Session) -> list[int]:
    """Returns where a session stands: level, wins, whether cut off, a sum of the board."""
    words = np.ascontiguousarray(session.engine.board()).astype("<u8").view("<u4").ravel()
    powers = np.cumprod(np.full(len(words), FACTOR, np.uint32), dtype=np.uint32)
    total = int(words[0]) + int((words[1:] * powers[:-1]).sum(dtype=np.uint32)) if len(words) else 0
    return [session.level, session.won, int(session.endless), total & 0xFFFFFFFF]


def by_browser(program: Program, level: int, seed: str, inputs: list[Any], **asked: bool) -> Played:
    """Plays inputs by the kernels as a page runs them, in node where there is node."""
    return _by_page(Page.of(PLAY), program, level, seed, inputs, **asked)


def by_chromium(program: Program, level: int, seed: str, inputs: list[Any], **asked: bool) -> Played:
    """Plays inputs by the kernels as a page runs them."""
    return _by_page(Page.of(PLAY, node=False), program, level, seed, inputs, **asked)


@cache
def sent_to(page: Page) -> list[dict[str, Any]]:
    """Returns the kernels that a page has still to be sent."""
    return [with_files("puzzlescript")]


def _by_page(
    page: Page,
    program: Program,
    level: int,
    seed: str,
    inputs: list[Any],
    to_win: bool = False,
    trail: bool = False,
) -> Played:
    waiting = sent_to(page)
    found = page(
        {
            "kernels": waiting.pop() if waiting else None,
            "program": plain_program(program, seed),
            "level": level,
            "inputs": inputs,
            "toWin": to_win,
            "trail": trail,
        }
    )
    if "error" in found:
        raise LevelsmithError(found["error"])
    board = np.array(found["board"], np.uint32).view("<u8").reshape(-1, program.tables.words)
    return Played(found["level"], found["won"], found["used"], board, found["trail"])


compiled_of = cache(with_files)  # the kernels of a game, as a page carries them

ENGINES: dict[str, Any] = {
    "kernel": by_kernel,
    "twin": by_twin,
    "browser": by_browser,
    "chromium": by_chromium,
}


# what was recorded


def answers(entry: Any, engine: Any) -> Iterator[dict[str, Any]]:
    """Yields what came of a session, of each solution of a game, or of a faulty source."""
    if isinstance(entry, dict):
        yield from replay_solutions(entry, engine)
    elif isinstance(entry[1][2], int):
        yield compare_errors(entry[0], *entry[1])
    else:
        yield replay_session(entry[0], *entry[1][:5], engine=engine)


def replay_levels(file: Path, engine: str) -> Iterator[dict[str, Any]]:
    """Yields whether each solution in a file of levels wins, by the rules in Python or by those of a page."""
    try:
        levels = levelsmith.load(file)
    except LevelsmithError as error:
        raise SystemExit(f"expected a file of sessions or of levels: {error}") from None
    for number, level in enumerate(levels, 1):
        if level.solution is None:
            continue
        line = {"name": level.title or f"#{number}", "game": level.game}
        if engine in ("browser", "chromium") and level.game in PLAYERS:
            kind = {"tiles": game_entry(games.get(level.game))["tiles"]}
            asked = {"kernels": compiled_of(level.game), "kind": kind, "text": level.text}
            play = Page.of(PLAYERS[level.game], engine == "browser")
            played = play(asked | {"solution": level.solution})
            yield {**line, "won": played["won"], "keys": played["used"]}
        elif engine == "kernel":
            yield {**line, **by_rules(level)}
        else:
            raise SystemExit(f"expected a game that {engine} plays, got {level.game}")


def by_rules(level: Level) -> dict[str, Any]:
    """Returns whether a level's solution wins by its game's rules in Python."""
    game = games.get(level.game)
    if not isinstance(game, Playable):
        return {"won": False, "error": f"{game.name} has no solutions"}
    try:
        game.verify(level)
    except LevelsmithError as error:
        return {"won": False, "error": str(error)}
    return {"won": True, "keys": len(level.solution or "")}


def replay_session(
    name: str, source: str, inputs: list[Any], final: str, level: Any = 0, seed: Any = "1", *, engine: Any
) -> dict[str, Any]:
    """Returns whether a session ends as recorded, and the first difference if it does not."""
    try:
        program = compile_game(source)
        played = engine(program, int(level or 0), str(seed if seed is not None else "1"), inputs)
    except LevelsmithError as error:
        return {"name": name, "ok": False, "error": str(error)}
    shown = program.levels[played.level]
    came = board_text(program.names, played.board, shown.height, shown.width)
    if came == final:
        return {"name": name, "ok": True}
    return {"name": name, "ok": False, **difference(final, came)}


def difference(expected: str, came: str) -> dict[str, Any]:
    """Returns the first cell in which two boards differ, and what was expected there."""
    one, other = cells(expected), cells(came)
    for i, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return {"cell": i, "expected": a, "got": b}
    return {"cells": [len(one), len(other)]}


def cells(text: str) -> list[str]:
    """Returns the objects of each cell of a recorded board."""
    known: dict[str, str] = {}
    found = []
    for part in text.replace("\n", "").split(",")[:-1]:
        if ":" in part:
            names, number = part.rsplit(":", 1)
            known[number] = names
            found.append(names)
        else:
            found.append(known.get(part, "?"))
    return found


def replay_solutions(entry: dict[str, Any], engine: Any) -> Iterator[dict[str, Any]]:
    """Yields whether each recorded solution of a game wins its level."""
    texts = entry["solutions"]
    try:
        program = compile_game(entry["source"])
    except LevelsmithError as error:
        yield {"game": entry["game"], "level": None, "won": False, "error": str(error)}
        return
    for level, text in enumerate(texts):
        if text is None or level >= len(program.levels) or program.levels[level].board is None:
            continue
        keys = [KEYS.get(c, "tick") for c in text if c in KEYS or (c == "." and program.tables.realtime)]
        played = engine(program, level, "1", keys, to_win=True)
        yield {"game": entry["game"], "level": level, "won": played.won > 0, "keys": played.used}


def compare_errors(name: str, source: str, messages: list[str], count: int) -> dict[str, Any]:
    """Returns whether a source has an error or none as recorded, at the same lines."""
    found = compile_source(source)[0].faults.errors
    lines = {int(line) for message in messages for line in re.findall(r"^line (\d+) :", message)} - {0}
    named = all(re.match("line [1-9]", message) for message in messages)  # else some are of the whole file
    ours = {fault.line for fault in found[:MOST_ERRORS]}  # the original stops at the sixth
    same = bool(ours & lines) or not (found and lines)
    if bool(found) == (count > 0) and same and (ours - {0} <= lines or not named):
        return {"name": name, "ok": True, "errors": len(found)}
    return {"name": name, "ok": False, "expected": sorted(lines), "got": sorted(ours)}


# random inputs


def compared(
    entries: list[Any], engines: dict[str, Any], count: int, games: int | None
) -> Iterator[dict[str, Any]]:
    """Yields for each game whether all engines agree after every one of so many random inputs."""
    found = list(distinct(entries))
    if games is not None:
        found = sorted(found, key=lambda one: work(*one[1:]))[:games]
    for name, program, level in found:
        rng = np.random.default_rng(len(program.names) + count)
        inputs = [int(key) if key < 5 else OTHERS[key - 5] for key in rng.integers(0, 8, count)]
        trails = {}
        try:
            for engine, play in engines.items():
                trails[engine] = play(program, level, "1", inputs, trail=True).trail
        except LevelsmithError as error:
            yield {"name": name, "ok": False, "engine": engine, "error": str(error)}
            continue
        rows = zip(*trails.values(), strict=True)
        differs = next((n for n, row in enumerate(rows) if any(one != row[0] for one in row)), None)
        line = {"name": name, "ok": differs is None, "inputs": count}
        boards = len({tuple(row) for row in next(iter(trails.values()))})
        yield line | ({"boards": boards} if differs is None else {"input": differs})


def distinct(entries: list[Any]) -> Iterator[tuple[str, Program, int]]:
    """Yields each game once, with the number of its first level with a board."""
    seen = set()
    for entry in entries:
        name, source = (
            (entry["game"], entry["source"]) if isinstance(entry, dict) else (entry[0], entry[1][0])
        )
        if source in seen:
            continue
        seen.add(source)
        try:
            program = compile_game(source)
        except LevelsmithError:
            continue
        for number, level in enumerate(program.levels):
            if level.board is not None:
                yield name, program, number
                break


def work(program: Program, level: int) -> int:
    """Returns about how much there is to do in a turn: cells of rules times cells of the board."""
    shown = program.levels[level]
    return shown.height * shown.width * len(program.tables.cells.changes)


if __name__ == "__main__":
    main()
