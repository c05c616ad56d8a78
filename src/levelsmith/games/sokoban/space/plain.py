"""The positions of a level where nothing is compiled: as `kernels.positions`, by sets of cells as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from levelsmith.games.sokoban.space.kernels.positions import DEAD, FOUND, PUSHES

if TYPE_CHECKING:
    from levelsmith.games.sokoban.solver.kernels.maze import Maze
    from levelsmith.games.sokoban.space.kernels.positions import Positions


def explored(maze: Maze, positions: Positions, player: int) -> bool:
    """Writes what `kernels.positions.explore` writes, the same positions in the same order.

    Returns whether all were found.
    """
    beside, alive = maze.beside.tolist(), maze.alive.tolist()
    cells, room = len(maze.part_of), len(positions.player) - 1
    around = [sum(1 << there for there in four if there < cells) for four in beside[:cells]]

    def walked(start: int, boxes: int) -> int:
        """Returns the set of the cells that the player can walk to."""
        rooms = walks.setdefault(boxes, [])
        for seen in rooms:
            if seen >> start & 1:
                return seen
        seen = newest = 1 << start
        while newest:
            wider = 0
            while newest:
                wider |= around[(newest & -newest).bit_length() - 1]
                newest &= newest - 1
            newest = wider & ~boxes & ~seen
            seen |= newest
        rooms.append(seen)
        return seen

    walks: dict[int, list[int]] = {}  # the rooms that sets of boxes leave
    at = sorted(positions.boxes[0].tolist())
    here = walked(player, sum(1 << cell for cell in at))
    known = {(tuple(at), here & -here): 0}
    waiting, to, first, dead = [(at, here)], [], [0], 0
    for at, here in waiting:  # grows while it is read
        boxes = sum(1 << cell for cell in at)
        for i, box in enumerate(at):
            for d in range(4):
                there, behind = beside[box][d], beside[box][d ^ 1]
                if there == cells or behind == cells or boxes >> there & 1 or not here >> behind & 1:
                    continue
                if not alive[there][d]:
                    dead += 1
                    continue
                after = sorted([*at[:i], there, *at[i + 1 :]])
                reach = walked(box, boxes ^ (1 << box) ^ (1 << there))
                name = tuple(after), reach & -reach
                if name not in known:
                    if len(known) == room:
                        return False
                    known[name] = len(waiting)
                    waiting.append((after, reach))
                to.append(known[name])
        first.append(len(to))
    for row, (at, _) in enumerate(waiting):
        positions.boxes[row] = at
    positions.first[: len(first)], positions.to[: len(to)] = first, to
    positions.tally[[FOUND, PUSHES, DEAD]] = len(waiting), len(to), dead
    return True
