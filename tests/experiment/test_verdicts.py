"""Verdicts: what claims say together, how many false ones there are, and what moves them."""

import math
import tomllib
from importlib import import_module

import numpy as np
import pytest

from levelsmith.experiment.claims import (
    ALL,
    LEAST_CHANCE,
    MOST,
    Paper,
    Statement,
    Threshold,
    above,
    below,
    near,
    within,
)
from levelsmith.experiment.papers import freeze
from levelsmith.experiment.papers.captions import Captions
from levelsmith.experiment.papers.maps import statements as maps
from levelsmith.experiment.report import PAGES
from levelsmith.experiment.statistics import Estimate, spread
from levelsmith.experiment.verdicts import (
    Reading,
    all_statements,
    box,
    by_reading,
    counted,
    judge,
    lesson,
    moved,
    turned,
)

KINDS = {"text", "count", "share", "number", "seconds", "chance", "bytes"}  # of a column
NOISE = np.tile([-1.0, 1.0], 50)


def at(mean):
    """A number whose interval is that of 100 runs with this mean and deviation 1."""
    return spread(NOISE + mean).estimate


def chances(claims, needed=ALL):
    return Statement("T1", "", claims, needed).chances()


def test_all_claims_hold_as_surely_as_the_least_sure_of_them():
    sure, less = above("", at(1.0)), above("", at(0.3))
    assert chances([sure, less])[0] == pytest.approx(less.chance_to_hold)
    assert less.chance_to_hold == pytest.approx(0.0036, abs=0.0005)  # two-sided, of 2.98 deviations
    assert sure.chance_to_hold < 1e-8


def test_one_of_several_claims_that_fails_is_the_less_sure_the_more_there_were_to_choose_from():
    fails, holds = above("", at(-0.3)), above("", at(1.0))
    assert chances([fails, *[holds] * 4])[1] == pytest.approx(5 * fails.chance_to_fail, rel=1e-3)
    assert chances([fails, *[holds] * 4], MOST)[1] == 1.0  # three of five must hold, and do


def test_a_number_on_neither_side_for_sure_is_open():
    claim = above("", at(0.1))
    assert (claim.word, judge([Statement("T1", "", [claim], ALL)])[0].verdict) == ("open", "open")


def test_few_runs_and_missing_ones_decide_nothing():
    few = above("", lambda level: Estimate(1.0, 0.9, 1.1, 4))
    none = above("", lambda level: Estimate(math.nan, math.nan, math.nan))
    assert judge([Statement("T1", "", [few], ALL)])[0].verdict == "open"
    assert judge([Statement("T1", "", [none, none, few], ALL)])[0].because.startswith(
        "These runs do not have"
    )


def test_many_statements_need_surer_numbers_than_one():
    doubtful = Statement("T1", "", [above("", at(0.22))], ALL)  # a chance of 0.03
    open_ones = [Statement(f"T{i}", "", [above("", at(0.0))], ALL) for i in range(2, 12)]
    assert judge([doubtful])[0].verdict == "confirmed"
    assert judge([doubtful, *open_ones])[0].verdict == "open"


def test_chances_end_where_nobody_asks_any_more():
    assert LEAST_CHANCE <= below("", at(-50.0)).chance_to_hold < 1.03 * LEAST_CHANCE


def test_runs_that_are_all_0_do_not_rise():
    claim = above("gain", spread(np.zeros(20)), kind="number")
    assert (claim.word, claim.chance_to_hold) == ("fails", 1.0)
    assert claim.chance_to_fail == pytest.approx(2**-19, rel=0.01)  # twenty tosses alike, told either way
    assert judge([Statement("X", "It rises", [claim], ALL)])[0].verdict == "contradicted"


def test_runs_without_variance_are_as_sure_as_a_coin_that_falls_alike():
    five, six, thirty = (above("", spread(np.ones(runs)), 0.95, kind="share") for runs in (5, 6, 30))
    assert [each.word for each in (five, six, thirty)] == ["open", "holds", "holds"]
    assert five.found.low == -math.inf
    assert five.chance_to_hold >= 1 / 16
    assert six.chance_to_hold == pytest.approx(1 / 32, rel=0.01)
    assert thirty.chance_to_hold == pytest.approx(2**-29, rel=0.02)


