"""How many more keys a PuzzleScript board takes at least, or that it cannot be won any more."""

from __future__ import annotations

from typing import Any, NamedTuple

from levelsmith.games.puzzlescript.kernels.state import SET_WORDS, WORD
from levelsmith.kernels.compile import part
from levelsmith.kernels.words import ONE, ZERO, lowest

NEVER = -1
FIRST, ROWS, NEEDED, MOVED, CONDITION, COLUMNS = range(6)  # columns of `goals`


class Guide(NamedTuple):
    """What the win conditions ask of objects, as `goals.py` finds it in the rules."""

    # rows; how many objects are needed, 0 for each of them; how many move at once, or 0; the win condition
    goals: Any  # [goals, 5]
    objects: Any  # [rows] the object
    moves: Any  # [rows, cells] keys until it can be where it is wanted, NEVER where it cannot get there
    nearest: Any  # [rows * cells + 1] those of the objects of a goal, sorted


@part
def outlook(guide, board):
    """Returns the fewest keys that may win a board that is not won, or NEVER."""
    found = 1
    for goal in range(len(guide.goals)):
        needed, count = guide.goals[goal, NEEDED], 0
        total = longest = 0
        first = guide.goals[goal, FIRST]
        for row in range(first, first + guide.goals[goal, ROWS]):
            for c in range(board.control[SET_WORDS]):
                left = board.sets[guide.objects[row], c]
                while left != ZERO:
                    moves = guide.moves[row, WORD * c + lowest(left)]
                    left &= left - ONE
                    if moves == NEVER:
                        if needed == 0:
                            return NEVER
                    elif needed == 0:
                        total += moves
                        longest = max(longest, moves)
                    else:
                        at = count
                        while at > 0 and guide.nearest[at - 1] > moves:
                            guide.nearest[at] = guide.nearest[at - 1]
                            at -= 1
                        guide.nearest[at] = moves
                        count += 1
        if count < needed:
            return NEVER
        for n in range(needed):
            total += guide.nearest[n]
            longest = guide.nearest[n]
        found = max(found, longest)
        if guide.goals[goal, MOVED] > 0:
            found = max(found, -(-total // guide.goals[goal, MOVED]))
    return found
