"""Intervals and tests against values that other programs give."""

import math

import numpy as np
import pytest

from levelsmith.experiment.statistics import (
    average,
    holm,
    mcnemar,
    mean,
    means,
    share,
    share_difference,
    sign_test,
    spread,
    wilcoxon,
    wilson,
)


def ones(hits, runs):
    return np.repeat([1.0, 0.0], [hits, runs - hits])


@pytest.mark.parametrize(
    ("hits", "runs", "low", "high"),
    # scipy.stats.binomtest(hits, runs).proportion_ci(method="wilson")
    [(0, 10, 0.0, 0.27753279), (8, 10, 0.49016247, 0.94331785), (263, 3000, 0.07806669, 0.09832127)],
)
def test_shares_have_wilsons_interval(hits, runs, low, high):
    found = wilson(hits, runs)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-7)


def test_a_share_leaves_missing_runs_out():
    assert share(np.array([1.0, np.nan, 0.0])).runs == 2
    assert not share(np.array([np.nan]))


def test_differences_of_shares_have_newcombes_interval():
    # Newcombe (1998, Statistics in Medicine 17:873), example (a): 56/70 against 48/80, method 10.
    found = share_difference(ones(56, 70), ones(48, 80), paired=False)
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)


def test_equal_paired_runs_differ_by_nothing_but_are_not_sure_of_it():
    found = share_difference(ones(20, 20), ones(20, 20))
    assert found.value == 0
    assert found.low < -0.1 < 0.1 < found.high


def test_bootstrap_intervals_of_means_are_about_those_of_theory():
    values = np.random.default_rng(1).normal(3.0, 2.0, 400)
    found = mean(values)
    half = 1.96 * values.std() / math.sqrt(400)
    assert found.value == pytest.approx(values.mean())
    assert found.high - found.low == pytest.approx(2 * half, rel=0.08)
    assert found == mean(values)  # the same each time


def test_paired_runs_stay_paired_in_differences_and_ratios():
    values = np.random.default_rng(2).normal(10.0, 3.0, 100)
    difference = (spread(values + 1) - spread(values)).estimate()
    assert (difference.low, difference.high) == pytest.approx((1, 1))
    ratio = (spread(2 * values) / spread(values)).estimate()
    assert (ratio.low, ratio.high) == pytest.approx((2, 2))


def test_means_leave_missing_values_out():
    column = np.array([1.0, np.nan, 3.0, 2.0] * 10)
    found = mean(column)
    assert (found.value, found.runs) == (2.0, 30)
    centres, low, high = means(np.stack([column, column + 1], axis=1))
    assert centres.tolist() == [2.0, 3.0]
    assert low[0] < 2 < high[0]
    assert not mean(np.full(5, np.nan))
    assert average([spread(column), spread(np.full(40, np.nan))]).value == 2.0


def test_large_sets_are_resampled_in_pieces():
    values = np.arange(20_000.0)
    found = mean(values)
    assert found.low < values.mean() < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / math.sqrt(20_000), rel=0.08)


def test_mcnemars_test_is_the_exact_one():
    # scipy.stats.binomtest(2, 12).pvalue
    first, second = np.repeat([1.0, 0.0, 1.0], [10, 2, 9]), np.repeat([0.0, 1.0, 1.0], [10, 2, 9])
    assert mcnemar(first, second) == pytest.approx(0.03857421875)
    assert mcnemar(first, first) == 1.0
    assert sign_test(2000, 1800) == pytest.approx(0.001242786778, rel=1e-6)  # binomtest(1800, 3800)


def test_wilcoxons_test_counts_all_signs_of_few_pairs():
    # The example of scipy.stats.wilcoxon: 0.041259765625 by the exact method.
    d = np.array([6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75], float)
    assert wilcoxon(d, np.zeros(15)) == pytest.approx(0.041259765625)


def test_wilcoxons_test_counts_ties_as_what_they_are():
    # All 2^4 signs of the ranks 1.5, 1.5, 3.5, 3.5: one of sixteen reaches 0.
    assert wilcoxon(np.array([1.0, 1.0, 2.0, 2.0]), np.zeros(4)) == pytest.approx(2 / 16)


def test_wilcoxons_test_of_many_pairs_is_normal():
    rng = np.random.default_rng(3)
    d = rng.normal(0.15, 1.0, 200)
    scipy = pytest.importorskip("scipy.stats")
    theirs = scipy.wilcoxon(d, method="approx", correction=False).pvalue
    assert wilcoxon(d, np.zeros(200)) == pytest.approx(theirs, rel=1e-6)


def test_holms_correction_never_lets_a_larger_chance_pass_a_smaller():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert math.isnan(holm([math.nan, 0.02])[0])