def test_few_runs_are_never_all_but_certain():
    """Six trainings, however alike, are not sure to 1e-9."""
    claim = above("", spread(np.array([1.0, 1.0001, 0.9999, 1.0, 1.0001, 0.9999])), 0.5, kind="share")
    assert claim.chance_to_hold == pytest.approx(1 / 32, rel=0.01)


@pytest.mark.parametrize("mean", [-9.0, -7.0, -5.0, -3.0, 0.0, 2.0])
def test_a_claim_holds_or_fails_but_never_both(mean):
    number = spread(3 * NOISE + mean)
    claims = above("", number, -5), below("", number, -5), within("", number, -5, 0), near("", number, 5)
    for claim in claims:
        assert max(claim.chance_to_hold, claim.chance_to_fail) == 1.0
        assert (claim.word == "fails") <= (claim.chance_to_fail < 0.05)
    assert claims[0].word == {-9.0: "fails", -7.0: "fails", -5.0: "open"}.get(mean, "holds")


def test_the_farthest_off_is_the_farthest_and_the_least_sure_the_nearest():
    """All are as sure as anybody asks; a factor of 1/3 is farther from 1 than one of 2."""
    points = [above(name, at(mean)) for name, mean in (("near", -5.0), ("far", -9.0), ("middle", -7.0))]
    assert judge([Statement("X", "", points, ALL)])[0].deciding.startswith("the farthest off: far,")
    ratios = [
        near(name, spread(np.full(40, value)), 0.1, 1, kind="ratio")
        for name, value in (("2", 2), ("1/3", 1 / 3))
    ]
    assert judge([Statement("X", "", ratios, ALL)])[0].deciding.startswith("the farthest off: 1/3,")
    good = [above(name, at(mean)) for name, mean in (("near", 5.0), ("far", 9.0))]
    assert judge([Statement("X", "", good, ALL)])[0].deciding.startswith("the least sure: near,")


def test_a_statement_that_fails_in_some_cases_is_not_contradicted():
    holds, fails = above("", at(1.0)), above("", at(-1.0))
    found = [Statement("X", "", [fails] * n + [holds] * (4 - n), ALL) for n in range(5)]
    verdicts = [each.verdict for each in judge(found)]
    assert verdicts == ["confirmed", "not everywhere", "not everywhere", "contradicted", "contradicted"]


@pytest.mark.parametrize(
    ("edition", "name", "value", "verdict"),
    [
        ("fdg20", "T8a", 0.2, "confirmed"),  # they stop before half of the depth, and earlier than that
        ("fdg20", "T8a", 0.9, "contradicted"),
        ("arxiv19", "T13b", 0.017, "confirmed"),  # 1 s of 60
        ("arxiv19", "T13b", 0.24, "contradicted"),
    ],
)
def test_more_than_the_paper_says_does_not_speak_against_it(edition, name, value, verdict):
    paper = maps.PAPER
    usual = {key: each.value for key, each in paper.thresholds.items()}
    number = spread(value + 0.001 * NOISE)
    row = {name: paper.rows[edition][name]}
    assert judge(paper.statements(row, {name: lambda j, t: {"x": number}}, None, usual))[0].verdict == verdict


def rising(x, y):
    claims = [("X", "It rises.", x), ("Y", "", y)]
    return [Statement(name, text, [above("", at(mean))], ALL) for name, text, mean in claims]


def test_readings_that_turn_a_verdict_stand_beside_it():
    mine = judge(rising(1.0, 1.0))
    below_ = Reading(lambda t: rising(-1.0, 0.9), meaning="from below", figures={"at": ("count", 3)})
    short = Reading(
        lambda t: rising(-1.0, 0.9), beside=lambda t: rising(-0.8, 1.0)
    )  # as a smaller budget has it
    readings = turned({"seen from below": below_, "less": short}, {}, mine)
    table, whole = by_reading(readings)
    assert [list(row) for row in table.rows] == [
        [
            "seen from below",
            "from below",
            3,
            "X ✓ confirmed, **100** points → ✗ contradicted, **-100** points",
        ],
        ["less", "", None, "none"],  # it is the budget that turns X, not the reading
    ]
    assert [(row[0], row[1], row[2], row[5]) for row in whole.rows] == [
        ("X", "seen from below", "confirmed", "contradicted"),
        ("Y", "seen from below", "confirmed", "confirmed"),
        ("X", "less", "contradicted", "contradicted"),
        ("Y", "less", "confirmed", "confirmed"),
    ]
    verdicts = [row[2] for row in all_statements(mine, readings).rows]
    assert verdicts == ["✓ confirmed; read otherwise ✗", "✓ confirmed"]
    first = box(mine, {"X": ["It rises", "a lot"], "Z": ["not judged", "1"]}, readings).rows
    assert first == [
        ["X", "It rises", "a lot", "**100** points (80 … 120): ", "✓ confirmed; read otherwise ✗"]
    ]
    said = lesson(mine, {"X": "it rises", "Y": "it does too"})
    assert said == "**The runs confirm that** it rises (X); it does too (Y)."


