"""A few levels solved at once, though the solver is compiled for the first time: see `kernels/cold.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from levelsmith.core import Cancel, Level, Verdict
from levelsmith.kernels import cold
from levelsmith.levels.solve import solve
from levelsmith.registry import games

MOST = 8  # levels that are worth it to be solved uncompiled


def solve_soon(
    levels: list[Level], cancel: Cancel, say: Callable[[str], None], **choices: Any
) -> Iterator[Verdict]:
    """Does what `solve` does, but a few levels do not wait for a compiler; `say` tells so in a line."""

    def start() -> Iterator[Verdict]:
        return solve(levels, cancel=cancel, lazily=True, **choices)

    if len(levels) > MOST or not all(games.portable(level.game) for level in levels):
        return start()
    patient = {**choices, "seconds": None, "workers": 1}  # uncompiled, all takes longer
    return cold.follow(start, _solved, (levels, patient), cancel, say)


def _solved(levels: list[Level], choices: dict[str, Any], begun: Callable[[], None]) -> list[Verdict]:
    verdicts = []
    for verdict in solve(levels, lazily=True, **choices):
        begun()
        verdicts.append(verdict)
    return verdicts
