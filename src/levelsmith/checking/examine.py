"""One level examined: its verdict, its solution replayed, what its game finds in it, and what it needs.

Each of these is the answer to a question, kept by itself, so that only what changed is asked again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from levelsmith import processes
from levelsmith.checking.findings import in_words
from levelsmith.contracts import Inspectable, Lessened, Playable, Solvable, WithGuards
from levelsmith.core import MALFORMED, Effort, Level, Verdict
from levelsmith.errors import LevelsmithError, RefusedError, amount
from levelsmith.levels.measure import measure
from levelsmith.levels.proof import WithShortest
from levelsmith.levels.solve import Walkable, against, reason, solve
from levelsmith.registry import games

VERDICT, REPLAY, INSPECT, NEEDS, DIFFICULTY = "verdict", "replay", "inspect", "needs", "difficulty"
ALIKE = "alike"
WON, WINNABLE, UNWINNABLE, UNKNOWN = "won", "winnable", "unwinnable", "unknown"
UNPROVABLE, BROKEN = "unprovable", "malformed"
STATUSES = (WON, WINNABLE, UNWINNABLE, UNKNOWN, UNPROVABLE, BROKEN)
GRACE = 2.0  # seconds beyond a limit, after which a solver that does not look at the clock is stopped
LINE = re.compile(r"(?:line\s*)?(\d+)")
Answer = dict[str, Any]
UNSURE: Answer = {"final": False, "unsure": True}  # a limit was reached before there was an answer
Cancel = Callable[[], bool]


@dataclass(frozen=True)
class Job:
    """A level, the questions about it, and the answers that are known."""

    level: Level
    questions: Sequence[str]
    known: dict[str, Answer] = field(default_factory=dict)
    effort: Effort = Effort()  # noqa: RUF009 - it is frozen
    guards: str | None = None
    until: float | None = None  # when all levels have had their time, by the clock
    folder: str = ""  # that the names of games which are files are relative to


class TooLongError(BaseException):  # no game takes it for a mistake of its own
    """A solver has gone on beyond its limit."""


def questions_of(level: Level, wanted: Sequence[str], needs: Sequence[str], graded: bool) -> list[str]:
    """Returns what is asked about a level.

    Args:
        level: the level.
        wanted: the kinds of findings that are not off.
        needs: rules and things that it is said to need.
        graded: whether its difficulty is asked for.
    """
    game = games.get(level.game)
    asked = [VERDICT]
    if level.solution:
        asked.append(f"{REPLAY} {level.solution}")
    if isinstance(game, Inspectable):
        asked += [f"{INSPECT} {name}" for name in game.inspections if name in wanted]
    asked += [f"{NEEDS} {need}" for need in needs]
    asked += [ALIKE] * ("duplicate" in wanted)
    return asked + [DIFFICULTY] * graded


def examined(job: Job, cancel: Cancel | None = None) -> dict[str, Answer]:
    """Returns the answers to questions that were not known; what comes after a cancel is left out."""
    answers = dict(job.known)
    for asked in job.questions:
        if asked in answers:
            continue
        if _stops(job, cancel):
            break
        kind, _, rest = asked.partition(" ")
        effort = _effort(job)
        try:
            with _in_time(effort.seconds):
                answer = ANSWERS[kind](job, rest, answers, effort, cancel)
        except TooLongError:
            answer = _unknown("seconds") if kind == VERDICT else UNSURE
        if _stops(job, cancel) and not answer["final"]:
            break  # it was cut short
        answers[asked] = answer
    return {asked: answer for asked, answer in answers.items() if asked not in job.known}


def work(job: Job) -> dict[str, Answer]:
    """Does the same in a worker process, which may have been started for another folder."""
    if job.folder:
        os.chdir(job.folder)
    with unlogged():
        return examined(job, processes.stopped)


@contextlib.contextmanager
def unlogged() -> Iterator[None]:
    """Keeps what is odd in a file from the log: it becomes findings."""
    log = logging.getLogger("levelsmith")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


def _stops(job: Job, cancel: Cancel | None) -> bool:
    return (cancel is not None and cancel()) or (job.until is not None and time.time() >= job.until)


def _effort(job: Job) -> Effort:
    """Returns what may be spent on the next question."""
    if job.until is None:
        return job.effort
    left = max(0.001, job.until - time.time())
    seconds = left if job.effort.seconds is None else min(left, job.effort.seconds)
    return replace(job.effort, seconds=seconds)


@contextlib.contextmanager
def _in_time(seconds: float | None) -> Iterator[None]:
    """Stops what goes on for longer, such as a solver in Python that looks at no clock, where that can be."""
    able = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not able or signal.getsignal(signal.SIGALRM) != signal.SIG_DFL:
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds + GRACE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# -------------------------------------------------------------------------------------------------- verdicts


def _unknown(limit: str) -> Answer:
    return {"status": UNKNOWN, "final": False, "limit": limit, "solution": None, "metrics": {}}


def _verdict(job: Job, _: str, answers: dict[str, Answer], effort: Effort, cancel: Cancel | None) -> Answer:
    level, game = job.level, games.get(job.level.game)
    started = False
    if wrong := level.provenance.get(MALFORMED):
        return _broken(str(wrong))
    try:
        game.check(level)
        game.check_start(level)
        started = True  # what is wrong with a map now is that it has no way in or out
        if not isinstance(game, Solvable | Walkable):
            return _unprovable(f"levels of {game.name} have no solver")
        found = _solved(level, effort, job.guards, cancel)
        if found.statistics.get("limit") == "cancelled":
            return _unknown("cancelled")
        if found.status == "unknown" and game.fewest is not None:
            with contextlib.suppress(RefusedError):  # a solver that gives the fewest or nothing
                found = _solved(level, effort, job.guards, cancel, any=True)
    except RefusedError as error:
        return _unprovable(in_words(error))
    except LevelsmithError as error:
        told = reason(error, level)
        return _broken(told) if isinstance(game, Solvable) or not started else _unprovable(told)
    except (MemoryError, RecursionError):
        return _unknown("memory")
    return _answer(found, game)


def _solved(
    level: Level, effort: Effort, guards: str | None, cancel: Cancel | None, any: bool = False
) -> Verdict:
    guarded = isinstance(games.get(level.game), WithGuards)
    return solve(
        level,
        any=any,
        states=effort.states,
        seconds=effort.seconds,
        memory=effort.memory,
        guards=guards if guarded else None,
        cancel=cancel,
    )


def _answer(found: Verdict, game: Any) -> Answer:
    """Returns a verdict as plain data; a proof is final, and so is a solution of a game that knows no
    fewest."""
    status = {"solved": WON if found.optimal else WINNABLE, "unsolvable": UNWINNABLE}.get(
        found.status, UNKNOWN
    )
    told = found.statistics
    return {
        "status": status,
        "final": status in (WON, UNWINNABLE) or (status == WINNABLE and game.fewest is None),
        "solution": found.solution,
        "metrics": {name: _plain(value) for name, value in found.metrics.items()},
        **{name: _plain(told[name]) for name in ("states", "seconds", "limit") if name in told},
        **({"why": in_words(str(told["why"]))} if "why" in told else {}),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, bool | str) or value is None:
        return value
    return int(value) if float(value).is_integer() else float(value)


def _unprovable(why: str) -> Answer:
    return {"status": UNPROVABLE, "final": True, "why": why, "solution": None, "metrics": {}}


def _broken(why: str) -> Answer:
    return {"status": BROKEN, "final": True, "why": why, "solution": None, "metrics": {}}


def verdict_of(answer: Answer) -> Verdict:
    """Returns an answer as the verdict that it was."""
    status = {WON: "solved", WINNABLE: "solved", UNWINNABLE: "unsolvable", BROKEN: "malformed"}
    return Verdict(
        status.get(answer["status"], "unknown"),
        answer["status"] == WON,
        answer["solution"],
        answer["metrics"],
        {name: answer[name] for name in ("states", "limit", "why") if name in answer},
    )


# --------------------------------------------------------------------------------------- the other questions


def _replay(
    job: Job, solution: str, answers: dict[str, Answer], effort: Effort, cancel: Cancel | None
) -> Answer:
    game = games.get(job.level.game)
    if answers[VERDICT]["status"] == BROKEN or not isinstance(game, Playable):
        return {"final": True, "wins": None}
    try:
        game.verify(job.level)
    except LevelsmithError as error:
        return {"final": True, "wins": False, "why": in_words(reason(error, job.level))}
    return {"final": True, "wins": True, "length": _length(game, job.level)}


def counted(game: Any) -> str:
    """Returns the metric that says how long a solution of a game is."""
    columns = [name for name in game.solution_columns if name != DIFFICULTY]
    return str(columns[0] if columns else "moves")


def in_units(number: float, game: Any) -> str:
    """Returns how long a solution is, in words: 2 pushes."""
    return amount(number, game.fewest or "move")


def _length(game: Any, level: Level) -> float | None:
    """Returns how long the solution is that a level carries; None where its game does not tell."""
    unit = counted(game)
    if isinstance(game, WithShortest):
        return float(game.measure_carried(level)[list(games.get(level.game).metrics).index(unit)])
    return float(len(level.solution or "")) if unit == "moves" and game.fewest else None


def _inspect(
    job: Job, name: str, answers: dict[str, Answer], effort: Effort, cancel: Cancel | None
) -> Answer:
    game, verdict = games.get(job.level.game), answers[VERDICT]
    if verdict["status"] == BROKEN or not isinstance(game, Inspectable):
        return {"final": True, "found": [], "facts": None}
    told = game.inspect(name, job.level, verdict_of(verdict), effort, cancel)
    answer = {"found": [list(one) for one in told.found], "facts": told.facts}
    return {"final": verdict["final"], **answer} if told.complete else {**UNSURE, **answer}


def _needs(job: Job, need: str, answers: dict[str, Answer], effort: Effort, cancel: Cancel | None) -> Answer:
    """Tells whether a level can be won without a rule or a thing; `wins` is None where that is not known."""
    level, game, verdict = job.level, games.get(job.level.game), answers[VERDICT]
    if verdict["status"] not in (WON, WINNABLE):
        return {"final": verdict["final"], "wins": None}
    try:
        line = LINE.fullmatch(need)
        if line is None and _is_untouched(game, level, need, verdict["solution"]):
            return {"final": True, "wins": True, "how": "the solution leaves it where it is"}
        if isinstance(game, Lessened):
            other = game.without(int(line[1])) if line else game
            changed = level if line else game.erased(level, need)
        elif line:
            raise LevelsmithError(f"{game.name} has no rules by lines, got {need!r} as a need")
        else:
            other, changed = game, without_thing(level, need)
        other.check_start(changed)
        if not isinstance(other, Solvable):
            return {"final": True, "wins": None}
        other = against(other, job.guards) if isinstance(other, WithGuards) else other
        found = other.solve(changed, effort, cancel=cancel)
    except LevelsmithError as error:
        return {"final": True, "wins": None, "wrong": in_words(reason(error, level))}
    if found.status == "unknown":
        return {**UNSURE, "wins": None}
    return {"final": True, "wins": found.status == "solved", "how": "it can be won without any"}


def tiles_with(level: Level, thing: str) -> list[int]:
    """Returns the tiles of a level's game that a thing stands in: those called so, and those made of it."""
    return [
        number
        for number, tile in enumerate(level.tiles)
        if thing in (tile.name, *tile.parts, *tile.name.split(" and "))
    ]


