"""Plays recorded sessions of PuzzleScript games again.

python tools/replay_sessions.py FILE [--engine kernel|twin]

FILE holds JSON, gzipped or not, in one of two forms. In a list of sessions `[name, [source, inputs, final
text, level, seed, sounds]]` the last three may be missing; a line of JSON for each says whether it ends as
recorded (`ok`), and where not, the first cell that differs. In a list of games `{"game", "source",
"solutions"}` each level has a text of keys or null; a line for each level says whether it is `won`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.compile import Program, compile_game
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.session import Session, board_text
from levelsmith.games.puzzlescript.twin import Twin

ENGINES = {"kernel": Kernel, "twin": Twin}
KEYS = {"W": 0, "A": 1, "S": 2, "D": 3, "X": 4}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--engine", choices=ENGINES, default="kernel")
    parser.add_argument(
        "--seconds", action="store_true", help="add how long each took, compiling the game included"
    )
    asked = parser.parse_args()
    try:
        data = asked.file.read_bytes()
        found = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except (OSError, ValueError) as error:
        parser.error(f"expected a file of sessions in JSON, got {asked.file}: {error}")
    good = True
    for entry in found:
        started = time.process_time()
        for line in answers(entry, ENGINES[asked.engine]):
            if asked.seconds:
                line["seconds"] = round(time.process_time() - started, 3)
            print(json.dumps(line), flush=True)
            good &= line.get("ok", line.get("won"))
    raise SystemExit(not good)


def answers(entry: Any, engine: Any) -> Iterator[dict[str, Any]]:
    """Yields what came of a session, or of each solution of a game."""
    if isinstance(entry, dict):
        yield from replay_solutions(entry, engine)
    else:
        yield replay_session(entry[0], *entry[1][:5], engine=engine)


def replay_session(
    name: str, source: str, inputs: list[Any], final: str, level: Any = 0, seed: Any = "1", *, engine: Any
) -> dict[str, Any]:
    """Returns whether a session ends as recorded, and the first difference if it does not."""
    try:
        program = compile_game(source)
        session = Session(program, engine, int(level or 0), str(seed if seed is not None else "1"))
        for key in inputs:
            session.press(key)
    except LevelsmithError as error:
        return {"name": name, "ok": False, "error": str(error)}
    came = final_text(program, session)
    if came == final:
        return {"name": name, "ok": True}
    return {"name": name, "ok": False, **difference(final, came)}


def final_text(program: Program, session: Session) -> str:
    """Returns the board at the end of a session as it is recorded."""
    level = program.levels[session.level]
    return board_text(program.names, session.engine.board(), level.height, level.width)


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
        session = Session(program, engine, level)
        used = 0
        for char in text:
            if session.won:
                break
            if char in KEYS or (char == "." and program.tables.realtime):
                session.press(KEYS.get(char, "tick"))
                used += 1
        yield {"game": entry["game"], "level": level, "won": session.won > 0, "keys": used}


if __name__ == "__main__":
    main()
