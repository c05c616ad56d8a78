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


def pairs(both, more, less, neither):
    first = np.repeat([1.0, 1.0, 0.0, 0.0], [both, more, less, neither])
    return first, np.repeat([1.0, 0.0, 1.0, 0.0], [both, more, less, neither])


@pytest.mark.parametrize("counts", [(43, 0, 1, 0), (20, 12, 9, 2), (0, 6, 0, 4), (5, 0, 0, 5)])
def test_differences_of_shares_have_the_ends_that_a_score_test_just_accepts(counts):
    """At an end the observed difference lies z deviations off, by the likeliest pairs with that difference."""
    found = share_difference(*pairs(*counts))
    n, more, less = sum(counts), counts[1], counts[2]
    assert found.value == pytest.approx((more - less) / n)
    for end in (found.low, found.high):
        q = np.linspace(max(0.0, -end), (1 - end) / 2, 200_001)[1:-1]  # the share of the second alone
        alike = more * np.log(q + end) + less * np.log(q) + (n - more - less) * np.log(1 - 2 * q - end)
        best = q[alike.argmax()]
        z = (found.value - end) / math.sqrt((2 * best + end - end * end) / n)
        assert abs(z) == pytest.approx(1.96, abs=2e-3)


def test_equal_paired_runs_differ_by_nothing_but_are_not_sure_of_it():
    found = share_difference(np.ones(20), np.ones(20))
    assert found.value == 0
    assert found.low == pytest.approx(-0.1611, abs=1e-4)  # -z² / (n + z²)
    assert found.high == pytest.approx(0.1611, abs=1e-4)
    assert not share_difference(np.full(3, np.nan), np.ones(3))


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