def _is_untouched(game: Any, level: Level, thing: str, solution: str) -> bool:
    """Tells whether a thing is there, and stays where it is on the whole way of a solution."""
    tiles = tiles_with(level, thing)
    if not tiles:
        raise LevelsmithError(f"{game.name} has no tile called {thing!r}")
    here = np.isin(level.grid, tiles)
    if not here.any() or not isinstance(game, Playable):
        return False
    frames = game.frames(replace(level, solution=solution))
    return all(np.array_equal(np.isin(frame, tiles), here) for frame in frames)


def without_thing(level: Level, thing: str) -> Level:
    """Returns a level with the ground in place of a thing."""
    tiles = list(level.tiles)
    grounds = [number for number, tile in enumerate(tiles) if "empty" in tile.tags] or [0]
    grid = level.grid.copy()
    for number in tiles_with(level, thing):
        parts = tiles[number].parts
        below = level.tiles.index_of(parts[0]) if parts and parts[0] != thing else grounds[0]
        grid[level.grid == number] = below
    return replace(level, grid=grid, solution=None)


def _difficulty(
    job: Job, _: str, answers: dict[str, Answer], effort: Effort, cancel: Cancel | None
) -> Answer:
    verdict = answers[VERDICT]
    if verdict["solution"] is None or DIFFICULTY not in games.get(job.level.game).metrics:
        return {"final": verdict["final"], "value": None}
    told = verdict["metrics"].get(DIFFICULTY)
    if told is None:
        told = measure(replace(job.level, solution=verdict["solution"], provenance={})).get(DIFFICULTY)
    return {"final": verdict["final"], "value": told}


def _alike(job: Job, _: str, answers: dict[str, Answer], effort: Effort, cancel: Cancel | None) -> Answer:
    """Tells what levels share that are alike, mirrored where a game says that this is a level too."""
    if answers[VERDICT]["status"] == BROKEN:
        return {"final": True, "key": None}
    game: Any = games.get(job.level.game)
    images = [job.level.grid, job.level.grid[:, ::-1]] if game.mirrors else [job.level.grid]
    keys = [repr(image.shape).encode() + game.canonical(np.ascontiguousarray(image)) for image in images]
    return {"final": True, "key": blake2b(min(keys), digest_size=16).hexdigest()}


ANSWERS: dict[str, Callable[..., Answer]] = {
    VERDICT: _verdict,
    REPLAY: _replay,
    INSPECT: _inspect,
    NEEDS: _needs,
    DIFFICULTY: _difficulty,
    ALIKE: _alike,
}
