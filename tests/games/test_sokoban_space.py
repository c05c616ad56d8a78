"""The positions of Sokoban levels against a plain search, and the walker against plain algebra."""

from __future__ import annotations

import math

import numpy as np
import pytest

import levelsmith
from levelsmith.games.kernels import walker
from levelsmith.games.kernels.walker import LOST
from levelsmith.games.sokoban.rules.rules import STEPS, SokobanBoard
from levelsmith.games.sokoban.space import space
from levelsmith.games.sokoban.space.space import Space, space_of

LEVELS = 300
ONE_WAY = """\
#######
#@ $ .#
#######"""


def level(text: str) -> levelsmith.Level:
    return levelsmith.parse(text, "sokoban")


def drawn(rng: np.random.Generator) -> levelsmith.Level:
    """Returns a level of 3x4 to 4x5 cells with one to three boxes, solvable or not."""
    height, width = int(rng.integers(3, 5)), int(rng.integers(4, 6))
    boxes = int(rng.integers(1, 4))
    cells = [*"@", *"$" * boxes, *"." * boxes]
    cells += ["#" if rng.random() < 0.15 else " " for _ in range(height * width - len(cells))]
    rng.shuffle(cells)
    rows = ["".join(cells[i * width : (i + 1) * width]) for i in range(height)]
    return level("\n".join(["#" * (width + 2), *(f"#{row}#" for row in rows), "#" * (width + 2)]))


class Plain:
    """All positions of a level, by sets of cells."""

    def __init__(self, level: levelsmith.Level):
        self.board = SokobanBoard(level.grid)
        start = self.board.start
        inside = self.walked(start.player, frozenset())
        self.boxes = start.boxes & inside
        self.goals = self.board.goals & inside
        strays = start.boxes - self.board.goals - inside
        self.hopeless = bool(strays) or len(self.boxes) != len(self.goals)
        first = (self.boxes, self.walked(start.player, self.boxes))
        self.after, waiting = {first: None}, [first]
        while waiting:
            here = waiting.pop()
            self.after[here] = list(self.pushed(*here, self.is_alive))
            for there in self.after[here]:
                if there not in self.after:
                    self.after[there] = None
                    waiting.append(there)
        self.first = first

    def walked(self, player, boxes):
        seen, waiting = {player}, [player]
        while waiting:
            row, column = waiting.pop()
            for down, right in STEPS.values():
                there = (row + down, column + right)
                if there not in seen and there not in self.board.walls and there not in boxes:
                    seen.add(there)
                    waiting.append(there)
        return frozenset(seen)

    def pushed(self, boxes, walked, allowed):
        for row, column in boxes:
            for down, right in STEPS.values():
                behind, there = (row - down, column - right), (row + down, column + right)
                if behind in walked and there not in self.board.walls and there not in boxes:
                    after = boxes - {(row, column)} | {there}
                    if allowed(there, (row, column)):
                        yield after, self.walked((row, column), after)

    def is_alive(self, box, player):
        """Whether a lone box can get to a goal from a cell."""
        first = (frozenset([box]), self.walked(player, {box}))
        seen, waiting = {first}, [first]
        while waiting:
            boxes, walked = waiting.pop()
            if boxes <= self.goals:
                return True
            for there in self.pushed(boxes, walked, lambda *_: True):
                if there not in seen:
                    seen.add(there)
                    waiting.append(there)
        return False

    def lost(self):
        kept = {here for here in self.after if here[0] <= self.goals}
        while True:
            more = {here for here in self.after if not kept.isdisjoint(self.after[here])} | kept
            if more == kept:
                return set(self.after) - kept
            kept = more


def test_positions_and_lost_ones_are_those_of_a_plain_search() -> None:
    rng = np.random.default_rng(0)
    lost = 0
    for _ in range(LEVELS):
        made = drawn(rng)
        plain, space = Plain(made), space_of(made)
        assert space is not None
        if plain.hopeless:
            assert space.lost_share == 1
            continue
        assert len(space.steps) == len(plain.after), made.text
        assert int((space.steps == LOST).sum()) == len(plain.lost()), made.text
        assert len(space.graph.to) == sum(map(len, plain.after.values()))
        lost += len(plain.lost())
    assert lost > LEVELS


