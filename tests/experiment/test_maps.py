"""The pages on binary maps: what is counted how, how styles are compared, what is said of which edition."""

from __future__ import annotations

import re

import numpy as np
import pytest

from experiment import stores
from levelsmith.experiment.figures import files
from levelsmith.experiment.page import Gallery, Table
from levelsmith.experiment.papers.maps import decisions, pages, performance
from levelsmith.experiment.papers.maps.judging import Judge, styles_of
from levelsmith.experiment.papers.maps.map_cells import Maps, Reading, maps_of
from levelsmith.experiment.papers.maps.statements import THRESHOLDS, statements
from levelsmith.experiment.papers.maps.styles import style_chance, style_distance, two_intervals
from levelsmith.experiment.report import build, report
from levelsmith.experiment.results import Results
from levelsmith.experiment.spec import read
from levelsmith.experiment.verdicts import VERDICTS, judge

USUAL = {name: each.value for name, each in THRESHOLDS.items()}
FEW = [
    (part, *cell)
    for part, *cell in stores.map_cells()
    if cell[0] in ("bfs", "mcts") and cell[2] == "path-length"
]
EMPTY, CONNECTED = "empty-tiles", "connectivity"


def verdicts_of(results):
    return {each.name: each for each in judge(statements(results, USUAL))}


def written(path, runs, levels=None, search="bfs", representation="wide", goal=EMPTY, **setting):
    """A file with one cell, whose runs are given as (solved, stopped, evaluations, first score)."""
    base = stores.create(path)
    cell = stores.add_cell(base, "trees", search, representation, goal, len(runs), **setting)

    def row(i):
        solved, stopped, evaluations, first = runs[i]
        return solved, 1.0, stopped, evaluations, 1.0, {"depth_reached": 3}, [[1, 1e-5, first]]

    metrics = {"empty": 50, "path": 9, "regions": 2}
    text = ("..........\n" * 10).strip()
    stores.add_runs(base, cell, len(runs), row, levels or (lambda i: [(1.0, text, None, metrics)]))
    base.commit()
    base.close()
    return maps_of(Results(path)).main, (search, representation, goal)


# -------------------------------------------------------------------------------------------- what is counted


def test_the_changes_that_a_start_map_needs_come_from_its_first_score(tmp_path):
    """Where 36 and 72 empty tiles have the same score, how full the map was drawn tells them apart."""
    empty = [20, 50, 80, 36, 44, 72, 0, 65, 100, 30, 45, 66]  # drawn a quarter, half and three quarters full
    scores = [min(1.0, e / 45, (100 - e) / 35) for e in empty]
    runs = [(score == 1, "evaluations", 50_000, score) for score in scores]
    maps, key = written(tmp_path / "starts.db", runs)
    assert maps.changes_needed(key).tolist() == [max(0, 45 - e, e - 65) for e in empty]


def test_a_stuck_climber_is_charged_its_whole_budget(tmp_path):
    runs = [(True, "solved", 900, 0.5), (False, "exhausted", 600, 0.5)]
    maps, key = written(tmp_path / "stuck.db", runs, search="hc")
    assert maps.spent(key).tolist() == [900, stores.BUDGET]
    assert maps.seconds(key).tolist() == [1.0, pytest.approx(stores.BUDGET / 600)]
    assert maps.read_as(Reading(charged=False)).spent(key).tolist() == [900, 600]
    assert maps.work(key).tolist() == [900 / stores.BUDGET, 1.0]


@pytest.mark.parametrize(
    ("search", "untouched"), [("astar", [1, 0, 0]), ("es", [1, 1, 0]), ("ga", [1, 1, 1])]
)
def test_maps_that_solve_as_they_were_drawn_are_told_apart_and_those_that_fail_left_out(
    tmp_path, search, untouched
):
    runs = [(True, "solved", n, 0.5) for n in (1, 10, 200)] + [(False, "evaluations", stores.BUDGET, 0.5)]
    maps, key = written(tmp_path / "drawn.db", runs, search=search)
    np.testing.assert_array_equal(maps.untouched(key), [*untouched, np.nan])
    assert np.isfinite(maps.made(key, "empty")).tolist() == [True, True, True, False]
    changed = maps.read_as(Reading(drawn=False))
    assert np.isfinite(changed.made(key, "empty")).tolist() == [*(u == 0 for u in untouched), False]
    assert np.isfinite(maps.read_as(Reading(unsolved=True)).made(key, "empty")).all()
    if search == "astar":
        assert maps.chance(EMPTY).value == 0.25
        assert maps.earlier


