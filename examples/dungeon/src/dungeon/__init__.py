"""Dungeon: take the key, open the door, leave by the exit."""

from dungeon import rules
from dungeon.look import SPRITES
from dungeon.rules import DOOR, EXIT, HERO, KEY, shortest
from levelsmith.plugin import Objective, Parameter, SolvableGame, Term, Tile, Tiles


def quest(size, values):
    """One of each, no way around the door, and a way of so many steps."""
    cells = size[0] * size[1]
    ones = [Term(name, "ramp", low=1, high=1, end=cells) for name in ("heroes", "keys", "doors", "exits")]
    return [
        *ones,
        Term("shortcut", "ramp", zero=-1, low=0, high=0, end=1),
        Term("steps", "ramp", low=values["length"], weight=4),
    ]


class Dungeon(SolvableGame):
    name = "dungeon"
    summary = "take the key, open the door, leave by the exit"
    tiles = Tiles(
        Tile("floor", ".", " "),
        Tile("wall", "#"),
        Tile("hero", "@"),
        Tile("key", "k"),
        Tile("door", "D"),
        Tile("exit", "X"),
    )
    metrics = {
        "heroes": "cells with a hero",
        "keys": "cells with a key",
        "doors": "cells with a door",
        "exits": "cells with an exit",
        "steps": "steps of the shortest way from the hero to the exit, 0 where there is none",
        "shortcut": "1 where the exit can be reached without the key, else 0",
    }
    objectives = {
        "quest": Objective(
            "quest",
            "one hero, key, door and exit, and a way that needs them all",
            quest,
            (Parameter("length", 20, "least steps of the way", low=4),),
        )
    }
    default_size = (8, 10)
    smallest = (4, 4)
    largest = (32, 32)
    mix = {"floor": 10, "wall": 8, "hero": 1, "key": 1, "door": 1, "exit": 1}  # how often each is drawn
    colours = {
        "floor": "floor",
        "wall": "stone",
        "hero": "sky",
        "key": "gold",
        "door": "wood",
        "exit": "jade",
    }
    sprites = SPRITES
    walker = "hero"

    def measured(self, grid):
        way = shortest(grid)
        return {
            "heroes": (grid == HERO).sum(),
            "keys": (grid == KEY).sum(),
            "doors": (grid == DOOR).sum(),
            "exits": (grid == EXIT).sum(),
            "steps": len(way or ""),
            "shortcut": shortest(grid, with_key=False) is not None,
        }

    def check_start(self, level):
        rules.begun(level.grid)

    def solution(self, grid):
        return shortest(grid)

    def played(self, grid, moves):
        return rules.played(grid, moves)

    letters = "lurd"  # from here to `drawn`: what agents need to play it

    def begun(self, grid):
        return rules.begun(grid)

    def moved(self, position, letter):
        return rules.moved(position, letter)

    def is_solved(self, position):
        return position.under == EXIT

    def drawn(self, position):
        return position.grid

    def compiled(self, size):  # leave this out, and the searches ask `measured`
        from dungeon.kernels import make

        return make(size)


GAME = Dungeon()
