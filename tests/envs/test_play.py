"""Levels to play: the rules are the rule book's, seeds are exact, many boards do what each does alone."""

from __future__ import annotations

import time
from dataclasses import replace

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import levelsmith
from envs.alike import stepped
from levelsmith.curricula.ramp import WINDOW, Stages
from levelsmith.envs.known import Known
from levelsmith.envs.play import PlayEnv
from levelsmith.envs.pool import Key, Pool
from levelsmith.envs.supply import Fixed
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.arena.kernels import still as arena_kernels
from levelsmith.games.loderunner.rules import rules
from levelsmith.games.sokoban.arena.arena import SokobanArena
from levelsmith.games.sokoban.rules.rules import SokobanBoard, drawn
from levelsmith.making.plan import plan
from levelsmith.request import Request

SMALL = {"size": (5, 5), "boxes": 2, "pushes": (2, 12), "optimal": False}
PACK = "#######\n#@$  .#\n#######\n\n#####\n#   #\n#@$.#\n#####\n"
# With a rope, gold behind brick, and holes to be lost in.
PIT = "........\n.M..G..G\nbbbbbb#b\nB.B..b#B\nBbBbbb#B\nbG-.-.#b\nbbbbbbbb"
TRAPS = PIT.replace("bbbbbb#b", "bbbtbb#t", 1).replace("B.B..b", "B.Bt.b", 1).replace("....", ".h..", 1)
KNOWN = Known("sokoban", 200, SokobanArena.rewards, False)
GAMES = {"Sokoban": SMALL, "LodeRunner": {"levels": levelsmith.parse(PIT, "loderunner")}}


def made(name, **options):
    return gym.make(f"levelsmith/{name}-v0", **options)


def vector(name, boards, **options):
    return gym.make_vec(
        f"levelsmith/{name}-v0", num_envs=boards, vectorization_mode="vector_entry_point", **options
    )


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("observation", ["tiles", "planes"])
def test_gymnasium_finds_no_fault(name, observation):
    env = made(name, **GAMES[name], observation=observation, render_mode="rgb_array")
    check_env(env.unwrapped)
    env.close()


def test_a_solution_solves_and_the_seed_gives_the_level_of_generate():
    env = made("Sokoban", **SMALL)
    for number in range(3):
        _, info = env.reset(seed=None if number else 7)
        total = 0.0
        for letter in info["solution"]:
            _, reward, terminated, truncated, told = env.step("udlr".index(letter.lower()))
            total += reward
        assert terminated
        assert not truncated
        assert told["solved"]
        assert told["steps"] == len(info["solution"])
        assert told["return"] == pytest.approx(total)
        assert total == pytest.approx(-0.1 * len(info["solution"]) + 2 + 10)
        alone = levelsmith.generate(
            "sokoban",
            preset="boxoban",
            size=(5, 5),
            set={"boxes": 2, "optimal": False},
            want={"pushes": (2, 12)},
            seed=7,
            skip=number,
        )
        assert info["level"] == alone.best
        assert (info["seed"], info["number"]) == (7, number)
        assert info["level"].provenance["run"] == number
    env.close()


def test_sokoban_moves_as_the_rule_book_says():
    env = made("Sokoban", **SMALL, max_steps=60, render_mode="ansi")
    rng = np.random.default_rng(1)
    for seed in range(20):
        view, info = env.reset(seed=seed)
        board = SokobanBoard(info["level"].grid)
        position = board.start
        for taken in range(1, 61):
            assert np.array_equal(view, drawn(board, position))
            assert env.render() == "\n".join(info["level"].tiles.rows(view))
            open_moves = [board.step(position, letter) is not None for letter in "udlr"]
            assert env.unwrapped.action_masks().tolist() == open_moves
            action = int(rng.integers(4))
            left = len(position.boxes - board.goals)
            position = board.step(position, "udlr"[action]) or position
            gained = left - len(position.boxes - board.goals)
            solved = board.is_solved(position)
            view, reward, terminated, truncated, _ = env.step(action)
            assert reward == pytest.approx(-0.1 + gained + 10 * solved)
            assert (terminated, truncated) == (solved, taken == 60 and not solved)
            if terminated:
                break
    env.close()


