"""Intervals and tests against values that other programs give."""

import math

import numpy as np
import pytest

from levelsmith.experiment.statistics import (
    average,
    benjamini_hochberg,
    deviation_of,
    difference,
    holm,
    mcnemar,
    mean,
    means,
    of_summary,
    share,
    share_difference,
    sign_test,
    spread,
    t_of,
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
    """At an end the observed difference lies z deviations off, by the likeliest pairs that differ so."""
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


def test_intervals_of_means_are_students():
    # scipy.stats.t.interval(0.95, 9, 3, 1 / sqrt(10)) of a sample with mean 3, deviation 1 and no skewness
    values = np.array([-1.0, 1.0] * 5)
    values = 3 + values / values.std(ddof=1)
    found = mean(values)
    assert (found.low, found.high) == pytest.approx((2.284643, 3.715357), abs=1e-5)
    assert found == mean(values)


@pytest.mark.parametrize(
    ("level", "freedom", "quantile"),
    # scipy.stats.t.ppf((1 + level) / 2, freedom)
    [(0.95, 1, 12.7062047), (0.95, 4, 2.7764451), (0.999, 9, 4.7809126), (0.99, 500, 2.5856978)],
)
def test_students_quantiles(level, freedom, quantile):
    assert t_of(level, freedom) == pytest.approx(quantile, rel=1e-5)


def test_intervals_of_skewed_means_miss_as_often_on_either_side():
    """Times are skewed: without a correction an interval of 30 times is too low far more often."""
    rng = np.random.default_rng(1)
    found = [mean(times) for times in rng.exponential(1.0, (4000, 30))]
    above, below = (np.mean([e.low > 1 for e in found]), np.mean([e.high < 1 for e in found]))
    assert 0.012 < above < 0.035
    assert 0.015 < below < 0.045


def test_few_runs_say_nothing_about_skewness():
    found = mean(np.array([0.0, 0.0, 0.0, 0.0, 1.0]))
    assert (found.low, found.high) == pytest.approx((0.2 - 2.7764451 * 0.2, 0.2 + 2.7764451 * 0.2), rel=1e-6)


def test_a_single_run_says_nothing_about_how_sure_it_is():
    found = mean(np.array([3.0]))
    assert (found.value, found.low, found.high) == (3.0, -math.inf, math.inf)


def test_a_mean_that_a_paper_prints_is_compared_by_its_deviation():
    here = np.array([-1.0, 1.0] * 200)
    found = (spread(here) - of_summary(0.5, 2.0, 100)).estimate()
    half = t_of(0.95, 99) * math.sqrt(400 / 399 / 400 + 0.04)
    assert (found.value, found.high - found.value) == pytest.approx((-0.5, half), rel=1e-3)


def test_samples_that_are_no_pairs_do_not_lend_each_other_their_errors():
    values = np.random.default_rng(2).normal(10.0, 3.0, 100)
    apart = difference(values + 1, values).estimate()
    assert apart.high - apart.low == pytest.approx(
        2 * t_of(0.95, 99) * 0.3 * math.sqrt(2) * values.std(ddof=1) / 3
    )


def test_the_deviation_of_runs_has_an_interval():
    found = deviation_of(np.random.default_rng(3).normal(0.0, 2.0, 2000))
    assert found.value == pytest.approx(2.0, rel=0.05)
    ends = found.estimate()
    assert ends.high - ends.low == pytest.approx(2 * 1.96 * 2 / math.sqrt(4000), rel=0.1)


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


def test_false_discoveries_are_controlled_by_rank():
    # scipy.stats.false_discovery_control([0.01, 0.04, 0.03, 0.005])
    assert benjamini_hochberg([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert math.isnan(benjamini_hochberg([math.nan, 0.02])[0])
