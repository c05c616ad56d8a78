"""A small PPO that plays Sokoban levels which a curriculum chooses; plr.py and accel.py compare them by it.

Every update plays one episode on each of many levels. The agent is tried on levels of another split, of which
none was trained on, turned or mirrored or not.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # many runs share one card

import gymnasium as gym
import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import ArrayLike

from levelsmith import Level
from levelsmith.curricula import Curriculum, Episode, Fresh
from levelsmith.curricula.episode import Scale
from levelsmith.curricula.sources import Place

SIZE, BOXES, PUSHES = (6, 6), (1, 2, 3), (1, 40)  # the task: small rooms, from one push to forty
SPLITS = (0.9, 0.1)
MAX_STEPS = 80
TRIED = 300  # unseen levels on which agents are compared, as many of each number of boxes
CHUNK = 100  # levels that are made at a time
DISCOUNT, SMOOTHING, CLIP, ENTROPY, EPOCHS, PARTS, RATE = 0.99, 0.95, 0.2, 0.01, 4, 8, 5e-4
SCALE = 0.1  # of rewards for the network, whose values are then near 1
TILES, ACTIONS, CHANNELS, HIDDEN = 7, 4, 32, 256
PROXIES = ("positive_value_loss", "max_monte_carlo")
Params = dict[str, Any]
Build = Callable[[str, Sequence[Level], int], Curriculum]  # from its name, levels to train on, and a seed


def made(split: str, count: int) -> list[Level]:
    """Makes levels of a split that can be solved in time, as many with one box as with two and with three."""
    found: list[Level] = []
    for boxes in BOXES:
        asked = {"size": SIZE, "search": "carve", "want": {"pushes": PUSHES}, "set": {"boxes": boxes}}
        source = Fresh("sokoban", **asked, splits=SPLITS, split=split)
        levels: list[Level] = []
        for first in itertools.count(0, CHUNK):
            some = source.take([Place(0, first + i) for i in range(CHUNK)])
            levels += [replace(each, provenance={}) for each in some if len(each.solution or "") <= MAX_STEPS]
            if len(levels) >= count // len(BOXES):
                break
        found += levels[: count // len(BOXES)]
    return found


# ---------------------------------------------------------------------------------------------------- network


def new_params(key: jax.Array) -> Params:
    cells = (SIZE[0] + 2) * (SIZE[1] + 2)
    shapes = {"first": (9 * TILES, CHANNELS), "second": (9 * CHANNELS, CHANNELS)}
    shapes |= {"third": (9 * CHANNELS, CHANNELS), "dense": (cells * CHANNELS, HIDDEN)}
    shapes |= {"policy": (HIDDEN, ACTIONS), "value": (HIDDEN, 1)}
    keys = dict(zip(shapes, jax.random.split(key, len(shapes)), strict=True))
    scales = {name: np.sqrt(2 / shape[0]) for name, shape in shapes.items()}
    scales |= {"policy": 0.01 / np.sqrt(HIDDEN), "value": 1 / np.sqrt(HIDDEN)}
    return {
        name: {"weights": scales[name] * jax.random.normal(keys[name], shape), "bias": jnp.zeros(shape[1])}
        for name, shape in shapes.items()
    }


def around(x: jax.Array) -> jax.Array:
    """Returns for each cell what is in the 3x3 cells around it. x: `[N, H, W, C]` -> `[N, H, W, 9 C]`"""
    height, width = x.shape[1:3]
    wide = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    places = [(row, column) for row in range(3) for column in range(3)]
    return jnp.concatenate([wide[:, r : r + height, c : c + width] for r, c in places], -1)


def network(params: Params, views: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns the logits of the moves and the value of each view. views: `[N, H, W]` -> `[N, 4]`, `[N]`"""
    x = jax.nn.one_hot(views, TILES)
    for name in ("first", "second", "third"):
        y = jax.nn.relu(around(x) @ params[name]["weights"] + params[name]["bias"])
        x = y if name == "first" else x + y
    x = x.reshape(len(x), -1)
    x = jax.nn.relu(x @ params["dense"]["weights"] + params["dense"]["bias"])
    logits = x @ params["policy"]["weights"] + params["policy"]["bias"]
    return logits, (x @ params["value"]["weights"] + params["value"]["bias"])[:, 0]


