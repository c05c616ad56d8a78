"""Boards with levels on them, and where the next ones come from: what all play environments share."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level
from levelsmith.curricula.curriculum import Curriculum
from levelsmith.curricula.episode import Episode
from levelsmith.curricula.ramp import Stages
from levelsmith.envs.known import Dealt, Known, arena_kind
from levelsmith.envs.options import Actions, check_counts, check_rewards, check_view
from levelsmith.envs.pool import Key
from levelsmith.envs.supply import Fixed, as_level, check_one_size, padded, playable, shown, supply
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.games.arena import Arena, Boards
from levelsmith.kernels.arena import Out, make_out
from levelsmith.numbers import check_seed

# what a state has a copy of
COPIED = ("dealt", "keys", "seeds", "numbers", "began", "returns", "best", "most")
DECIMALS = 9  # of a regret: what sums of rewards such as -0.1 are exact to


class PlayedBoards:
    """Boards with levels on them, and what was gained on each since its level began.

    Args:
        game: one that has an arena, or that is ByMoves.
        boards: how many.
        levels: files or levels to play instead of generated ones.
        count: how many levels to make and use again and again; None for a new one each time.
        level_seed: what those are made from.
        curriculum: from easy to hard: True, or the metric whose range is gone through; or an object of
            `levelsmith.curricula`, which gives the levels and is told of each episode.
        splits: the shares of train and test, or of train, validation and test, into which all levels fall.
        split: the one whose levels are played.
        unlike: files or levels that are never played, turned or mirrored or not.
        max_steps: moves after which an episode is cut off; by default twice those of the level's solution,
            and 200 at least.
        rewards: those that differ from the arena's own, by name.
        observation: "tiles", a number for each cell, or "planes", a plane of zeros and ones for each number.
        exact: find the shortest solution and the difficulty of every level, so that every regret is known.
        guards: of Lode Runner, "chase" (the default) or "still".
        choices: size, preset, search, evaluations, parameters of the generator, ranges of metrics.
    """

    def __init__(
        self,
        game: str,
        boards: int,
        *,
        curriculum: str | bool | Curriculum | None = None,
        max_steps: int | None = None,
        rewards: Mapping[str, float] | None = None,
        observation: str = "tiles",
        exact: bool = False,
        guards: str | None = None,
        **choices: Any,
    ):
        kind = arena_kind(game).against(guards)
        [boards] = check_counts(num_envs=boards)
        most = None if max_steps is None else check_counts(max_steps=max_steps)[0]
        check_view(observation)
        self.known = Known(game, most, check_rewards(rewards, kind.rewards), bool(exact), guards)
        self.supply = supply(self.known, boards, curriculum=curriculum, **choices)
        if kind.outside is None and isinstance(self.supply, Fixed):
            check_one_size(game, self.supply.levels)
        self.game, self.boards = game, boards
        self.arena = self._arena()
        self.curriculum = Stages(self.supply.stages)
        self.guide = curriculum if isinstance(curriculum, Curriculum) else None
        self.staged = self.supply.stages > 1
        self.actions = len(kind.letters)
        self.planes = kind.codes if observation == "planes" else 0
        shape = (kind.codes, *self.supply.size) if self.planes else self.supply.size
        self.view: gym.Space[Any] = gym.spaces.Box(0, 1 if self.planes else kind.codes - 1, shape, np.uint8)
        self.shape = (boards, *shape)  # of all views
        self.dealt: list[Dealt | None] = [None] * boards
        self.keys: list[Key | None] = [None] * boards  # None of a level that was handed in
        self.seeds: list[int] = []
        self.numbers = [0] * boards  # of the next level
        self.clock = 0
        self.began = np.zeros(boards, np.int64)  # when the level of a board was shown
        self.returns = np.zeros(boards)  # since then
        self.most = np.zeros(boards, np.int64)  # steps after which an episode is cut off
        self.best = np.zeros(boards)  # that a return can be; nan where that is not known

    def _arena(self) -> Arena:
        return self.known.kind(self.boards, self.supply.size, self.known.longest, self.known.rewards)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "arena": self.arena.get_state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.arena = self._arena()
        self.arena.set_state(state["arena"])

    def get_state(self) -> dict[str, Any]:
        """Returns all that steps and resets change, as values that can be pickled."""
        return {
            "size": self.supply.size,
            "arena": self.arena.get_state(),
            **{name: getattr(self, name).copy() for name in COPIED},
            "clock": self.clock,
            "stage": self.curriculum.stage,
            "won": list(self.curriculum.won),
            "guide": None if self.guide is None else self.guide.state,
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes back to a state; what was made ahead is kept, for levels have names."""
        if len(state["dealt"]) != self.boards or state["size"] != self.supply.size:
            height, width = state["size"]
            raise LevelsmithError(
                f"expected a state of {self.boards} boards of {self.supply.size[1]}x{self.supply.size[0]}, "
                f"got one of {len(state['dealt'])} of {width}x{height}"
            )
        self.arena.set_state(state["arena"])
        for name in COPIED:
            setattr(self, name, state[name].copy())
        self.clock = state["clock"]
        self.curriculum.stage = state["stage"]
        self.curriculum.won.clear()
        self.curriculum.won.extend(state["won"])
        if self.guide is not None:
            self.guide.load_state(state["guide"])

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Begins the levels of other seeds; where one is None the board goes on with its own."""
        seeds = [None if seed is None else check_seed(seed) for seed in seeds]
        if not self.seeds:
            self.seeds = [secrets.randbits(32) for _ in range(self.boards)]
        for board, seed in enumerate(seeds):
            if seed is not None:
                self.seeds[board] = seed
                self.numbers[board] = 0
        if any(seed is not None for seed in seeds):
            self.supply.forget()
            self.curriculum.restart()

    def handed_in(self, given: Any) -> Dealt:
        """Returns a level that the options of a reset have, once it is clear that it can be played here."""
        level = playable(self.game, as_level(self.game, given))
        padded(level, self.supply.size, self.arena.outside)
        return self.known.of(level)

    def all_handed_in(self, levels: Any, count: int) -> list[Dealt | None]:
        """Returns the levels for so many boards that the options of a reset have, None for a board's next."""
        if isinstance(levels, str) or not isinstance(levels, Sequence) or len(levels) != count:
            got = len(levels) if isinstance(levels, list | tuple) else quoted(levels)
            raise LevelsmithError(
                f"expected a list of {count} levels, one for each board to reset, got {got}"
            )
        return [None if level is None else self.handed_in(level) for level in levels]

    def deal(self, boards: Boards, given: Sequence[Dealt | None] | None = None) -> None:
        """Puts a level on each of some boards, a given one or its next, to be shown by the next step."""
        if len(boards) == 0:
            return
        chosen: list[Dealt | None] = [None] * len(boards) if given is None else list(given)
        drawn = [i for i, dealt in enumerate(chosen) if dealt is None]
        names = boards.tolist()
        keys = [Key(self.curriculum.stage, self.seeds[b], self.numbers[b]) for b in (names[i] for i in drawn)]
        for board in names:
            self.keys[board] = None
        for i, key, dealt in zip(drawn, keys, self.supply.take(keys) if keys else [], strict=True):
            chosen[i] = dealt
            self.keys[names[i]] = key
            self.numbers[names[i]] += 1
        size, outside = self.supply.size, self.arena.outside
        found = [dealt for dealt in chosen if dealt is not None]
        self.arena.load(boards, np.stack([padded(dealt.level, size, outside) for dealt in found]))
        for board, dealt in zip(names, found, strict=True):
            self.dealt[board] = dealt
        self.best[boards] = [dealt.best for dealt in found]
        self.most[boards] = [dealt.most for dealt in found]
        self.returns[boards] = 0.0
        self.began[boards] = self.clock + 1

    def reveal(self, boards: Boards) -> NDArray[np.uint8]:
        """Returns the views of boards that were just dealt, `[N, …]`; their next step is a move."""
        codes = self.arena.reveal(boards)
        self.began[boards] = self.clock
        if not self.planes:
            return codes
        planes: NDArray[np.uint8] = (
            codes[:, None] == np.arange(self.planes, dtype=np.uint8)[:, None, None]
        ).astype(np.uint8)
        return planes

    def check_begun(self) -> None:
        self._dealt(0)

    def step(self, actions: Actions) -> tuple[NDArray[np.uint8], Out]:
        """One step of all boards; those that were just dealt are only shown. Returns the views, and what came
        of it."""
        height, width = self.supply.size
        out = make_out(self.boards, height * width, self.planes)
        self.arena.step(actions, out)
        self.clock += 1
        late = ~out.terminated & (self.clock - self.began >= self.most)
        np.logical_or(out.truncated, late, out=out.truncated)
        self.returns += out.rewards
        if self.staged:
            for board in np.flatnonzero(out.terminated | out.truncated).tolist():
                self.curriculum.record(self.arena.solved(board))
        if self.guide is not None:
            over = np.flatnonzero(out.terminated | out.truncated)
            if len(over):
                self.guide.update(self._episodes(over))
        return out.views.reshape(self.shape), out

    def _episodes(self, boards: Boards) -> list[Episode]:
        """Returns what a curriculum is told of the ends of episodes."""
        told = {name: values.tolist() for name, values in self.ended(boards).items()}
        rows = zip(
            boards.tolist(), *(told[name] for name in ("solved", "steps", "return", "regret")), strict=True
        )
        return [
            Episode(self.level(board), solved, steps, reward, None if isnan(regret) else regret)
            for board, solved, steps, reward, regret in rows
        ]

    def masks(self) -> NDArray[np.bool_]:
        masks = np.zeros((self.boards, self.actions), np.bool_)
        self.arena.masks(masks)
        return masks

    def begun(self, boards: Boards) -> dict[str, list[Any]]:
        """Returns what a reset tells of the levels of some boards, a list for each name."""
        dealt = [self._dealt(board) for board in boards.tolist()]
        keys = [self.keys[board] for board in boards.tolist()]
        told: dict[str, list[Any]] = {
            "level": [each.level for each in dealt],
            "index": [each.index for each in dealt],
            "seed": [None if key is None else key.seed for key in keys],
            "number": [None if key is None else key.number for key in keys],
            "solution": [each.solution for each in dealt],
            "optimal": [each.optimal for each in dealt],
            "difficulty": [each.difficulty for each in dealt],
        }
        return {**told, "stage": [self.curriculum.stage] * len(dealt)} if self.staged else told

    def ended(self, boards: Boards) -> dict[str, NDArray[Any]]:
        """Returns what the end of an episode tells, an array for each name; a regret is nan where the best
        return is not known."""
        regrets = (self.best[boards] - self.returns[boards]).round(DECIMALS) + 0.0
        return {
            "solved": np.array([self.arena.solved(board) for board in boards.tolist()], np.bool_),
            "return": self.returns[boards],
            "steps": self.clock - self.began[boards],
            "regret": regrets,
        }

    def now(self, board: int) -> Level:
        """Returns the level of a board as it stands."""
        return shown(self.level(board), self.arena.grid(board))

    def level(self, board: int) -> Level:
        """Returns the level that a board began with."""
        return self._dealt(board).level

    def _dealt(self, board: int) -> Dealt:
        dealt = self.dealt[board]
        if dealt is None:
            raise LevelsmithError("there is no level yet; call reset first")
        return dealt
