"""A probe: the search by pulls that proves the optimum of a room, on a GPU, one room a thread."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import cuda
from timing import best_of

from levelsmith import generate
from levelsmith.games.sokoban.rules.kernels import board as kernels
from levelsmith.games.sokoban.rules.kernels.tiles import BOX_ON_GOAL, GOAL, PLAYER_ON_GOAL, WALL
from levelsmith.games.sokoban.solver.kernels import pulls as pull_kernels
from levelsmith.games.sokoban.solver.kernels.pulls import STATES, Pulls, explore
from levelsmith.kernels.bits import cleared, packed
from levelsmith.kernels.gpu import free_bytes, gpu_kernel, launch, on_device, processors

SIZE, BOXES = (8, 8), 4
FLOOR = 43  # cells at most, as `carve` digs rooms of this size
POSITIONS = 50_000  # at most
THREADS_A_PROCESSOR = 256
SHARE_OF_MEMORY = 0.8


def pulls_of(positions: int) -> Pulls:
    """Room for one search, and for no more sets of boxes than there are on so much floor."""
    pulls, sets = pull_kernels.make(SIZE, BOXES, positions), math.comb(FLOOR, BOXES)
    return pulls._replace(newest=pulls.newest[:sets])


@gpu_kernel()
def explore_all(board, pulls, rooms, met):
    """Meets the positions of rooms `[B, 3]`: walls, goals, pushes. Their number goes into `met` `[B]`."""
    i, threads = cuda.grid(1), pulls.found.shape[1]
    if i >= threads:
        return
    own = Pulls(
        pulls.ways,
        pulls.number_of[:, i],
        pulls.boxes[:, i],
        pulls.region[:, i],
        pulls.parent[:, i],
        pulls.push[:, i],
        pulls.depth[:, i],
        pulls.newest[:, i],
        pulls.older[:, i],
        pulls.found[:, i],
    )
    for j in range(i, len(rooms), threads):
        walls, goals, none = (rooms[j, 0],), (rooms[j, 1],), cleared(board.every)
        explore(board, own, walls, goals, none, np.int64(0), np.int64(rooms[j, 2]))
        met[j] = own.found[STATES]


def on_gpu(rooms: np.ndarray) -> np.ndarray:
    pulls = pulls_of(POSITIONS)
    each = sum(room.nbytes for room in pulls[1:])
    fitting = free_bytes() * SHARE_OF_MEMORY // each
    threads = int(min(len(rooms), processors() * THREADS_A_PROCESSOR, fitting))
    many = [cuda.device_array((len(room), threads), room.dtype, order="F") for room in pulls[1:]]
    met = on_device(np.zeros(len(rooms), np.int64))
    there = on_device((kernels.make(SIZE), Pulls(pulls.ways, *many)))
    launch(explore_all, threads, *there, on_device(rooms), met)
    return met.copy_to_host()


def on_core(rooms: np.ndarray) -> list[int]:
    board, pulls, met = kernels.make(SIZE), pulls_of(POSITIONS), []
    for walls, goals, pushes in rooms:
        explore(board, pulls, (walls,), (goals,), cleared(board.every), 0, int(pushes))
        met.append(int(pulls.found[STATES]))
    return met


def rooms_of(number: int, kinds: int) -> np.ndarray:
    """Many rooms of some different ones, in any order."""
    made = generate("sokoban", preset="boxoban", count=kinds, seed=0).levels
    inside = np.stack([level.grid for level in made])[:, 1:-1, 1:-1].reshape(kinds, -1)
    pushes = [sum(move.isupper() for move in level.solution) for level in made]
    goals = np.isin(inside, (GOAL, BOX_ON_GOAL, PLAYER_ON_GOAL))
    rooms = np.column_stack([packed(inside == WALL), packed(goals), np.array(pushes, np.uint64)])
    return rooms[np.random.default_rng(0).integers(kinds, size=number)]


def rows(number: int, kinds: int, cores: int) -> Iterator[tuple[str, float, str]]:
    rooms = rooms_of(number, kinds)
    few = rooms[: number // 10]  # enough for the processor
    on_core(few[:1])
    same = (on_gpu(few) == on_core(few)).all()
    yield f"search by pulls, {number:,} rooms, cuda", number / best_of(3, lambda: on_gpu(rooms)), "rooms/s"
    with ThreadPoolExecutor(cores) as pool:
        parts = np.array_split(few, 4 * cores)
        taken = best_of(3, lambda: list(pool.map(on_core, parts)))
    yield f"search by pulls, {cores} cores", len(few) / taken, "rooms/s"
    yield "  the same answers", float(same), ""
    yield "  what a thread works in", sum(room.nbytes for room in pulls_of(POSITIONS)) / 1e6, "MB"
