"""Every registered representation keeps the promises of its contract, and breaking one is seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from levelsmith import testing
from levelsmith.core import Canvas
from levelsmith.errors import LevelsmithError
from levelsmith.kernels import problem
from levelsmith.registry import games, representations, representations_of
from levelsmith.representations.grid import Wide
from levelsmith.representations.kernels import grid as kernels
from levelsmith.testing import CheckFailed, check_representation

OTHERS = [name for name in representations.names if name != "latent"]  # which needs a model: tests/learn


@pytest.mark.parametrize("name", OTHERS)
def test_a_registered_representation_keeps_its_promises_for_every_game_that_it_takes(name, monkeypatch):
    rep = representations.get(name)
    for game in map(games.get, games):
        if name not in representations_of(game):
            continue
        try:
            rep.build(game, Canvas(game.default_size), {p.name: p.default for p in rep.parameters}, "steps")
        except LevelsmithError:
            continue
        with monkeypatch.context() as patch:
            if game.default_size[0] * game.default_size[1] > 100:  # plain Python takes long for so many cells
                patch.setattr(testing, "LONGEST_WALK", 30)
                patch.setattr(testing, "SEEDS", 1)
            check_representation(name, game)


Built = NamedTuple("Built", [(name, kind) for name, kind in kernels.GridRep.__annotations__.items()])


class Copied(Wide):
    def build(self, game, canvas, values, needs):
        return Built(*super().build(game, canvas, values, needs))


OWN = {
    name: getattr(problem, name).implementations[kernels.GridRep]
    for name in (
        *("initial", "legal", "apply", "done", "sample", "mutate", "cross", "neighbour", "neighbours"),
        *("board", "pack", "unpack", "rooted"),
    )
}


@pytest.fixture
def bodies():
    """Bodies for `Built`: the wide representation's own, less those a test replaces."""

    def give(**replaced):
        for name, body in {**OWN, **replaced}.items():
            problem.implement(getattr(problem, name), Built)(body)

    give()
    yield give
    for name in OWN:
        del getattr(problem, name).implementations[Built]


def test_a_faithful_copy_passes(bodies):
    check_representation(Copied())


def unchanged(rep, state, rate, rng):
    return state


def forgetful(rep, state, packed):
    kernels.grid_pack(rep, state, packed)
    packed[0] = 0


def forgets_depth(rep, packed):
    state = kernels.grid_unpack(rep, packed)
    return kernels.GridState(state.cells, state.cursor, np.int64(0))


calls = iter(range(10**9))


def whimsical(rep, rng):
    state = kernels.grid_initial(rep, rng)
    return state if next(calls) % 2 else kernels.grid_apply(rep, state, 0)


@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        ({"mutate": unchanged}, "mutate of wide changes the grid"),
        ({"pack": forgetful}, "unpacks the state"),
        ({"unpack": forgets_depth}, "unpacks the state"),
        ({"initial": whimsical}, "random numbers alone"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)
def test_a_representation_that_breaks_a_promise_is_told_which(bodies, replaced, message):
    bodies(**replaced)
    with pytest.raises(CheckFailed, match=message):
        check_representation(Copied())


class Upright(Wide):
    def grid(self, built, board):
        return super().grid(built, board)[1:]


class Foreign(Wide):
    def grid(self, built, board):
        return super().grid(built, board) + np.uint8(1)


class Boastful(Wide):
    offers = frozenset({"steps", "magic"})


class Idle(Wide):
    offers = frozenset()


class Picky(Wide):
    def build(self, game, canvas, values, needs):
        raise LevelsmithError("not this one")


@pytest.mark.parametrize(
    ("representation", "message"),
    [
        (Upright(), "grids of uint8 and shape"),
        (Foreign(), "grids of the tiles of binary alone"),
        (Boastful(), "offers some of"),
        (Idle(), "offers some of"),
        (Picky(), "serves some registered game"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_grids_and_offers_that_break_a_promise_are_told(representation, message):
    with pytest.raises(CheckFailed, match=message):
        check_representation(representation)
