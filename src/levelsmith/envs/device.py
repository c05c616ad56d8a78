"""Play levels on a GPU: boards, moves, rewards and what is seen of them stay there."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from importlib import import_module
from math import nan
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from levelsmith.core import Level
from levelsmith.envs.base import BatchedEnv, drawn
from levelsmith.envs.boards import PlayedBoards
from levelsmith.envs.known import FEWEST_STEPS, Dealt, arena_kind
from levelsmith.envs.options import (
    RESET_MASK,
    Infos,
    Stepped,
    check_actions,
    check_counts,
    check_mask,
    check_options,
    seeds_of,
)
from levelsmith.envs.play import PlayVectorEnv
from levelsmith.envs.pool import Key
from levelsmith.envs.supply import Fixed, padded, shown
from levelsmith.errors import LevelsmithError, unknown
from levelsmith.games.arena import Boards
from levelsmith.kernels.device import chosen

ARRAYS = ("cuda", "torch", "jax")
NO_BOARDS: Boards = np.zeros(0, np.int64)
NOT_KNOWN = -1


def play_vector(
    game: str, num_envs: int = 1, device: str = "cpu", **options: Any
) -> VectorEnv[Any, Any, Any]:
    """Returns many levels to play at once, on the processor or on a GPU."""
    able = arena_kind(game).on_gpu is not None
    unable = None if able else f"no boards of {game} are played on a GPU: leave out device"
    return (CardVectorEnv if chosen(device, unable) == "cuda" else PlayVectorEnv)(game, num_envs, **options)


class CardVectorEnv(BatchedEnv):
    """Many levels at once on a GPU; each board does what it does in `PlayVectorEnv`, step by step.

    The arrays that a step gives are written again by the step after the next. Boards are dealt the levels of
    a set (`count`, `levels`) on the GPU, and a step waits for nothing. Levels that are new each time are made
    by the processor, and each step waits until it is clear which boards have ended.

    Args:
        autoreset_mode: when a board that has ended gets its next level: "NextStep", in the step after, whose
            action does not count, or "SameStep", at once.
        observation_as: "cuda" for arrays with `__cuda_array_interface__`; "torch" or "jax" for theirs, over
            the same memory.
        options: those of `PlayedBoards`.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        render_mode: str | None = None,
        scale: int = 16,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observation_as: str = "cuda",
        **options: Any,
    ):
        super().__init__(render_mode, scale, autoreset_mode)
        if self.mode == AutoresetMode.DISABLED:
            raise LevelsmithError(
                "a GPU deals levels by itself: take autoreset_mode='NextStep' or 'SameStep'"
            )
        if options.get("curriculum"):
            raise LevelsmithError("a curriculum runs on the processor: leave out curriculum, or device")
        self.hand, self.renew = _hand_over(observation_as)
        [number] = check_counts(num_envs=num_envs)
        self.table = PlayedBoards(game, 1, **options)  # what was asked for, checked
        self.show(self.table, number)
        same_step = self.mode == AutoresetMode.SAME_STEP
        size, known = self.table.supply.size, self.table.known
        module, _, name = str(arena_kind(game).on_gpu).partition(":")
        kind = getattr(import_module(module), name)
        self.levels: Sequence[Level] = ()  # of the set
        of_set: list[Dealt] = []
        if isinstance(self.table.supply, Fixed):
            self.levels = self.table.supply.levels
            of_set = [self.table.supply.dealt(i) for i in range(len(self.levels))]
        most = known.most or max((each.most for each in of_set), default=FEWEST_STEPS)
        self.card = kind(self.num_envs, size, most, known.rewards, self.table.planes, same_step)
        if of_set:
            self.card.take_set(*self._as_arrays(of_set))
        self.on_board: list[Level | None] = [None] * self.num_envs  # those that are of no set
        self.seeds = NO_BOARDS
        self.numbers = np.zeros(self.num_envs, np.int64)  # of the next level, where the processor deals
        self.over = NO_BOARDS  # dealt by the processor and not shown yet
        self.told = {id(given): self._told(given) for given in self.card.outs}

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Infos]:
        """Begins the next levels of all boards, or of those in `options["reset_mask"]`, an array of bools.

        `options["levels"]` has a level for each of these boards, a Level or its text, or None for its next.
        """
        given = check_options(options, ("levels", RESET_MASK))
        boards = check_mask(given.get(RESET_MASK), self.num_envs, len(self.seeds) > 0)
        levels = self.table.all_handed_in(given.get("levels", [None] * len(boards)), len(boards))
        again = self._seed(seed, boards)
        own = np.array([level is not None for level in levels], np.bool_)
        self._deal(boards[~own], again[~own])
        if own.any():
            self._put(boards[own], again[own], [level for level in levels if level is not None])
        self.over = np.setdiff1d(self.over, boards)
        view, *_, infos = self._given(self.card.begin(boards))
        return view, infos

    def _seed(self, seed: Any, boards: Boards) -> NDArray[np.bool_]:
        """Takes seeds for some boards and returns where they are new; the others go on with their own."""
        if not len(self.seeds):
            rng = np.random.default_rng(secrets.randbits(64))
            self.seeds = rng.integers(1 << 32, size=self.num_envs)
            self.card.seed(self.seeds)
        if seed is None:
            return np.zeros(len(boards), np.bool_)
        seeds = seeds_of(seed, self.num_envs)
        again = np.array([seeds[board] is not None for board in boards.tolist()], np.bool_)
        self.seeds[boards[again]] = [seeds[board] for board in boards[again].tolist()]
        self.numbers[boards[again]] = 0
        self.card.seed(self.seeds)
        self.table.supply.forget()
        return again

    def _deal(self, boards: Boards, again: NDArray[np.bool_]) -> None:
        """Puts the next level on each of some boards, or the first of its seed again."""
        if self.levels:
            if len(boards):
                self.card.deal(boards, again)
            return
        wanted = again | ~np.isin(boards, self.over)
        boards, again = boards[wanted], again[wanted]
        keys = [Key(0, int(self.seeds[board]), int(self.numbers[board])) for board in boards.tolist()]
        if keys:
            self._put(boards, again, self.table.supply.take(keys), self.numbers[boards])
            self.numbers[boards] += 1

    def _put(self, boards: Boards, again: NDArray[np.bool_], dealt: list[Dealt], numbers: Any = None) -> None:
        """Puts levels on some boards; without numbers they were handed in, and what waited comes later."""
        if numbers is None:
            self.numbers[boards] -= np.isin(boards, self.over) & ~again
        self.card.load(boards, again, *self._as_arrays(dealt, numbers))
        for board, each in zip(boards.tolist(), dealt, strict=True):
            self.on_board[board] = each.level

    def _as_arrays(self, dealt: Sequence[Dealt], numbers: Any = None) -> tuple[Any, Any]:
        """Returns levels as the GPU takes them: `[N, H, W]` tiles, and what is known of each."""
        size, outside = self.table.supply.size, self.table.arena.outside
        grids = np.stack([padded(each.level, size, outside) for each in dealt])
        return grids, self.card.facts(
            [NOT_KNOWN if each.index is None else each.index for each in dealt],
            0 if numbers is None else numbers,
            [NOT_KNOWN if each.optimal is None else each.optimal for each in dealt],
            [each.best for each in dealt],
            [nan if each.difficulty is None else each.difficulty for each in dealt],
        )

    def step(self, actions: Any) -> Stepped:
        """Makes a move on each board. actions: `[boards]` whole numbers, on the GPU or not"""
        if not len(self.seeds):
            raise LevelsmithError("there is no level yet; call reset first")
        if self.card.was_wrong():
            raise LevelsmithError(
                f"expected actions from 0 to {self.table.actions - 1}; a step before this one had another"
            )
        given = self.card.step(self._actions(actions))
        if not self.levels:
            self.over = np.flatnonzero(given.over.copy_to_host())
            self._deal_ended(given)
        return self._given(given)

    def _actions(self, actions: Any) -> Any:
        from levelsmith.kernels.gpu import from_card

        there = from_card(actions)
        if there is None:
            return check_actions(actions, self.num_envs, self.table.actions)
        if there.shape != (self.num_envs,) or there.kind.kind not in "iu" or not there.packed:
            apart = "" if there.packed else ", not side by side in memory"
            raise LevelsmithError(
                f"expected {self.num_envs} whole numbers as actions, "
                f"got {there.kind} of the shape {tuple(there.shape)}{apart}"
            )
        return there

    def _deal_ended(self, given: Any) -> None:
        """Has the processor deal boards that have ended in a step."""
        over, self.over = self.over, NO_BOARDS
        if len(over):
            self._deal(over, np.zeros(len(over), np.bool_))
            if self.mode == AutoresetMode.SAME_STEP:
                self.card.reveal(over, given)
            else:
                self.over = over

    def _given(self, given: Any) -> Stepped:
        """Returns what a step gave as was asked for."""
        views, rewards, terminated, truncated, infos = self.told[id(given)]
        if self.renew is not None:
            views, rewards, terminated, truncated = self.renew(views, rewards, terminated, truncated)
        return views, rewards, terminated, truncated, dict(infos)

    def _told(self, given: Any) -> Stepped:
        hand = self.hand
        infos = self._masked(given.ends, given.over)
        if given.last is not None:
            over, last = hand(given.over), hand(given.last)
            infos = {"final_obs": last, "_final_obs": over, "final_info": infos, "_final_info": over}
        infos |= self._masked(given.starts, given.new)
        return hand(given.views), hand(given.rewards), hand(given.terminated), hand(given.truncated), infos

    def _masked(self, columns: dict[str, Any], mask: Any) -> Infos:
        """Returns arrays by name, and with each its mask."""
        mask = self.hand(mask)
        infos: Infos = {}
        for name, array in columns.items():
            infos[name], infos[f"_{name}"] = self.hand(array), mask
        return infos

    def action_masks(self) -> Any:
        """Returns which moves are not blocked, `[boards, actions]`, on the GPU."""
        masks = self.hand(self.card.masks())
        return masks if self.renew is None else self.renew(masks)[0]

    def level(self, board: int) -> Level:
        """Returns the level that a board began with."""
        index = self.card.index(board)
        level = self.levels[index] if self.levels and index != NOT_KNOWN else self.on_board[board]
        if not len(self.seeds) or level is None:
            raise LevelsmithError("there is no level yet; call reset first")
        return level

    def render(self) -> tuple[Any, ...]:
        boards = range(self.num_envs)
        now = (shown(self.level(board), self.card.grid(board)) for board in boards)
        return tuple(drawn(level, self.render_mode, self.scale) for level in now)

    def close_extras(self, **kwargs: Any) -> None:
        self.table.supply.close()


def _hand_over(kind: str) -> tuple[Callable[[Any], Any], Callable[..., list[Any]] | None]:
    """Returns what makes arrays on the GPU those of a library, over the same memory: once, or every time."""
    if kind not in ARRAYS:
        raise unknown("array of a GPU", str(kind), ARRAYS)
    try:
        if kind == "torch":
            import torch

            return lambda array: torch.as_tensor(array, device="cuda"), None
        if kind == "jax":
            return _same, _as_jax()
    except ImportError:
        name = {"torch": "PyTorch", "jax": "JAX"}[kind]
        raise LevelsmithError(
            f"observation_as={kind!r} needs {name}, which is not installed; try: pip install {kind}"
        ) from None
    return _same, None


def _same(array: Any) -> Any:
    return array


def _as_jax() -> Callable[..., list[Any]]:
    """Returns what makes arrays those of JAX, which takes each for a value and does not wait for others."""
    import jax.numpy as jnp

    from levelsmith.kernels.gpu import wait

    def renewed(*arrays: Any) -> list[Any]:
        wait()
        return [jnp.asarray(array) for array in arrays]

    return renewed
