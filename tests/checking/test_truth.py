"""Verdicts held against what is known otherwise: linear algebra, recorded wins, plain searches."""

from __future__ import annotations

import contextlib
import copy
import gzip
import json
from collections import Counter, deque
from itertools import islice

import numpy as np
import pytest

import levelsmith
from levelsmith.checking.examine import Job, examined
from levelsmith.core import Effort, Level
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.rules.game import Game
from levelsmith.games.loderunner.rules.men import DEAD, WON
from levelsmith.games.loderunner.rules.men import KEYS as LODE_RUNNER_KEYS
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.live import KEYS
from levelsmith.games.puzzlescript.traits import why_not
from levelsmith.games.sokoban.rules.bound_part import fewest
from levelsmith.games.sokoban.rules.rules import replay
from levelsmith.levels.certificate.verify_certificate import TooMany
from levelsmith.registry import games
from reference.puzzlescript import Twin

STATES = 5_000  # that are looked at in a level with a recorded win
LIGHTS = """title Lights out

OBJECTS

Background
black

On
yellow

Off
grey

Toggle
red

Player
white
.....
.000.
.000.
.000.
.....

LEGEND

. = Off
1 = On
p = Player and Off
q = Player and On

SOUNDS

COLLISIONLAYERS

Background
On, Off
Toggle
Player

RULES

[ action Player | ] -> [ action Player | Toggle ]
[ action Player ] -> [ Player Toggle ]
[ Toggle On ] -> [ Off ]
[ Toggle Off ] -> [ On ]

WINCONDITIONS

No On

LEVELS

"""


def can_be_put_out(lights):
    """Whether some set of presses puts all lights out: a linear system over the field of two elements."""
    height, width = lights.shape
    rows = []
    for at in np.ndindex(height, width):
        row = 0
        for step in ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)):
            there = at[0] + step[0], at[1] + step[1]
            if 0 <= there[0] < height and 0 <= there[1] < width:
                row |= 1 << (there[0] * width + there[1])
        rows.append(row)
    basis: list[int] = []
    for row in rows:
        for one in basis:
            row = min(row, row ^ one)
        if row:
            basis.append(row)
    left = int("".join("1" if on else "0" for on in lights.ravel()[::-1]), 2)
    for one in sorted(basis, reverse=True):
        left = min(left, left ^ one)
    return left == 0


def lights_out(size, seed):
    """Seven levels of which one can be put out, and which one that is."""
    rng = np.random.default_rng(seed)
    found, right = [], int(rng.integers(7))
    while len(found) < 7:
        lights = rng.integers(0, 2, size).astype(bool)
        if lights.any() and can_be_put_out(lights) == (len(found) == right):
            found.append(lights)
    levels = []
    for lights in found:
        rows = ["".join(".1"[int(on)] for on in row) for row in lights]
        rows[0] = "pq"[int(lights[0, 0])] + rows[0][1:]
        levels.append("\n".join(rows) + "\n")
    return LIGHTS + "\n".join(levels), right


@pytest.mark.parametrize("size", [(2, 3), pytest.param((4, 4), marks=pytest.mark.slow)], ids=str)
def test_six_of_seven_levels_of_lights_out_cannot_be_won_and_all_six_are_named(found, tmp_path, size):
    text, right = lights_out(size, seed=4)
    (tmp_path / "lights.txt").write_text(text)
    status, findings, told, _ = found("lights.txt", "--seconds", 120, "--finding", "duplicate=off")
    named = {one["level"] for one in told["findings"] if one["name"] == "unwinnable"}
    assert status == 1
    assert named == {f"lights.txt#{i + 1}" for i in range(7) if i != right}
    assert told["levels"][right]["status"] == "won"
    lines = text.split("\n")
    for name, _, line, column in findings:
        assert name == "unwinnable"
        assert set(lines[line - 1]) <= set(".1pq")
        assert column == 1


@pytest.mark.data
@pytest.mark.slow(25)
@pytest.mark.parametrize("share", range(4))
def test_no_level_with_a_recorded_win_is_called_unwinnable(data_folder, share):
    """Of the games that leave nothing to chance: each level whose recorded keys the rules accept."""
    folder = data_folder / "puzzlescript"
    entries = json.loads(gzip.decompress((folder / "solutions.json.gz").read_bytes()))
    levels, unwinnable, proved = 0, [], 0
    for entry in entries[share::4]:
        try:
            game = PuzzleGame(entry["game"], entry["source"])
        except LevelsmithError:
            continue
        if why_not(game.program.tables):
            continue
        boards = [i for i, level in enumerate(game.program.levels) if level.board is not None]
        for number, level in zip(boards, game.levels(), strict=True):
            keys = entry["solutions"][number] if number < len(entry["solutions"]) else None
            if not keys or not wins(game, level, keys):
                continue
            verdict = game.solve(level, Effort(states=STATES, seconds=None))
            levels += 1
            proved += verdict.status == "solved"
            if verdict.status == "unsolvable":
                unwinnable.append((entry["game"], number))
    print(f"{levels} levels with a recorded win, {proved} of them proved here, {len(unwinnable)} unwinnable")
    assert unwinnable == []
    assert levels >= 60


def wins(game, level, keys):
    """Whether recorded keys win a level by the rules, at any point."""
    session = game.session(level)
    for key in keys:
        if key in "WASDX":
            session.press("WASDX".index(key))
        if session.won:
            return True
    return False


def broken(level, rng):
    """A level with one cell changed to another tile."""
    grid = level.grid.copy()
    at = tuple(rng.integers(grid.shape))
    grid[at] = rng.integers(level.tiles.kinds)
    return Level(level.game, level.tiles, grid)


