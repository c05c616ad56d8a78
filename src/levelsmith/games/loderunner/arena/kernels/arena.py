"""Many Lode Runner levels of one size, played at once against their guards, a key each.

A step is what the search for plans takes for a move: a key stays down until the runner is a cell further,
stands again, has dug or has waited for five ticks. A key that does nothing is a wait.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.games.loderunner.game.kernels import men
from levelsmith.games.loderunner.game.kernels.game import begin, tick
from levelsmith.games.loderunner.game.kernels.moves import WAIT_TICKS, press
from levelsmith.games.loderunner.game.kernels.states import copy
from levelsmith.kernels.arena import show
from levelsmith.kernels.compile import kernel, part

STEP, PIECE, SOLVED, LOST = range(4)  # places of the rewards
MOVES = 7
# What is seen in a cell: the first six tiles, then these.
SEEN_GUARD, SEEN_RUNNER, ON_LADDER, ON_ROPE, IN_HOLE, HOLE = range(6, 12)
AGES = 5  # a hole is seen as HOLE and the next codes, by how long it is open yet
GUARD_ON_LADDER, GUARD_ON_ROPE, GUARD_IN_HOLE, GUARD_ON_GOLD, CODES = range(HOLE + AGES, HOLE + AGES + 5)


class GuardedBoards(NamedTuple):
    """Games side by side, as `GuardedGame` has one of them."""

    height: int
    width: int
    guards: NDArray[np.int64]  # [boards] how many there are
    exits: NDArray[np.bool_]  # [boards] whether it is won at the top
    men: NDArray[np.int32]  # [boards, 1 + the most guards, MAN]
    holes: NDArray[np.int32]  # [boards, MOST_HOLES, 2]
    counts: NDArray[np.int32]  # [boards, COUNTS]
    tile: NDArray[np.uint8]  # [boards, (height + 2) * (width + 2)]
    now: NDArray[np.uint8]  # the same
    glances: NDArray[np.int32]  # [boards, 1 + the most guards, GLANCE]
    dice: NDArray[np.uint64]  # [2] zeros: the tick decides on every board
    stands: NDArray[np.int64]  # [boards] playing, won or dead
    steps: NDArray[np.int64]  # [boards] keys pressed since the start
    fresh: NDArray[np.bool_]  # [boards] a new level, to be shown before it is played
    most: int  # steps after which a board is given up
    rewards: NDArray[np.float64]  # [4] of a step, of a piece of gold, of a win, of a lost runner


@part
def game_on(boards, board):
    """Returns the game on a board, which changes with it."""
    all_men = boards.men[board, : 1 + boards.guards[board]]
    return men.GuardedGame(
        boards.height,
        boards.width,
        boards.exits[board],
        all_men,
        boards.holes[board],
        boards.counts[board],
        boards.tile[board],
        boards.now[board],
        boards.glances[board],
        boards.dice,
    )


@part
def key_of(action):
    """Returns the key of an action: actions are in the order of the letters `lrudLR.`."""
    return (action + 1) % MOVES


@part
def pressed(game, key):
    """Presses a key, or waits where it does nothing; returns how the game stands."""
    stands = press(game, key, False)
    if stands >= 0:
        return stands
    stands = np.int64(men.PLAYING)
    for _ in range(WAIT_TICKS - 1):
        if stands == men.PLAYING:
            stands = tick(game, men.NO_KEY)
    return stands


@kernel
def start(boards, some, grids, tiles):
    """Puts levels on some boards, unless one has more guards than there is room for; returns the most.

    grids: [N, H, W]. tiles: of each tile of a level its number in the game
    """
    most, width, stride = 0, boards.width, boards.width + 2
    for i in range(len(some)):
        guards = 0
        for row in range(boards.height):
            for column in range(width):
                guards += tiles[grids[i, row, column]] == men.GUARD
        most = max(most, guards)
        boards.guards[some[i]] = guards
    if most >= boards.men.shape[1]:
        return most
    for i in range(len(some)):
        board = some[i]
        boards.exits[board] = False
        for row in range(boards.height):
            for column in range(width):
                tile = tiles[grids[i, row, column]]
                boards.tile[board, (row + 1) * stride + column + 1] = tile
                if tile == men.HIDDEN:
                    boards.exits[board] = True
        boards.stands[board] = begin(game_on(boards, board))
        boards.steps[board] = 0
        boards.fresh[board] = True
    return most


@part
def look(game, width, view):
    """Writes what every cell shows."""
    cells, stride = game.height * width, width + 2
    for row in range(game.height):
        first, at = row * width, (row + 1) * stride + 1
        if len(view) == cells:  # a loop of its own, which the compiler makes one of many cells at a time
            for column in range(width):
                view[first + column] = of_tile(game.tile[at + column])
        else:
            for column in range(width):
                view[np.int64(of_tile(game.tile[at + column])) * cells + first + column] = 1
    for i in range(game.counts[men.HOLES]):
        at = np.int64(game.holes[i, men.HOLE_AT])
        left = np.int64(game.holes[i, men.FILLS] - game.counts[men.TICK])
        change(view, cells, cell_at(at, width), men.BRICK, HOLE + (left - 1) * AGES // men.OPEN_TICKS)
    for i in range(len(game.men) - 1, -1, -1):
        at = np.int64(game.men[i, men.AT])
        before = shown_at(view, cells, cell_at(at, width))
        change(view, cells, cell_at(at, width), before, of_man(np.int64(game.tile[at]), i == 0))


@part
def of_tile(tile):
    """Returns how a tile is shown: neither traps nor hidden ladders can be told by looking."""
    if tile <= men.GOLD:
        return tile
    return np.uint8(men.BRICK) if tile == men.TRAP else np.uint8(men.EMPTY)


@part
def cell_at(at, width):
    return (at // (width + 2) - 1) * width + at % (width + 2) - 1


@part
def shown_at(view, cells, cell):
    """Returns what a cell shows already."""
    if len(view) == cells:
        return np.int64(view[cell])
    for code in range(CODES):
        if view[code * cells + cell]:
            return np.int64(code)
    return np.int64(0)


@part
def change(view, cells, cell, before, after):
    """Shows something else in a cell."""
    if len(view) > cells:
        view[before * cells + cell] = 0
    show(view, cells, cell, after)


@part
def of_man(tile, is_runner):
    """Returns how a man is shown who is on a tile."""
    if tile == men.LADDER:
        return np.int64(ON_LADDER) if is_runner else np.int64(GUARD_ON_LADDER)
    if tile == men.ROPE:
        return np.int64(ON_ROPE) if is_runner else np.int64(GUARD_ON_ROPE)
    if tile == men.BRICK:
        return np.int64(IN_HOLE) if is_runner else np.int64(GUARD_IN_HOLE)
    if tile == men.GOLD and not is_runner:
        return np.int64(GUARD_ON_GOLD)
    return np.int64(SEEN_RUNNER) if is_runner else np.int64(SEEN_GUARD)


@kernel
def step(boards, actions, out):
    """Presses a key on every board; a fresh one is only shown."""
    for board in range(len(boards.tile)):
        game = game_on(boards, board)
        out.rewards[board] = 0.0
        if boards.fresh[board]:
            boards.fresh[board] = False
        else:
            before = game.counts[men.LEFT_GOLD]
            stands = pressed(game, key_of(actions[board]))
            boards.stands[board] = stands
            boards.steps[board] += 1
            reward = boards.rewards[STEP] + boards.rewards[PIECE] * (before - game.counts[men.LEFT_GOLD])
            if stands == men.WON:
                reward += boards.rewards[SOLVED]
            elif stands != men.PLAYING:
                reward += boards.rewards[LOST]
            out.rewards[board] = reward
            out.terminated[board] = stands != men.PLAYING
            out.truncated[board] = stands == men.PLAYING and boards.steps[board] >= boards.most
        look(game, boards.width, out.views[board])


@kernel
def reveal(boards, some, views):
    """Writes what some boards show."""
    for i in range(len(some)):
        boards.fresh[some[i]] = False
        look(game_on(boards, some[i]), boards.width, views[i])


@kernel
def write_masks(boards, spare, out):
    """Writes which keys do something on every board, a wait among them. spare: room for one board"""
    for board in range(len(boards.tile)):
        game = game_on(boards, board)
        for action in range(MOVES):
            key = key_of(action)
            if key == men.NO_KEY:
                out[board, action] = True
                continue
            spare.guards[0] = boards.guards[board]
            tried = game_on(spare, 0)
            copy(game, tried)
            tick(tried, key)
            man, was = tried.men[0], game.men[0]
            moved = man[men.AT] != was[men.AT] or man[men.DY] != was[men.DY] or man[men.DX] != was[men.DX]
            out[board, action] = moved or tried.counts[men.DIG_AT] != game.counts[men.DIG_AT]


@kernel
def play(boards, keys, ends, actions):
    """Plays a plan on the first board, key by key as they come; writes its actions and returns how many.

    keys: [N] pressed one after another. ends: [N] the ticks at which each is let go
    """
    game, made = game_on(boards, 0), 0
    stands = np.int64(men.PLAYING)
    for i in range(len(keys)):
        while stands == men.PLAYING and game.counts[men.TICK] < ends[i]:
            if made == len(actions):
                return -1
            actions[made] = (keys[i] + MOVES - 1) % MOVES
            made += 1
            stands = pressed(game, keys[i])
        if stands == men.PLAYING and game.counts[men.TICK] != ends[i]:
            return -1
    return made if stands == men.WON else -1