def shown(board, position):
    """What an agent sees of a position of Lode Runner."""
    grid = rules.drawn(board, position)
    for cell, left in position.holes.items():
        grid[cell] = arena_kernels.HOLE + (left - 1) // 7
    on = {
        rules.LADDER: arena_kernels.ON_LADDER,
        rules.ROPE: arena_kernels.ON_ROPE,
        rules.BRICK: arena_kernels.IN_HOLE,
    }
    grid[position.runner] = on.get(board.tile(position.runner), rules.PLAYER)
    return grid


def after(board, position, letter):
    """The position after a move, or after what happens instead; None where the runner is lost."""
    for move in (letter, ".", "d"):
        try:
            return board.step(position, move)
        except rules.Blocked as reason:
            if "fills" in str(reason):
                return None
    raise AssertionError


def can(board, position, letter):
    """Whether a move can be made, be it the last."""
    try:
        board.step(position, letter)
    except rules.Blocked as reason:
        return "fills" in str(reason)
    return True


@pytest.mark.parametrize(
    "levels", [*(levelsmith.parse(text, "loderunner") for text in (PIT, TRAPS)), "loderunner:corpus"]
)
def test_lode_runner_moves_as_the_rule_book_says_while_nobody_moves(levels):
    env = made("LodeRunner", levels=levels, max_steps=150, guards="still")
    rng = np.random.default_rng(2)
    ends = set()
    for seed in range(12):
        view, info = env.reset(seed=seed)
        board = rules.LodeRunnerBoard(info["level"].grid)
        position = board.start
        for taken in range(1, 151):
            assert np.array_equal(view, shown(board, position))
            mask = env.unwrapped.action_masks()
            assert mask.tolist() == [can(board, position, letter) for letter in "lrudLR."]
            action = int(rng.choice(7, p=[0.2, 0.2, 0.1, 0.2, 0.12, 0.12, 0.06]))
            before, position = position, after(board, position, "lrudLR."[action])
            view, reward, terminated, truncated, _ = env.step(action)
            if position is None:
                assert terminated
                ends.add("lost")
                break
            solved = not position.gold
            assert reward == pytest.approx(-0.1 + len(before.gold) - len(position.gold) + 10 * solved)
            assert (terminated, truncated) == (solved, taken == 150 and not solved)
            if terminated:
                ends.add("solved")
                break
    if levels != "loderunner:corpus":
        assert "lost" in ends
    env.close()


def test_a_plan_of_the_agent_collects_all_gold():
    won = levelsmith.load("loderunner:corpus#1")[0]
    level = replace(won, solution=levelsmith.solve(won, guards="still").solution)
    assert made("LodeRunner", levels=won, guards="still").reset(seed=0)[1]["solution"] is None
    env = made("LodeRunner", levels=level, max_steps=10_000, guards="still")
    _, info = env.reset(seed=0)
    for letter in info["solution"]:
        assert env.unwrapped.action_masks()["lrudLR.".index(letter)]
        *_, terminated, truncated, told = env.step("lrudLR.".index(letter))
    assert (terminated, truncated, told["solved"], told["regret"]) == (True, False, True, None)


@pytest.mark.parametrize("name", GAMES)
def test_many_boards_do_what_each_does_alone(name):
    options = {**GAMES[name], "max_steps": 15}
    boards = vector(name, 3, **options)
    alone = [made(name, **options) for _ in range(3)]
    views, infos = boards.reset(seed=5)
    seen = [env.reset(seed=5 + i) for i, env in enumerate(alone)]
    over = [False] * 3
    rng = np.random.default_rng(3)
    for _ in range(50):
        assert np.array_equal(views, [view for view, _ in seen])
        for i, (_, info) in enumerate(seen):
            if "solution" in info:
                assert infos["_solution"][i]
                assert infos["solution"][i] == info["solution"]
        if not any(over):
            assert np.array_equal(boards.action_masks(), [env.unwrapped.action_masks() for env in alone])
        actions = rng.integers(0, boards.single_action_space.n, 3)
        views, infos, seen = stepped(boards, alone, over, actions)
    for env in (boards, *alone):
        env.close()


