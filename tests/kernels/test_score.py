"""A score made of rows is what the words of `core.Term` say, compiled and plain."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from levelsmith.core import Term
from levelsmith.errors import LevelsmithError
from levelsmith.kernels import score
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.problem import implement, metric
from reference import score as twin

METRICS = ("a", "b", "c")
NUMBERS = st.integers(-5, 20).map(float) | st.floats(-100, 100)


class Given(NamedTuple):
    """A game whose metrics are the numbers on its board."""

    unused: int


def given_metric(game, cells, k):
    return cells[k]


implement(metric, Given)(given_metric)


@kernel
def compiled_score(game, objective, cells):
    return score.score(game, objective, cells)


@kernel
def compiled_shaped(row, value):
    return score.shaped(row, value)


SCORES = {"compiled": compiled_score, "plain": score.score}
SHAPED = {"compiled": compiled_shaped, "plain": score.shaped}


@st.composite
def terms(draw: st.DrawFn) -> Term:
    shape = draw(st.sampled_from([shape for shape in Term.SHAPES if shape != "part"]))
    a, b, c, d = sorted(draw(st.lists(NUMBERS, min_size=4, max_size=4)))
    weight = draw(st.sampled_from([0.5, 1.0, 2.0, 3.0]))
    named = draw(st.sampled_from(METRICS))
    if shape == "ramp":
        zero, end = draw(st.sampled_from([(a, d), (-inf, d), (a, inf), (b, c), (a, c), (b, d)]))
        return Term(named, shape, zero, b, c, end, weight)
    if shape == "inverse":
        return Term(named, shape, low=abs(a) + 0.5, weight=weight)
    return Term(named, shape, zero=a, low=d + 1.0, weight=weight)


@pytest.mark.parametrize("mode", SHAPED)
@settings(deadline=None, max_examples=150)
@example(term=Term("a", "ramp", low=5.0, high=5.0, end=5.0), value=6.0)  # a step down
@example(term=Term("a", "ramp", zero=5.0, low=5.0), value=4.0)  # a step up
@example(term=Term("a", "ramp", low=1.0, high=5.0), value=6.0)  # a side that never falls
@example(term=Term("a", "ramp", zero=-1, low=0, high=0, end=64), value=16.0)
@given(term=terms(), value=NUMBERS)
def test_a_term_is_shaped_as_its_words_say(mode, term, value):
    row = score.make([term], METRICS).rows[0]
    assert SHAPED[mode](row, value) == twin.shaped(term, value)


@pytest.mark.parametrize("mode", SCORES)
@settings(deadline=None, max_examples=150)
@given(rows=st.lists(terms(), min_size=1, max_size=4), values=st.lists(NUMBERS, min_size=3, max_size=3))
def test_a_mean_of_terms_is_weighed_by_their_weights(mode, rows, values):
    objective = score.make(rows, METRICS)
    found = SCORES[mode](Given(0), objective, np.array(values))
    assert found == twin.score(rows, dict(zip(METRICS, values, strict=True)))


@pytest.mark.parametrize("mode", SCORES)
@settings(deadline=None, max_examples=100)
@given(rows=st.lists(terms(), min_size=1, max_size=4), values=st.lists(NUMBERS, min_size=3, max_size=3))
def test_a_product_of_terms_is_a_geometric_mean(mode, rows, values):
    objective = score.make(rows, METRICS, product=True)
    found = SCORES[mode](Given(0), objective, np.array(values))
    assert found == pytest.approx(twin.score(rows, dict(zip(METRICS, values, strict=True)), product=True))


@pytest.mark.parametrize("mode", SCORES)
def test_a_part_is_added_to_the_metric_of_the_next_term(mode):
    rows = [
        Term("a", "part", low=0.5),
        Term("b", "part", low=2.0),
        Term("c", "linear", low=10.0, weight=3.0),
        Term("a", "linear", low=1.0),
    ]
    found = SCORES[mode](Given(0), score.make(rows, METRICS), np.array([3.0, 8.0, 5.0]))
    assert found == pytest.approx(0.75 * (3 / 0.5 + 8 / 2 + 5) / 10 + 0.25 * 3)
    with pytest.raises(LevelsmithError):
        score.make(rows[:2], METRICS)


@pytest.mark.parametrize("product", [False, True])
def test_the_score_is_exactly_1_when_every_goal_is_met_whatever_the_weights(product):
    rows = [Term("a", "ramp", low=1.0, weight=w) for w in (0.1, 0.1, 0.1, 0.1, 0.2, 0.3)]
    objective = score.make(rows, METRICS, product)
    assert compiled_score(Given(0), objective, np.array([1.0, 0.0, 0.0])) == 1.0
    assert compiled_score(Given(0), objective, np.array([0.999, 0.0, 0.0])) < 1.0


def test_one_bad_term_sinks_a_product_but_not_a_mean():
    rows = [Term("a", "ramp", low=1.0), Term("b", "ramp", low=1.0)]
    values = np.array([1.0, 0.0, 0.0])
    assert compiled_score(Given(0), score.make(rows, METRICS, product=True), values) == 0.0
    assert compiled_score(Given(0), score.make(rows, METRICS), values) == 0.5


def test_weights_are_scaled_to_sum_to_1():
    rows = score.make([Term("a", "ramp", weight=3), Term("c", "linear", weight=1)], METRICS).rows
    assert rows[:, score.WEIGHT].tolist() == [0.75, 0.25]
    assert rows[:, score.METRIC].tolist() == [0, 2]


@pytest.mark.parametrize("weights", [(), (0.0,), (-1.0, 2.0), (float("nan"),)])
def test_weights_that_make_no_sense_are_refused(weights):
    with pytest.raises(LevelsmithError, match="weights of at least 0"):
        score.make([Term("a", "ramp", weight=weight) for weight in weights], METRICS)
