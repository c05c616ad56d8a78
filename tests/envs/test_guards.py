"""Lode Runner against guards who chase: each step is that of the rule book, and plans win."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

import levelsmith
from levelsmith.envs.play import PlayEnv, PlayVectorEnv
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.arena.kernels import arena as kernels
from levelsmith.games.loderunner.rules import men
from levelsmith.games.loderunner.rules.game import Game

# Ladders, a rope, gold on the ways of two guards, bricks to trap them in.
HALL = "............\n.M.G...G...E\nbbbb#bbbbbbb\nE..G#..---..\nbbbb#bbb..bb\n....#..G....\nbbbbbbbbbbbb"
# The same with a brick that lets fall who steps on it, and a way out at the top.
CLIMB = HALL.replace("............\n.M", "......h.....\n.M", 1).replace("bbbb#bbbbbbb", "tbbb#bbbbtbb", 1)
ALONE = "........\n.M...G..\nbbbbbbbb\n......E.\nbbbbbbbb\nBBBBBBBB"
LETTERS = "lrudLR."
ON = {men.LADDER: kernels.ON_LADDER, men.ROPE: kernels.ON_ROPE, men.BRICK: kernels.IN_HOLE}
GUARD_ON = {
    men.LADDER: kernels.GUARD_ON_LADDER,
    men.ROPE: kernels.GUARD_ON_ROPE,
    men.BRICK: kernels.GUARD_IN_HOLE,
    men.GOLD: kernels.GUARD_ON_GOLD,
}


def place(game):
    return game.runner.row, game.runner.column, game.runner.dy, game.runner.dx


def beyond(game, key):
    sign = -1 if key in "lu" else 1
    return sign * (game.runner.dx if key in "lr" else game.runner.dy)


def pressed(game, key):
    """Plays a step by the rule book: until he is a cell further, stands again, has dug or has waited."""
    if key == ".":
        return waited(game, 5)
    before, behind = place(game), beyond(game, key) < 0
    game.tick(key)
    if key in "LR":
        if game.dig is None:
            return waited(game, 4)
        while game.status == "playing" and game.dig is not None:
            game.tick()
        return None
    for taken in range(400):
        now = place(game)
        if game.status != "playing":
            return None
        if now == before:
            return waited(game, 4) if taken == 0 else None
        further = now[:2] != before[:2]
        if not game.falling and (taken >= 16 or (beyond(game, key) >= 0 and (further or behind))):
            return None
        behind = behind or further
        before = now
        game.tick()
    raise AssertionError


def waited(game, ticks):
    for _ in range(ticks):
        if game.status == "playing":
            game.tick(".")


def seen(game):
    """What an agent sees of a game."""
    told = {men.TRAP: men.BRICK, men.HIDDEN: men.EMPTY}
    view = np.array([[told.get(tile, tile) for tile in row] for row in game.tile], np.uint8)
    for cell, left in game.holes.items():
        view[cell] = kernels.HOLE + (left - 1) * kernels.AGES // men.NUMBERS.open
    for guard in reversed(game.guards):
        view[guard.cell] = GUARD_ON.get(game.tile[guard.row][guard.column], kernels.SEEN_GUARD)
    runner = game.runner
    view[runner.cell] = ON.get(game.tile[runner.row][runner.column], kernels.SEEN_RUNNER)
    return view


@pytest.mark.parametrize("text", [HALL, CLIMB])
def test_a_step_is_that_of_the_rule_book(text):
    env = PlayEnv("loderunner", levels=levelsmith.parse(text, "loderunner"), max_steps=25)
    rng = np.random.default_rng(1)
    met = dict.fromkeys(("dead", "gold", "hole", "trapped", "carried", "cut off"), 0)
    for seed in range(40):
        view, _ = env.reset(seed=seed)
        game = Game(text.splitlines())
        for taken in range(1, 26):
            assert np.array_equal(view, seen(game)), (seed, taken)
            left, action = game.left, int(rng.choice(7, p=[0.2, 0.22, 0.2, 0.1, 0.1, 0.1, 0.08]))
            pressed(game, LETTERS[action])
            view, reward, terminated, truncated, _ = env.step(action)
            won, dead = game.status == "won", game.status == "dead"
            assert reward == pytest.approx(-0.1 + left - game.left + 10 * won - 10 * dead)
            assert (terminated, truncated) == (won or dead, taken == 25 and not won and not dead)
            met["dead"] += dead
            met["gold"] += left > game.left
            met["hole"] += bool(game.holes)
            met["trapped"] += any(guard.mode == "hole" for guard in game.guards)
            met["carried"] += any(guard.count > 0 for guard in game.guards)
            met["cut off"] += truncated
            if terminated or truncated:
                break
    assert min(met.values()) > 0, met


def test_the_masks_are_the_keys_that_do_something():
    env = PlayEnv("loderunner", levels=levelsmith.parse(HALL, "loderunner"))
    env.reset(seed=0)
    assert "".join(np.array(list(LETTERS))[env.action_masks()]) == "lrLR."
    for letter in "rrr":
        env.step(LETTERS.index(letter))
    assert "".join(np.array(list(LETTERS))[env.action_masks()]) == "lrdLR."


def test_a_plan_against_guards_is_played_step_by_step():
    level = levelsmith.parse(ALONE, "loderunner")
    solved = levelsmith.Level(level.game, level.tiles, level.grid, solution="L12 r20 .5")
    env = PlayEnv("loderunner", levels=solved, rewards={"step": 0})
    _, info = env.reset(seed=0)
    assert info["solution"] == "Lrrrr"
    for letter in info["solution"]:
        *_, terminated, _, told = env.step(LETTERS.index(letter))
    assert (terminated, told["solved"], told["regret"]) == (True, True, 0.0)


@pytest.mark.parametrize(
    ("plan", "why"), [("rrrr", "nobody moves in it"), ("r3 l2 r25", "it turns in a cell")]
)
def test_a_plan_that_no_steps_follow_is_not_told(plan, why):
    level = levelsmith.parse(ALONE, "loderunner")
    given = levelsmith.Level(level.game, level.tiles, level.grid, solution=plan)
    _, info = PlayEnv("loderunner", levels=given).reset(seed=0)
    assert info["solution"] is None, why


def test_every_level_that_is_made_has_a_solution_which_steps_follow_to_its_win():
    env = PlayEnv("loderunner", size=(12, 16), count=3, level_seed=5)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        for letter in info["solution"]:
            *_, terminated, truncated, told = env.step(LETTERS.index(letter))
        assert (terminated, truncated, told["solved"]) == (True, False, True)


def test_a_plan_with_other_waits_is_followed_with_whole_ones():
    level = levelsmith.parse(ALONE, "loderunner")
    given = levelsmith.Level(level.game, level.tiles, level.grid, solution=".12 r20 .5")
    _, info = PlayEnv("loderunner", levels=given).reset(seed=0)
    assert info["solution"] == "..rrrr"


def test_boards_with_many_guards_do_what_each_does_alone():
    crowd = "............\n.M.G...G....\nbbbb#bbbbbbb\nEEE.#EEEE...\nbbbb#bbb..bb\n....#..G....\nbbbbbbbbbbbb"
    levels = [levelsmith.parse(text, "loderunner") for text in (HALL, crowd)]
    boards = PlayVectorEnv("loderunner", 2, levels=levels, max_steps=40)
    alone = [PlayEnv("loderunner", levels=levels, max_steps=40) for _ in range(2)]
    views, _ = boards.reset(seed=3)
    shown = [env.reset(seed=3 + i)[0] for i, env in enumerate(alone)]
    rng = np.random.default_rng(4)
    guards = set()
    for _ in range(120):
        assert np.array_equal(views, shown)
        guards |= set(boards.table.arena.boards.guards.tolist())
        actions = rng.integers(0, 7, 2)
        over = boards.over.copy()
        views, *_ = boards.step(actions)
        for i, env in enumerate(alone):
            shown[i] = env.reset()[0] if i in over else env.step(int(actions[i]))[0]
    assert guards == {2, 7}


def test_a_level_with_hidden_ladders_is_won_at_the_top():
    way_out = "....h...\n.M.Gh...\nbbbbbbbb\n......E.\nbbbbbbbb\nBBBBBBBB"
    env = PlayEnv("loderunner", levels=levelsmith.parse(way_out, "loderunner"), rewards={"step": 0})
    first, _ = env.reset(seed=0)
    steps = [env.step(LETTERS.index(letter)) for letter in "rrru"]
    assert first[0, 4] == men.EMPTY
    assert steps[1][0][0, 4] == men.LADDER
    assert [(reward, over) for _, reward, over, *_ in steps] == [
        (0, False),
        (1, False),
        (0, False),
        (10, True),
    ]


def test_other_guards_are_refused():
    with pytest.raises(
        LevelsmithError, match="no kind of guards is called 'sleep'; expected one of: chase, still"
    ):
        PlayEnv("loderunner", guards="sleep")
    with pytest.raises(LevelsmithError, match="sokoban has no guards to choose from; leave out guards"):
        gym.make("levelsmith/Sokoban-v0", guards="chase")
