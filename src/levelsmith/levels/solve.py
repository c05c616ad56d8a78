"""Any level solved, or proved to have no solution, by its game's solver; many are spread over processes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, overload

from levelsmith import processes
from levelsmith.contracts import Solvable
from levelsmith.core import Cancel, Effort, Level, Verdict
from levelsmith.errors import LevelsmithError, listed
from levelsmith.levels.files import load
from levelsmith.numbers import check_workers
from levelsmith.registry import games

Path = str | os.PathLike[str]


@overload
def solve(
    levels: Level,
    *,
    game: str | None = ...,
    any: bool = ...,
    moves: bool = ...,
    states: int | None = ...,
    seconds: float | None = ...,
    memory: int = ...,
    workers: int = ...,
    cancel: Cancel | None = ...,
) -> Verdict: ...
@overload
def solve(
    levels: Iterable[Level] | Path,
    *,
    game: str | None = ...,
    any: bool = ...,
    moves: bool = ...,
    states: int | None = ...,
    seconds: float | None = ...,
    memory: int = ...,
    workers: int = ...,
    cancel: Cancel | None = ...,
) -> Iterator[Verdict]: ...
def solve(
    levels: Level | Iterable[Level] | Path,
    *,
    game: str | None = None,
    any: bool = False,
    moves: bool = False,
    states: int | None = None,
    seconds: float | None = 10.0,
    memory: int = 1_000_000_000,
    workers: int = 1,
    cancel: Cancel | None = None,
) -> Verdict | Iterator[Verdict]:
    """Solves one level, or each of many in their order.

    >>> import levelsmith
    >>> verdict = levelsmith.solve(levelsmith.parse("######\\n#@$ .#\\n######", game="sokoban"))
    >>> verdict.status, verdict.solution, verdict.optimal
    ('solved', 'RR', True)

    Args:
        levels: one level, or many, or the path of a file of them.
        game: of the levels of a file, where it does not say so itself.
        any: the first solution found will do; it reaches farther.
        moves: of the shortest solutions, one with the fewest moves too.
        states: a limit of the states looked at, for each level.
        seconds: a limit of the time for each level; None for none.
        memory: a limit of the bytes for each level.
        workers: processes to spread the levels over.
        cancel: asked now and then; True stops, and levels that have not begun are left out.

    Returns:
        A verdict; of many levels, verdicts as they are known, in the order of the levels. What is no level is
        refused, or, as one of many, gets the status `malformed` and `statistics["error"]`.
    """
    if any and moves:
        raise LevelsmithError("expected any solution or the one with the fewest moves, got both")
    workers = check_workers(workers)
    effort = Effort(states, seconds, memory)
    choices = {"any": any, "moves": moves}
    if isinstance(levels, Level):
        _check([levels])
        return _solved(levels, effort, choices, cancel)
    listed_levels = load(levels, game=game) if isinstance(levels, str | os.PathLike) else list(levels)
    _check(listed_levels)
    if workers > 1 and len(listed_levels) > 1:
        return _spread(listed_levels, effort, choices, min(workers, len(listed_levels)), cancel)
    return _one_by_one(listed_levels, effort, choices, cancel)


def _check(levels: list[Level]) -> None:
    """Refuses levels of games without a solver, and what is alone and no level, before any work is done."""
    for level in levels:
        _solver(level)
        if len(levels) == 1:
            _check_one(level)


def _solver(level: Level) -> Solvable:
    """Returns the level's game, which must have a solver."""
    game = games.get(level.game)
    if not isinstance(game, Solvable):
        able = [name for name in games if isinstance(games.get(name), Solvable)]
        raise LevelsmithError(f"{level.game} levels cannot be solved yet; expected one of: {listed(able)}")
    return game


def _check_one(level: Level) -> None:
    game = games.get(level.game)
    game.check(level)
    game.check_start(level)


def _solved(level: Level, effort: Effort, choices: dict[str, bool], cancel: Cancel | None) -> Verdict:
    games.get(level.game).check_start(level)
    return _solver(level).solve(level, effort, cancel=cancel, **choices)


def _solved_or_malformed(level: Level, *task: Any) -> Verdict:
    try:
        return _solved(level, *task)
    except LevelsmithError as error:
        told = {"states": 0, "seconds": 0.0, "error": reason(error, level)}
        return Verdict("malformed", False, None, {}, told)


def reason(error: LevelsmithError, level: Level) -> str:
    """Returns what is wrong with a level, without its text, for who knows which level it is."""
    return str(error).replace(level.text.replace("\n", " "), "").replace(level.text, "").strip()


def _one_by_one(
    levels: list[Level], effort: Effort, choices: dict[str, bool], cancel: Cancel | None
) -> Iterator[Verdict]:
    for level in levels:
        if cancel is not None and cancel():
            return
        yield _solved_or_malformed(level, effort, choices, cancel)


# ------------------------------------------------------------------------------------------------ processes


def _spread(
    levels: list[Level], effort: Effort, choices: dict[str, bool], workers: int, cancel: Cancel | None
) -> Iterator[Verdict]:
    for name in {level.game for level in levels}:
        if not games.portable(name):
            raise LevelsmithError(
                f"{name} is registered in this process only, so other processes cannot solve it; "
                "take one worker, or give it an entry point"
            )
    told = 0
    for verdict in _solved_soon(levels, effort, choices, cancel):
        yield verdict
        told += 1
    work = partial(_work, effort, choices)
    yield from processes.spread(work, levels[told:], workers, cancel)


def _solved_soon(
    levels: list[Level], effort: Effort, choices: dict[str, bool], cancel: Cancel | None
) -> Iterator[Verdict]:
    """Yields the first levels, as far as they are solved before processes would have started."""
    for level in levels:  # compiled here once, instead of in every worker
        if _solved_or_malformed(level, Effort(states=1), choices, None).status != "malformed":
            break
    begun = time.perf_counter()
    for level in levels:
        left = processes.SOON - (time.perf_counter() - begun)
        if left <= 0 or (cancel is not None and cancel()):
            return
        short = replace(effort, seconds=left if effort.seconds is None else min(left, effort.seconds))
        verdict = _solved_or_malformed(level, short, choices, cancel)
        if verdict.status == "unknown":  # it may be known to one that has longer
            return
        yield verdict


def _work(effort: Effort, choices: dict[str, bool], level: Level) -> Verdict:
    return _solved_or_malformed(level, effort, choices, processes.stopped)
