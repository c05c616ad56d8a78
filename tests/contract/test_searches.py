"""Every registered search keeps the promises of its contract, and the check sees each one that is broken."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from levelsmith.registry import representations, searches
from levelsmith.search.local import HillClimbing
from levelsmith.search.sampling import RandomPlay
from levelsmith.testing import CheckFailed, check_search


@pytest.mark.parametrize("name", searches.names)
def test_a_registered_search_keeps_its_promises(name):
    check_search(name, "binary")  # for which every search is compiled anyway


@pytest.mark.parametrize(("name", "representation"), list(itertools.product(searches, representations)))
def test_it_keeps_them_with_every_representation_that_serves_it(name, representation):
    if representation == "latent":
        pytest.skip("latent needs a model: see tests/learn")
    if name in ("islands", "elites") and representation != "wide":
        pytest.skip(f"{name} varies candidates as ga does; with wide is enough")
    made_for = {"play": "mcts", "rooms": "sa"}.get(representation)
    if made_for not in (None, name):
        pytest.skip(f"{representation} is made for {made_for}; other searches take long to compile for it")
    if searches.get(name).needs in representations.get(representation).offers:
        check_search(name, "sokoban" if made_for else "binary", representation)


class Overspending(RandomPlay):
    def advance(self, evaluations):
        super().advance(evaluations)
        super().advance(1)


class Boasting(RandomPlay):
    @property
    def score(self):
        return super().score + 0.1


class Worsening(RandomPlay):
    @property
    def score(self):
        return -float(self.evaluations)


class Portioned(RandomPlay):
    """Draws a random number more at each call, so that portions matter."""

    def advance(self, evaluations):
        if evaluations:
            self.run.rng[0] += np.uint64(1)
        super().advance(evaluations)


class Restless(RandomPlay):
    """Spends nothing on advance(0), but does not stay the same."""

    def advance(self, evaluations):
        if not evaluations:
            self.run.rng[0] += np.uint64(1)
        super().advance(evaluations)


class Early(RandomPlay):
    def __init__(self, problem, seed, values):
        super().__init__(problem, seed, values)
        self.advance(1)


class Idle(RandomPlay):
    def advance(self, evaluations):
        pass


class Stubborn(HillClimbing):
    """Takes no notice of the seed."""

    def __init__(self, problem, seed, values):
        super().__init__(problem, np.random.SeedSequence(0), values)


class Lucky(HillClimbing):
    """Draws from the world instead of its seed."""

    counter = itertools.count()

    def __init__(self, problem, seed, values):
        super().__init__(problem, np.random.SeedSequence(next(self.counter)), values)


class Shapeless(RandomPlay):
    def best(self):
        return super().best()[:3]


class Mute(RandomPlay):
    def statistics(self):
        return None


class Demanding(RandomPlay):
    needs = "luck"


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (Overspending, "spends at most what advance gives"),
        (Boasting, "has the score it claims"),
        (Worsening, "never falls"),
        (Portioned, "in portions of"),
        (Restless, r"in portions of \[0"),
        (Early, "has spent nothing before"),
        (Idle, "spends what advance gives it"),
        (Stubborn, "different seeds"),
        (Lucky, "same from the same seed"),
        (Shapeless, "grids of uint8 and shape"),
        (Mute, "is a dict"),
        (Demanding, "needs one of"),
    ],
)
def test_a_search_that_breaks_a_promise_is_told_which(search, message):
    with pytest.raises(CheckFailed, match=message):
        check_search(search)