def test_a_page_says_whether_its_statements_were_frozen_before_its_runs():
    known = [{"on": "2026-03-01T00:00:00+00:00", "maps": freeze.digest("maps")}]
    assert freeze.digest("maps") in freeze.told("maps", "", [])
    for begun, word in (("2026-03-02T00:00:00+00:00", "before"), ("2026-02-28T00:00:00+00:00", "after")):
        assert f"frozen on 2026-03-01, {word} these runs" in freeze.told("maps", begun, known)
    changed = [known[0] | {"maps": "0" * 64}]
    assert "changed since it was frozen last, on 2026-03-01" in freeze.told("maps", "", changed)
    assert "was not frozen" in freeze.told("maps", "", [])
    text = freeze.written("2026-04-01")
    assert tomllib.loads(text)["frozen"][-1] == {"on": "2026-04-01", **{p: freeze.digest(p) for p in PAGES}}


def test_verdicts_that_move_with_a_threshold_are_named():
    thresholds = {"far": Threshold(0.5, (1.5, 0.1), "far is so much")}

    def statements(t):
        return [Statement("T1", "It is far.", [above("how far", at(1.0), t["far"])], ALL)]

    found = judge(statements({"far": 0.5}))
    table = moved(statements, thresholds, found)
    assert list(table.rows[0]) == ["far is so much", 0.5, "1.5: T1 contradicted", "0.1: none"]
    assert counted(found) == "1 confirmed, 0 contradicted, 0 not everywhere, 0 open"
    assert all_statements(found, {}).rows[0][:3] == ["T1", "It is far.", "✓ confirmed"]


@pytest.mark.parametrize("paper", PAGES)
def test_every_statement_of_a_table_has_its_numbers(paper):
    module = import_module(f"levelsmith.experiment.papers.{paper}.statements")
    table = Paper(module.__package__)
    tables = [(table.rows, getattr(module, "NUMBERS", None))]
    if paper == "maps":
        tables = [(table.rows["fdg20"], module.LATER), (table.rows["arxiv19"], module.EARLIER)]
    for rows, numbers in tables:
        assert rows.keys() == numbers.keys()


@pytest.mark.parametrize("paper", PAGES)
def test_every_caption_has_words_and_known_kinds_of_columns(paper):
    captions = Captions(f"levelsmith.experiment.papers.{paper}")
    for name, row in captions.rows.items():
        if name.startswith("front"):
            continue
        assert {"title", "text"} & row.keys() or all(isinstance(said, str) for said in row.values()), name
        if not isinstance(row.get("columns", 1), int):
            words = {"first": "x", "preferred": "y", "base": "z"}
            assert set(captions.columns(name, **words).values()) <= KINDS, name


@pytest.mark.parametrize("paper", PAGES)
def test_what_stands_first_is_of_statements_that_there_are(paper):
    package = f"levelsmith.experiment.papers.{paper}"
    rows, captions = Paper(package).rows, Captions(package)
    editions = rows if paper == "maps" else {"front": rows}
    fronts = [captions.front(name) for name in captions.rows if name.startswith("front")]
    assert len(fronts) == len(editions)
    for front, edition in zip(fronts, sorted(editions, reverse=True), strict=True):
        assert front.box.keys() | front.clauses.keys() <= editions[edition].keys()
        assert all(len(said) == 2 for said in front.box.values())
        assert len(front.figures) == 3
        assert len(front.box) <= 11
        assert len(front.box) == len(editions[edition]) or front.choice