def verdict_of(level, states):
    """What a check says of a level; None where it is no level, or a limit was reached."""
    effort = Effort(states=states, seconds=None)
    answer = examined(Job(level, ["verdict"], effort=effort))["verdict"]
    return answer if answer["status"] in ("won", "winnable", "unwinnable") else None


def broken_sokoban(rng):
    """Yields levels with what a check says of each, and what a search says that shares no code with it."""
    made = levelsmith.generate("sokoban", size=(5, 5), set={"boxes": 2}, count=20, seed=5).levels
    while True:
        level = broken(made[rng.integers(len(made))], rng)
        verdict = verdict_of(level, 1_000_000)
        if verdict is not None:
            with contextlib.suppress(TooMany):
                least = fewest(level.grid.tolist(), 1_000)
                if verdict["solution"] is not None:
                    replay(level, verdict["solution"])
                    assert verdict["metrics"]["pushes"] == least
                yield level, verdict, least is not None


def broken_scripts(rng):
    """The same, by all states that the twin of the interpreter comes to."""
    small = [games.get(name) for name in ("puzzlescript:crates", "puzzlescript:keys", "puzzlescript:paint")]
    while True:
        game = small[rng.integers(len(small))]
        level = broken(window(game, rng), rng)
        verdict = verdict_of(level, 2_000)
        if verdict is not None and verdict["solution"] is not None:
            session = game.session(level, Twin)
            for letter in verdict["solution"]:
                session.press(KEYS[letter])
            yield level, verdict, bool(session.won)
        elif verdict is not None:
            yield level, verdict, plain_search(game, level)


def broken_caves(rng):
    """The same, by going from cell to cell."""
    rows = ["#######", "......#", "#####.#", "#.....#", "#.#####", "#......", "#######"]
    start = levelsmith.parse("\n".join(rows), game="binary")
    while True:
        level = broken(start, rng)
        verdict = verdict_of(level, None)
        if verdict is not None:
            yield level, verdict, leads_through(level.grid)


def broken_mines(rng):
    """The same, of Lode Runner: every key at every tick, by the rule book."""
    rows = ["G.....", "B#BBBB", ".#....", "BBBB#B", "....#.", "B#BBBB", ".#...M", "BBBBBB"]
    start = levelsmith.parse("\n".join(rows), game="loderunner")
    while True:
        level = broken(start, rng)
        verdict = verdict_of(level, None)
        if verdict is not None:
            with contextlib.suppress(TooMany):
                yield level, verdict, can_be_won(Game(level.text.split("\n")), 4_000)


@pytest.mark.slow(15)
@pytest.mark.parametrize(
    ("source", "count"),
    [(broken_sokoban, 200), (broken_scripts, 200), (broken_caves, 50), (broken_mines, 50)],
    ids=["sokoban", "scripts", "caves", "mines"],
)
def test_500_levels_broken_by_one_cell_are_as_plain_searches_say(source, count):
    told = Counter()
    for level, verdict, truth in islice(source(np.random.default_rng(11)), count):
        assert (verdict["status"] != "unwinnable") == truth, level.text
        told[verdict["status"]] += 1
    print(dict(told))
    assert min(told["unwinnable"], told["won"] + told["winnable"]) > count // 50


def leads_through(grid):
    """Whether the two empty cells in the border of a map are connected."""
    height, width = grid.shape
    border = {(y, x) for y, x in np.ndindex(height, width) if y in (0, height - 1) or x in (0, width - 1)}
    start, end = (cell for cell in sorted(border) if grid[cell] == 0)
    seen, queue = {start}, [start]
    for y, x in queue:
        for there in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
            inside = 0 <= there[0] < height and 0 <= there[1] < width
            if inside and grid[there] == 0 and there not in seen:
                seen.add(there)
                queue.append(there)
    return end in seen


def can_be_won(game, most):
    """Whether any keys win a game of Lode Runner, pressed at any tick."""
    seen, queue = set(), deque([game])
    while queue:
        before = queue.popleft()
        for key in LODE_RUNNER_KEYS:
            game = copy.deepcopy(before)
            how = game.tick(key)
            if how == WON:
                return True
            state = repr(({**game.state(), "tick": 0}, game.key))
            if how != DEAD and state not in seen:
                seen.add(state)
                queue.append(game)
        if len(seen) > most:
            raise TooMany
    return False


def window(game, rng):
    """A part of a level of a game, of at most 5x5 cells."""
    levels = game.levels()
    level = levels[rng.integers(len(levels))]
    size = np.minimum(level.grid.shape, 5)
    row, col = (rng.integers(side - part + 1) for side, part in zip(level.grid.shape, size, strict=True))
    return Level(level.game, level.tiles, level.grid[row : row + size[0], col : col + size[1]].copy())


def plain_search(game, level):
    """Whether any keys win a level, by the twin: all states are met, nearest first."""
    session = game.session(level, Twin)
    engine, on_win = session.engine, session.engine.on_win
    start = tuple(engine.objects), tuple(engine.target)
    seen, queue = {start}, deque([start])
    while queue:
        objects, target = queue.popleft()
        for letter in game.letters:
            engine.objects, engine.target = list(objects), list(target)
            engine.on_win, session.won = on_win, 0
            session.press(KEYS[letter])
            if session.won:
                return True
            found = tuple(engine.objects), tuple(engine.target)
            if found not in seen:
                seen.add(found)
                queue.append(found)
    return False
