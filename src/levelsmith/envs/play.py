"""Play levels: one at a time, or many in one compiled call."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from levelsmith.envs.base import FIRST, LevelEnv, LevelVectorEnv
from levelsmith.envs.boards import PlayedBoards
from levelsmith.envs.options import RESET_MASK, Infos, check_mask, check_options, finals, masked, seeds_of
from levelsmith.kernels.arena import Out


class PlayEnv(LevelEnv):
    """One level at a time; see `PlayedBoards` for the options."""

    def __init__(self, game: str, render_mode: str | None = None, scale: int = 16, **options: Any):
        super().__init__(render_mode, scale)
        self.table = PlayedBoards(game, 1, **options)
        self.show(self.table)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], Infos]:
        """Begins the next level, or the one of `options={"level": …}`, a Level or its text."""
        given = check_options(options, ("level",))
        [seed] = seeds_of(seed, 1)
        dealt = [self.table.handed_in(given["level"])] if "level" in given else None
        super().reset(seed=seed)
        self.table.seed([seed])
        self.table.deal(FIRST, dealt)
        view = self.table.reveal(FIRST)[0]
        return view, {name: values[0] for name, values in self.table.begun(FIRST).items()}

    def _info(self, ended: bool) -> Infos:
        if not ended:
            return {"solved": self.table.arena.solved(0)}
        info = {name: values[0].item() for name, values in self.table.ended(FIRST).items()}
        return {**info, "regret": None if isnan(info["regret"]) else info["regret"]}

    def close(self) -> None:
        self.table.supply.close()


class PlayVectorEnv(LevelVectorEnv):
    """Many levels at once; board `i` of seed `s` plays the levels that `PlayEnv` plays with the seed `s + i`.

    Args:
        autoreset_mode: when a board that has ended gets its next level: "NextStep", in the step after, whose
            action does not count; "SameStep", at once; "Disabled", with `reset` alone.
        observation_as: "numpy", or "torch" for tensors over the same memory.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        render_mode: str | None = None,
        scale: int = 16,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observation_as: str = "numpy",
        **options: Any,
    ):
        super().__init__(render_mode, scale, autoreset_mode, observation_as)
        self.table = PlayedBoards(game, num_envs, **options)
        self.show(self.table)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Infos]:
        """Begins the next levels of all boards, or of those in `options["reset_mask"]`, an array of bools.

        `options["levels"]` has a level for each of these boards, a Level or its text, or None for its next.
        """
        given = check_options(options, ("levels", RESET_MASK))
        boards = check_mask(given.get(RESET_MASK), self.num_envs, bool(self.table.seeds))
        levels = self.table.all_handed_in(given["levels"], len(boards)) if "levels" in given else None
        seeds = seeds_of(seed, self.num_envs)
        reset = set(boards.tolist())
        self.table.seed([each if board in reset else None for board, each in enumerate(seeds)])
        waiting = set(self.over.tolist()) if self.mode == AutoresetMode.NEXT_STEP else set()
        waiting = {board for board in waiting & reset if seeds[board] is None}  # dealt but not shown yet
        if levels is not None:
            for board in waiting:  # it is put back
                self.table.numbers[board] -= self.table.keys[board] is not None
            waiting = set()
        self.table.deal(
            np.array([board for board in boards.tolist() if board not in waiting], np.int64), levels
        )
        seen = self._shown_again(boards, self.table.reveal(boards))
        return seen, masked(self.num_envs, boards, self.table.begun(boards))

    def _infos(self, views: NDArray[np.uint8], out: Out) -> Infos:
        infos: Infos = {}
        if len(self.over):  # shown by this step
            infos = masked(self.num_envs, self.over, self.table.begun(self.over))
        self.over = np.flatnonzero(out.terminated | out.truncated)
        return infos | self._ended(views) if len(self.over) else infos

    def _ended(self, views: NDArray[np.uint8]) -> Infos:
        """Returns what the ends of episodes tell, and deals the next levels, which the same step may show."""
        over = self.over
        infos = masked(self.num_envs, over, self.table.ended(over))
        infos["_regret"] &= ~np.isnan(infos["regret"])
        if self.mode == AutoresetMode.DISABLED:
            return infos
        self.table.deal(over)
        if self.mode == AutoresetMode.NEXT_STEP:
            return infos
        ends = finals(self.array, views, over, infos)
        views[over] = self.table.reveal(over)
        self.over = over[:0]
        return {**ends, **masked(self.num_envs, over, self.table.begun(over))}

    def close_extras(self, **kwargs: Any) -> None:
        self.table.supply.close()
