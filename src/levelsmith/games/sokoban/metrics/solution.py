"""What can be counted about a solution, from the level and its moves alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from levelsmith.core import Grid, Level
from levelsmith.games.sokoban.metrics.board import beside, filled
from levelsmith.games.sokoban.metrics.difficulty import difficulty
from levelsmith.games.sokoban.rules.kernels.board import SELDOM, PushWorkspace
from levelsmith.games.sokoban.rules.kernels.tiles import WALL
from levelsmith.games.sokoban.rules.rules import STEPS, Cell, SokobanBoard, SokobanState, reachable, replay
from levelsmith.games.sokoban.solver.kernels.matching import least_pushes
from levelsmith.games.sokoban.solver.tables import Area, maze_of, workspace_of

Push = tuple[int, str, Cell, Cell]  # the box by number, the letter, from where, to where


def rated(level: Level, solution: str) -> dict[str, int | float]:
    """Returns the metrics of a solution, and of all positions of its level, where there are not too many.

    Where there are, "chance" and "lost_share" are missing and the difficulty is estimated.
    """
    from levelsmith.games.sokoban.space.space import told_by_positions

    found, told = measured(level, solution), told_by_positions(level)
    if told is None:
        return found
    found |= told._asdict()
    return {**found, "difficulty": difficulty(found)}


def measured(level: Level, solution: str) -> dict[str, int | float]:
    """Returns the metrics of a solution and of its level; a solution that does not solve is refused.

    Its difficulty is estimated from the solution alone.
    """
    letters = replay(level, solution)
    board = SokobanBoard(level.grid)
    made = pushes(board, letters)
    order = [box for box, *_ in made]
    distance = goal_distance(board)
    floor, boxes = reachable(board), len(board.start.boxes)
    room = int((filled(level.grid) != WALL).sum())
    found = {
        "pushes": len(made),
        "moves": len(letters),
        "box_lines": _runs([(box, letter) for box, letter, *_ in made]),
        "box_changes": sum(a != b for a, b in pairwise(order)),
        "pushing_sessions": sum(b.isupper() and not a.isupper() for a, b in pairwise("." + letters)),
        "player_lines": _runs(letters.lower()),
        "counterintuitive": sum(distance[to] > distance[start] for _, _, start, to in made),
        "detour": len(made) - pushes_alone(board),
        "decomposition": decomposition(order),
        "dead_share": sum(cell not in distance for cell in floor) / len(floor),
        "unused_floor": 1 - len(used_by_pushes(board, letters)) / room,
        "seldom_pushed": seldom_pushed(order, boxes) / boxes if boxes else 0.0,
        "floor": len(floor),
    }
    return {**found, "difficulty": difficulty(found)}


def pushes(board: SokobanBoard, letters: str) -> list[Push]:
    """Returns the pushes among moves that are written with capitals for them."""
    number = {cell: i for i, cell in enumerate(sorted(board.start.boxes))}
    (row, column), made = board.start.player, []
    for letter in letters:
        down, right = STEPS[letter.lower()]
        row, column = row + down, column + right
        if letter.isupper():
            to = (row + down, column + right)
            number[to] = number.pop((row, column))
            made.append((number[to], letter, (row, column), to))
    return made


def used(board: SokobanBoard, solution: str) -> set[Cell]:
    """Returns the cells that the player or a box comes to, and those of the goals."""
    cells = {board.start.player, *board.start.boxes, *board.goals}
    for letter, position in board.play(solution):
        cells.add(position.player)
        if letter.isupper():
            down, right = STEPS[letter.lower()]
            cells.add((position.player[0] + down, position.player[1] + right))
    return cells


def used_by_pushes(board: SokobanBoard, solution: str) -> set[Cell]:
    """Returns the cells that boxes come to, the player on any shortest way between pushes, and those of the
    goals: so that a level and its mirror image agree, whoever walked."""
    cells, before = {board.start.player, *board.start.boxes, *board.goals}, board.start
    for letter, position in board.play(solution):
        if letter.isupper():
            down, right = STEPS[letter.lower()]
            row, column = position.player
            cells |= {(row, column), (row + down, column + right)}
            cells |= _ways(board, before, (row - down, column - right))
            before = position
    return cells


def _ways(board: SokobanBoard, before: SokobanState, end: Cell) -> set[Cell]:
    """Returns the cells of all shortest ways of the player to one that it can walk to."""
    layers, seen = [{before.player}], {before.player, *before.boxes}
    while end not in layers[-1]:
        near = {there for cell in layers[-1] for there in beside(cell)} - seen
        layers.append({cell for cell in near if not board.is_wall(cell)})
        seen |= layers[-1]
    ways, newest = {end}, {end}
    for layer in layers[-2::-1]:
        newest = {there for cell in newest for there in beside(cell)} & layer
        ways |= newest
    return ways


def seldom_pushed(order: Iterable[int], boxes: int) -> int:
    """Returns how many boxes are pushed at most twice. order: the box of each push."""
    counts = Counter(order)
    return sum(counts[box] <= SELDOM for box in range(boxes))


def _runs(values: Sequence[object]) -> int:
    """Returns how many runs of equal values there are."""
    return bool(values) + sum(a != b for a, b in pairwise(values))


def goal_distance(board: SokobanBoard) -> dict[Cell, int]:
    """Returns the fewest pushes that bring a box to the nearest goal, if it were alone and the player
    anywhere.

    A cell that is missing is dead: from there no goal can be reached.
    """
    distance = dict.fromkeys(board.goals, 0)
    waiting = list(board.goals)
    for cell in waiting:  # grows while it is read
        for down, right in STEPS.values():  # pulls a box away from the goal
            there = (cell[0] - down, cell[1] - right)
            player = (there[0] - down, there[1] - right)
            if there not in distance and not board.is_wall(there) and not board.is_wall(player):
                distance[there] = distance[cell] + 1
                waiting.append(there)
    return distance


def why_not(grid: Grid) -> str | None:
    """Returns why a level has no solution, where one box alone tells."""
    board = SokobanBoard(grid)
    for row, column in sorted(board.start.boxes - goal_distance(board).keys()):
        return f"no pushes bring the box at row {row + 1}, column {column + 1} to a goal"
    return None


def pushes_alone(board: SokobanBoard) -> int:
    """Returns the fewest pushes of all boxes if none were ever in the way of another, each to a goal of its
    own.

    The way of a box takes account of the side that the player is on. It is the lower bound of the solver.
    """
    area = Area(board)
    maze, workspace = maze_of(area), workspace_of(area)
    tables = maze.beside, maze.goals, maze.part_of, maze.distance, maze.alive
    shared = workspace.queue, workspace.at, workspace.cost, workspace.match, workspace.held
    alone = PushWorkspace(*tables, *shared)
    return int(least_pushes(alone, area.player))


def decomposition(order: Sequence[int]) -> int:
    """Returns how little a solution falls into two parts (after Jarušek and Pelánek, 2010).

    The boxes that are pushed are split into two groups, none empty, and the times that two pushes in a row
    are of boxes of different groups are counted; the least count over all splits is the metric. 1 means that
    some boxes are dealt with first and then the others; 0 that one box is pushed, or none. It is the least
    cut of the graph whose edges are the changes of box, found exactly (Stoer and Wagner, 1997).
    """
    weight: Counter[frozenset[int]] = Counter(
        frozenset(pair) for pair in pairwise(order) if pair[0] != pair[1]
    )
    nodes = sorted(set(order))
    least = None
    while len(nodes) > 1:
        joined, left = [nodes[0]], nodes[1:]
        pull = 0
        while left:
            pulls = {node: sum(weight[frozenset((node, one))] for one in joined) for node in left}
            tightest = max(left, key=pulls.__getitem__)
            pull = pulls[tightest]
            left.remove(tightest)
            joined.append(tightest)
        least = pull if least is None else min(least, pull)
        kept, merged = joined[-2], joined[-1]
        nodes.remove(merged)
        for node in nodes:
            if node != kept:
                weight[frozenset((kept, node))] += weight[frozenset((merged, node))]
    return least or 0