def test_the_fewest_pushes_are_the_solvers() -> None:
    rng = np.random.default_rng(1)
    for made in [drawn(rng) for _ in range(40)]:
        space, verdict = space_of(made), levelsmith.solve(made)
        assert space is not None
        if verdict.status == "solved":
            assert space.steps[0] == verdict.metrics["pushes"]
        else:
            assert space.steps[0] == LOST


@pytest.mark.parametrize(("eager", "patience"), [(0.0, 100.0), (0.5, 100.0), (1.0, 20.0)])
def test_the_walkers_chance_is_that_of_plain_algebra(eager: float, patience: float) -> None:
    rng, tried = np.random.default_rng(2), 0
    while tried < 10:
        space = space_of(drawn(rng))
        assert space is not None
        if space.steps[0] > 0 and len(space.steps) < 500:
            assert space.chance(eager, patience) == pytest.approx(
                plain_chance(space, eager, patience), rel=0.02
            )
            tried += 1


def plain_chance(space: Space, eager: float, patience: float) -> float:
    graph, states = space.graph, len(space.steps)
    matrix, ends = np.eye(states), graph.ended.astype(float)
    for here in range(states):
        after = graph.to[graph.first[here] : graph.first[here + 1]]
        if ends[here] or not len(after):
            continue
        weights = np.exp(eager * (graph.seems[here] - graph.seems[after]))
        np.subtract.at(matrix[here], after, (1 - 1 / patience) * weights / weights.sum())
    return float(np.linalg.solve(matrix, ends)[0])


def test_a_single_way_is_sure_and_nothing_is_lost() -> None:
    space = space_of(level(ONE_WAY))
    assert space is not None
    assert (space.solutions, space.narrow, space.lost_share, space.safe_pushes) == (1, 0, 0, 3)
    assert math.isclose(space.chance(patience=1e9), 1.0, rel_tol=1e-2)


def test_a_level_with_more_positions_than_there_is_room_for_has_no_space() -> None:
    assert space_of(level(ONE_WAY), room=2) is None
    assert space_of(level(ONE_WAY), room=3) is not None


@pytest.mark.filterwarnings("ignore:overflow")  # words wrap around
def test_what_is_not_compiled_finds_the_same_to_the_last_bit(monkeypatch) -> None:
    rng = np.random.default_rng(3)
    levels = [drawn(rng) for _ in range(250)]
    compiled = [space_of(each) for each in levels]
    chances = [each.chance() for each in compiled]
    monkeypatch.setattr(space.kernels, "explore", space.kernels.explore.py_func)
    for name in ("choose", "look_back", "walk"):
        monkeypatch.setattr(walker, name, getattr(walker, name).py_func)
    for each, known, chance in zip(levels, compiled, chances, strict=True):
        found = space_of(each)
        assert all(np.array_equal(*pair) for pair in zip(found.graph, known.graph, strict=True)), each.text
        assert np.array_equal(found.steps, known.steps)
        assert np.array_equal(found.ways, known.ways)
        assert (found.dead, found.chance()) == (known.dead, chance)
    assert len({len(each.steps) for each in compiled}) > 20
    assert 0 < min(chances) < max(chances) < 1


@pytest.mark.filterwarnings("ignore:overflow")  # words wrap around
def test_what_is_not_compiled_stops_where_the_room_ends(monkeypatch) -> None:
    one = level(ONE_WAY)
    positions = len(space_of(one).steps)
    for explore in (space.kernels.explore, space.kernels.explore.py_func):
        monkeypatch.setattr(space.kernels, "explore", explore)
        assert space_of(one, positions) is not None
        assert space_of(one, positions - 1) is None
