"""Games of Lode Runner with guards to play again: recorded ones, our own situations, and random ones."""

import json
import sys
import zlib
from pathlib import Path

from levelsmith.games.loderunner.rules.game import Game

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import check_plans as plays  # noqa: F401 - for who tests it
import replay_traces as tool

SITUATIONS_FILE = Path(__file__).parent / "games" / "situations.json"
SITUATIONS = json.loads(SITUATIONS_FILE.read_text())


def recorded_in(data_folder):
    """The traces of the facts: own levels, played alike by three programs."""
    return list(tool.traces(json.loads((data_folder / "loderunner-guards" / "traces.json").read_text())))


def random_level(rng):
    """Rows of text with one runner, up to seven guards, hidden ladders and trap bricks."""
    height, width = rng.randint(6, 12), rng.randint(8, 16)
    rows = [rng.choices(".b#-GBht", [45, 30, 12, 6, 4, 3, 2, 2], k=width) for _ in range(height)]
    cells = rng.sample([(y, x) for y in range(height) for x in range(width)], 1 + rng.randint(0, 7))
    for (y, x), symbol in zip(cells, "MEEEEEEE", strict=False):
        rows[y][x] = symbol
    return ["".join(row) for row in rows]


def random_trace(rng, name, most=300, every=20):
    """A random game by the rule book, in the form of a recorded one."""
    level, leaves = random_level(rng), rng.random() < 0.3
    game, inputs, states, check = Game(level, leaves), [], [], 0
    while True:
        state = game.state()
        check = zlib.crc32(tool.line_of(state).encode(), check)
        over = game.ticks == most or game.status != "playing"
        if over or game.ticks % every == 0:
            states.append(state)
        if over:
            break
        key = rng.choice("lrudLR.") if game.ticks % rng.choice((3, 7, 12)) == 0 else None
        if key:
            inputs.append([game.ticks + 1, key])
        game.tick(key)
    made = {"name": name, "level": level, "exit": leaves, "inputs": inputs, "ticks": game.ticks}
    return {**made, "states": states, "crc32": f"{check:08x}"}