def test_a_reset_in_between_goes_on_with_the_next_level():
    boards = vector("Sokoban", 2, **SMALL, max_steps=1)
    alone = made("Sokoban", **SMALL, max_steps=1)
    boards.reset(seed=3)
    alone.reset(seed=3)
    for ended in (True, False):
        if ended:
            boards.step(np.zeros(2, np.int64))
            alone.step(0)
        views, infos = boards.reset()
        view, info = alone.reset()
        assert np.array_equal(views[0], view)
        assert infos["number"].tolist() == [info["number"]] * 2
    boards.close()
    alone.close()


def test_a_level_of_the_builder_can_be_played_to_its_end():
    env = made("LodeRunner", style="terraces", max_steps=10_000)
    _, info = env.reset(seed=2)
    for letter in info["solution"]:
        *_, terminated, truncated, _ = env.step("lrudLR.".index(letter))
    assert (terminated, truncated) == (True, False)
    env.close()


def test_an_episode_lasts_twice_the_steps_of_the_solution_and_200_at_least():
    level = levelsmith.parse("#####\n#   #\n#@$.#\n#####", "sokoban")
    known = Known("sokoban", None, SokobanArena.rewards, False)
    long = replace(level, solution="ud" * 60 + "R")
    assert [known.of(each).most for each in (level, replace(level, solution="R"), long)] == [200, 200, 242]
    for each, most in ((level, 200), (long, 242)):
        env = PlayEnv("sokoban", levels=each)
        env.reset(seed=0)
        ends = [env.step(2)[2:4] for _ in range(most)]  # into the wall
        assert ends[-2:] == [(False, False), (False, True)]


def test_the_order_and_the_time_of_asking_change_no_level():
    task = plan(Request("sokoban", preset="boxoban", size=(5, 5), set={"boxes": 2, "optimal": False}, seed=0))
    keys = [Key(0, seed, number) for seed in (0, 9) for number in range(5)]
    waiting, eager = Pool([task], 4, KNOWN), Pool([task], 0, KNOWN)
    one_by_one = []
    for key in keys:
        one_by_one += waiting.take([key])
        time.sleep(0.002)
    assert one_by_one == eager.take(keys[::-1])[::-1]
    assert len({dealt.level for dealt in one_by_one}) == 10
    waiting.close()
    eager.close()


def test_ranges_that_nothing_meets_end_in_one_line():
    env = made("Sokoban", size=(3, 3), boxes=1, pushes=(39, 40), optimal=False, evaluations=1)
    with pytest.raises(LevelsmithError, match=r"the level with .* could not be made"):
        env.reset(seed=0)
    env.close()


def test_own_levels_come_each_once_before_any_comes_again(tmp_path):
    pack = tmp_path / "pack.xsb"
    pack.write_text(PACK)
    env = made("Sokoban", levels=str(pack))
    assert env.observation_space.shape == (4, 7)
    texts = [env.reset(seed=4 if i == 0 else None)[1]["level"].text for i in range(6)]
    for i in range(0, 6, 2):
        assert len(set(texts[i : i + 2])) == 2
    assert texts == [env.reset(seed=4 if i == 0 else None)[1]["level"].text for i in range(6)]


def test_a_set_of_levels_is_made_once_and_shared():
    env = vector("Sokoban", 8, **SMALL, count=3, max_steps=1)
    seen = set()
    env.reset(seed=0)
    for _ in range(12):
        seen |= {env.table.level(board) for board in range(8)}
        env.step(np.zeros(8, np.int64))
    assert len(seen) == 3


