"""PuzzleScript in pages does what the engines in Python do, after every input."""

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.games.puzzles import KEYS, source
from tests.games.test_puzzlescript_kernel import random_game
from tests.games.test_puzzlescript_rules import CHECKS

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.compile import compile_game
from levelsmith.games.puzzlescript.plain import plain_program
from levelsmith.games.puzzlescript.session import board_text
from levelsmith.studio.compiled import with_files

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from replay_sessions import PLAY, by_kernel

ALL = f"""
{PLAY.replace("export default", "")}
export default ({{ kernels, jobs }}) => Promise.all(jobs.map((job) => play({{ ...job, kernels }})));
"""
MESSAGES = """
import { programOf } from "./games/puzzlescript/game.js";
import { Session } from "./games/puzzlescript/session.js";
import { carried, loaded } from "./kernels.js";

export default async function messages({ kernels, program }) {
  const compiled = await loaded("puzzlescript", carried({ puzzlescript: kernels }));
  const session = new Session(compiled, programOf(program));
  return [3, 1, 1, 1, 3].map((key) => {
    session.press(key);
    return session.message;
  });
}
"""


@pytest.fixture(scope="module")
def page(javascript):
    """What the page makes of some jobs."""
    return lambda jobs: javascript(ALL, {"kernels": with_files("puzzlescript"), "jobs": list(jobs)})


def job(text, inputs, level=0, seed="1"):
    """Returns a program, and what is to be played of it."""
    program = compile_game(text)
    return program, {"program": plain_program(program, seed), "level": level, "inputs": inputs, "trail": True}


def outcome(program, seed, inputs):
    try:
        return {"trail": by_kernel(program, 0, seed, inputs, trail=True).trail}
    except LevelsmithError as error:
        return {"error": str(error)}


def test_small_games_and_random_ones_are_played_alike(page):
    jobs = [(*job(source(**game), [KEYS[key] for key in keys]), "1") for game, keys, _ in CHECKS.values()]
    for seed in range(24):
        rng = np.random.default_rng(seed)
        text = random_game(rng)
        inputs = [
            int(key) if key < 5 else ("tick", "undo", "restart")[key - 5] for key in rng.integers(0, 8, 12)
        ]
        try:
            jobs.append((*job(text, inputs, seed="7"), "7"))
        except LevelsmithError:
            continue
    inputs = 0
    for (program, asked, seed), told in zip(jobs, page(asked for _, asked, _ in jobs), strict=True):
        expected = outcome(program, seed, asked["inputs"])
        assert {name: told[name] for name in expected} == expected, program.source.prelude
        inputs += len(expected.get("trail", ()))
    assert len(jobs) > 25
    assert inputs > 150


@pytest.mark.data
def test_recorded_sessions_end_as_recorded(data_folder, page):
    entries = json.loads(gzip.decompress((data_folder / "puzzlescript" / "sessions.json.gz").read_bytes()))
    found = []
    for name, (text, inputs, final, *rest) in entries[::8]:
        level, seed = int((rest[0] if rest else 0) or 0), str((rest[1] if len(rest) > 1 else None) or "1")
        found.append((name, final, *job(text, inputs, level, seed)))
    wrong, inputs = [], 0
    for (name, final, program, _), told in zip(found, page(one[3] for one in found), strict=True):
        shown = program.levels[told["level"]]
        board = np.array(told["board"], np.uint32).view("<u8").reshape(-1, program.tables.words)
        if board_text(program.names, board, shown.height, shown.width) != final:
            wrong.append(name)
        inputs += told["used"]
    assert wrong == []
    assert len(found) > 40
    assert inputs > 1000


def test_rules_without_end_are_given_up(page):
    rules = "[ ] [ ] [ ] [ ] -> [ Ma ] [ ] [ ] [ Mb ]"
    _, asked = job(source(rules=rules, levels="P" + "." * 119), [3])
    (told,) = page([asked])
    assert told == {"error": "expected rules that come to an end, got a turn that does not on 120 cells"}


def test_a_message_comes_with_the_key_that_brings_it(javascript):
    rules = "[ > Player | Wall ] -> message Ouch ; [ > Player | Crate ] -> cancel"
    program = plain_program(compile_game(source(rules=rules, levels="#.P.")))
    told = javascript(MESSAGES, {"kernels": with_files("puzzlescript"), "program": program})
    assert told == ["", "", "", "Ouch", ""]
