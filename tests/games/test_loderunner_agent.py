"""The agent of Lode Runner: every plan is played, proofs are true, and hard spots are solved."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import levelsmith
from levelsmith import load, measure, parse
from levelsmith.core import Effort
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.agent.still.solve import solve as agent_solve
from levelsmith.games.loderunner.rules.rules import HIDDEN, TRAP, Blocked, LodeRunnerBoard, replay
from levelsmith.registry import games

TILES = games.get("loderunner").tiles
# Through one layer; through three with a trench; in to gold between walls, and out again beside a ladder.
LAYER = "......\n......\n.M....\nbbbbbb\nG.....\nbbbbbb"
TRENCH = "........\n..M.....\nbbbbbbbb\nbbbbbbbb\nbbbbbbbb\nG.......\nbbbbbbbb"
TRIP = ".......\n.......\n..-M...\nbbG#...\nGbb#BGB\nBBB#BBB"


solve = partial(levelsmith.solve, guards="still")


def plan_of(text, **limits):
    level = parse(text, "loderunner")
    verdict = solve(level, **limits)
    assert verdict.status == "solved"
    replay(level, verdict.solution)
    return verdict


def test_a_plan_digs_where_it_must():
    assert plan_of(LAYER).metrics["digs"] == 1
    assert plan_of(TRENCH).metrics["digs"] == 6
    verdict = plan_of(TRIP)
    assert verdict.metrics["digs"] >= 3
    assert sorted(verdict.statistics["gold_order"]) == [[0, 4], [2, 3], [5, 4]]


def test_a_plan_is_the_same_again_and_its_metrics_are_the_levels():
    level = parse(TRIP, "loderunner")
    first, second = (agent_solve(level, Effort(seconds=None)) for _ in range(2))
    assert first.solution == second.solution
    with_plan = type(level)(level.game, level.tiles, level.grid, solution=first.solution)
    assert measure(with_plan)["moves"] == first.metrics["moves"] == len(first.solution)
    assert measure(level)["moves"] is None


def test_what_nobody_can_collect_is_proved_and_named():
    verdict = solve(parse("......\n.M..BB\nbb#bBG\n..#.BB\n..#...\nbbbbbb", "loderunner"))
    assert verdict.status == "unsolvable"
    assert verdict.statistics["why"] == "the gold at row 3, column 6 is out of reach"
    verdict = solve(parse("......\n..M...\n..BB..\n.BBBB.\nGBBBBG\nBBBBBB", "loderunner"))
    assert verdict.status == "unsolvable"
    assert verdict.statistics["why"] == "no walk collects more than 1 of 2 pieces of gold"


def test_limits_end_the_search():
    assert solve(parse(TRENCH, "loderunner"), states=1).statistics["limit"] == "states"
    assert solve(parse(TRENCH, "loderunner"), cancel=lambda: True).statistics["limit"] == "cancelled"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("......\n" * 5 + "bbbbbb", "expected one player"),
        ("M.....\n" * 5 + "bbbbbb", "expected one player (M), got 5 at row 1, column 1; row 2"),
        ("......\n" * 5 + "bbbbbM", "expected at least one piece of gold"),
        ("MG\nbb", "expected a level from 6x6 to 64x64 cells, got 2x2"),
    ],
)
def test_levels_that_cannot_be_played_are_refused(text, reason):
    with pytest.raises(LevelsmithError) as caught:
        solve(parse(text, "loderunner"))
    assert reason in str(caught.value)


def can_be_solved(level, most=20_000):
    """By trying everything with the rule book; None where that is too much."""
    board = LodeRunnerBoard(level.grid)
    seen, waiting = set(), [board.start]
    while waiting:
        position = waiting.pop()
        if not position.gold:
            return True
        key = (position.runner, position.gold, tuple(sorted(position.holes.items())))
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > most:
            return None
        for move in "lrudLR":
            try:
                waiting.append(board.step(position, move))
            except Blocked:
                continue
    return False


def test_what_the_agent_says_of_small_levels_is_true():
    rng = np.random.default_rng(5)
    told = {True: 0, False: 0}
    for _ in range(60):
        often = [0.42, 0.29, 0.05, 0.1, 0.05, 0.04, 0.04, 0.01]
        grid = rng.choice([*range(6), TRAP, HIDDEN], (6, 6), p=often).astype(np.uint8)
        grid[5], grid[rng.integers(0, 4), rng.integers(0, 6)] = 2, 5
        grid[rng.integers(0, 4), rng.integers(0, 6)] = 7
        if 5 not in grid or (grid == 7).sum() != 1:
            continue
        level = parse("\n".join(TILES.rows(grid)), "loderunner")
        verdict, truth = agent_solve(level, Effort()), can_be_solved(level)
        if truth is None:
            continue
        told[truth] += 1
        assert verdict.status in (("solved", "unknown") if truth else ("unsolvable", "unknown")), level.text
        assert verdict.status == "solved" or not truth, level.text
    assert min(told.values()) > 5


def test_some_originals_are_solved(data_folder):
    folder = data_folder / "loderunner-vglc" / "levels"
    for number in (2, 14, 117, 120):  # one layer, several, and trips
        (level,) = load(folder / f"Level {number}.txt", game="loderunner")
        verdict = solve(level, seconds=None)
        replay(level, verdict.solution)
    (level,) = load(folder / "Level 64.txt", game="loderunner")
    assert solve(level).status == "unsolvable"