def test_it_gets_harder_once_most_levels_are_solved():
    env = made("Sokoban", size=(5, 5), boxes=2, pushes=(2, 12), optimal=False, curriculum=True)
    pushes = []
    for episode in range(2 * WINDOW + 1):
        _, info = env.reset(seed=1 if episode == 0 else None)
        pushes.append(sum(letter.isupper() for letter in info["solution"]))
        for letter in info["solution"]:
            env.step("udlr".index(letter.lower()))
        assert info["stage"] == episode // WINDOW
    assert max(pushes[:WINDOW]) <= 3 <= min(pushes[WINDOW + 1 :])
    env.close()


def test_a_curriculum_waits_for_four_of_five():
    course = Stages(2)
    for i in range(WINDOW):
        course.record(i % 4 != 0)
    assert course.stage == 0
    for _ in range(WINDOW):
        course.record(True)
    assert course.stage == 1


def test_the_parts_of_a_set_are_its_stages():
    levels = [
        levelsmith.parse("#" * (5 + i) + "\n#@$." + "#" * (1 + i) + "\n" + "#" * (5 + i), "sokoban")
        for i in range(5)
    ]
    fixed = Fixed(levels, KNOWN, stages=2)
    dealt = fixed.take([Key(0, 0, n) for n in range(4)])
    assert {each.level.size for each in dealt} == {(3, 5), (3, 6)}
    assert {each.index for each in dealt} == {0, 1}
    assert {each.index for each in fixed.take([Key(1, 0, n) for n in range(3)])} == {2, 3, 4}
    assert fixed.size == (3, 9)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bokses": 4}, "no option of sokoban is called 'bokses'; did you mean 'boxes'?"),
        ({"pushes": (9, 3)}, "expected a low end that is not above the high end for pushes, got 9..3"),
        ({"levels": []}, "expected at least one level to play, got none"),
        ({"levels": "x.xsb", "boxes": 3}, "levels come from the files alone: leave out boxes, or levels"),
        ({"max_steps": 0}, "expected a whole number from 1 to 2**63 - 1 for max_steps, got '0'"),
        ({"observation": "pixels"}, "no observation is called 'pixels'; expected one of: tiles, planes"),
        ({"rewards": {"solve": 1}}, "no reward is called 'solve'; did you mean 'solved'?"),
        ({"curriculum": "gold"}, "expected a count and a range of gold"),
        ({"size": (40, 40)}, "expected a board of at most 256 cells"),
        ({"render_mode": "human"}, "no render mode is called 'human'"),
        ({"rewards": {"step": "a"}}, "expected a number as the reward step, got 'a'"),
        ({"rewards": {"step": float("inf")}}, "expected a finite number as the reward step, got 'inf'"),
        ({"rewards": 3}, "expected rewards by name, such as {'step': 0}, got '3'"),
        ({"level_seed": -1, "count": 2}, "expected a seed from 0 to 2**63 - 1, got '-1'"),
        ({"count": 0}, "expected a count from 1 to 2**63 - 1 levels, got '0'"),
        ({"count": "many"}, "expected a count from 1 to 2**63 - 1 levels, got 'many'"),
        ({"max_steps": 2.5}, "for max_steps, got '2.5'"),
        ({"size": [5, 5, 5]}, "expected a size such as (8, 10), height first"),
    ],
)
def test_a_mistake_is_told_in_one_line(options, words):
    from levelsmith.envs.play import PlayEnv

    with pytest.raises(LevelsmithError) as caught:
        PlayEnv("sokoban", **options)
    assert words in str(caught.value)


def test_a_step_before_the_first_reset_is_refused():
    from levelsmith.envs.play import PlayEnv

    with pytest.raises(LevelsmithError, match="call reset first"):
        PlayEnv("sokoban", **SMALL).step(0)


def test_a_player_shut_in_may_do_anything():
    arena = SokobanArena(1, (3, 5), 10, SokobanArena.rewards)
    arena.load(np.zeros(1, np.int64), levelsmith.parse("#####\n#@#.#\n#####", "sokoban").grid[None])
    mask = np.zeros((1, 4), np.bool_)
    arena.masks(mask)
    assert mask.all()
