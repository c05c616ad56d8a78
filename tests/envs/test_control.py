"""Controllable design: targets that an episode draws, weights of the score, views around the cell at hand."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

from envs.alike import stepped
from levelsmith.envs.design import DesignEnv, DesignVectorEnv
from levelsmith.errors import LevelsmithError

SIZE = {"size": (5, 6)}
TARGETS = {"path": (3, 12), "regions": (1, 2)}
CHECKED = """
import warnings, gymnasium as gym, levelsmith
from gymnasium.utils.env_checker import check_env
warnings.simplefilter("error")
for kind in ("narrow", "turtle", "wide"):
    for observation in ("tiles", "planes"):
        for targets in (None, {"path": (3, 12), "regions": 1}):
            for crop in (None, 5) if kind != "wide" else (None,):
                env = gym.make(f"levelsmith/Design-binary-{kind}-v0", size=(5, 6), observation=observation,
                               targets=targets, crop=crop)
                check_env(env.unwrapped, skip_render_check=True)
print("fine")
"""


def worth(metrics, targets, weights):
    """What the score ought to be: 1 for each metric that is right, falling to 0 at the largest target."""
    parts = {
        name: max(0.0, 1 - abs(metrics[name] - target) / TARGETS[name][1]) for name, target in targets.items()
    }
    return sum(weights[name] * part for name, part in parts.items()) / sum(weights.values())


def test_gymnasium_finds_no_fault(python):
    assert python(CHECKED, LEVELSMITH_KERNELS="plain") == "fine\n"


def test_the_score_is_how_near_the_metrics_are_to_the_targets_of_the_episode():
    env = DesignEnv("binary", "narrow", **SIZE, targets=TARGETS, weights={"path": 3})
    rng = np.random.default_rng(0)
    drawn = set()
    for episode in range(30):
        view, info = env.reset(seed=3 if episode == 0 else None)
        targets = info["targets"]
        drawn.add(tuple(targets.values()))
        over = False
        while not over:
            assert info["targets"] == targets
            assert info["score"] == pytest.approx(worth(info["metrics"], targets, {"path": 3, "regions": 1}))
            for plane, name in enumerate(targets):
                sign = np.sign(targets[name] - info["metrics"][name]) + 1
                assert (view[2 + plane] == sign).all()
            before = info["score"]
            view, reward, terminated, truncated, info = env.step(int(rng.integers(2)))
            assert reward == pytest.approx(info["score"] - before)
            met = all(info["metrics"][name] == targets[name] for name in targets)
            over = terminated or truncated
            assert not met or terminated
    assert len(drawn) > 12
    assert {low for low, _ in drawn} <= set(range(3, 13))
    assert {regions for _, regions in drawn} == {1, 2}


def test_a_reset_may_name_the_targets_of_the_next_episode():
    env = DesignEnv("binary", "narrow", **SIZE, targets=TARGETS)
    assert env.reset(seed=1, options={"targets": {"path": 7}})[1]["targets"]["path"] == 7
    others = {env.reset()[1]["targets"]["path"] for _ in range(20)}
    assert len(others) > 5
    boards = DesignVectorEnv("binary", "narrow", 3, **SIZE, targets=TARGETS)
    _, infos = boards.reset(seed=1, options={"targets": {"path": [4, 5, 6], "regions": 2}})
    assert infos["targets"]["path"].tolist() == [4, 5, 6]
    assert infos["targets"]["regions"].tolist() == [2, 2, 2]


@pytest.mark.parametrize("kind", ["narrow", "turtle"])
def test_a_cropped_view_is_the_board_around_the_cell_at_hand(kind):
    options = {**SIZE, "targets": {"path": (3, 12)}}
    whole, cut = DesignEnv("binary", kind, **options), DesignEnv("binary", kind, **options, crop=3)
    assert cut.observation_space.shape == (3, 3, 3)
    view, near = whole.reset(seed=2)[0], cut.reset(seed=2)[0]
    rng = np.random.default_rng(0)
    for _ in range(25):
        wide = np.pad(view[0], 1, constant_values=2)  # one more than the tiles
        inside = np.pad(np.ones_like(view[1]), 1)
        [[row, column]] = np.argwhere(view[1])
        around = np.s_[row : row + 3, column : column + 3]
        assert near[0].tolist() == wide[around].tolist()
        assert near[1].tolist() == inside[around].tolist()
        assert near[2].tolist() == np.full((3, 3), view[2, 0, 0]).tolist()
        action = int(rng.integers(whole.action_space.n))
        view, near = whole.step(action)[0], cut.step(action)[0]


@pytest.mark.parametrize("crop", [None, 5])
def test_many_boards_do_what_each_does_alone(crop):
    options = {**SIZE, "targets": TARGETS, "crop": crop, "max_steps": 11, "observation": "planes"}
    boards = DesignVectorEnv("binary", "turtle", 3, **options)
    alone = [gym.make("levelsmith/Design-binary-turtle-v0", **options) for _ in range(3)]
    views, infos = boards.reset(seed=8)
    seen = [env.reset(seed=8 + i) for i, env in enumerate(alone)]
    over = [False] * 3
    rng = np.random.default_rng(5)
    for _ in range(30):
        assert np.array_equal(views, [view for view, _ in seen])
        assert infos["score"].tolist() == [info["score"] for _, info in seen]
        for name in TARGETS:
            assert infos["targets"][name].tolist() == [info["targets"][name] for _, info in seen]
        views, infos, seen = stepped(boards, alone, over, rng.integers(0, 6, 3))


def test_weights_tell_how_much_objectives_count():
    names = ["connectivity", "path-length"]
    both = {weight: score_of(names, weight) for weight in (1.0, 3.0)}
    apart = [score_of([name], None) for name in names]
    assert both[1.0] == pytest.approx(sum(apart) / 2)
    assert both[3.0] == pytest.approx((3 * apart[0] + apart[1]) / 4)


def score_of(names, weight):
    weights = None if weight is None else {names[0]: weight}
    return DesignEnv("binary", "wide", **SIZE, objective=names, weights=weights).reset(seed=4)[1]["score"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"targets": {"paths": 3}}, "no metric of binary is called 'paths'; did you mean 'path'?"),
        ({"targets": {"path": "8.."}}, "expected a range with two ends for the target path, got 8.."),
        ({"targets": {}}, "expected ranges by metric, such as {'steps': (10, 20)}, got an object"),
        ({"weights": {"paths": 3}}, "no part of the score is called 'paths'"),
        ({"weights": {"path": -1}, "targets": {"path": 3}}, "expected a weight of at least 0"),
        ({"crop": 4}, "expected an odd number of cells for crop, got 4"),
        ({"crop": 0}, "for crop, got '0'"),
    ],
)
def test_a_mistake_is_told_in_one_line(options, words):
    with pytest.raises(LevelsmithError) as caught:
        DesignEnv("binary", "narrow", **SIZE, **options)
    assert words in str(caught.value)


def test_what_a_reset_would_ignore_is_refused():
    with pytest.raises(
        LevelsmithError, match="wide has no cell at hand to crop a view around: leave out crop"
    ):
        DesignEnv("binary", "wide", **SIZE, crop=3)
    env = DesignEnv("binary", "narrow", **SIZE, targets=TARGETS)
    with pytest.raises(LevelsmithError, match="no option of a reset is called 'level'"):
        env.reset(options={"level": 3})
    with pytest.raises(LevelsmithError, match="no target is called 'tiles'"):
        env.reset(options={"targets": {"tiles": 3}})
    with pytest.raises(
        LevelsmithError, match="expected a number as the target regions, or 1 of them, got 'two'"
    ):
        env.reset(options={"targets": {"regions": "two"}})
