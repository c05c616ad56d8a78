"""Bounds for the solver of PuzzleScript games, from its win conditions.

A goal says that some objects have to get to certain cells: each of them, or as many as are needed. Where they
may move at all comes from `prospects.py`; a state with too few that still can get there is never won. Where
things move once for each key, every move takes a key, but for those that move at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from levelsmith.games.puzzlescript.kernels.codes import AGAIN, ALL, RESTART, SOME, WIN
from levelsmith.games.puzzlescript.kernels.outlook import Guide
from reference.puzzle_prospects import NOTHING, Prospects, RuleCell, as_ints, members, union


class Goal(NamedTuple):
    """Something that is one or another of some objects, and the cells where it is wanted."""

    objects: frozenset[int]
    wanted: int
    needed: int  # how many of it, 0 for each that there is


def make_guide(prospects: Prospects) -> Guide:
    """Returns what is known about the keys that a level takes."""
    table: list[tuple[int, ...]] = []
    objects: list[int] = []
    moves: list[list[int]] = []
    goals = list(find_goals(prospects))
    steady = moved_by_keys(prospects) if goals and prospects.commands & AGAIN else None
    for goal in goals:
        far = prospects.distances(goal.objects, goal.wanted)
        once = steady is None or steady >= goal.objects  # for each key
        if not once or any(prospects.layer_of[o] in prospects.wild for o in goal.objects):
            far = [min(one, 0) for one in far]  # it may move on and on
        table.append((len(objects), len(goal.objects), goal.needed, most_moved(prospects, goal.objects)))
        objects += sorted(goal.objects)
        moves += [far] * len(goal.objects)
    return _guide(table, objects, moves, prospects.cells)


def no_guide(cells: int) -> Guide:
    """Returns that nothing is known."""
    return _guide([], [], [], cells)


def _guide(table: list[tuple[int, ...]], objects: list[int], moves: list[list[int]], cells: int) -> Guide:
    return Guide(
        np.array(table, np.int64).reshape(-1, 4),
        np.array(objects, np.int64),
        np.array(moves, np.int64).reshape(len(moves), cells),
        np.zeros(len(moves) * cells + 1, np.int64),
    )


def find_goals(prospects: Prospects) -> Iterator[Goal]:
    """Yields what the win conditions ask of objects."""
    if not prospects.known or prospects.commands & (WIN | RESTART):
        return
    wins = prospects.tables.wins
    whats, wheres = as_ints(wins.what), as_ints(wins.where)
    for c, kind in enumerate(wins.kind.tolist()):
        what, where = frozenset(members(whats[c])), frozenset(members(wheres[c]))
        if wins.what_all[c] and len(what) > 1:
            continue
        maybe = always = prospects.all
        if not wins.anywhere[c]:
            maybe = _cells(prospects.may_be, where, bool(wins.where_all[c]), prospects.all)
            always = _cells(prospects.stays, where, bool(wins.where_all[c]), prospects.all)
        if kind == SOME:
            yield from _needed(prospects, what, maybe, 1)
            continue
        good = maybe if kind == ALL else prospects.all & ~always
        for some in _kinds(prospects, what):
            if union(prospects.may_be[o] for o in some) & ~good:
                others = set(range(NOTHING, prospects.tables.objects)) - some
                yield Goal(some, good | prospects.turns_into(some, others), 0)
        asking = union(prospects.stays[o] for o in what) & ~always
        alone = len({prospects.layer_of[o] for o in where}) == 1  # else one cell could hold two of them
        if kind == ALL and asking and alone and not (wins.where_all[c] and len(where) > 1):
            yield from _needed(prospects, where, asking, asking.bit_count())


def _cells(sets: list[int], objects: Iterable[int], together: bool, cells: int) -> int:
    """Returns the cells with any, or all, of some objects."""
    if not together:
        return union(sets[o] for o in objects)
    for o in objects:
        cells &= sets[o]
    return cells


def _kinds(prospects: Prospects, objects: frozenset[int]) -> list[frozenset[int]]:
    """Returns some objects together with those of them that they may become."""
    kinds = [{o} for o in sorted(objects)]
    for (one, other), cells in prospects.turned.items():
        if cells and one in objects and other in objects:
            joined = [kind for kind in kinds if one in kind or other in kind]
            kinds = [kind for kind in kinds if kind not in joined] + [set().union(*joined)]
    return [frozenset(kind) for kind in kinds]


def _needed(prospects: Prospects, objects: frozenset[int], wanted: int, needed: int) -> Iterator[Goal]:
    """Yields that so many objects are needed somewhere, with all that may become such; not if a rule makes
    them of nothing."""
    found = set(objects)
    while True:
        before = {one for (one, other), cells in prospects.turned.items() if cells and other in found} - found
        if NOTHING in before:
            return
        if not before:
            break
        found |= before
    yield Goal(frozenset(found), wanted, needed)


def moved_by_keys(prospects: Prospects) -> frozenset[int]:
    """Returns the objects that move in the turn of a key alone, not in those that follow by themselves.

    Whatever makes one of them move asks for another one that moves already, and only keys begin.
    """
    found = {o for o, layer in enumerate(prospects.layer_of) if layer not in prospects.wild}
    while True:
        others = set()
        for rule in prospects.rules:
            cells = [cell for _, part in rule.parts for cell in part] if rule.matches else []
            if not any(found.issuperset(some) for cell in cells for some, _ in cell.moving):
                others |= {o for cell in cells for o, _ in cell.pushed}
            others |= {o for cell in cells for o, before in cell.heirs if not found.issuperset(before)}
        if not others & found:
            return frozenset(found)
        found -= others


def most_moved(prospects: Prospects, objects: frozenset[int]) -> int:
    """Returns how many of some objects move in one turn at most; 0 where that is not known.

    A player who moves as the key says, and never otherwise, moves only what rules name beside him.
    """
    rest = set(range(NOTHING, prospects.tables.objects))
    players = prospects.players
    if prospects.turns_into(rest - objects, objects):
        return 0
    count = sum(prospects.start[o].bit_count() for o in objects)
    if objects & players or prospects.turns_into(rest - players, players):
        return count
    offsets: dict[int, set[int]] = defaultdict(set)
    for rule in prospects.rules:
        for _, part in rule.parts if rule.matches else ():
            for k, cell in enumerate(part):
                for o, way in cell.pushed:
                    if cell.way_of.get(o) == way:
                        continue  # it moves that way anyway
                    pusher = _pusher(players, part) if o in objects else None
                    if pusher is not None:
                        offsets[pusher[1]].add((k - pusher[0]) * rule.step)
                    elif o in objects or o in players:
                        return count
    most = max(map(len, offsets.values()), default=1)
    return min(count, most * sum(prospects.start[o].bit_count() for o in players))


def _pusher(players: frozenset[int], part: list[RuleCell]) -> tuple[int, int] | None:
    """Returns where in a part of a rule a player must move, and which way; None where nowhere."""
    for k, cell in enumerate(part):
        for some, way in cell.moving:
            if players.issuperset(some):
                return k, way
    return None
