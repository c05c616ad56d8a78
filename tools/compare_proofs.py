"""Proves levels by the command's solver and by that of a page, and says whether both say the same.

python tools/compare_proofs.py GAME [FILE] [--levels N] [--positions N] [--engine chromium]

GAME is `sokoban` or `puzzlescript`. FILE holds levels of Sokoban, or recorded games as in
`replay_sessions.py`; without one Sokoban levels are made, and the PuzzleScript games that ship are taken.
Levels are compared until so many are solved. With `--positions N` positions after random keys are compared
instead, until N are lost and N can be won. A line of JSON for each says what the command says (`status`) and
whether the page says the same (`ok`): the status, the solution to the letter, and for PuzzleScript how many
states were met and why it is lost. The command plays the whole game here, as a page does. What it does not
decide within so many states, or soon, is left out. The last line counts.

`browser` is the page's kernels in node, or where there is none in Chromium.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pages import Page

import levelsmith
from levelsmith.core import Effort, Level, Verdict
from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.kernels.codes import CHECKPOINT, PENDING, RESTART, WON
from levelsmith.games.puzzlescript.live import number_of
from levelsmith.games.puzzlescript.traits import why_not
from levelsmith.games.sokoban.rules.rules import SokobanBoard, drawn
from levelsmith.games.sokoban.solver.solve import solve
from levelsmith.registry import games
from levelsmith.studio.catalogue import game_entry
from levelsmith.studio.compiled import with_files

SEED = 47
LARGEST = 150  # cells of a PuzzleScript level
COUNTS = (4, 8, 12, 16, 20, 25, 30, 40, 50, 60)  # random keys before a position
SECONDS = 60.0  # for what takes a fraction of one where nothing else runs
FEW_SECONDS = 5.0  # for a level of which a turn may take one
SOKOBAN = """
import { boardOf } from "./games/sokoban/game.js";
import { solve } from "./games/sokoban/solve.js";
import { carried, loaded } from "./kernels.js";

let compiled = null;

export default async function proved({ kernels, kind, text, seconds }) {
  compiled ??= await loaded("sokoban", carried({ sokoban: kernels }));
  const started = performance.now();
  const steps = solve(compiled, { board: boardOf(kind, text), seconds });
  let found = steps.next();
  while (!found.done) found = steps.next();
  return { ...found.value, milliseconds: performance.now() - started };
}
"""
PUZZLESCRIPT = """
import { boardOf, programOf } from "./games/puzzlescript/game.js";
import { prove } from "./games/puzzlescript/prove.js";
import { Session } from "./games/puzzlescript/session.js";
import { carried, loaded } from "./kernels.js";

let compiled = null;

export default async function proved({ kernels, game, text, keys = null, ...limits }) {
  compiled ??= await loaded("puzzlescript", carried({ puzzlescript: kernels }));
  const [board, program] = [boardOf(game, text), programOf(game.program)];
  let position = null;
  if (keys) {
    const { KEYS } = compiled.constants.solve;
    const session = new Session(compiled, { ...program, levels: [board] });
    for (const key of keys) session.press(KEYS[key]);
    position = session.position;
  }
  const started = performance.now();
  const steps = prove(compiled, { program, ...board, position, ...limits });
  let found = steps.next();
  while (!found.done) found = steps.next();
  return { ...found.value, milliseconds: performance.now() - started };
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=PROVERS)
    parser.add_argument("file", type=Path, metavar="FILE", nargs="?")
    parser.add_argument("--levels", type=int, default=300, metavar="N", help="levels that are solved")
    parser.add_argument("--positions", type=int, metavar="N", help="lost ones, and ones that can be won")
    parser.add_argument("--states", type=int, default=20_000, metavar="N", help="of what is compared at most")
    parser.add_argument("--engine", choices=("browser", "chromium"), default="browser")
    asked = parser.parse_args()
    try:
        prover = PROVERS[asked.game](asked.file, asked.states, asked.engine == "browser")
    except (OSError, ValueError, LevelsmithError) as error:
        parser.error(f"expected a file of levels or of recorded games, got {asked.file}: {error}")
    wanted = {"solved": asked.levels}
    if asked.positions is not None:
        wanted = {"solved": asked.positions, "unsolvable": asked.positions}
    counts = Counter(dict.fromkeys(("solved", "unsolvable"), 0))
    wrong = 0
    for line in compared(prover, wanted, asked.positions is not None, counts):
        print(json.dumps(line), flush=True)
        wrong += not line["ok"]
    print(json.dumps({"compared": sum(counts.values()), **counts, "otherwise": wrong}))
    raise SystemExit(wrong > 0 or any(counts[status] < number for status, number in wanted.items()))


def compared(
    prover: Any, wanted: dict[str, int], positions: bool, counts: Counter[str]
) -> Iterator[dict[str, Any]]:
    """Yields for each level or position whether the page says what the command says, until there are enough
    of each kind that is wanted."""
    for level, keys in prover.positions() if positions else ((level, "") for level in prover.levels()):
        verdict = prover.here(level, keys)
        status = verdict.status
        if status == "unknown" or counts[status] >= wanted.get(status, counts[status] + 1):
            continue
        told = prover.there(level, keys)
        counts[status] += 1
        differs = [name for name, value in prover.expected(verdict).items() if told[name] != value]
        line = {"game": level.game, "title": level.title, "keys": keys, "status": status, "ok": not differs}
        yield {**line, **({"differs": differs} if differs else {})}
        if all(counts[kind] >= number for kind, number in wanted.items()):
            return


