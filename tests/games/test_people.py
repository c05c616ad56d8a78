"""The tool that holds difficulty against people: a table for a right file, one line for a wrong one."""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import prepared

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = ("layout_string", "num_played", "num_solved", "Collection_Name")
CORRIDOR = "#" * 3 + "#" * 7 + "\n#@{}#\n" + "#" * 10


def said(folder: Path, rows: list[tuple[object, ...]], columns: tuple[str, ...] = COLUMNS) -> tuple[int, str]:
    file = folder / "plays.csv"
    with file.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(rows)
    words = [sys.executable, ROOT / "tools" / "people.py", file]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = prepared.run(words, env=environment, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def test_people_who_solve_longer_levels_more_seldom_are_agreed_with(tmp_path: Path) -> None:
    levels = [f"{'$':>{1 + gap}}{' ' * (6 - gap)}." for gap in range(6)]
    rows = [(CORRIDOR.format(text), 10, 1 + gap, "ours") for gap, text in enumerate(levels)] * 2
    status, text = said(tmp_path, rows)
    assert status == 0, text
    assert "12 levels, 12 of them solved" in text
    assert "12 whose positions were all met" in text
    pushes = next(line for line in text.splitlines() if line.startswith("| pushes"))
    assert pushes.startswith("| pushes | -1.000")
    assert "ours (12)" in text
    assert "| lost share | - | - |" in text  # nothing can be lost in a corridor


@pytest.mark.parametrize(
    ("rows", "columns", "line"),
    [
        ([("#@$.#", 1, 1)], ("layout_string", "num_played", "solves"), "num_solved is missing"),
        ([("#@$.#", 1, 2, "")], COLUMNS, "level 1: expected plays and, at most as many, solves; got 1, 2"),
        ([("#@$x#", 2, 1, "")], COLUMNS, "people: level 1: "),
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_told_in_a_line(rows, columns, line, tmp_path) -> None:
    status, text = said(tmp_path, rows, columns)
    assert status == 1
    assert line in text
    assert len(text.splitlines()) == 1


def test_no_weight_has_the_wrong_sign_and_none_has_seen_the_collection_that_it_rates(monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import fit_people as fit

    rng = np.random.default_rng(0)
    terms = rng.random((60, 4))
    odds = 2.0 - terms @ [1.0, 0.5, -0.3, 0.0]  # by the third, harder levels would be solved more often
    _, weights = fit.fitted(terms, odds)
    assert weights.min() >= 0
    assert weights[2] == pytest.approx(0, abs=1e-6)
    assert weights[0] == pytest.approx(1, abs=0.1)
    ours = np.array(["ours"] * 6 + ["theirs"] * 54)
    spoilt = np.where(ours == "ours", 9.0, odds)
    apart = fit.unseen(terms, spoilt, ours)
    assert apart[:6] == pytest.approx(fit.unseen(terms, odds, ours)[:6])
    assert apart[6:] != pytest.approx(fit.unseen(terms, odds, ours)[6:])
    terms[0, 1] = np.nan
    assert np.isnan(fit.unseen(terms, odds, ours)[0])


def test_terms_are_chosen_and_weighed_without_the_author_whose_levels_they_rate(monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import fit_people as fit

    rng = np.random.default_rng(0)
    terms, authors = rng.random((90, 4)), np.repeat(np.arange(15), 6)
    odds = 2.0 - terms[:, 2] + rng.normal(0, 0.02, 90)
    hard, often = fit.unseen_choice(terms, odds, odds, authors)
    assert often[2] == 90
    assert hard == pytest.approx(-odds, abs=0.2)
    parts = fit.parts_of(authors)
    assert all(len(set(parts[authors == author])) == 1 for author in range(15))
    ours = authors == 0
    spoilt = np.where(ours, 9.0 * terms[:, 3], odds)  # whatever they did with his levels
    assert fit.unseen_choice(terms, spoilt, spoilt, authors)[0][ours] == pytest.approx(hard[ours])


def test_a_count_that_ranks_levels_better_is_ahead_by_more_than_noise(monkeypatch, capsys) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import fit_people as fit

    rng = np.random.default_rng(0)
    solved = rng.random(60)
    right, noise = -solved, rng.random(60)
    ours = np.array(["ours"] * 40 + ["theirs"] * 20)
    lead, low = fit.ahead(right, noise, solved, ours).split(" (")
    assert float(lead) > 0.5
    assert float(low.split(" to ")[0]) > 0
    assert fit.ahead(right, right, solved, ours) == "0.000 (0.00 to 0.00)"
    right[0] = np.nan  # of a level whose positions nobody knows
    fit.print_ahead(right, {"noise": noise}, solved, np.where(np.arange(60) < 41, "ours", "few"))
    _, head, _, row = capsys.readouterr().out.splitlines()
    assert head == "| ahead of | ours |"
    assert row.startswith("| noise | ")