@jax.jit
def act(
    params: Params, views: jax.Array, key: jax.Array
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """Returns a move for each view, its log probability, the value, and the next key."""
    key, drawn = jax.random.split(key)
    logits, values = network(params, views)
    actions = jax.random.categorical(drawn, logits)
    chances = jnp.take_along_axis(jax.nn.log_softmax(logits), actions[:, None], 1)[:, 0]
    return actions, chances, values, key


# --------------------------------------------------------------------------------------------------- learning


@dataclass
class Rollout:
    """An episode on each board. All are `[steps, boards]` but for those that end in `[boards]`."""

    views: np.ndarray  # [steps, boards, H, W]
    actions: np.ndarray
    chances: np.ndarray
    values: np.ndarray
    rewards: np.ndarray
    alive: np.ndarray  # whether the step was part of the episode
    last: np.ndarray  # [boards] the value of where an episode was cut off, 0 where it ended by itself
    solved: np.ndarray  # [boards]
    regret: np.ndarray  # [boards]

    def episodes(self, levels: Sequence[Level]) -> list[Episode]:
        """Returns what a curriculum wants to know."""
        steps = self.alive.sum(0)
        return [
            Episode(
                level,
                bool(self.solved[i]),
                int(steps[i]),
                float(self.rewards[: steps[i], i].sum()),
                regret=None if np.isnan(self.regret[i]) else float(self.regret[i]),
                rewards=self.rewards[: steps[i], i],
                values=np.append(self.values[: steps[i], i], self.last[i]) / SCALE,
            )
            for i, level in enumerate(levels)
        ]


def play(boards: Any, params: Params, key: jax.Array, levels: Sequence[Level]) -> tuple[Rollout, Any]:
    """Plays an episode on each level; returns it and the next key."""
    views, _ = boards.reset(options={"levels": list(levels)})
    steps, count = MAX_STEPS, len(levels)
    out = Rollout(
        np.zeros((steps, count, *views.shape[1:]), np.uint8),
        *(
            np.zeros((steps, count), kind)
            for kind in (np.int64, np.float32, np.float32, np.float32, np.bool_)
        ),
        np.zeros(count, np.float32),
        np.zeros(count, np.bool_),
        np.zeros(count),
    )
    alive = np.ones(count, np.bool_)
    for step in range(steps):
        actions, chances, values, key = act(params, views, key)
        out.views[step], out.actions[step], out.alive[step] = views, actions, alive
        out.chances[step], out.values[step] = chances, values
        views, rewards, terminated, truncated, infos = boards.step(out.actions[step])
        out.rewards[step] = rewards * alive
        ended = alive & (terminated | truncated)
        if ended.any():
            out.solved[ended], out.regret[ended] = infos["solved"][ended], infos["regret"][ended]
        cut_off = alive & truncated  # all at the same step
        if cut_off.any():
            out.last = np.asarray(act(params, views, key)[2]) * cut_off
        alive = alive & ~ended
        if not alive.any():
            break
    return out, key


@jax.jit
def advantages(rewards: jax.Array, values: jax.Array, alive: jax.Array, last: jax.Array) -> jax.Array:
    """Returns the generalised advantage of each step; what comes after an episode that was not cut off is
    worth nothing."""
    after = jnp.concatenate([values[1:] * alive[1:], last[None]])
    errors = (rewards + DISCOUNT * after - values) * alive

    def back(carry: jax.Array, error: jax.Array) -> tuple[jax.Array, jax.Array]:
        carry = error + DISCOUNT * SMOOTHING * carry
        return carry, carry

    return jax.lax.scan(back, jnp.zeros(values.shape[1]), errors, reverse=True)[1]


def loss(params: Params, part: dict[str, jax.Array]) -> jax.Array:
    """Returns PPO's loss of some steps; those after an episode have no weight."""
    logits, values = network(params, part["views"])
    logs = jax.nn.log_softmax(logits)
    ratio = jnp.exp(jnp.take_along_axis(logs, part["actions"][:, None], 1)[:, 0] - part["chances"])
    gain = part["advantages"]
    policy = -jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain)
    entropy = -(jnp.exp(logs) * logs).sum(1)
    each = policy + 0.5 * (values - part["returns"]) ** 2 - ENTROPY * entropy
    return (each * part["alive"]).sum() / jnp.maximum(part["alive"].sum(), 1)


optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(RATE, eps=1e-5))


