"""What a page proves of PuzzleScript levels is what the command proves."""

import pytest

from levelsmith.core import Effort
from levelsmith.games.puzzlescript.plain import halves, plain_program
from levelsmith.games.puzzlescript.solve import solve
from levelsmith.registry import games
from levelsmith.studio.compiled import with_files

PROVE = """
import { programOf } from "./games/puzzlescript/game.js";
import { prove } from "./games/puzzlescript/prove.js";
import { Session } from "./games/puzzlescript/session.js";
import { carried, loaded } from "./kernels.js";

export default async function answer({ kernels, asked }) {
  const compiled = await loaded("puzzlescript", carried({ puzzlescript: kernels }));
  return asked.map(({ program: told, board, keys = null, ...limits }) => {
    const program = programOf(told);
    let position = null;
    if (keys) {
      const session = new Session(compiled, { ...program, levels: [board] });
      for (const key of keys) session.press(key);
      position = session.position;
    }
    const steps = prove(compiled, { program, ...board, position, ...limits });
    let [found, looks] = [steps.next(), 0];
    for (; !found.done; looks += 1) found = steps.next();
    return { ...found.value, looks };
  });
}
"""


@pytest.fixture(scope="module")
def prove(javascript):
    """What the page proves of levels, each [game, level, {...}]."""

    def proved(asked):
        told = [
            {"program": plain_program(game.program), "board": board(game, level), **more}
            for game, level, more in asked
        ]
        return javascript(PROVE, {"kernels": with_files("puzzlescript"), "asked": told})

    return proved


def board(game, level):
    height, width = level.size
    return {"height": height, "width": width, "board": halves(game.cells.board(level.grid))}


def test_shipped(prove):
    asked = [(games.get(name), level, {}) for name in games.sources for level in games.get(name).levels()]
    asked = [one for one in asked if one[0].is_solvable]
    found = prove(asked)
    for (game, level, _), told in zip(asked, found, strict=True):
        verdict = solve(game, level, Effort(), False, False, None, plain=True)
        print(game.name, verdict.statistics, told)
        assert (told["status"], told["solution"], told["states"], told["turns"]) == (
            verdict.status,
            verdict.solution,
            verdict.statistics["states"],
            verdict.statistics["turns"],
        )
