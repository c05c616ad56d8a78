"""What an editor asks for: a level improved, repaired, or its free cells filled, told as it happens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from levelsmith.core import Cancel, Event, Level, Result
from levelsmith.editing.fill import filling
from levelsmith.editing.improve import UnsolvedError, improving
from levelsmith.editing.repair import repair
from levelsmith.errors import LevelsmithError, amount, unknown
from levelsmith.making.run import Clock
from levelsmith.registry import games
from levelsmith.request import Keywords

MODES = ("improve", "easier", "repair", "fill")


def editing(
    mode: str,
    level: Level,
    *,
    by: str | None = None,
    cancel: Cancel | None = None,
    **asked: Unpack[Keywords],
) -> Iterator[Event]:
    """Yields the progress and the result; its `statistics` have `told`, one line, and how many cells
    `changed`.

    To improve a level that cannot be played, or by an objective with a goal, is to repair it.
    """
    if mode not in MODES:
        raise unknown("way to change a level", mode, MODES)
    if mode == "fill":
        yield from filling(level, cancel=cancel, **asked)
        return
    if mode in ("improve", "easier"):
        if mode == "improve" and by is not None and _is_goal(level, by):
            asked["objective"] = by
        else:
            try:
                yield from improving(level, by=by, easier=mode == "easier", cancel=cancel, **asked)
                return
            except UnsolvedError:
                pass
        asked.pop("evaluations", None)  # of another kind
    yield _repaired(level, cancel, asked)


def _is_goal(level: Level, by: str) -> bool:
    """Tells whether the name is that of an objective that can be met, and of no metric that grows."""
    game = games.get(level.game)
    aims = [aim.metric for aim in game.aims]
    return by in game.objectives and game.objectives[by].goal and by.replace("-", "_") not in aims


def _repaired(level: Level, cancel: Cancel | None, asked: Keywords) -> Result:
    clock = Clock()
    made = repair(level, cancel=cancel, **asked)
    n = len(made.edits)
    if not n:
        raise LevelsmithError("there is nothing to repair: it can be played as it is")
    told = {"changed": n, "told": f"now it can be played; {amount(n, 'cell')} changed"}
    return Result(made.level, (made.level,), 1.0, True, "solved", made.evaluations, clock.seconds, (), told)
