"""Levels proved and measured, as lists of levels show them: nothing that their files claim is believed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from levelsmith.checking.examine import (
    DIFFICULTY,
    UNKNOWN,
    VERDICT,
    WINNABLE,
    WON,
    Answer,
    Cancel,
    Job,
    counted,
)
from levelsmith.checking.judge import told_verdict
from levelsmith.checking.run import answers_to
from levelsmith.contracts import Playable
from levelsmith.core import Effort, Level
from levelsmith.errors import LevelsmithError, unknown
from levelsmith.levels.measure import measure
from levelsmith.registry import games

SECONDS = 10.0  # for each level


@dataclass(frozen=True, slots=True)
class Rated:
    """What is proved of a level, and how hard it is.

    Attributes:
        level: the level, with the solution that was proved or played; without one where there is none.
        verdict: the answer of the solver, as plain data.
        difficulty: from 0 to 100; None where nobody knows.
    """

    level: Level
    verdict: Answer
    difficulty: float | None

    @property
    def is_won(self) -> bool:
        """Whether a solution is known, by the rules of the game."""
        return self.verdict["status"] in (WON, WINNABLE)

    @property
    def is_fewest(self) -> bool:
        """Whether no solution is shorter, which is proved."""
        return bool(self.verdict["status"] == WON)

    @property
    def count(self) -> int | None:
        """How long the solution is, in what its game counts."""
        found = self.verdict["metrics"].get(counted(games.get(self.level.game)))
        return None if found is None else round(found)

    @property
    def fewest(self) -> int | None:
        """How long the shortest solution is, where that is proved."""
        return self.count if self.is_fewest else None

    @property
    def told(self) -> str:
        """The verdict in words."""
        return told_verdict(self.verdict, games.get(self.level.game))


def rated(
    levels: Sequence[Level],
    seconds: float = SECONDS,
    workers: int = 1,
    cancel: Cancel | None = None,
    told: Callable[[int], None] | None = None,
) -> list[Rated]:
    """Proves and measures levels.

    A solution that a level carries is played by the rules before it counts for anything. Where the game knows
    no shortest solutions it is the one that the level is judged by, else only where no solver finds another.

    Args:
        levels: any.
        seconds: the most that is spent on a level.
        workers: processes to spread the levels over.
        cancel: asked now and then; True stops, and levels that have not begun are left out.
        told: called with how many levels are done.
    """
    bare = [replace(level, provenance={}) for level in levels]
    answers = _asked([_job(level, _known_at_once(level), seconds) for level in bare], workers, cancel, told)
    found = []
    for own, level, told_of in zip(levels, bare, answers, strict=False):
        if told_of[VERDICT]["status"] == UNKNOWN and (carried := _carried(level)) is not None:
            (told_of,) = _asked([_job(level, {VERDICT: carried}, seconds)], 1, None, None)
        solution = told_of[VERDICT]["solution"]
        value = told_of.get(DIFFICULTY, {}).get("value")
        found.append(Rated(replace(own, solution=solution), told_of[VERDICT], value))
    return found


def measured_by(levels: Sequence[Rated], name: str) -> list[float | None]:
    """Returns a metric of levels that are rated; None where it is not known."""
    if name == DIFFICULTY:
        return [each.difficulty for each in levels]
    game = games.get(levels[0].level.game)
    if name not in game.metrics:
        raise unknown(f"metric of {game.name}", name, game.metrics, hint="levelsmith measure shows them")
    return [
        each.verdict["metrics"].get(name, row[name])
        for each, row in zip(levels, measure([_bare(each.level) for each in levels]), strict=True)
    ]


def _bare(level: Level) -> Level:
    return replace(level, provenance={})


def _job(level: Level, known: dict[str, Answer], seconds: float) -> Job:
    return Job(level, (VERDICT, DIFFICULTY), known, Effort(seconds=seconds), folder=os.getcwd())


def _asked(
    jobs: Sequence[Job], workers: int, cancel: Cancel | None, told: Callable[[int], None] | None
) -> list[dict[str, Answer]]:
    found: list[dict[str, Answer]] = []
    for job, answers in zip(jobs, answers_to(list(jobs), workers, cancel), strict=False):
        if VERDICT not in (answers := {**job.known, **answers}):
            break  # it was cut short
        found.append(answers)
        if told is not None:
            told(len(found))
    return found


def _known_at_once(level: Level) -> dict[str, Answer]:
    """Returns the verdict on a level that carries a solution, where its game knows no shortest one."""
    carried = _carried(level) if games.get(level.game).fewest is None else None
    return {} if carried is None else {VERDICT: carried}


def _carried(level: Level) -> Answer | None:
    """Returns the verdict that a level can be won by the solution that it carries; None where it is not."""
    game = games.get(level.game)
    if not level.solution or not isinstance(game, Playable):
        return None
    try:
        games.get(level.game).check(level)
        game.verify(level)
    except LevelsmithError:
        return None
    metrics = measure(level)
    if metrics.get(DIFFICULTY, 0) is None:  # a plan that wins while nobody moves wins no game
        return None
    return {"status": WINNABLE, "final": True, "solution": level.solution, "metrics": metrics}
