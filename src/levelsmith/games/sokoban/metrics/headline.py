"""What a reader wants to know of a puzzle first, in one line."""

from __future__ import annotations

from collections.abc import Mapping

from levelsmith.core import Level
from levelsmith.errors import amount
from levelsmith.games.sokoban.metrics.difficulty import difficulty, tier
from levelsmith.games.sokoban.metrics.solution import rated
from levelsmith.games.sokoban.metrics.truth import Truth, truth_of
from levelsmith.games.sokoban.rules.rules import SokobanBoard, replay

ESTIMATED = "its positions are too many to meet: the difficulty is estimated from its solution"


def headline(level: Level) -> str:
    """Tells boxes, and of a shortest solution its pushes, moves and difficulty; or that it is unproved."""
    boxes = amount(len(SokobanBoard(level.grid).goals), "box")
    known = None if level.solution is None else truth_of(level)
    if known is None:
        return f"{boxes}, no solution known"
    told = rated(level, known.solution)
    number = told["difficulty"]
    moves = replay(level, level.solution or "")
    more = sum(map(str.isupper, moves)) - int(told["pushes"])
    carried = "in the solution that it carries"
    shortest = "proved fewest" if known.proved else f"unproved: {known.least} or more"
    shortest += f", {more + int(told['pushes'])} {carried}" if more else ""
    longer = f" ({len(moves)} {carried})" if len(moves) > told["moves"] and not more else ""
    pushes, walked = amount(int(told["pushes"]), "push"), amount(int(told["moves"]), "move")
    how = [tier(number)] if "chance" in told else [tier(number), "estimated"]
    if not known.rated:
        how.append(f"unproved: {_least(told):.1f} or more")
    return f"{boxes}, {pushes} ({shortest}), {walked}{longer}, difficulty {number:.1f} ({', '.join(how)})"


def note(level: Level, known: Truth) -> str:
    """Tells what is not proved of what is counted about a level's solution; "" where all is."""
    told = rated(level, known.solution)
    if known.rated:
        return "" if "chance" in told else ESTIMATED
    if known.proved:
        least, most = _least(told), told["difficulty"]
        return f"its pushes are proved fewest, its moves are not: difficulty {least:.1f} to {most:.1f}"
    pushes = sum(map(str.isupper, known.solution))
    return f"the solution that it carries is judged, not proved shortest: {known.least} to {pushes} pushes"


def _least(told: Mapping[str, float]) -> float:
    """Returns the difficulty where no move but the pushes were needed: of solutions with as few pushes none
    has less."""
    return difficulty({**told, "moves": told["pushes"]})
