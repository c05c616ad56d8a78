import numpy as np
import pytest

import dungeon
import levelsmith
from dungeon.kernels import make, metric
from dungeon.rules import played, shortest
from levelsmith.plugin import LevelsmithError, OwnGame, check_game, games

SMALL = """\
@.#X
#.#D
k..."""
GAME = dungeon.GAME


@pytest.fixture(autouse=True)
def registered():
    if "dungeon" not in games:
        games.register("dungeon", GAME)


def grid_of(text):
    return levelsmith.parse(text, game="dungeon").grid


def test_the_game_keeps_every_promise():
    check_game(GAME)


def test_the_shortest_way_takes_the_key_and_opens_the_door():
    assert shortest(grid_of(SMALL)) == "rddlrrruu"
    assert shortest(grid_of(SMALL), with_key=False) is None
    assert shortest(grid_of(SMALL.replace("k", "."))) is None
    assert shortest(grid_of(SMALL.replace("@", "."))) is None


def test_the_referee_accepts_the_way_and_nothing_else():
    grid = grid_of(SMALL)
    frames = played(grid, "rddlrrruu")
    assert len(frames) == 10
    assert (frames[-1] == 2).sum() == 1
    assert frames[-1][0, 3] == 2
    for moves, message in {
        "rddlrrru": "not at the exit",
        "rddrru": "locked door",
        "rr": "a wall",
        "u": "the edge",
        "rx": "is none",
        "rddlrrruud": "until the exit",
    }.items():
        with pytest.raises(LevelsmithError, match=message):
            played(grid, moves)


def test_random_dungeons_are_measured_alike_compiled_and_walked_by_the_referee():
    draw = np.random.default_rng(0)
    kinds = np.array([0] * 10 + [1] * 6 + [2, 3, 4, 5])
    solved = 0
    for _ in range(200):
        grid = kinds[draw.integers(0, len(kinds), (5, 6))].astype(np.uint8)
        plain = [float(value) for value in GAME.measured(grid).values()]
        assert [metric(make((5, 6)), grid.ravel(), k) for k in range(6)] == plain
        way = shortest(grid)
        if (grid == 2).sum() == 1 and way is not None:
            played(grid, way)
            solved += 1
    assert solved > 10


def test_the_same_seed_gives_the_same_level_in_plain_python():
    class Plain(dungeon.Dungeon):
        name = "plain_dungeon"
        compiled = OwnGame.compiled

    games.register("plain_dungeon", Plain())
    try:
        fast, slow = (levelsmith.generate(name, seed=3) for name in ("dungeon", "plain_dungeon"))
    finally:
        games.unregister("plain_dungeon")
    assert fast.best.text == slow.best.text
    assert fast.solved
    assert fast.best.solution == slow.best.solution != ""
    assert levelsmith.solve(fast.best).solution == fast.best.solution


def test_a_dungeon_without_a_hero_cannot_be_solved():
    with pytest.raises(LevelsmithError, match="one hero, got 0"):
        levelsmith.solve(levelsmith.parse("X...", game="dungeon"))
