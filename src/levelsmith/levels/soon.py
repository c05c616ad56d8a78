"""A few levels solved or measured at once, though what does it is compiled for the first time: see
`kernels/cold.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from levelsmith.core import Cancel, Level, Verdict
from levelsmith.kernels import cold
from levelsmith.levels.measure import Metrics, details, measure
from levelsmith.levels.solve import solve
from levelsmith.registry import games

MOST = 8  # levels that are worth it to be solved or measured uncompiled
Facts = tuple[Metrics, dict[str, Any]]  # the metrics of a level, and what else its game tells


def solve_soon(
    levels: list[Level], cancel: Cancel, say: Callable[[str], None], **choices: Any
) -> Iterator[Verdict]:
    """Does what `solve` does, but a few levels do not wait for a compiler; `say` tells so in a line."""

    def start() -> Iterator[Verdict]:
        return solve(levels, cancel=cancel, lazily=True, **choices)

    if not _worth_it(levels):
        return start()
    patient = {**choices, "seconds": None, "workers": 1}  # uncompiled, all takes longer
    return cold.follow(start, _solved, (levels, patient), cancel, say)


def _solved(levels: list[Level], choices: dict[str, Any], begun: Callable[[], None]) -> list[Verdict]:
    verdicts = []
    for verdict in solve(levels, lazily=True, **choices):
        begun()
        verdicts.append(verdict)
    return verdicts


def measure_soon(
    levels: list[Level], rules: str | None, device: str, say: Callable[[str], None]
) -> list[Facts]:
    """Returns what `measure` and `details` do of each level, but a few do not wait for a compiler; `say`
    tells so in a line."""
    if device != "cpu" or not _worth_it(levels):
        return _facts(levels, rules, device)

    def start() -> Iterator[list[Facts]]:
        yield _facts(levels, rules, device)

    return next(cold.follow(start, _measured, (levels, rules), lambda: False, say))


def _facts(levels: list[Level], rules: str | None, device: str) -> list[Facts]:
    metrics = measure(levels, rules, device)
    return [(found, details(level, rules)) for level, found in zip(levels, metrics, strict=True)]


def _measured(levels: list[Level], rules: str | None, begun: Callable[[], None]) -> list[list[Facts]]:
    found = [_facts(levels, rules, "cpu")]
    begun()
    return found


def _worth_it(levels: list[Level]) -> bool:
    """Tells whether levels are few and can be sent to other processes."""
    return len(levels) <= MOST and all(games.portable(level.game) for level in levels)
