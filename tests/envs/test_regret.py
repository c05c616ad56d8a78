"""A regret is the best return minus the return, and is told where the best is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import levelsmith
from levelsmith.core import Effort
from levelsmith.envs.play import PlayEnv, PlayVectorEnv
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.rules.rules import SokobanBoard
from levelsmith.games.sokoban.solver.solve import fewest_moves, solve

SMALL = {"size": (5, 5), "boxes": 2, "pushes": (2, 12), "optimal": False}


ENDLESS = Effort(seconds=None)
# Two more pushes spare six steps of walking, four moves in all.
APART = """
##########
####@#####
####$#####
#### #####
####..####
# .   ####
# $$ $####
###   ####
###. #####
##########
"""


def fewest(level):
    """The length of a shortest solution, by looking at every position in the rule book's own steps."""
    board = SokobanBoard(level.grid)
    seen, ring, moves = {board.start}, [board.start], 0
    while ring:
        if any(board.is_solved(position) for position in ring):
            return moves
        moves += 1
        after = {board.step(position, letter) for position in ring for letter in "udlr"} - {None} - seen
        seen |= after
        ring = list(after)
    return None


def play(env, letters):
    total = 0.0
    for letter in letters:
        _, reward, terminated, truncated, told = env.step("udlr".index(letter.lower()))
        total += reward
    assert terminated or truncated
    return total, told


def test_the_optimum_is_the_shortest_of_all_solutions():
    env = PlayEnv("sokoban", **SMALL, exact=True)
    below = 0
    for number in range(12):
        _, info = env.reset(seed=None if number else 5)
        assert info["optimal"] == fewest(info["level"])
        assert 0 <= info["difficulty"] <= 100
        total, told = play(env, info["solution"])
        assert told["regret"] == pytest.approx(0.1 * (len(info["solution"]) - info["optimal"]))
        assert told["return"] == pytest.approx(total)
        below += info["optimal"] < len(info["solution"])
    assert below > 0  # not every solution that levels carry is a shortest
    env.close()


def test_the_fewest_moves_may_need_more_pushes():
    level = levelsmith.parse(APART, "sokoban")
    by_pushes, by_moves = solve(level, ENDLESS, moves=True), fewest_moves(level, ENDLESS)
    pushes = sum(letter.isupper() for letter in by_moves)
    assert (by_pushes.metrics["pushes"], by_pushes.metrics["moves"]) == (13, 29)
    assert (pushes, len(by_moves)) == (15, 25)
    assert len(by_moves) == fewest(level)
    assert fewest_moves(levelsmith.parse("#####\n#@ $#\n#  .#\n#####", "sokoban"), ENDLESS) is None
    assert fewest_moves(level, Effort(states=10, seconds=None)) is None


def test_an_episode_of_another_return_regrets_the_difference():
    env = PlayEnv("sokoban", levels="#####\n#@$.#\n#####", exact=True, max_steps=3)
    _, info = env.reset(seed=0)
    assert info["optimal"] == 1
    assert play(env, "r")[1]["regret"] == 0.0
    env.reset()
    assert play(env, "ur")[1]["regret"] == 0.1
    env.reset()
    assert play(env, "uuu")[1]["regret"] == pytest.approx(-0.1 + 1 + 10 + 0.3)


@pytest.mark.parametrize(
    ("options", "regret"),
    [
        ({}, None),  # the level's solution has the fewest pushes, not the fewest moves
        ({"rewards": {"step": 0}}, 0.0),  # any solution is a best one
        ({"rewards": {"step": 0}, "max_steps": 2}, None),  # that nobody can reach
        ({"rewards": {"step": 0.1}}, None),  # it pays to dawdle
        ({"rewards": {"box": -1}, "exact": True}, None),  # it pays to leave the boxes alone
        ({"exact": True, "max_steps": 2}, None),
        ({"exact": True}, 0.0),
    ],
)
def test_nothing_is_told_that_is_not_known(options, regret):
    level = levelsmith.parse("#######\n#@ $ .#\n#######", "sokoban")
    solved = levelsmith.Level(level.game, level.tiles, level.grid, solution="rRR")
    env = PlayEnv("sokoban", levels=solved, **options)
    env.reset(seed=0)
    assert play(env, "rrr"[: env.table.known.most])[1]["regret"] == regret


def test_lode_runner_knows_the_best_where_steps_cost_nothing():
    level = levelsmith.load("loderunner:corpus#1")[0]
    level = replace(level, solution=levelsmith.solve(level, guards="still").solution)
    env = PlayEnv("loderunner", levels=level, max_steps=10_000, rewards={"step": 0}, guards="still")
    _, info = env.reset(seed=0)
    for letter in info["solution"]:
        *_, told = env.step("lrudLR.".index(letter))
    assert told["regret"] == 0.0
    with pytest.raises(
        LevelsmithError, match="no shortest solutions of loderunner can be proved: leave out exact"
    ):
        PlayEnv("loderunner", levels=level, exact=True)


def test_many_boards_tell_what_each_tells_alone():
    options = {**SMALL, "exact": True, "max_steps": 9}
    boards, alone = PlayVectorEnv("sokoban", 2, **options), [PlayEnv("sokoban", **options) for _ in range(2)]
    _, infos = boards.reset(seed=6)
    told = [env.reset(seed=6 + i)[1] for i, env in enumerate(alone)]
    assert infos["optimal"].tolist() == [info["optimal"] for info in told]
    assert infos["difficulty"].tolist() == [info["difficulty"] for info in told]
    for _ in range(9):
        *_, infos = boards.step(np.zeros(2, np.int64))
        told = [env.step(0)[4] for env in alone]
    for board, info in enumerate(told):
        assert infos["_regret"][board] == (info["regret"] is not None)
        if info["regret"] is not None:
            assert infos["regret"][board] == info["regret"]
    for env in (boards, *alone):
        env.close()
