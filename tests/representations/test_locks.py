"""A start that was given is where a run begins, and its locked cells never change, whatever is done."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from levelsmith.core import Canvas, settle
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.bits import to_members
from levelsmith.kernels.problem import (
    apply,
    board,
    cross,
    done,
    initial,
    legal,
    mutate,
    neighbour,
    neighbours,
    sample,
    unpack,
)
from levelsmith.kernels.random import seeded
from levelsmith.registry import games
from levelsmith.representations.grid import NARROW, TURTLE, WIDE
from reference.states import packed

BOARDS = [("binary", (4, 5)), ("binary", (10, 9)), ("binary", (18, 17)), ("sokoban", (5, 6))]
some_boards = pytest.mark.parametrize(("game", "size"), BOARDS)
every = pytest.mark.parametrize("representation", [NARROW, TURTLE, WIDE], ids=lambda r: r.name)


@pytest.fixture(autouse=True)
def _words_wrap_around():
    with np.errstate(over="ignore"):
        yield


def canvas_of(game, size):
    """A random start, about half of it locked."""
    draw = np.random.default_rng(7)
    start = draw.integers(0, games.get(game).tiles.kinds, size, dtype=np.uint8)
    return Canvas(size, start, draw.random(size) < 0.5)


class Case:
    """A representation of a canvas, what a run draws from, and the grid of a state."""

    def __init__(self, representation, game, canvas, needs, **given):
        self.canvas, self.representation = canvas, representation
        values = settle(representation.name, representation.parameters, given)
        self.rep = representation.build(games.get(game), canvas, values, needs)
        self.words = seeded(np.random.SeedSequence(1))

    def grid(self, state):
        return self.representation.grid(self.rep, board(self.rep, state).value).copy()

    def keeps(self, state):
        """Whether the locked cells of a state are those of the start."""
        same = self.grid(state) == self.canvas.start
        return bool(same[self.canvas.locked].all())


@every
@some_boards
@pytest.mark.parametrize("needs", ["steps", "variation"])
def test_a_run_begins_with_the_start(representation, game, size, needs):
    case = Case(representation, game, canvas_of(game, size), needs, fill=1.0)
    assert case.grid(initial(case.rep, case.words)).tolist() == case.canvas.start.tolist()


@pytest.mark.parametrize("representation", [NARROW, WIDE], ids=lambda r: r.name)
@some_boards
def test_a_sample_differs_from_the_start_a_little(representation, game, size):
    case = Case(representation, game, canvas_of(game, size), "variation")
    initial(case.rep, case.words)
    free, changed = ~case.canvas.locked, []
    for _ in range(200):
        state = sample(case.rep, case.words)
        assert case.keeps(state)
        changed.append((case.grid(state) != case.canvas.start)[free].mean())
    assert 0.03 < np.mean(changed) < 0.07


@every
@some_boards
@pytest.mark.parametrize("actions", ["single", "pairs"])
def test_no_path_changes_a_locked_cell(representation, game, size, actions):
    given = {"actions": actions} if representation is TURTLE else {}
    case = Case(representation, game, canvas_of(game, size), "steps", **given)
    rep, draw, changed = case.rep, np.random.default_rng(3), np.zeros(size, bool)
    state = initial(rep, case.words)
    for _ in range(400):
        open_actions = to_members(legal(rep, state).value)
        if done(rep, state) or not open_actions:
            break
        state = apply(rep, state, np.int64(draw.choice(open_actions)))
        assert case.keeps(state)
        changed |= case.grid(state) != case.canvas.start
    assert changed.any()
    if representation is WIDE:  # until every free cell was changed
        assert changed.tolist() == (~case.canvas.locked).tolist()


@every
@some_boards
def test_no_candidate_changes_a_locked_cell(representation, game, size):
    case = Case(representation, game, canvas_of(game, size), "variation")
    rep, words = case.rep, case.words
    rows = [packed(rep, initial(rep, words)), packed(rep, sample(rep, words))]
    for rate in (0.0, 0.05, 0.5, 1.0) * 5:
        state = mutate(rep, unpack(rep, rows[-1]), rate, words)
        assert case.keeps(state)
        rows.append(packed(rep, state))
        child = cross(rep, rows[-1], rows[-2], words)
        assert case.keeps(child)
        rows.append(packed(rep, child))
    assert len({row.tobytes() for row in rows}) > 10
    for k in range(0, neighbours(rep), 1 + neighbours(rep) // 300):
        assert case.keeps(neighbour(rep, unpack(rep, rows[-1]), k))


@pytest.mark.parametrize("representation", [NARROW, WIDE], ids=lambda r: r.name)
@some_boards
def test_neighbours_are_those_of_the_free_cells(representation, game, size):
    case = Case(representation, game, canvas_of(game, size), "variation")
    free, others = np.count_nonzero(~case.canvas.locked), games.get(game).tiles.kinds - 1
    row = packed(case.rep, initial(case.rep, case.words))
    grids = {case.grid(neighbour(case.rep, unpack(case.rep, row), k)).tobytes() for k in range(free * others)}
    assert len(grids) == neighbours(case.rep) == free * others


@some_boards
@pytest.mark.parametrize("passes", [1, 2])
def test_narrow_comes_by_every_free_cell_as_often_as_it_passes(game, size, passes):
    case = Case(NARROW, game, canvas_of(game, size), "steps", passes=passes)
    state, visited = initial(case.rep, case.words), Counter()
    while not done(case.rep, state):
        before = case.grid(state)
        state = apply(case.rep, state, np.int64(0))  # the first action changes the cell
        (cell,) = np.flatnonzero(case.grid(state) != before)
        visited[int(cell)] += 1
    assert visited == dict.fromkeys(np.flatnonzero(~case.canvas.locked).tolist(), passes)


def test_a_turtle_walks_over_locked_cells_and_has_no_change_to_offer_there():
    locked = np.ones((3, 3), bool)
    locked[0, 0] = False
    case = Case(TURTLE, "binary", Canvas((3, 3), np.zeros((3, 3), np.uint8), locked), "steps")
    state, stood = initial(case.rep, case.words), set()
    draw = np.random.default_rng(0)
    for _ in range(200):
        actions = to_members(legal(case.rep, state).value)
        assert (4 in actions) == (state.cursor == 0)
        stood.add(int(state.cursor))
        state = apply(case.rep, state, np.int64(draw.choice(actions)))
    assert stood == set(range(9))


@every
def test_a_canvas_with_nothing_to_change_is_refused(representation):
    everything = Canvas((3, 3), np.zeros((3, 3), np.uint8), np.ones((3, 3), bool))
    with pytest.raises(LevelsmithError, match=r"^expected at least one cell that may change, but every cell"):
        Case(representation, "binary", everything, "steps")


@every
@pytest.mark.parametrize("game", ["binary", "sokoban"])
def test_a_single_free_cell_is_enough(representation, game):
    locked = np.ones((3, 3), bool)
    locked[1, 2] = False
    case = Case(representation, game, Canvas((3, 3), np.zeros((3, 3), np.uint8), locked), "variation")
    row = packed(case.rep, initial(case.rep, case.words))
    found = set()
    for i in range(100):
        grid = case.grid(mutate(case.rep, unpack(case.rep, row), 0.3 * (i % 2), case.words))
        found |= set(np.flatnonzero(grid).tolist())
        row = packed(case.rep, cross(case.rep, row, row, case.words))
    assert found == {5}
