"""Many levels at once, as arrays: what makes levels by the thousand hands them on in this form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Levels of one game and size."""

    runs: NDArray[np.int64]  # [N] which run of the seed each is; a run that made none is missing
    grids: Grid  # [N, H, W]
    solutions: tuple[str, ...]  # [N]
    keys: NDArray[np.uint64]  # [N] the same for levels that the game holds alike
    evaluations: NDArray[np.int64]  # [N] candidates that each took

    def __len__(self) -> int:
        return len(self.runs)

    def part(self, first: int, last: int) -> Batch:
        cut = slice(first, last)
        return Batch(
            self.runs[cut], self.grids[cut], self.solutions[cut], self.keys[cut], self.evaluations[cut]
        )


def joined(parts: Sequence[Batch]) -> Batch:
    """Batches as one."""
    return Batch(
        np.concatenate([part.runs for part in parts]),
        np.concatenate([part.grids for part in parts]),
        tuple(solution for part in parts for solution in part.solutions),
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.evaluations for part in parts]),
    )


class Maker(Protocol):
    """What a generator's `many(game, size, values, terms)` gives: makes levels that meet all the terms."""

    portion: int  # levels to ask for at a time

    def make(
        self,
        runs: Sequence[int],
        seeds: Sequence[np.random.SeedSequence],
        evaluations: int,
        cancel: Callable[[], bool],
    ) -> Batch:
        """A level for each seed, spending at most so many evaluations on it; cut short once cancelled."""

    def known(self, levels: Sequence[Level]) -> set[int]:
        """What `Batch.keys` would be of levels that are there already."""