@jax.jit
def learn(params: Params, memory: Any, data: dict[str, jax.Array], key: jax.Array) -> tuple[Params, Any]:
    """Takes some epochs of steps of Adam through a rollout."""
    data = dict(data)
    gain = advantages(SCALE * data["rewards"], data["values"], data["alive"], data.pop("last"))
    returns, alive = gain + data["values"], data["alive"]
    average = (gain * alive).sum() / alive.sum()
    spread = jnp.sqrt((((gain - average) ** 2) * alive).sum() / alive.sum()) + 1e-8
    data = {**data, "advantages": (gain - average) / spread, "returns": returns}
    flat = {name: value.reshape(-1, *value.shape[2:]) for name, value in data.items()}
    total = flat["actions"].shape[0]

    def one(carry: Any, where: jax.Array) -> tuple[Any, None]:
        params, memory = carry
        slope = jax.grad(loss)(params, {name: value[where] for name, value in flat.items()})
        change, memory = optimizer.update(slope, memory)
        return (optax.apply_updates(params, change), memory), None

    orders = jnp.stack([jax.random.permutation(k, total) for k in jax.random.split(key, EPOCHS)])
    (params, memory), _ = jax.lax.scan(one, (params, memory), orders.reshape(EPOCHS * PARTS, -1))
    return params, memory


# ----------------------------------------------------------------------------------------------------- trials

sets: dict[str, list[Level]] = {}  # of a process: levels to train on, and unseen ones to be tried on


def give(levels: dict[str, list[Level]]) -> None:
    """Tells a process of the levels."""
    sets.update(levels)


def train(build: Build, name: str, seed: int, boards: int, steps: int, looks: int) -> list[dict[str, Any]]:
    """Trains an agent on levels that a curriculum chooses; returns a row for each look at it on the way."""
    begun = time.perf_counter()
    curriculum, unseen = build(name, sets["train"], seed), sets["test"]
    options = {"vectorization_mode": "vector_entry_point", "max_steps": MAX_STEPS, "exact": True}
    training, trying = (
        gym.make_vec("levelsmith/Sokoban-v0", num_envs=count, levels=unseen, **options)
        for count in (boards, len(unseen))
    )
    key, first = jax.random.split(jax.random.key(seed))
    params = new_params(first)
    memory = optimizer.init(params)
    taken, learned, rows = 0, 0, []
    likeness: dict[str, list[float]] = {proxy: [] for proxy in PROXIES}
    while True:
        if taken >= len(rows) * steps / looks:
            found, key = play(trying, params, key, unseen)
            rows.append({"curriculum": name, "seed": seed, "steps": taken, "learned": learned})
            rows[-1] |= {"solved": found.solved.mean(), "regret": found.regret.mean()}
            by_boxes = found.solved.reshape(len(BOXES), -1).mean(1)
            rows[-1] |= {f"solved_{boxes}": share for boxes, share in zip(BOXES, by_boxes, strict=True)}
            rows[-1] |= {proxy: np.mean(told) if told else np.nan for proxy, told in likeness.items()}
            rows[-1] |= {"seconds": time.perf_counter() - begun}
            likeness = {proxy: [] for proxy in PROXIES}
            if taken >= steps:
                rows[-1] |= {f"counted_{name}": count for name, count in curriculum.statistics.items()}
                return rows
        levels = curriculum.sample(boards)
        learns = curriculum.learns
        played, key = play(training, params, key, levels)
        episodes = [each for each in played.episodes(levels) if each.regret is not None]  # solvable in time
        for proxy in PROXIES:
            alike = rank_correlation([each.regret for each in episodes], scores(proxy, episodes, curriculum))
            likeness[proxy] += [] if np.isnan(alike) else [alike]
        curriculum.update(episodes)
        taken += int(played.alive.sum())
        if learns:
            learned += int(played.alive.sum())
            fields = ("views", "actions", "chances", "values", "rewards", "alive", "last")
            key, drawn = jax.random.split(key)
            params, memory = learn(params, memory, {field: getattr(played, field) for field in fields}, drawn)


def scores(name: str, episodes: Sequence[Episode], curriculum: Curriculum) -> np.ndarray:
    """Returns the scores that a curriculum would give to episodes if it went by that one."""
    scale, buffer = Scale(name, DISCOUNT, SMOOTHING), getattr(curriculum, "buffer", None)
    best = [-np.inf if buffer is None else buffer.best_on(episode.level) for episode in episodes]
    return np.array([scale.of([episode], most) for episode, most in zip(episodes, best, strict=True)])


def rank_correlation(first: ArrayLike, second: ArrayLike) -> float:
    """Returns Spearman's; equal values share the mean of their ranks."""
    ranks = []
    for values in (first, second):
        _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
        ranks.append((np.cumsum(counts) - (counts - 1) / 2)[which])
    flat = any(np.ptp(each) == 0 for each in ranks)
    return np.nan if flat else float(np.corrcoef(*ranks)[0, 1])
