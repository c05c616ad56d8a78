"""Boards that are designed, and what they are worth: what all design environments share."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf, isfinite
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Designable, Game
from levelsmith.core import Grid, Level, Term
from levelsmith.envs import REPRESENTATIONS
from levelsmith.envs.kernels import design as kernels
from levelsmith.envs.options import Actions, Infos, check_counts, check_view
from levelsmith.errors import LevelsmithError, quoted, unknown
from levelsmith.games.arena import Boards
from levelsmith.kernels.arena import Out, make_out
from levelsmith.kernels.boards import tiles_of
from levelsmith.kernels.outside import reraise
from levelsmith.kernels.random import seeded
from levelsmith.kernels.score import make as make_score
from levelsmith.making.build import build_problem
from levelsmith.making.plan import plan
from levelsmith.making.task import Task
from levelsmith.making.wants import Want, wanted
from levelsmith.numbers import check_number, check_seed
from levelsmith.registry import games
from levelsmith.representations.kernels.grid import NARROW, NO_LIMIT, TURTLE, WIDE, GridRep
from levelsmith.request import DESIGN, Request, fields_of

ROUNDS = 4  # steps for each cell, where a representation has no end of its own
STATE = (  # of `Designs`
    *("states", "origins", "orders", "rngs", "scores", "steps", "changes", "over"),
    *("targets", "asked", "signs"),
)


class Workshop:
    """Boards that are designed, and what they are worth; what both kinds of environments share.

    Args:
        game: any registered one.
        representation: "narrow", "turtle" or "wide".
        boards: how many.
        max_steps: actions after which an episode is cut off.
        max_changes: changed tiles after which it ends.
        observation: "tiles", a number for each cell, or "planes", a plane of zeros and ones for each tile;
            and one more plane that says where the next change may be.
        targets: what metrics are to be: ranges from which each episode draws a number for each, with a plane
            more for each, which says whether the metric is too much (0), right (1) or too little (2).
        weights: of objectives, ranges and targets in the score, by name; 1 where nothing is said.
        crop: cells on a side of the square around the cell at hand that is seen instead of the board.
        choices: as for `levelsmith.generate` objective, combine, want, size, start, lock and set; others are
            parameters of the representation.
    """

    def __init__(
        self,
        game: str,
        representation: str,
        boards: int,
        *,
        max_steps: int | None = None,
        max_changes: int | None = None,
        observation: str = "tiles",
        targets: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        crop: int | None = None,
        **choices: Any,
    ):
        self.asked_for = {name: value for name, value in locals().items() if name not in ("self", "choices")}
        self.asked_for |= choices
        self.game = games.get(game)
        counts = {"num_envs": boards, "max_steps": max_steps, "max_changes": max_changes, "crop": crop}
        given = {name: value for name, value in counts.items() if value is not None}
        counts |= dict(zip(given, check_counts(**given), strict=True))
        check_view(observation)
        if weights is not None and not isinstance(weights, Mapping):
            raise LevelsmithError(f"expected weights by name, as weights={{'a': 1}}, got {quoted(weights)}")
        if representation not in REPRESENTATIONS:
            raise unknown("representation to design with", representation, REPRESENTATIONS)
        fields = fields_of(DESIGN)
        asked = Request(game, **{name: value for name, value in choices.items() if name in fields})
        own = {f"{representation}.{name}": value for name, value in choices.items() if name not in fields}
        values = {**(asked.set or {}), **own}
        request = asked.but(search="random", representation=representation, set=values, seed=0)
        task = plan(request, REPRESENTATIONS if isinstance(self.game, Designable) else None)
        problem = build_problem(task)
        self.rep: GridRep = problem.representation
        self.border = self.game.border
        self.outside = next((i for i, tile in enumerate(self.game.tiles) if "solid" in tile.tags), 0)
        self.metrics = tuple(self.game.metrics)
        self.compiled = problem.game
        if isinstance(self.game, Designable):
            self.compiled = self.game.compiled_grids(task.size)
        self.boards, self.size = counts["num_envs"] or 1, task.size
        self.targets = _targets(self.game, targets)
        alone = bool(self.targets) and asked.objective is None and asked.want is None
        terms = _weighted(self.game, task, self.targets, weights or {}, alone)
        self.objective = make_score(terms, [*self.metrics, *self.game.score_parts], task.combine == "product")
        self.crop = _crop(counts["crop"], self.rep)
        kinds = self.game.tiles.kinds
        self.planes = kinds if observation == "planes" else 0
        self.layers = max(self.planes, 1) + 1 + len(self.targets)
        most = max(1 if self.planes else kinds - 1 + bool(self.crop), 2 if self.targets else 1)
        self.view: gym.Space[Any] = gym.spaces.Box(
            0, most, (self.layers, *(self.crop or task.size)), np.uint8
        )
        self.actions = _actions(self.rep)
        free = len(self.rep.places)
        most_steps = counts["max_steps"]
        if most_steps is None:
            most_steps = self.rep.depth if self.rep.kind == NARROW else free * ROUNDS
        number = len(self.targets)
        boards = self.boards
        self.designs = kernels.Designs(
            states=np.zeros((boards, self.rep.words), np.uint64),
            origins=np.zeros((boards, len(self.rep.origin)), np.uint64),
            orders=np.zeros((boards, len(self.rep.order)), np.int32),
            rngs=np.zeros((boards, 2), np.uint64),
            scores=np.zeros(boards),
            steps=np.zeros(boards, np.int64),
            changes=np.zeros(boards, np.int64),
            over=np.ones(boards, np.bool_),
            most_steps=most_steps,
            most_changes=counts["max_changes"] or NO_LIMIT,
            goal=alone or task.has_goal,
            ranges=np.array([_drawn_from(target) for target in self.targets]).reshape(number, 4),
            targets=np.zeros((boards, number)),
            asked=np.full((boards, number), np.nan),
            signs=np.full((boards, number), kernels.RIGHT, np.uint8),
        )
        self.every = np.arange(boards)
        self.begun = False

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Workshop, **self.asked_for), (), self.get_state()

    def get_state(self) -> dict[str, Any]:
        """Returns all that steps and resets change, as values that can be pickled."""
        return {"begun": self.begun, **{name: getattr(self.designs, name).copy() for name in STATE}}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes back to a state of as many boards of the same size."""
        for name in STATE:
            if state[name].shape != getattr(self.designs, name).shape:
                raise LevelsmithError(f"expected a state of {self.boards} boards made with the same options")
        for name in STATE:
            getattr(self.designs, name)[:] = state[name]
        self.begun = state["begun"]

    __setstate__ = set_state

    def begin(self, boards: Boards, seeds: Sequence[int | None], targets: Any = None) -> NDArray[np.uint8]:
        """Returns the views of fresh starts on some boards; those with a seed begin its random numbers anew.

        Args:
            seeds: of all boards.
            targets: numbers to have in place of drawn ones, by metric, one for all boards or one for each.
        """
        asked = self._asked(targets, len(boards))
        chosen = frozenset(boards.tolist())
        for board, seed in enumerate(seeds):
            if seed is None and not self.begun:
                seed = secrets.randbits(32)
            if seed is not None and board in chosen:
                self.designs.rngs[board] = seeded(np.random.SeedSequence(check_seed(seed)))
        self.begun = True
        for metric, values in asked.items():
            self.designs.asked[boards, self._number(metric)] = values
        return self.begin_again(boards)

    def begin_again(self, boards: Boards) -> NDArray[np.uint8]:
        """Returns the views of fresh starts on some boards, from the random numbers that come next."""
        self.designs.over[boards] = True
        out = self._advance(boards, np.zeros(self.boards, np.int64))
        return self._seen(out)[boards]

    def _asked(self, targets: Any, boards: int) -> dict[str, NDArray[np.float64]]:
        if targets is not None and not isinstance(targets, Mapping):
            raise LevelsmithError(
                f"expected targets by metric, such as {{'steps': 12}}, got {quoted(targets)}"
            )
        found = {}
        for name, value in (targets or {}).items():
            self._number(name)
            try:
                found[name] = np.broadcast_to(np.asarray(value, np.float64), (boards,))
            except (TypeError, ValueError):
                raise LevelsmithError(
                    f"expected a number as the target {name}, or {boards} of them, got {quoted(value)}"
                ) from None
            if not np.isfinite(found[name]).all():
                raise LevelsmithError(f"expected a finite number as the target {name}, got {quoted(value)}")
        return found

    def _number(self, metric: str) -> int:
        """Returns which target a metric is."""
        names = [target.metric for target in self.targets]
        if str(metric).replace("-", "_") not in names:
            raise unknown("target", str(metric), names)
        return names.index(str(metric).replace("-", "_"))

    def step(self, actions: Actions) -> tuple[NDArray[np.uint8], Out]:
        """One action on every board; a board that was over is begun afresh instead. Returns the views, and
        what came of it."""
        out = self._advance(self.every, actions)
        return self._seen(out), out

    def _advance(self, boards: Boards, actions: Actions) -> Out:
        out = make_out(self.boards, self.size[0] * self.size[1], self.layers)
        kernels.advance(self.rep, self.compiled, self.objective, self.designs, boards, actions, out)
        reraise(self.compiled)
        return out

    def _seen(self, out: Out) -> NDArray[np.uint8]:
        """Returns the views `[boards, layers, H, W]`, cropped around the cell at hand where that is asked.

        What lies outside the board is a tile of its own among numbers, and nothing in planes; the plane of
        the cell at hand, which is always in the middle, says instead which cells are on the board.
        """
        views = out.views.reshape(self.boards, self.layers, *self.size)
        if self.crop is None:
            return views
        height, width = self.size
        place = max(self.planes, 1)
        at = views[:, place].reshape(self.boards, -1).argmax(axis=1)
        views[:, place] = 1
        half = self.crop[0] // 2
        wide = np.zeros((self.boards, self.layers, height + 2 * half, width + 2 * half), np.uint8)
        if not self.planes:
            wide[:, 0] = self.game.tiles.kinds
        wide[:, place + 1 :] = views[:, place + 1 :, :1, :1]  # a target is seen everywhere
        wide[:, :, half : half + height, half : half + width] = views
        rows = (at // width)[:, None] + np.arange(self.crop[0])
        columns = (at % width)[:, None] + np.arange(self.crop[1])
        layers = np.arange(self.layers)[None, :, None, None]
        boards = self.every[:, None, None, None]
        cut: NDArray[np.uint8] = wide[boards, layers, rows[:, None, :, None], columns[:, None, None, :]]
        return cut

    def masks(self) -> NDArray[np.bool_]:
        masks = np.zeros((self.boards, self.actions), np.bool_)
        kernels.write_masks(self.rep, self.designs, masks)
        return masks

    def check_begun(self) -> None:
        if not self.begun:
            raise LevelsmithError("there is no level yet; call reset first")

    def now(self, board: int) -> Level:
        """Returns the level of a board as it stands."""
        words = self.designs.states[board]
        tiles = tiles_of(words if self.rep.kinds == 2 else words.view(np.uint8), self.size[0] * self.size[1])
        grid: Grid = tiles.reshape(self.size)
        if self.border:
            grid = np.pad(grid, self.border, constant_values=self.outside)
        return Level(self.game.name, self.game.tiles, grid)

    def info(self, board: int) -> Infos:
        """Returns what a step says about the level of a board."""
        level, row = self.now(board), np.zeros(len(self.metrics))
        kernels.measure(self.rep, self.compiled, self.designs, board, row)
        reraise(self.compiled)
        return {
            "level": level,
            "valid": _is_level(self.game, level),
            "metrics": dict(zip(self.metrics, row.tolist(), strict=True)),
            "score": float(self.designs.scores[board]),
            "changes": int(self.designs.changes[board]),
            **self.aims(board),
        }

    def aims(self, board: Any) -> Infos:
        """Returns the targets of a board by metric, where there are any; of a slice of boards, arrays."""
        made = np.copy if isinstance(board, slice) else float
        rows = map(made, self.designs.targets[board].T)
        told = {target.metric: row for target, row in zip(self.targets, rows, strict=True)}
        return {"targets": told} if told else {}


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


def _targets(game: Game, asked: Mapping[str, Any] | None) -> list[Want]:
    """Returns the ranges that targets are drawn from."""
    if asked is not None and (not isinstance(asked, Mapping) or not asked):
        raise LevelsmithError(
            f"expected ranges by metric, such as {{'steps': (10, 20)}}, got {quoted(asked)}"
        )
    found = list(wanted(game, asked or {}))[: len(asked or {})]
    for target in found:
        if target.high == inf:
            raise LevelsmithError(
                f"expected a range with two ends for the target {target.metric}, got {target.range}"
            )
    return found


def _drawn_from(target: Want) -> tuple[float, float, float, float]:
    """Returns a row of `Designs.ranges`: a score falls to 0 once a metric is off by the largest target."""
    whole = float(target.low).is_integer() and float(target.high).is_integer()
    return target.low, target.high, max(target.high, 1.0), float(whole)


def _weighted(
    game: Game, task: Task, targets: Sequence[Want], weights: Mapping[str, float], alone: bool
) -> list[Term]:
    """Returns all that the score is made of, each part with its weight; targets come last."""
    parts: list[tuple[str, Sequence[Term]]] = []
    if not alone:
        for name in task.objectives:
            parts.append((name, game.objectives[name].terms(task.size, task.values[name])))
        parts += [(want.metric, [want.term(task.size[0] * task.size[1])]) for want in task.wants]
    parts += [(target.metric, [Term(target.metric, "ramp")]) for target in targets]
    names = [name for name, _ in parts]
    given = {str(n) if n in names else str(n).replace("-", "_"): weight for n, weight in weights.items()}
    for name, weight in given.items():
        if name not in names:
            raise unknown("part of the score", name, names)
        check_number(weight, f"the weight of {name}")
        if not (isfinite(weight) and weight >= 0):
            raise LevelsmithError(f"expected a weight of at least 0 for {name}, got {quoted(weight)}")
    return [replace(term, weight=term.weight * given.get(name, 1)) for name, terms in parts for term in terms]


def _crop(side: int | None, rep: GridRep) -> tuple[int, int] | None:
    if side is None:
        return None
    if rep.kind == WIDE:
        raise LevelsmithError("wide has no cell at hand to crop a view around: leave out crop")
    if side % 2 == 0:
        raise LevelsmithError(f"expected an odd number of cells for crop, got {side}")
    return side, side
