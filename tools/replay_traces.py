"""Plays recorded games of Lode Runner again, by the rule book and by the compiled rules.

python tools/replay_traces.py FILE

FILE holds JSON: lists of traces, each with a `name`, a `level` (rows of text), whether it is won at the
`exit`, `inputs` ([tick, key]: the key is held from that tick on), the number of `ticks`, `states` at some of
them and a `crc32` of all. For each trace a line of JSON says whether both agree with it, and otherwise where
they first do not, and what was expected there.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from levelsmith.games.loderunner.game.game import CompiledGame
from levelsmith.games.loderunner.rules.game import Game

PLAYERS = {"rule book": Game, "kernel": CompiledGame}
State = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    file = parser.parse_args().file
    try:
        found = list(traces(json.loads(file.read_text(encoding="utf-8"))))
    except (OSError, ValueError) as error:
        parser.error(f"expected a file of traces in JSON, got {file}: {error}")
    if not found:
        parser.error(f"expected lists of traces in {file}, got none")
    told = [answer(trace) for trace in found]
    for line in told:
        print(json.dumps(line))
    raise SystemExit(not all(line["ok"] for line in told))


def traces(found: Any) -> Iterator[dict[str, Any]]:
    """Yields what looks like a trace, in a list or in the lists of an object."""
    for value in found.values() if isinstance(found, dict) else [found]:
        yield from (one for one in value if "inputs" in one) if isinstance(value, list) else ()


def answer(trace: dict[str, Any]) -> dict[str, Any]:
    """Returns whether the rule book and the kernel play a trace as it was recorded."""
    told: dict[str, Any] = {"name": trace["name"], "ok": True}
    for player, kind in PLAYERS.items():
        wrong = differs(trace, kind)
        if wrong is not None:
            told = {**told, "ok": False, player: wrong}
    return told


def differs(trace: dict[str, Any], kind: type[Game] | type[CompiledGame]) -> dict[str, Any] | None:
    """Returns the first tick at which a trace is played otherwise, with what was expected and what came."""
    keys = dict(map(tuple, trace["inputs"]))
    wanted = {state["tick"]: state for state in trace["states"]}
    game = kind(trace["level"], trace["exit"])
    check = 0
    for tick in range(trace["ticks"] + 1):
        if tick:
            game.tick(keys.get(tick))
        came = game.state()
        check = zlib.crc32(line_of(came).encode(), check)
        if tick in wanted and came != wanted[tick]:
            names = [name for name in came if came[name] != wanted[tick].get(name)]
            return {
                "tick": tick,
                "expected": {name: wanted[tick].get(name) for name in names},
                "got": {name: came[name] for name in names},
            }
    if f"{check:08x}" != trace["crc32"]:
        return {"tick": None, "expected": {"crc32": trace["crc32"]}, "got": {"crc32": f"{check:08x}"}}
    return None


def line_of(state: State) -> str:
    """Returns a state as the line that checksums are of."""
    lists = [";".join(" ".join(map(str, row)) for row in state[name]) for name in ("guards", "holes")]
    dig = "-" if state["dig"] is None else " ".join(map(str, state["dig"]))
    gold = ";".join(" ".join(map(str, cell)) for cell in state["gold"])
    runner = " ".join(map(str, [state["tick"], *state["runner"], int(state["falling"])]))
    return "|".join([runner, *lists, dig, str(state["left"]), gold, state["status"]]) + "\n"


if __name__ == "__main__":
    main()
