"""Compares the solver with a plain search; `python solver_twin.py COUNT SEED [STATES]` runs it alone.

Half of the levels are random boards, most of them unsolvable; the others are made with a solution, or come
from public collections where LEVELSMITH_DATA names a folder with them.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from unittest.mock import patch

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from levelsmith import generate, load, parse
from levelsmith.core import Effort
from levelsmith.games.sokoban.rules.rules import SokobanBoard, replay
from levelsmith.games.sokoban.solver import solve as solver
from levelsmith.games.sokoban.solver.hunt import field_of
from levelsmith.games.sokoban.solver.kernels.corrals import dead_corral
from levelsmith.games.sokoban.solver.kernels.pruning import choose_corral, walk
from levelsmith.games.sokoban.solver.kernels.search import MOST_WAYS
from levelsmith.games.sokoban.solver.macro import MacroHunt
from levelsmith.games.sokoban.solver.tables import corrals_of, workspace_of
from levelsmith.levels.spending import Spending
from reference.sokoban import fewest_moves, shortest

EFFORT = Effort(seconds=None)
FILES = ("boxoban_unfiltered_valid_000.txt", "boxoban_medium_valid_000.txt", "boxoban_hard_003.txt")


def random_level(rng):
    height, width = rng.randint(2, 6), rng.randint(3, 6)
    density = rng.choice([0, 0.1, 0.2, 0.3])
    cells = [(row, column) for row in range(height) for column in range(width)]
    number = rng.randint(1, 4 if height * width > 16 else 2)
    player, *boxes = rng.sample(cells, number + 1)
    goals = rng.sample(cells, number)
    tiles = {cell: "#" if rng.random() < density else " " for cell in cells}
    tiles |= dict.fromkeys(goals, ".")
    tiles |= {cell: "*" if cell in goals else "$" for cell in boxes}
    tiles[player] = "+" if player in goals else "@"
    rows = ["".join(tiles[row, column] for column in range(width)) for row in range(height)]
    return parse("\n".join(["#" * (width + 2), *(f"#{row}#" for row in rows), "#" * (width + 2)]), "sokoban")


def huge():
    """An open field with forty boxes far from their goals: no solver of this kind gets to the end of it."""
    rows = [list("#" * 64), *(list(f"#{' ' * 62}#") for _ in range(62)), list("#" * 64)]
    for i in range(40):
        rows[3 + i][4 + i % 7 * 3] = "$"
        rows[60 - i][50 + i % 5 * 2] = "."
    rows[1][1] = "@"
    return parse("\n".join(map("".join, rows)), "sokoban")


def made_levels(count):
    asked = {"preset": "boxoban", "size": (4, 5), "set": {"boxes": 2}, "seed": 1}
    made = generate("sokoban", count=count, partial=True, **asked)
    return list(made.levels)


def public_levels():
    folder = Path(os.environ["LEVELSMITH_DATA"]) / "sokoban"
    return [level for name in FILES for level in load(folder / name, game="sokoban")]


def by_whole_ways(level, behind):
    """What a search by whole ways of a box says when it is alone; a solution is played by the rule book."""
    field = field_of(level, Spending(EFFORT, None))
    if field.hopeless:
        return "unsolvable"
    field.order_goals()
    hunt = MacroHunt(field, behind)
    if not hunt.run():
        return "unsolvable"
    replay(level, field.lurd(hunt.way()))
    return "solved"


def shut_for_good(level):
    """Whether boxes that shut the player out of a region are proved to do so for ever."""
    field = field_of(level, Spending(EFFORT, None))
    workspace, player = workspace_of(field.area), field.area.player
    workspace.occupied[field.area.boxes] = 1
    with np.errstate(over="ignore"):  # words wrap around
        walk(field.maze, workspace, player)
        choose_corral(field.maze, workspace)
        return not field.hopeless and dead_corral(field.maze, workspace, corrals_of(field.area), player)


def compare(level, most):
    """What the plain search found: "solved", "unsolvable", or "unknown" where it took too long."""
    board = SokobanBoard(level.grid)
    pushes, ways = shortest(board, most)
    if pushes == "unknown":
        return pushes
    with patch.object(solver, "SOON", 10**9):  # all solutions are counted, whatever it takes
        verdict = solver.solve(level, EFFORT)
    some, least = solver.solve(level, EFFORT, any=True), solver.solve(level, EFFORT, moves=True)
    expected = "unsolvable" if pushes is None else "solved"
    assert [v.status for v in (verdict, some, least)] == [expected] * 3, level.text
    assert [by_whole_ways(level, behind) for behind in (False, True)] == [expected] * 2, level.text
    if pushes is None:
        return expected
    assert verdict.metrics["optimal_solutions"] == (ways if ways < MOST_WAYS else None), level.text
    assert verdict.optimal
    assert least.optimal
    assert verdict.metrics["pushes"] == least.metrics["pushes"] == pushes, level.text
    assert some.metrics["pushes"] == pushes if some.optimal else some.metrics["pushes"] > 0, level.text
    price = fewest_moves(board, most)
    assert price is None or (least.metrics["pushes"], least.metrics["moves"]) == price, level.text
    return expected


def main(count, seed, most=50_000, public=False):
    rng = random.Random(seed)
    solvable = public_levels() if public else made_levels(count // 2)
    levels = [rng.choice(solvable) if i % 2 else random_level(rng) for i in range(count)]
    found = [compare(level, most) for level in levels]
    return {kind: found.count(kind) for kind in sorted(set(found))}


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:]), public="LEVELSMITH_DATA" in os.environ))