class SokobanProver:
    """Levels of Sokoban, made or from a file; a position is a level of its own, as it is in a page."""

    def __init__(self, file: Path | None, states: int, node: bool):
        self.found, self.states = levelsmith.load(file) if file else None, states
        kind = {"tiles": game_entry(games.get("sokoban"))["tiles"]}
        self.page = partial(
            told_by, Page.of(SOKOBAN, node), with_files("sokoban"), kind=kind, seconds=SECONDS
        )

    def levels(self) -> Iterator[Level]:
        """Yields levels; those that are made never end."""
        made = levelsmith.endless("sokoban", size=(7, 7), search="carve", set={"boxes": 3}, seed=SEED)
        yield from self.found if self.found is not None else made

    def positions(self) -> Iterator[tuple[Level, str]]:
        dice = np.random.default_rng(SEED)
        for level in self.levels():
            board = SokobanBoard(level.grid)
            for _ in COUNTS:
                position = board.start
                for move in dice.choice(list("udlr"), dice.integers(10, 120)):
                    position = board.step(position, str(move)) or position
                yield replace(level, grid=drawn(board, position), solution=None), ""

    def here(self, level: Level, keys: str) -> Verdict:
        soon = solve(level, Effort(states=self.states, seconds=None))
        if soon.status == "unknown" or (soon.status == "solved" and not soon.optimal):
            return replace(soon, status="unknown")  # with more states it may have fewer moves
        return self.solve(level)

    def solve(self, level: Level) -> Verdict:
        return solve(level, Effort(seconds=SECONDS))

    def there(self, level: Level, keys: str) -> dict[str, Any]:
        return self.page(text=level.text)

    @staticmethod
    def expected(verdict: Verdict) -> dict[str, Any]:
        return {"status": verdict.status, "solution": verdict.solution, "optimal": verdict.optimal}


class PuzzleProver:
    """Levels of PuzzleScript games that the solver is made for, the smaller ones."""

    def __init__(self, file: Path | None, states: int, node: bool):
        sources = list(games.sources.items())
        if file is not None:
            entries = json.loads(gzip.decompress(file.read_bytes()))
            sources = [(entry["game"], entry["source"]) for entry in entries]
        self.sources, self.states = sources, states
        self.games: dict[str, PuzzleGame] = {}
        self.page = partial(told_by, Page.of(PUZZLESCRIPT, node), with_files("puzzlescript"), states=states)

    def levels(self) -> Iterator[Level]:
        for name, source in self.sources:
            try:
                game = PuzzleGame(name, source)
            except LevelsmithError:
                continue
            if why_not(game.program.tables):
                continue
            vars(game.program)["decided"] = None  # the whole game is played, as in a page
            self.games[name] = game
            yield from (level for level in game.levels() if level.grid.size <= LARGEST)

    def positions(self) -> Iterator[tuple[Level, str]]:
        dice = np.random.default_rng(SEED)
        for level in self.levels():
            game = self.games[level.game]
            commands = np.bitwise_or.reduce(game.program.tables.rules.commands)
            if game.program.tables.start_turn or commands & (CHECKPOINT | RESTART):
                continue  # where the command begins with a board, a page would not
            for count in COUNTS:
                keys = "".join(game.letters[i] for i in dice.integers(len(game.letters), size=count))
                if self.after(level, keys) is not None:
                    yield level, keys

    def after(self, level: Level, keys: str) -> Level | None:
        """Returns the level as it stands after some keys; None where they win it, or do not come to rest, or
        where its tiles do not tell all that lies there."""
        game = self.games[level.game]
        engine = game.engine_at(level.grid)
        outcomes = engine.play([number_of(key) for key in keys])
        if any(outcome & (WON | PENDING) for outcome in outcomes):
            return None
        grid = game.cells.grid(engine.board(), *level.size)
        told = np.array_equal(game.engine_at(grid).board(), engine.board())
        return replace(level, grid=grid, solution=None) if told else None

    def here(self, level: Level, keys: str) -> Verdict:
        stands = self.after(level, keys) if keys else level
        return self.solve(stands or level)

    def solve(self, level: Level) -> Verdict:
        return self.games[level.game].solve(level, Effort(states=self.states, seconds=FEW_SECONDS))

    def there(self, level: Level, keys: str) -> dict[str, Any]:
        more = {"keys": keys} if keys else {}
        return self.page(game=in_page(self.games[level.game]), text=level.text, **more)

    @staticmethod
    def expected(verdict: Verdict) -> dict[str, Any]:
        told = {"status": verdict.status, "solution": verdict.solution}
        told |= {"optimal": verdict.optimal and verdict.solution is not None}
        told |= {name: verdict.statistics[name] for name in ("states", "turns")}
        return {**told, "why": verdict.statistics.get("why")} if verdict.status == "unsolvable" else told


PROVERS: dict[str, Any] = {"sokoban": SokobanProver, "puzzlescript": PuzzleProver}


def told_by(page: Page, kernels: Any, **asked: Any) -> dict[str, Any]:
    """Returns what a page says."""
    found: dict[str, Any] = page({"kernels": kernels, **asked})
    return found


def in_page(game: PuzzleGame) -> dict[str, Any]:
    """Returns what the page where levels are drawn is sent, of all tiles."""
    tiles: Sequence[dict[str, Any]] = [
        {"char": tile.symbol, **game.brush(number), "below": None} for number, tile in enumerate(game.tiles)
    ]
    return {"name": game.name, "program": game.plain, "tiles": tiles}


if __name__ == "__main__":
    main()
