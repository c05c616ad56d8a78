"""Boards on a GPU, in the simulator of numba-cuda and on a card: they do what they do on the processor."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

import levelsmith.envs
from levelsmith.errors import LevelsmithError
from levelsmith.kernels import device
from simulator import simulated

pytestmark = pytest.mark.slow

PACK = [
    "#######\n#@$  .#\n#     #\n#######",
    "#####\n#@$.#\n#####",
    "#######\n#@*$. #\n#     #\n#######",  # cannot be solved
]
BOARDS = 3
ENDS = ("solved", "return", "steps", "regret")
STARTS = ("index", "seed", "number", "optimal", "difficulty")


def vector(device, boards=BOARDS, **options):
    options = {"levels": PACK, "max_steps": 9, **options}
    return gym.make_vec("levelsmith/Sokoban-v0", boards, device=device, **options)


def here(array):
    """An array of the GPU as one of the processor."""
    return np.asarray(array.copy_to_host())


def check_told(told, there, names):
    """What infos of the processor say of some boards, those of the GPU say too."""
    for name in names:
        mask = here(there[f"_{name}"])
        if name not in told:
            assert not mask.any(), name
            continue
        if name != "regret":  # the processor's mask leaves out those that are not known
            assert np.array_equal(told[f"_{name}"], mask), name
        for given, expected in zip(here(there[name])[mask], told[name][mask], strict=True):
            missing = expected is None or expected != expected
            assert (given == -1 or given != given) if missing else given == expected, name


def check_alike(seed, steps, actions=None, **options):
    """Plays the same on both devices, and returns how many episodes ended, and how many were solved."""
    on_cpu, on_gpu = vector("cpu", **options), vector("cuda", **options)
    seen, told = on_cpu.reset(seed=seed)
    there, told_there = on_gpu.reset(seed=seed)
    rng = np.random.default_rng(1)
    ended = solved = 0
    for i in range(steps):
        assert np.array_equal(seen, here(there)), i
        check_told(told, told_there, STARTS)
        assert np.array_equal(on_cpu.action_masks(), here(on_gpu.action_masks())), i
        row = rng.integers(0, 4, BOARDS) if actions is None else np.array(actions[i])
        seen, *gained, told = on_cpu.step(row)
        there, *gained_there, told_there = on_gpu.step(row)
        for expected, given in zip(gained, gained_there, strict=True):
            assert np.array_equal(expected, here(given)), i
        ends, ends_there = told, told_there
        if "final_obs" in told_there:
            assert np.array_equal(
                told.get("_final_obs", np.zeros(BOARDS, bool)), here(told_there["_final_obs"])
            )
            for board in np.flatnonzero(told.get("_final_obs", [])):
                assert np.array_equal(told["final_obs"][board], here(told_there["final_obs"])[board])
            ends, ends_there = told.get("final_info", {}), told_there["final_info"]
        check_told(ends, ends_there, ENDS)
        ended += int((gained[1] | gained[2]).sum())
        solved += int(gained[1].sum())
    on_cpu.close()
    on_gpu.close()
    return ended, solved


@pytest.mark.slow
@simulated
def test_boards_do_what_they_do_on_the_processor():
    levelsmith.envs.register()
    for options in ({}, {"observation": "planes"}, {"exact": True}, {"rewards": {"step": 0, "box": 0.3}}):
        ended, solved = check_alike(5, 40, **options)
        assert ended > 9, options
        assert solved > 0, options


@simulated
def test_a_next_level_in_the_same_step_is_that_of_the_processor():
    levelsmith.envs.register()
    ended, solved = check_alike(5, 40, autoreset_mode="SameStep", exact=True)
    assert ended > 9
    assert solved > 0


@simulated
def test_levels_that_are_new_each_time_are_those_of_the_processor():
    levelsmith.envs.register()
    fresh = {"levels": None, "size": (5, 5), "boxes": 1, "pushes": (1, 9), "optimal": False, "max_steps": 3}
    for mode in ("NextStep", "SameStep"):
        ended, _ = check_alike(2, 10, autoreset_mode=mode, **fresh)
        assert ended > 5


@simulated
def test_resets_of_some_boards_and_levels_that_are_handed_in_are_as_on_the_processor():
    levelsmith.envs.register()
    given = PACK[0]
    mask = np.array([True, False, True])
    resets = [
        {"seed": 3},
        {},
        {"options": {"reset_mask": mask}},
        {"seed": [7, None, None]},
        {"options": {"reset_mask": mask, "levels": [given, None]}},
        {"seed": 4, "options": {"levels": [None, given, None]}},
        {"options": {"levels": [given, given, None]}},
    ]
    for same_step in ("NextStep", "SameStep"):
        on_cpu, on_gpu = (vector(device, max_steps=2, autoreset_mode=same_step) for device in ("cpu", "cuda"))
        for pause in (0, 1, 2):
            for each in resets:
                seen, told = on_cpu.reset(**each)
                there, told_there = on_gpu.reset(**each)
                assert np.array_equal(seen, here(there)), each
                check_told(told, told_there, ("index", "number", "optimal"))
                assert on_gpu.level(0) == on_cpu.table.level(0)
                for _ in range(pause):
                    seen, told = on_cpu.step(np.array([3, 3, 0]))[::4]
                    there, told_there = on_gpu.step(np.array([3, 3, 0]))[::4]
                    assert np.array_equal(seen, here(there)), each
                    check_told(told, told_there, ("index", "number"))


@simulated
def test_what_a_step_gave_stays_until_the_step_after_the_next():
    levelsmith.envs.register()
    env = vector("cuda")
    env.reset(seed=0)
    first = env.step(np.array([1, 1, 1]))[0]
    before = here(first).copy()
    env.step(np.array([3, 3, 3]))
    assert np.array_equal(here(first), before)


@simulated
def test_a_wrong_action_is_told_at_once_or_from_the_gpu_in_a_later_step():
    from levelsmith.kernels.gpu import on_device

    levelsmith.envs.register()
    env = vector("cuda", render_mode="ansi")
    for act, words in [
        (lambda: env.step(np.zeros(BOARDS, np.int64)), "call reset first"),
        (
            lambda: env.reset(options={"reset_mask": np.array([True, False, False])}),
            "the first reset is of all boards",
        ),
    ]:
        with pytest.raises(LevelsmithError, match=words):
            act()
    view, _ = env.reset(seed=1)
    assert env.render()[0].splitlines()[0] == "#" * 7
    for actions, words in [
        (np.array([0, 4, 0]), "expected 3 actions from 0 to 3"),
        (on_device(np.zeros(3)), "expected 3 whole numbers as actions, got float64"),
        (on_device(np.zeros(2, np.int64)), r"of the shape \(2,\)"),
    ]:
        with pytest.raises(LevelsmithError, match=words):
            env.step(actions)
    before = here(view).copy()
    there, rewards, *_ = env.step(on_device(np.array([9, 9, -1], np.int32)))
    assert np.array_equal(here(there), before)
    assert not here(rewards).any()
    with pytest.raises(LevelsmithError, match="a step before this one had another"):
        env.step(np.zeros(BOARDS, np.int64))
    env.step(np.zeros(BOARDS, np.int64))


@simulated
def test_a_mistake_is_told_in_one_line():
    from levelsmith.envs.device import CardVectorEnv

    for options, words in [
        ({"autoreset_mode": "Disabled"}, "take autoreset_mode='NextStep' or 'SameStep'"),
        ({"curriculum": True}, "a curriculum runs on the processor: leave out curriculum, or device"),
        (
            {"observation_as": "numpy"},
            "no array of a GPU is called 'numpy'; expected one of: cuda, torch, jax",
        ),
        ({"render_mode": "human"}, "no render mode is called 'human'"),
        ({"bokses": 3}, "no option of sokoban is called 'bokses'; did you mean 'boxes'?"),
    ]:
        with pytest.raises(LevelsmithError) as caught:
            CardVectorEnv("sokoban", 2, **options)
        assert words in str(caught.value)


def test_without_a_card_or_for_another_game_it_says_so(monkeypatch):
    monkeypatch.setattr(
        device, "missing", lambda: "no CUDA card was found, or no driver for it: look at nvidia-smi"
    )
    with pytest.raises(LevelsmithError, match="no CUDA card was found"):
        vector("cuda")
    with pytest.raises(
        LevelsmithError, match="no boards of loderunner are played on a GPU: leave out device"
    ):
        gym.make_vec("levelsmith/LodeRunner-v0", 2, device="cuda")
    with pytest.raises(LevelsmithError, match="no device is called 'gpu'"):
        vector("gpu")
    assert type(vector("auto")).__name__ == "PlayVectorEnv"


@pytest.mark.skipif(device.missing() is not None, reason=str(device.missing()))
def test_on_a_card_boards_do_what_they_do_on_the_processor():
    for mode in ("NextStep", "SameStep"):
        for observation in ("tiles", "planes"):
            ended, _ = check_alike(5, 100, autoreset_mode=mode, observation=observation)
            assert ended > 9
