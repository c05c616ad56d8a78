"""A PuzzleScript game is an environment: one level or all of them, alone or many boards at once."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import levelsmith
from levelsmith import LevelsmithError, load
from levelsmith.games.by_moves import _arena_of
from levelsmith.games.puzzlescript.find import names
from levelsmith.kernels.arena import make_out
from levelsmith.registry import games

ID = "levelsmith/PuzzleScript-v0"


def actions(level):
    return [games.get(level.game).letters.index(key) for key in level.solution]


@pytest.mark.parametrize("name", names())
def test_the_solution_of_a_level_is_an_episode_that_is_solved(name):
    played = 0
    for number, level in enumerate(load(name), start=1):
        env = gym.make(ID, game=name, level=number)
        view, _ = env.reset(seed=0)
        assert view.shape[-2:] == level.size
        for action in actions(level):
            _, _, terminated, truncated, info = env.step(action)
            played += 1
        assert (terminated, truncated, info["solved"]) == (True, False, True)
        env.close()
    assert played == sum(len(level.solution) for level in load(name))


def test_it_keeps_the_promises_of_gymnasium():
    check_env(gym.make(ID, game="puzzlescript:keys", level=1).unwrapped, skip_render_check=True)


def test_boards_of_a_vector_play_as_one_alone_does():
    level = load("puzzlescript:ice#2")[0]
    many = gym.make_vec(ID, num_envs=3, game="puzzlescript:ice", level=2)
    one = gym.make(ID, game="puzzlescript:ice", level=2)
    seen, _ = many.reset(seed=0)
    alone, _ = one.reset(seed=0)
    for action in actions(level):
        assert all(np.array_equal(view, alone) for view in seen)
        seen, rewards, ended, _, _ = many.step(np.full(3, action))
        alone, reward, terminated, _, _ = one.step(action)
        assert rewards.tolist() == [pytest.approx(reward)] * 3
        assert ended.tolist() == [terminated] * 3
    assert terminated


@pytest.mark.first(3)
@pytest.mark.parametrize("name", ["puzzlescript:lasers", "puzzlescript:holes", "puzzlescript:hound"])
@pytest.mark.parametrize("planes", [False, True])
def test_compiled_boards_show_what_the_rules_make_move_by_move(name, planes):
    game = games.get(name)
    grid, rng = game.levels()[0].grid, np.random.default_rng(5)
    arenas = [
        kind(40, grid.shape, 60, {"step": -1.0, "solved": 5.0}) for kind in (game.arena, _arena_of(game))
    ]
    for arena in arenas:
        arena.load(np.arange(40), np.repeat(grid[None], 40, axis=0))
    seen, ended = set(), 0
    for number in range(61):
        actions = rng.integers(0, len(game.letters), 40)
        outs = [make_out(40, grid.size, len(game.tiles) * planes) for _ in arenas]
        for arena, out in zip(arenas, outs, strict=True):
            arena.step(actions, out)
        for one, other in zip(*outs, strict=True):
            assert np.array_equal(one, other), number
        seen |= {view.tobytes() for view in outs[0].views}
        over = np.flatnonzero(outs[0].terminated | outs[0].truncated)
        ended += len(over)
        for arena in arenas:
            arena.load(over, np.repeat(grid[None], len(over), axis=0))
    masks = [np.zeros((40, len(game.letters)), np.bool_) for _ in arenas]
    for arena, mask in zip(arenas, masks, strict=True):
        arena.masks(mask)
    assert np.array_equal(*masks)
    assert len(seen) > 20
    assert ended >= 40


def test_boards_go_back_to_a_state():
    game = games.get("puzzlescript:crates")
    grid = game.levels()[0].grid
    arena = game.arena(3, grid.shape, 60, {"step": 0.0, "solved": 1.0})
    arena.load(np.arange(3), np.repeat(grid[None], 3, axis=0))
    state, shown = arena.get_state(), arena.grid(0)
    for _ in range(9):
        arena.step(np.arange(3), make_out(3, grid.size, 0))
    assert not all(np.array_equal(arena.grid(board), shown) for board in range(3))
    arena.set_state(state)
    assert all(np.array_equal(arena.grid(board), shown) for board in range(3))


def test_without_a_number_all_levels_of_a_game_come():
    env = gym.make(ID, game="puzzlescript:crates")
    indices = {env.reset(seed=seed)[1]["index"] for seed in range(20)}
    assert indices == {0, 1, 2}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"game": "puzzlescript:ice", "level": 9}, "holds 3 levels: expected #1 to #3, got #9"),
        ({"game": "puzzlescript:ice", "level": "x"}, "expected a level from 1 to"),
        ({"game": "puzzlescript:ice", "level": 1, "levels": "a.txt"}, "expected level or levels, got both"),
        ({"game": "puzzlescript:ice", "level": 1, "exact": True}, "no shortest solutions"),
        ({"game": "none.txt"}, "no game is called 'none.txt'"),
        (
            {},
            "expected a game in a file, got none: name a file or one that ships, such as game='puzzlescript:",
        ),
        ({"game": "puzzlescript:ice"}, "got 8x7, 9x8: name a level, such as level=1"),
    ],
)
def test_mistakes_are_told(options, told):
    with pytest.raises(LevelsmithError, match=told):
        gym.make(ID, **options)


@pytest.mark.parametrize("options", [{}, {"game": "puzzlescript:ice"}])
def test_mistakes_are_told_by_many_boards_too(options):
    with pytest.raises(LevelsmithError, match=r"got none: name a file|name a level"):
        gym.make_vec(ID, num_envs=2, vectorization_mode="vector_entry_point", **options)


def test_positions_are_never_changed_and_blocked_moves_are_none():
    game, level = games.get("puzzlescript:crates"), load("puzzlescript:crates#1")[0]
    start = game.begun(level.grid)
    assert np.array_equal(game.drawn(start), level.grid)
    after = game.moved(start, "r")
    assert game.moved(start, "x") is None
    assert not np.array_equal(game.drawn(after), level.grid)
    assert np.array_equal(game.drawn(start), level.grid)
    assert not game.is_solved(after)
    assert levelsmith.measure(level)["crate"] == 2
