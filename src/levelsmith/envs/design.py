"""Design levels step by step, as in PCGRL (Khalifa et al., 2020): one at a time, or many in one call."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from levelsmith.contracts import Designable, Game
from levelsmith.core import Grid, Level
from levelsmith.envs import REPRESENTATIONS
from levelsmith.envs.drawing import METADATA, check_mode, drawn
from levelsmith.envs.kernels import design as kernels
from levelsmith.envs.play import VECTOR_METADATA, VIEWS, Actions, Infos, seeds_of
from levelsmith.errors import LevelsmithError, quoted, unknown
from levelsmith.kernels.arena import Out, make_out
from levelsmith.kernels.boards import tiles_of
from levelsmith.kernels.outside import reraise
from levelsmith.kernels.random import seeded
from levelsmith.making.task import plan
from levelsmith.numbers import check_seed
from levelsmith.registry import games
from levelsmith.representations.kernels.grid import NARROW, NO_LIMIT, TURTLE, GridRep
from levelsmith.request import Request

ROUNDS = 4  # steps for each cell, where a representation has no end of its own


class Workshop:
    """Boards that are designed, and what they are worth; what both kinds of environments share.

    Args:
        game: any registered one.
        representation: "narrow", "turtle" or "wide".
        boards: how many.
        objective: one name or several; the game's default.
        want: ranges that metrics must lie in.
        size: (height, width).
        start: a level to start from instead of random ones.
        lock: what of it must stay.
        set: parameters of the objective by name.
        max_steps: actions after which an episode is cut off.
        max_changes: changed tiles after which it ends.
        observation: "tiles", a number for each cell, or "planes", a plane of zeros and ones for each tile;
            and one more plane that says where the next change may be.
        parameters: of the representation.
    """

    def __init__(
        self,
        game: str,
        representation: str,
        boards: int,
        *,
        objective: str | Sequence[str] | None = None,
        combine: str | None = None,
        want: Mapping[str, Any] | None = None,
        size: tuple[int, int] | None = None,
        start: Level | None = None,
        lock: str | Sequence[str] = (),
        set: Mapping[str, Any] | None = None,
        max_steps: int | None = None,
        max_changes: int | None = None,
        observation: str = "tiles",
        **parameters: Any,
    ):
        self.game = games.get(game)
        counts = {"num_envs": boards, "max_steps": max_steps, "max_changes": max_changes}
        for name, value in counts.items():
            if value is not None and (not isinstance(value, int) or value < 1):
                raise LevelsmithError(
                    f"expected a whole number of at least 1 for {name}, got {quoted(value)}"
                )
        if observation not in VIEWS:
            raise unknown("observation", observation, VIEWS)
        if representation not in REPRESENTATIONS:
            raise unknown("representation to design with", representation, REPRESENTATIONS)
        own = {f"{representation}.{name}": value for name, value in parameters.items()}
        request = Request(
            game,
            size=size,
            objective=objective,
            combine=combine,
            want=want,
            start=start,
            lock=lock,
            search="random",
            representation=representation,
            set={**(set or {}), **own},
            seed=0,
        )
        task = plan(request, REPRESENTATIONS if isinstance(self.game, Designable) else None)
        problem = task.problem(self.game)
        self.rep: GridRep = problem.representation
        self.objective = problem.objective
        self.border = self.game.border
        self.outside = next((i for i, tile in enumerate(self.game.tiles) if "solid" in tile.tags), 0)
        self.metrics = tuple(self.game.metrics)
        self.compiled = problem.game
        if isinstance(self.game, Designable):
            self.compiled = self.game.compiled_grids(task.size)
        self.boards, self.size = boards, task.size
        kinds = len(self.game.tiles)
        self.planes = kinds if observation == "planes" else 0
        shape = (max(self.planes, 1) + 1, *task.size)
        self.view = gym.spaces.Box(0, 1 if self.planes else max(1, kinds - 1), shape, np.uint8)
        self.actions = _actions(self.rep)
        free = len(self.rep.places)
        if max_steps is None:
            max_steps = self.rep.depth if self.rep.kind == NARROW else free * ROUNDS
        self.designs = kernels.Designs(
            states=np.zeros((boards, self.rep.words), np.uint64),
            origins=np.zeros((boards, len(self.rep.origin)), np.uint64),
            orders=np.zeros((boards, len(self.rep.order)), np.int32),
            rngs=np.zeros((boards, 2), np.uint64),
            scores=np.zeros(boards),
            steps=np.zeros(boards, np.int64),
            changes=np.zeros(boards, np.int64),
            over=np.ones(boards, np.bool_),
            most_steps=max_steps,
            most_changes=NO_LIMIT if max_changes is None else max_changes,
            goal=task.has_goal,
        )
        self.begun = False

    def begin(self, seeds: Sequence[int | None]) -> Out:
        """Fresh starts on all boards; those with a seed begin its random numbers anew."""
        for board, seed in enumerate(seeds):
            if seed is None and not self.begun:
                seed = secrets.randbits(32)
            if seed is not None:
                self.designs.rngs[board] = seeded(np.random.SeedSequence(check_seed(seed)))
        self.begun = True
        self.designs.over[:] = True
        return self.step(np.zeros(self.boards, np.int64))

    def step(self, actions: Actions) -> Out:
        """One action on every board; a board that was over is begun afresh instead."""
        out = make_out(self.boards, self.size[0] * self.size[1], max(self.planes, 1) + 1)
        kernels.advance(self.rep, self.compiled, self.objective, self.designs, actions, out)
        reraise(self.compiled)
        return out

    def masks(self) -> NDArray[np.bool_]:
        masks = np.zeros((self.boards, self.actions), np.bool_)
        kernels.write_masks(self.rep, self.designs, masks)
        return masks

    def check_begun(self) -> None:
        if not self.begun:
            raise LevelsmithError("there is no level yet; call reset first")

    def level(self, board: int) -> Level:
        """Returns the level of a board as it stands."""
        words = self.designs.states[board]
        tiles = tiles_of(words if self.rep.kinds == 2 else words.view(np.uint8), self.size[0] * self.size[1])
        grid: Grid = tiles.reshape(self.size)
        if self.border:
            grid = np.pad(grid, self.border, constant_values=self.outside)
        return Level(self.game.name, self.game.tiles, grid)

    def info(self, board: int) -> Infos:
        """Returns what a step says about the level of a board."""
        level, row = self.level(board), np.zeros(len(self.metrics))
        kernels.measure(self.rep, self.compiled, self.designs, board, row)
        reraise(self.compiled)
        return {
            "level": level,
            "valid": _is_level(self.game, level),
            "metrics": dict(zip(self.metrics, row.tolist(), strict=True)),
            "score": float(self.designs.scores[board]),
            "changes": int(self.designs.changes[board]),
        }


def _actions(rep: GridRep) -> int:
    """Returns how many actions there are; `kernels.design` says which."""
    if rep.kind == NARROW:
        return rep.kinds
    if rep.kind == TURTLE:
        return kernels.DIRECTIONS * rep.kinds if rep.pairs else kernels.DIRECTIONS + rep.kinds
    return rep.height * rep.width * rep.kinds


def _is_level(game: Game, level: Level) -> bool:
    try:
        game.check(level)
    except LevelsmithError:
        return False
    return True


class DesignEnv(gym.Env[NDArray[np.uint8], np.int64]):
    """One level at a time; see `Workshop` for the options. The reward is the change of the score."""

    metadata = METADATA

    def __init__(
        self, game: str, representation: str, render_mode: str | None = None, scale: int = 16, **options: Any
    ):
        self.render_mode, self.scale = check_mode(render_mode), scale
        self.workshop = Workshop(game, representation, 1, **options)
        self.observation_space = self.workshop.view
        self.action_space = gym.spaces.Discrete(self.workshop.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], Infos]:
        super().reset(seed=seed)
        out = self.workshop.begin([seed])
        return out.views.reshape(self.observation_space.shape), self.workshop.info(0)

    def step(self, action: Any) -> tuple[NDArray[np.uint8], float, bool, bool, Infos]:
        if not self.action_space.contains(action):
            last = self.workshop.actions - 1
            raise LevelsmithError(f"expected an action from 0 to {last}, got {quoted(action)}")
        self.workshop.check_begun()
        out = self.workshop.step(np.array([action], np.int64))
        view = out.views.reshape(self.observation_space.shape)
        ended = bool(out.terminated[0]), bool(out.truncated[0])
        return view, float(out.rewards[0]), *ended, self.workshop.info(0)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are open."""
        masks: NDArray[np.bool_] = self.workshop.masks()[0]
        return masks

    def render(self) -> Any:
        self.workshop.check_begun()
        return drawn(self.workshop.level(0), self.render_mode, self.scale)


