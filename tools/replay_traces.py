"""Plays recorded games of Lode Runner again: by the rule book, by the compiled rules, and in the page.

python tools/replay_traces.py FILE [--engine book,kernel,browser,chromium]

FILE holds JSON: lists of traces, each with a `name`, a `level` (rows of text), whether it is won at the
`exit`, `inputs` ([tick, key]: the key is held from that tick on), the number of `ticks`, `states` at some of
them and a `crc32` of all. For each trace a line of JSON says whether all that are asked agree with it, and
otherwise where they first do not, and what was expected there. The last line counts. `browser` is the page's
kernels in node, or where there is none in Chromium.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from levelsmith.games.loderunner.game.game import CompiledGame
from levelsmith.games.loderunner.rules.game import Game

State = dict[str, Any]
Played = tuple[list[State], str]  # the states that a trace tells, and the checksum of all


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--engine", default="book,kernel", help="several by commas")
    asked = parser.parse_args()
    engines = asked.engine.split(",")
    if not set(engines) <= set(ENGINES):
        parser.error(f"expected engines among {', '.join(ENGINES)}, got {asked.engine}")
    try:
        found = list(traces(json.loads(asked.file.read_text(encoding="utf-8"))))
    except (OSError, ValueError) as error:
        parser.error(f"expected a file of traces in JSON, got {asked.file}: {error}")
    if not found:
        parser.error(f"expected lists of traces in {asked.file}, got none")
    good = 0
    for trace in found:
        line = answer(trace, engines)
        print(json.dumps(line), flush=True)
        good += line["ok"]
    print(json.dumps({"replayed": len(found), "as recorded": good}))
    raise SystemExit(good != len(found))


def traces(found: Any) -> Iterator[dict[str, Any]]:
    """Yields what looks like a trace, in a list or in the lists of an object."""
    for value in found.values() if isinstance(found, dict) else [found]:
        yield from (one for one in value if "inputs" in one) if isinstance(value, list) else ()


def answer(trace: State, engines: Sequence[str] = ("book", "kernel")) -> State:
    """Returns whether engines play a trace as it was recorded."""
    told: State = {"name": trace["name"], "ok": True}
    for engine in engines:
        wrong = differs(trace, ENGINES[engine](trace))
        if wrong is not None:
            told = {**told, "ok": False, engine: wrong}
    return told


def differs(trace: State, played: Played) -> State | None:
    """Returns the first tick at which a trace is played otherwise, with what was expected and what came."""
    states, check = played
    for wanted, came in zip(trace["states"], states, strict=True):
        if came != wanted:
            names = [name for name in came if came[name] != wanted.get(name)]
            return {
                "tick": wanted["tick"],
                "expected": {name: wanted.get(name) for name in names},
                "got": {name: came[name] for name in names},
            }
    if check != trace["crc32"]:
        return {"tick": None, "expected": {"crc32": trace["crc32"]}, "got": {"crc32": check}}
    return None


def by_ticks(kind: type[Game] | type[CompiledGame], trace: State) -> Played:
    """Plays a trace tick by tick in Python."""
    keys, told = dict(map(tuple, trace["inputs"])), {state["tick"] for state in trace["states"]}
    game = kind(trace["level"], trace["exit"])
    states, check = [], 0
    for tick in range(trace["ticks"] + 1):
        if tick:
            game.tick(keys.get(tick))
        came = game.state()
        check = zlib.crc32(line_of(came).encode(), check)
        if tick in told:
            states.append(came)
    return states, f"{check:08x}"


def by_page(trace: State, node: bool = True) -> Played:
    """Plays a trace by the page's kernels."""
    from page_guards import recorded

    return recorded(trace, node)


ENGINES: dict[str, Callable[[State], Played]] = {
    "book": partial(by_ticks, Game),
    "kernel": partial(by_ticks, CompiledGame),
    "browser": by_page,
    "chromium": partial(by_page, node=False),
}


def line_of(state: State) -> str:
    """Returns a state as the line that checksums are of."""
    lists = [";".join(" ".join(map(str, row)) for row in state[name]) for name in ("guards", "holes")]
    dig = "-" if state["dig"] is None else " ".join(map(str, state["dig"]))
    gold = ";".join(" ".join(map(str, cell)) for cell in state["gold"])
    runner = " ".join(map(str, [state["tick"], *state["runner"], int(state["falling"])]))
    return "|".join([runner, *lists, dig, str(state["left"]), gold, state["status"]]) + "\n"


if __name__ == "__main__":
    main()
