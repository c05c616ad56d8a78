"""Any level solved, or proved to have no solution, by its game's solver; many are spread over processes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Literal, Protocol, TypedDict, Unpack, cast, overload, runtime_checkable

from levelsmith import processes
from levelsmith.contracts import Game, Solvable, WithGuards
from levelsmith.core import MALFORMED, Cancel, Effort, Level, Verdict
from levelsmith.errors import LevelsmithError, RefusedError, listed, option, quoted
from levelsmith.levels.files import Levels, PathLike, given_levels
from levelsmith.levels.measure import check_one
from levelsmith.numbers import check_workers
from levelsmith.registry import games

Choices = dict[str, Any]  # of a solver
STEADY = "steady"
CHANCY = ("guards", STEADY)  # choices for games with guards
MIXED = "mixed"  # the choice that says that there are levels of several games
MOST_BEGUN = 1_000  # levels for each worker that are begun before the verdicts on earlier ones are told


@runtime_checkable
class Walkable(Protocol):
    """A game of maps without a player: what is proved of a map is a way from its entry to its exit."""

    def walk(self, level: Level) -> Verdict:
        """Returns whether a way leads through a map, and which has the fewest steps; raises LevelsmithError
        where the map lacks an entry or an exit."""


class Asked(TypedDict, total=False):
    """What is asked of one level as of many; `solve` tells what each means."""

    any: bool
    moves: bool
    states: int | None
    seconds: float | None
    memory: int
    workers: int
    guards: str | None
    steady: float | None
    cancel: Cancel | None


Many = Levels | PathLike


@overload
def solve(levels: Level, **asked: Unpack[Asked]) -> Verdict: ...
@overload
def solve(
    levels: Many, *, game: str | None = ..., lazily: Literal[False] = ..., **asked: Unpack[Asked]
) -> list[Verdict]: ...
@overload
def solve(
    levels: Many, *, game: str | None = ..., lazily: Literal[True], **asked: Unpack[Asked]
) -> Iterator[Verdict]: ...
def solve(
    levels: Level | Levels | PathLike,
    *,
    game: str | None = None,
    any: bool = False,
    moves: bool = False,
    states: int | None = None,
    seconds: float | None = 10.0,
    memory: int = 1_000_000_000,
    workers: int = 1,
    guards: str | None = None,
    steady: float | None = None,
    cancel: Cancel | None = None,
    lazily: bool = False,
) -> Verdict | list[Verdict] | Iterator[Verdict]:
    """Solves one level, or each of many in their order; they may be of several games.

    >>> import levelsmith
    >>> verdict = levelsmith.solve(levelsmith.parse("######\\n#@$ .#\\n######", game="sokoban"))
    >>> verdict.status, verdict.solution, verdict.optimal
    ('solved', 'RR', True)

    Args:
        levels: one level, many, the result of `generate`, or the path of a file.
        game: the game of the levels, if the file does not name it.
        any: takes the first solution found, which solves larger levels.
        moves: finds a shortest solution with the fewest moves.
        states: a limit of the states looked at, for each level.
        seconds: a limit of the time for each level; None for none.
        memory: a limit of the bytes for each level.
        workers: processes to spread the levels over.
        guards: of Lode Runner, `chase` for plans that win against guards (the default), `still` for plans
            while nobody moves; among levels of several games, of those that have guards.
        steady: of Lode Runner, the share of replays with chance that a plan wins at least; the steadiest that
            is found where none does, and `statistics["why"]` says so.
        cancel: asked now and then; True stops, and levels that have not begun are left out.
        lazily: gives each verdict as soon as it is known, instead of all at the end.

    Returns:
        For one level a verdict; for many, a list of them in the order of the levels, or an iterator with
        `lazily`. What is no level is refused, or, as one of many, gets the status `malformed` and
        `statistics["error"]`. A map is solved by a way from its entry to its exit. Levels of a game that
        cannot be solved are refused, or, among those of other games, are `unknown`; `statistics["why"]`
        tells why.
    """
    if any and moves:
        raise LevelsmithError("expected any solution or the one with the fewest moves, got both")
    if cancel is not None and not callable(cancel):
        raise LevelsmithError(f"expected a function as cancel, got {quoted(cancel)}")
    workers = check_workers(workers)
    effort = Effort(states, seconds, memory)
    if steady is not None and not (isinstance(steady, int | float) and 0 <= steady <= 1):
        raise LevelsmithError(f"expected a share from 0 to 1 for {option('steady')}, got {quoted(steady)}")
    choices: Choices = {"any": any, "moves": moves}
    choices |= {name: value for name, value in (("guards", guards), ("steady", steady)) if value is not None}
    if isinstance(levels, Level):
        check_one(game, lazily)
        _check([levels], guards, steady)
        return _solved(levels, effort, choices, cancel)
    found = given_levels(levels, game)
    if not lazily:
        found = list(found)
    if isinstance(found, list | tuple):
        _check(found, guards, steady)
        choices[MIXED] = len({level.game for level in found}) > 1
        workers = min(workers, len(found))
    how = _spread if workers > 1 else _one_by_one
    verdicts = how(found, effort, choices, workers, cancel)
    return verdicts if lazily else list(verdicts)


def _check(levels: Sequence[Level], guards: str | None, steady: float | None) -> None:
    """Refuses levels of which no game has a solver, or the guards that are named, or steady plans, and what
    is alone and no level, before any work is done."""
    entries = list({level.game: games.get(level.game) for level in levels}.values())
    for game in entries if not any(map(_is_solvable, entries)) else ():
        _check_solvable(game)
    guarded = [game for game in entries if isinstance(game, WithGuards)]
    for game in guarded or entries:
        played = against(game, guards)
        if steady is not None and STEADY not in played.metrics.keys() - played.unmeasured.keys():
            still = f" against guards that are {guards}" if guards else ""
            raise LevelsmithError(f"no chance decides in {game.name}{still}; leave out {option(STEADY)}")
    for level in levels if len(levels) == 1 else ():
        _check_one(level)


def _is_solvable(game: Game) -> bool:
    return isinstance(game, Solvable | Walkable)


def _check_solvable(game: Game) -> None:
    if not _is_solvable(game):
        able = [each.name for each in games.working() if _is_solvable(each)] + games.findable_as
        raise RefusedError(f"{game.name} levels cannot be solved yet; expected one of: {listed(able)}")


def against(game: Any, guards: str | None) -> Any:
    """Returns the game as it is against such guards; as it is where none are named."""
    if guards is None:
        return game
    if not isinstance(game, WithGuards):
        raise LevelsmithError(f"{game.name} has no guards to choose from; leave out {option('guards')}")
    return game.against(guards)


def _check_one(level: Level) -> None:
    game = games.get(level.game)
    game.check(level)
    game.check_start(level)
    if isinstance(game, Walkable):
        game.walk(level)


def _solved(level: Level, effort: Effort, choices: Choices, cancel: Cancel | None) -> Verdict:
    if wrong := level.provenance.get(MALFORMED):
        raise LevelsmithError(str(wrong))
    game = games.get(level.game)
    _check_solvable(game)
    game.check_start(level)
    if isinstance(game, Solvable):
        return game.solve(level, effort, cancel=cancel, **_taken(game, choices))
    return cast(Walkable, game).walk(level)


def _taken(game: Game, choices: Choices) -> Choices:
    """Returns the choices that a game takes: guards are for those that have some, and so are steady plans."""
    return choices if isinstance(game, WithGuards) else {k: v for k, v in choices.items() if k not in CHANCY}


def _solved_or_malformed(level: Level, effort: Effort, choices: Choices, cancel: Cancel | None) -> Verdict:
    """Returns the verdict on one of many levels, also on what is none. What no level of its game can be asked
    for is an error, unless there are levels of other games."""
    choices = dict(choices)
    mixed = choices.pop(MIXED, False)
    told: dict[str, Any] = {"states": 0, "seconds": 0.0}
    try:
        return _solved(level, effort, choices, cancel)
    except RefusedError as error:
        if not mixed:
            raise
        return Verdict("unknown", False, None, {}, {**told, "why": error.marked})
    except LevelsmithError as error:
        return Verdict("malformed", False, None, {}, {**told, "error": reason(error, level)})


def reason(error: LevelsmithError, level: Level) -> str:
    """Returns what is wrong with a level, without its text, for who knows which level it is."""
    return str(error).replace(level.text.replace("\n", " "), "").replace(level.text, "").strip()


def _one_by_one(
    levels: Iterable[Level], effort: Effort, choices: Choices, workers: int, cancel: Cancel | None
) -> Iterator[Verdict]:
    for level in levels:
        if cancel is not None and cancel():
            return
        yield _solved_or_malformed(level, effort, choices, cancel)


# ------------------------------------------------------------------------------------------------ processes


def _spread(
    levels: Iterable[Level], effort: Effort, choices: Choices, workers: int, cancel: Cancel | None
) -> Iterator[Verdict]:
    """Yields the verdicts: the first from here, as far as they are whole before processes would have started,
    the others from processes."""
    left = _portable(levels)
    begun = None  # once all is compiled, here, instead of in every worker
    for level in left:
        if cancel is not None and cancel():
            return
        if begun is None:
            verdict = _solved_or_malformed(level, Effort(states=1), choices, None)
            if verdict.status == "malformed":
                yield verdict
                continue
            begun = time.perf_counter()
        soon = processes.SOON - (time.perf_counter() - begun)
        if soon > 0:
            short = replace(effort, seconds=soon if effort.seconds is None else min(soon, effort.seconds))
            verdict = _solved_or_malformed(level, short, choices, cancel)
            if verdict.status != "unknown" and time.perf_counter() - begun < processes.SOON:
                yield verdict
                continue
        work = partial(_work, effort, choices)  # which may know it, or better, as it has longer
        yield from processes.spread(work, chain([level], left), workers, cancel, MOST_BEGUN)


def _portable(levels: Iterable[Level]) -> Iterator[Level]:
    """Yields levels, but refuses those of a game that other processes do not know."""
    for level in levels:
        if not games.portable(level.game):
            raise LevelsmithError(
                f"{level.game} is registered in this process only, so other processes cannot solve it; "
                "take one worker, or give it an entry point"
            )
        yield level


def _work(effort: Effort, choices: Choices, level: Level) -> Verdict:
    return _solved_or_malformed(level, effort, choices, processes.stopped)