def test_figures_of_maps_show_none_twice_and_changed_ones_first(tmp_path):
    texts = ["\n".join([("." * k + "#" * 10)[:10]] * 10) for k in (1, 1, 2, 3, 4, 5)]
    runs = [(True, "solved", n, 0.5) for n in (1, 1, 30, 40, 50, 60)]  # in turn a quarter, half, ... full
    metrics = {"empty": 50, "path": 9, "regions": 2}
    maps, _ = written(tmp_path / "x.db", runs, levels=lambda i: [(1.0, texts[i], None, metrics)])
    (gallery,) = pages.examples(maps).items
    assert isinstance(gallery, Gallery)
    assert [level.text for level, _ in gallery.levels] == texts[
        2:5
    ]  # one of each kind of start, none as drawn


# ----------------------------------------------------------------------------------------------------- styles


def slow_distance(first, second):
    """Every pair of points, without bins."""
    both = np.concatenate([first, second])
    ones, others = first / both.std(axis=0), second / both.std(axis=0)

    def apart(one, other, same):
        distances = np.sqrt(((one[:, None] - other[None]) ** 2).sum(-1))
        return distances.sum() / (len(one) * (len(other) - same))

    between = 2 * apart(ones, others, 0)
    return (between - apart(ones, ones, 1) - apart(others, others, 1)) / between


@pytest.mark.parametrize("shift", [0, 2, 6])
def test_the_distance_of_styles_is_that_of_all_pairs_of_maps(shift):
    rng = np.random.default_rng(shift)
    first, second = rng.integers(0, 10, (60, 2)), rng.integers(0, 10, (80, 2)) + np.array([shift, 0])
    found = style_distance(first.T.astype(float), second.T.astype(float))
    assert found.value == pytest.approx(slow_distance(first, second), abs=1e-9)
    assert found.runs == 60
    assert found.estimate().low < found.value < found.estimate().high


def test_only_styles_that_differ_pass_the_test_of_permutations():
    rng = np.random.default_rng(3)
    chances = [style_chance(*rng.integers(0, 12, (2, 2, 100)).astype(float)) for _ in range(40)]
    assert 0 <= sum(chance < 0.05 for chance in chances) <= 6  # of forty, two are to be expected
    assert 0.3 < np.mean(chances) < 0.7
    one, other = rng.integers(0, 12, (2, 2, 100)).astype(float)
    assert style_chance(one, other + 3) < 0.001
    assert style_chance(one, other) == style_chance(one, other)
    wide = (other - 6) * 2 + 6  # the same means, other shapes
    assert style_chance(one, wide) < 0.01
    assert np.isnan(style_chance(one[:, :1], other))


def test_two_heaps_are_told_from_one():
    rng = np.random.default_rng(0)
    one = np.round(rng.normal(50, 8, 900))
    two = np.concatenate([np.round(rng.normal(30, 4, 500)), np.round(rng.normal(60, 4, 400)), [np.nan]])
    assert two_intervals(one).estimate().high < 0.25
    assert two_intervals(two).estimate().low > 0.5
    stray = np.append(one, 99.0)
    assert two_intervals(stray).value < 0.05  # a map alone is no heap


# ------------------------------------------------------------------------------------------------- statements


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return Results(stores.maps(tmp_path_factory.mktemp("maps") / "all.db", 240))


@pytest.fixture(scope="module")
def judged(results):
    return verdicts_of(results)


def numbers(names):
    return list(dict.fromkeys(int(re.sub(r"\D", "", name)) for name in names))


def test_every_statement_gets_a_verdict_with_its_claims(judged):
    assert numbers(judged) == list(range(1, 29))
    for each in judged.values():
        assert each.verdict in VERDICTS
        if each.name in ("T13", "T26a", "T26b"):  # by work, and with a fixed C, which this file has not
            assert each.because.startswith("These runs do not have what it takes")
        else:
            assert len(each.details.rows) > 1
            assert all(row[1] for row in each.details.rows)


def test_each_edition_is_judged_by_its_own_sentences(tmp_path):
    cells = [
        (part, "astar" if search == "best" else search, where, goal)
        for part, search, where, goal in stores.map_cells()
        if part == "trees"
    ]
    cells += [
        ("optimisers", search, where, goal)
        for search in stores.OPTIMISERS
        for where in ("narrow", "turtle", "wide")
        for goal in stores.OBJECTIVES
    ]
    found = verdicts_of(Results(stores.maps(tmp_path / "earlier.db", 12, cells=cells)))
    assert not {6, 7, 9, 10, 11, 12, 23, 26, 27, 28} & set(numbers(found))  # of the later edition alone
    assert len(found["T8c"].details.rows) == 9 + 1
    assert "path length" in found["T14a"].statement
    texts = " ".join(each.statement for each in found.values())
    assert "(section 4" not in texts
    assert "(section 5" not in texts
    assert texts.count("section VII-B") > 10


