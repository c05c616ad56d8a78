"""Why nobody can win a PuzzleScript level, as far as its start tells; `browser/why.js` says the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from levelsmith.games.puzzlescript.bounds import make_guide, members
from levelsmith.games.puzzlescript.kernels.codes import ALL, INPUTS, NO
from levelsmith.games.puzzlescript.kernels.outlook import CONDITION, FIRST, NEEDED, NEVER, ROWS, Guide
from levelsmith.games.puzzlescript.kernels.state import HEIGHT
from levelsmith.games.puzzlescript.live import NO_KEY, number_of
from levelsmith.games.puzzlescript.tables import as_int
from levelsmith.games.puzzlescript.traits import conditions_of

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.compile import Program
    from levelsmith.games.puzzlescript.engine import Kernel

Spot = tuple[int, int, int]  # row, column, object


def why_lost(program: Program, engine: Kernel, letters: str) -> str | None:
    """Returns why a board that nobody can win is lost; None where nothing short can be said."""
    ways = [INPUTS[key] for key in map(number_of, letters) if key != NO_KEY]
    if told := too_few(program, engine):
        return told
    guide = make_guide(engine.rules, engine.state, program.tables.outlined, ways)
    for goal in range(len(guide.goals)):
        if told := why_never(program, engine, guide, goal):
            return told
    return None


def too_few(program: Program, engine: Kernel) -> str | None:
    """Returns that there are fewer places than things that have to be at one."""
    wins, board = program.tables.wins, engine.board()
    for c, text in enumerate(conditions_of(program)):
        words = text.split()
        if wins.kind[c] != ALL or wins.anywhere[c] or len(words) != 4:  # all X on Y
            continue
        what, where = (
            sum(_has(as_int(cell), as_int(members), bool(together)) for cell in board)
            for members, together in ((wins.what[c], wins.what_all[c]), (wins.where[c], wins.where_all[c]))
        )
        if what > where:
            return f"there are {what} {words[1]} and {where} {words[3]} for '{text}'"
    return None


def why_never(program: Program, engine: Kernel, guide: Guide, goal: int) -> str | None:
    """Returns why a goal is never reached; None where it may be."""
    told = guide.goals[goal]
    rows = range(int(told[FIRST]), int(told[FIRST] + told[ROWS]))
    spots = [list(spots_of(engine, guide, row)) for row in rows]
    stuck = sorted(spot for row in spots for spot, moves in row if moves == NEVER)
    count = sum(map(len, spots)) - len(stuck)
    asked = conditions_of(program)
    text, needed = asked[told[CONDITION]] if asked else "", int(told[NEEDED])
    if not asked or (not stuck if needed == 0 else count >= needed):
        return None
    kind = int(program.tables.wins.kind[told[CONDITION]])
    if needed == 0:
        row, column, thing = stuck[0]
        named = f"the {program.names[thing]} at row {row + 1}, column {column + 1}"
        ends = f"away, as '{text}' asks" if kind == NO else f"to where '{text}' asks"
        return f"no keys bring {named} {ends}"
    words = text.split()
    word = words[3 if kind == ALL else 1]
    return f"'{text}' takes {needed} {word}, and {count or 'none'} can get there"


def spots_of(engine: Kernel, guide: Guide, row: int) -> Sequence[tuple[Spot, int]]:
    """Returns where the object of a row of a guide is, each with the moves until it is where it is wanted."""
    thing, height = int(guide.objects[row]), int(engine.state.control[HEIGHT])
    cells = members(as_int(engine.state.sets[thing]))
    return [((i % height, i // height, thing), int(guide.moves[row, i])) for i in cells]


def _has(found: int, members: int, together: bool) -> bool:
    return found & members == members if together else bool(found & members)