class DesignVectorEnv(VectorEnv[NDArray[np.uint8], Actions, NDArray[Any]]):
    """Many levels at once; board `i` of seed `s` is what `DesignEnv` does with the seed `s + i`.

    A board that has ended begins afresh in the step after, whose action does not count. The scores are in
    `infos`; `workshop.info(i)` has the metrics and the level of a board.
    """

    metadata = VECTOR_METADATA

    def __init__(
        self,
        game: str,
        representation: str,
        num_envs: int = 1,
        render_mode: str | None = None,
        scale: int = 16,
        **options: Any,
    ):
        self.render_mode, self.scale = check_mode(render_mode), scale
        self.workshop = Workshop(game, representation, num_envs, **options)
        self.num_envs = num_envs
        self.single_observation_space = self.workshop.view
        self.single_action_space = gym.spaces.Discrete(self.workshop.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], Infos]:
        out = self.workshop.begin(seeds_of(seed, self.num_envs))
        return self._view(out), {"score": self.workshop.designs.scores.copy()}

    def step(
        self, actions: Actions
    ) -> tuple[NDArray[np.uint8], NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        actions = np.asarray(actions, np.int64)
        last = self.workshop.actions - 1
        if actions.shape != (self.num_envs,) or actions.min() < 0 or actions.max() > last:
            raise LevelsmithError(
                f"expected {self.num_envs} actions from 0 to {last}, got {quoted(actions.tolist())}"
            )
        self.workshop.check_begun()
        out = self.workshop.step(actions)
        infos = {"score": self.workshop.designs.scores.copy()}
        return self._view(out), out.rewards, out.terminated, out.truncated, infos

    def _view(self, out: Out) -> NDArray[np.uint8]:
        return out.views.reshape(self.observation_space.shape or ())

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are open, `[boards, actions]`."""
        return self.workshop.masks()

    def render(self) -> tuple[Any, ...]:
        self.workshop.check_begun()
        return tuple(
            drawn(self.workshop.level(i), self.render_mode, self.scale) for i in range(self.num_envs)
        )