def test_what_was_made_to_hold_is_confirmed_and_what_was_not_is_not(judged):
    for name in ("T1", "T6"):  # by the shares that the runs were made with
        assert judged[name].verdict == "confirmed", judged[name].because
    assert judged["T8b"].verdict != "confirmed"  # the depths are random, and alike for all
    assert (judged["T21a"].verdict, judged["T21b"].verdict) == ("confirmed", "contradicted")  # the maps too


def test_a_depth_that_is_only_bounded_is_no_claim(judged):
    assert [row[0].split()[2] for row in judged["T8a"].details.rows] == ["empty-tiles:", "empty-tiles:"]


def test_a_fixed_c_is_held_against_the_variable_one_run_by_run(tmp_path):
    """The variable C solves all runs and goes deep; the fixed one solves every other, as deep as BFS."""
    base = stores.create(tmp_path / "c.db")
    for part, search, runs, depth in (
        ("trees", "mcts", 90, 30), ("trees", "bfs", 90, 9), ("fixed C", "mcts", 60, 10)
    ):  # fmt: skip
        cell = stores.add_cell(base, part, search, "narrow", CONNECTED, runs)

        def row(i, part=part, depth=depth):
            solved = part == "trees" or i % 2 == 0
            return solved, 1.0, "x", 9, 1.0, {"depth_reached": depth + i % 3}, [[1, 1e-5, 0.5]]

        level = (1.0, ("." * 10 + "\n") * 10, None, {"empty": 50, "path": 9, "regions": 2})
        stores.add_runs(base, cell, runs, row, lambda i, level=level: [level])
    base.commit()
    base.close()
    results = Results(tmp_path / "c.db")
    assert maps_of(results).main.cells.keys() == {(each, "narrow", CONNECTED) for each in ("mcts", "bfs")}
    said = {each.name: each for each in statements(results, USUAL)}
    (solved,), (balanced,) = said["T26a"].claims, said["T26b"].claims
    assert (solved.found.value, solved.found.runs) == (0.5, 60)
    assert (balanced.found.value, balanced.found.runs) == (pytest.approx(11 / 10), 60)
    assert solved.word == balanced.word == "holds"
    (table,) = (
        item for item in decisions.sensitivity(maps_of(results)).items if "fixed" in getattr(item, "name", "")
    )
    (row,) = table.rows
    assert row[:3] == ["narrow", CONNECTED, 60]
    assert [round(each.value, 3) for each in row[3:]] == [1.0, 0.5, 50.0, 31.0, 11.0, 10.0]


def test_the_mcts_of_a_fixed_c_is_that_of_the_main_part_but_for_c():
    cells = {cell.name: cell for cell in read("fdg20").cells if cell.part == "fixed C"}
    main = {cell.name.removeprefix("mcts "): cell for cell in read("fdg20").cells if cell.part == "trees"}
    assert len(cells) == 9
    for name, cell in cells.items():
        one, other = (dict(each.tasks[0].values["mcts"]) for each in (cell, main[name]))
        assert (one.pop("selection"), other.pop("selection")) == ("ucb1", "adaptive")
        assert one == other
        assert one["c"] == pytest.approx(np.sqrt(2))
        assert cell.tasks[0].budget == main[name].tasks[0].budget


def test_a_goal_map_that_bfs_does_not_find_lies_deeper_than_it_got(tmp_path):
    """Of 20 starts three have a goal map within reach, and those of 20 to 23 empty tiles need 22 to 25."""
    runs = [(i < 3, "solved" if i < 3 else "memory", 900, (20 + i % 4) / 45) for i in range(20)]
    base = written(tmp_path / "deep.db", runs)[0]
    claims = {claim.label: claim.found.value for claim in performance._deeper_goals(Judge(base, base, USUAL))}
    assert claims == {
        "bfs wide empty-tiles: starts with a goal map within reach": pytest.approx(0.15),
        "bfs wide empty-tiles: depth needed over depth reached": pytest.approx(23.5 / 3),
    }


def test_fitness_values_are_compared_by_the_scores_of_the_best_maps(results):
    """Runs of these files score 1 where they solve, else 0.6: best-first on narrow solves seven of ten."""
    said = {each.name: each for each in statements(results, USUAL)}
    claims = {claim.label: claim for claim in said["T27a"].claims}
    assert len(claims) == 2 * 3 * 2 * 3
    mean = np.nanmean(maps_of(results).main.values(("best", "narrow", EMPTY), "score"))
    found = claims[f"best narrow {EMPTY} over sa wide {EMPTY}"]
    assert found.found.value == pytest.approx(mean - 1.0)
    assert (found.low, found.high) == (-0.05, np.inf)
    assert len(said["T27b"].claims) == 36
    path, connected = (
        np.mean([np.mean(maps_of(results).main.values(key, "solved")) for key in keys])
        for goal in ("path-length", CONNECTED)
        for keys in [[key for key in maps_of(results).main.cells if key[2] == goal]]
    )
    assert said["T28"].claims[0].found.value == pytest.approx(path - connected)


