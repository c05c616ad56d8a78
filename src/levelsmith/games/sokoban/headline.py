"""What a reader wants to know of a puzzle first, in one line, with nothing to compile for a small one."""

from __future__ import annotations

from levelsmith.core import Level
from levelsmith.games.sokoban.difficulty import difficulty, tier
from levelsmith.games.sokoban.metrics import assignment
from levelsmith.games.sokoban.rules import STEPS, Board, Cell, replay

SMALL = 150  # cells of floor, up to which counting plainly takes less time than compiling


def headline(level: Level) -> str:
    """Tells boxes, and of a solution its pushes and moves, the difficulty, and whether it is a shortest."""
    board = Board(level.grid)
    boxes = _counted(len(board.goals), "box")
    if level.solution is None:
        return f"{boxes}, no solution known"
    pushes, moves, number = counted(level)
    shortest = "proved fewest" if is_proved(level) else "fewer may do"
    counts = f"{_counted(pushes, 'push')} ({shortest}), {moves} move{'s' if moves != 1 else ''}"
    return f"{boxes}, {counts}, difficulty {number:.1f} ({tier(number)})"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'es' if number != 1 else ''}"


def is_proved(level: Level) -> bool:
    """Tells whether what made the level knows that no solution has fewer pushes."""
    origin = level.provenance
    if origin.get("search") == "carve":
        return bool(origin["parameters"]["carve"]["optimal"])
    return origin.get("representation") == "rooms"  # positions are met by pulls, nearest first


def counted(level: Level) -> tuple[int, int, float]:
    """Returns the pushes and moves of the level's solution, and the level's difficulty."""
    board = Board(level.grid)
    floor = len(_reached(board, board.start.player, None))
    if floor > SMALL:
        from levelsmith.games.sokoban.solution import measured

        told = measured(level, level.solution or "")
        return int(told["pushes"]), int(told["moves"]), told["difficulty"]
    moves = replay(level, level.solution or "")
    pushes = sum(letter.isupper() for letter in moves)
    detour = pushes - pushes_alone(board)
    features = {"pushes": pushes, "moves": len(moves), "floor": floor, "detour": detour}
    return pushes, len(moves), difficulty(features)


def pushes_alone(board: Board) -> int:
    """Returns the fewest pushes of all boxes if none were in the way of another, each to its own goal."""
    goals = sorted(board.goals)
    ways = [_ways(board, box) for box in sorted(board.start.boxes)]
    far = 4 * board.height * board.width * max(1, len(goals))  # farther than any way, for a goal out of reach
    cost = [[way.get(goal, far) for goal in goals] for way in ways]
    return sum(cost[i][j] for i, j in enumerate(assignment(cost)))


def _ways(board: Board, box: Cell) -> dict[Cell, int]:
    """The fewest pushes of a box that is alone to each cell, by the side that the player is on."""
    first = (box, _reached(board, board.start.player, box))
    found = {box: 0}
    seen, waiting = {first}, [(*first, 0)]
    for at, around, pushes in waiting:  # grows while it is read
        for down, right in STEPS.values():
            there, behind = (at[0] + down, at[1] + right), (at[0] - down, at[1] - right)
            if behind not in around or board.is_wall(there):
                continue
            state = (there, _reached(board, at, there))
            if state not in seen:
                seen.add(state)
                found.setdefault(there, pushes + 1)
                waiting.append((*state, pushes + 1))
    return found


def _reached(board: Board, player: Cell, box: Cell | None) -> frozenset[Cell]:
    """The cells that the player walks to around one box."""
    seen, waiting = {player}, [player]
    for row, column in waiting:  # grows while it is read
        for down, right in STEPS.values():
            there = (row + down, column + right)
            if there not in seen and there != box and not board.is_wall(there):
                seen.add(there)
                waiting.append(there)
    return frozenset(seen)
