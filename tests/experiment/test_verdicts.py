"""Verdicts: what claims say together, how many false ones there are, and what moves them."""

import math
from importlib import import_module

import numpy as np
import pytest

from levelsmith.experiment.claims import ALL, LEAST_CHANCE, MOST, Paper, Statement, Threshold, above, below
from levelsmith.experiment.papers.captions import Captions
from levelsmith.experiment.report import PAGES
from levelsmith.experiment.statistics import Estimate, spread
from levelsmith.experiment.verdicts import box, judge, moved

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
    assert (claim.word, judge([Statement("T1", "", [claim], ALL)])[0].verdict) == ("open", "cannot be said")


def test_few_runs_and_missing_ones_decide_nothing():
    few = above("", lambda level: Estimate(1.0, 0.9, 1.1, 4))
    none = above("", lambda level: Estimate(math.nan, math.nan, math.nan))
    assert judge([Statement("T1", "", [few], ALL)])[0].verdict == "cannot be said"
    assert judge([Statement("T1", "", [none, none, few], ALL)])[0].because.startswith(
        "These runs do not have"
    )


def test_many_statements_need_surer_numbers_than_one():
    doubtful = Statement("T1", "", [above("", at(0.22))], ALL)  # a chance of 0.03
    open_ones = [Statement(f"T{i}", "", [above("", at(0.0))], ALL) for i in range(2, 12)]
    assert judge([doubtful])[0].verdict == "confirmed"
    assert judge([doubtful, *open_ones])[0].verdict == "cannot be said"


def test_chances_end_where_nobody_asks_any_more():
    assert LEAST_CHANCE <= below("", at(-50.0)).chance_to_hold < 1.03 * LEAST_CHANCE


def test_verdicts_that_move_with_a_threshold_are_named():
    thresholds = {"far": Threshold(0.5, (1.5, 0.1), "far is so much")}

    def statements(t):
        return [Statement("T1", "It is far.", [above("how far", at(1.0), t["far"])], ALL)]

    found = judge(statements({"far": 0.5}))
    table = moved(statements, thresholds, found)
    assert list(table.rows[0]) == ["far is so much", 0.5, "1.5: T1 not confirmed", "0.1: none"]
    lead, verdicts = box(found).items
    assert lead == "**1 confirmed, 0 not confirmed, 0 cannot be said.**"
    assert verdicts.rows[0][:3] == ["T1", "It is far.", "✓ confirmed"]


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
        assert {"title", "text"} & row.keys(), name
        if not isinstance(row.get("columns", 1), int):
            assert set(captions.columns(name, first="x").values()) <= KINDS, name