def test_statements_without_their_cells_cannot_be_said(tmp_path):
    found = verdicts_of(Results(stores.maps(tmp_path / "few.db", 6, cells=FEW)))
    assert found["T1"].verdict == found["T14b"].verdict == "open"


# ------------------------------------------------------------------------------------------------------ pages


def test_pages_on_maps_have_the_figures_of_the_paper(tmp_path):
    file = stores.maps(tmp_path / "maps.db", 4, cells=FEW)
    report(file, tmp_path / "maps.html")
    text = (tmp_path / "maps.html").read_text(encoding="utf-8")
    for words in (
        "Figure 1",
        "Figure 2",
        "Figure 3",
        "Figure 5",
        "Figure 8",
        "In the paper",
        "T1</b>",
        "T20</b>",
    ):
        assert words in text
    assert "nan" not in re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL).lower()


def test_pages_on_maps_need_no_search_to_have_all_goals(tmp_path):
    cells = [*FEW, ("trees", "dfs", "narrow", CONNECTED)]  # as with --only
    page = build(Results(stores.maps(tmp_path / "part.db", 4, cells=cells)))
    assert "Time" in [section.title for section in page.sections]


def test_panels_of_expressive_range_share_one_scale_of_colour(results):
    figure = pages._range_figure(maps_of(results).main, CONNECTED, "maps that solve", "")
    assert len(figure.panels) == 16
    assert figure.columns == 4
    assert len(figure.legend) == 3


def test_budgets_and_other_decisions_have_sections_and_say_which_verdicts_change(tmp_path, monkeypatch):
    base = stores.create(tmp_path / "more.db")
    for search in ("sa", "hc", "es"):
        for share, part, varied in (
            (0.5, "optimisers", None),
            (1.0, "sensitivity: our reading", {"row": "x"}),
        ):
            if varied and search != "es":
                continue
            monkeypatch.setitem(stores.SHARES, search, (0, 0, 1.0 if search == "sa" else share))
            name = {"row": "ES: children live on among equals"} if varied else None
            stores.add_maps(base, part, search, "wide", CONNECTED, 60, varied=name)
        stores.add_maps(base, "optimisers by work", search, "wide", CONNECTED, 6)
        stores.add_maps(base, "optimisers by the clock", search, "wide", CONNECTED, 6, seconds=0.1)
    base.commit()
    base.close()
    page = build(Results(tmp_path / "more.db"))
    sections = {section.title: section for section in page.sections}
    assert list(sections)[-5:-1] == ["By work", "By the clock", "Sensitivity", "Statements of the paper"]
    tables = {item.name: item for item in sections["Sensitivity"].items if isinstance(item, Table)}
    changed = {row[0]: row[2] for row in tables["readings"].rows}
    assert "T14b confirmed → open" in changed["ES: children live on among equals"]
    assert ["T14b", "confirmed", "open"] in tables["two-readings"].rows
    assert [row[:4] for row in tables["sensitivity"].rows] == [
        ["ES: children live on among equals", "es", "wide", CONNECTED]
    ]


@pytest.mark.parametrize("name", ["fdg20", "arxiv19"])
def test_goals_have_budgets_of_the_same_work(name):
    """Of as many looks at a tile, within a twentieth."""
    cells = [cell for cell in read(name).cells if cell.part.endswith("by work")]
    budgets = {cell.tasks[0].objectives[0]: cell.tasks[0].budget.evaluations for cell in cells}
    assert len(budgets) == 3
    work = [decisions.looks(goal) * budget for goal, budget in budgets.items()]
    assert max(work) < 1.05 * min(work)


def test_the_sizes_of_regions_are_counted():
    grid = np.array([[1, 1, 0], [0, 0, 0], [1, 0, 1]], bool)
    assert sorted(decisions._region_sizes(grid).tolist()) == [1, 1, 2]


def test_a_figure_of_no_maps_is_drawn_without_a_warning(tmp_path):
    runs = [(True, "solved", 1, 1.0)] * 4
    maps, _ = written(tmp_path / "drawn.db", runs, goal=CONNECTED)
    figure = pages._range_figure(maps.read_as(Reading(drawn=False)), CONNECTED, "maps", "-changed")
    assert figure.legend == {}
    assert files(figure, ["png"])


def test_maps_with_a_goal_of_their_own_are_compared_by_two_metrics_too():
    maps = Maps(None, [])
    assert [len(styles_of(maps, keys)) for keys in ([], [("mcts", "narrow", "beauty")])] == [2, 2]
