"""The pages on Thakkar et al.: levels compared with those that their models learned from, over trainings."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import levelsmith
from experiment import stores
from levelsmith.experiment.papers.thakkar import measured, pages
from levelsmith.experiment.papers.thakkar.statements import PAPER, THRESHOLDS, WORDS, statements
from levelsmith.experiment.report import build, report
from levelsmith.experiment.results import Results
from levelsmith.experiment.spec import read
from levelsmith.learn import trained

TRAININGS = 12
ROWS = {  # part -> cell -> density of its levels
    measured.BEFORE: {"variational": 0.5, "vanilla": 0.5},
    measured.AFTER: {"variational": 0.5, "vanilla": 0.6},
    measured.READINGS: {"vanilla, sigmoid": 0.3, "variational, twice": 0.5, "vanilla, twice": 0.6},
    measured.WITHOUT: {
        f"{kind}, {what}": 0.5
        for kind in measured.KINDS
        for what in ("one population of 32", "one population of 320", "no crossover")
    },
}
USUAL = {name: each.value for name, each in THRESHOLDS.items()}
ISLANDS = ("islands", "population", "pool", "generations")
STATISTICS = {
    "samples": 9,
    "generations": 2,
    "children": 6,
    "crossed": 4,
    "mutated": 1,
    "accepted": 3,
    "duplicates": 0,
}


@pytest.fixture
def originals(tmp_path, monkeypatch):
    """Nine levels as the originals would be: one with more brick than the other."""
    folder = tmp_path / "data" / "loderunner-vglc" / "levels"
    folder.mkdir(parents=True)
    for i in range(9):
        (folder / f"Level {i}.txt").write_text(
            f"M.G{'#' if i % 2 else '.'}.\n{'b' * (i // 2)}{'.' * (5 - i // 2)}\n-...E\n"
        )
    monkeypatch.setenv("LEVELSMITH_DATA", str(tmp_path / "data"))
    for cached in (trained.digest_of, measured._reference, measured.groups):
        cached.cache_clear()
    return trained.digest_of("loderunner", "originals")


@pytest.fixture
def file(tmp_path, originals):
    """Runs before and after evolution: vanilla levels are copies, and what is evolved is more connected."""
    models = {
        f"trained:{kind},seed={i + 1},data=originals,digest={originals}": {
            "model": kind, "mode": "paper", "net": "dense", "bound": "none", "hidden": 8, "latent": 2,
            "seed": i + 1, "levels": 9, "learned": 18, "steps": 9, "epochs": 1, "batch": 30,
            "rate": 1e-3, "beta": 1.0, "nats": 12.5, "code_nats": 0.0, "data": "originals",
            "seconds": 90.0 if kind == "vae" else None,
        }
        for kind in ("vae", "ae") for i in range(TRAININGS)
    }  # fmt: skip
    base = stores.create(
        tmp_path / "lode.db", pages="thakkar", experiment="thakkar2019", models=json.dumps(models)
    )
    for part, rows in ROWS.items():
        for row, density in rows.items():
            cell = stores.add_cell(
                base, part, "islands", "latent", "thakkar2019", TRAININGS, {"row": row}, "loderunner", "5x3"
            )
            kind = "ae" if row.startswith("vanilla") else "vae"
            names = [name for name in models if name.startswith(f"trained:{kind}")]

            def levels(i, kind=kind, part=part, row=row, density=density):
                evolved = part != measured.BEFORE
                text = (
                    f"M.G#.\nb{'b' * (i % 3)}{'.' * (4 - i % 3)}\n-...E"
                    if kind == "ae"
                    else "MbG..\n.###.\nbbbbb"
                )
                if row.endswith("no crossover"):  # every other one has a window that no original has
                    text = text.replace("#", "-", i % 2)
                metrics = {"gold": 1, "enemies": 0, "playable": int(evolved), "moves": 9 + i}
                metrics |= {"connectivity": 0.5 + 0.3 * evolved + 0.01 * i, "density": density + 0.001 * i}
                second, third = text.replace("G", ".", 1), text.replace("G", "E", 1)
                if "one population" in row:  # all its levels are the same but for some of the last
                    second, third = text, text.replace("G", "E", i % 2)
                return [
                    (1.0, text, None, metrics),
                    (0.5, second, None, metrics),
                    (1.0, third, None, metrics | {"playable": 1}),
                ]

            stores.add_runs(
                base, cell, TRAININGS, lambda i: (1, 1.0, "solved", 15, 0.1, STATISTICS, [[1, 0.1, 1.0]]),
                levels, lambda i, names=names: {"latent.model": names[i]},
            )  # fmt: skip
    base.commit()
    base.close()
    return tmp_path / "lode.db"


def column(file, kind, name, **reading):
    return measured.Read(Results(file), **reading).column(measured.AFTER, kind, name)


def test_a_measure_has_one_number_for_each_training(file):
    found = column(file, "vanilla", "connectivity")
    np.testing.assert_allclose(found, 0.8 + 0.01 * np.arange(TRAININGS))
    assert column(file, "vanilla", "evaluations").tolist() == [15.0] * TRAININGS


def test_levels_are_compared_with_those_that_their_model_learned_from(file, monkeypatch):
    vanilla, variational = (column(file, kind, "similarity") for kind in ("vanilla", "variational"))
    assert (vanilla > variational).all()
    monkeypatch.delenv("LEVELSMITH_DATA")
    for cached in (trained.digest_of, measured._reference):
        cached.cache_clear()
    assert np.isnan(column(file, "vanilla", "similarity")).all()
    assert np.isnan(column(file, "vanilla", "familiar")).all()


def test_the_statements_go_by_trainings(file):
    found = {each.name: each for each in statements(Results(file), USUAL)}
    assert list(found) == [f"L{i}" for i in range(1, 16)]
    words = {name: {claim.word for claim in each.claims} for name, each in found.items()}
    assert words["L1"] == words["L2"] == words["L3"] == words["L4"] == {"holds"}
    assert words["L10"] == {"open"}  # both kinds have plans as long
    assert {claim.found.runs for claim in found["L3"].claims} == {TRAININGS}


def test_ten_populations_and_crossover_are_held_against_the_method_without_them(file):
    """Of the three levels each run of ten populations has, pairs differ in one cell of 15."""
    found = {each.name: each for each in statements(Results(file), USUAL)}
    claims = {claim.label: claim.found for claim in found["L14"].claims}
    assert len(claims) == 4
    apart = [1 / 15 - (i % 2) * 2 / 3 / 15 for i in range(TRAININGS)]
    for each in claims.values():
        assert each.value == pytest.approx(np.mean(apart))
    kept = {claim.label: claim.found.value for claim in found["L15"].claims}
    assert kept["vanilla: evolved over drawn"] == pytest.approx(1.0)
    assert kept["vanilla: with crossover over without"] > 1.05


def test_other_readings_put_other_runs_or_measures_in_the_place_of_the_main_ones(file):
    assert column(file, "vanilla", "density").mean() == pytest.approx(0.6055)
    assert column(file, "vanilla", "density", reading="sigmoid").mean() == pytest.approx(0.3055)
    assert column(file, "variational", "density", reading="sigmoid").mean() == pytest.approx(0.5055)
    pieces = column(file, "vanilla", "moves", instead={"moves": "moves a piece"})
    np.testing.assert_allclose(pieces, 9 + np.arange(TRAININGS))  # with one piece in each level
    items = build(Results(file)).items()
    (table,) = (item for item in items if getattr(item, "name", "") == "verdict-by-reading")
    changed = dict(table.rows)
    assert re.search(r"L9 ✗ contradicted, \S+ points → ✓ confirmed, ", changed["sigmoid"])
    assert list(changed) == ["sigmoid", "twice", *WORDS]
    assert changed["twice"] == "none"


def test_the_papers_numbers_in_the_box_are_those_of_table_iii():
    (one, *counts), (other, *others) = PAPER[measured.VARIATIONAL], PAPER[measured.VANILLA]
    more = [100 * (b - a) / 330 for a, b in zip(counts, others, strict=True)]
    box = pages.front(None).box
    assert box["L4"][1] == f"{100 * (other - one):.2f} points"
    assert [box[name][1] for name in ("L5", "L6")] == [f"{each:.1f} points" for each in more]
    assert [box[name][1] for name in ("L7", "L8")] == ["25.36 %, 73, 3", "27.05 %, 130, 38"]


def test_the_experiment_has_thirty_trainings_of_each_model_and_the_method_without_each_part():
    cells = {(cell.part, cell.name): cell for cell in read("thakkar2019").cells}
    for cell in cells.values():
        assert len({turn["latent.model"] for turn in cell.turns}) == cell.runs == 30
        values = {name: cell.tasks[0].values["islands"][name] for name in ISLANDS}
        everyone = values["islands"] * values["population"]
        children = values["generations"] * (everyone + values["islands"])
        assert values["pool"] + children <= cell.tasks[0].budget.evaluations
    for kind in measured.KINDS:
        assert (measured.READINGS, f"{kind}, steps 4 to 8 times as far") in cells
        one, large, copied = (
            cells[measured.WITHOUT, f"{kind}, {what}"].tasks[0].values["islands"]
            for what in ("one population of 32", "one population of 320", "no crossover")
        )
        assert (one["islands"], one["population"], one["crossover"]) == (1, 32, 0.78)
        assert (large["islands"], large["population"]) == (1, 320)
        assert (copied["islands"], copied["population"], copied["crossover"]) == (10, 32, 0.0)


@pytest.mark.parametrize(
    ("given", "crossed"), [({"islands": 1, "crossover": 0.0}, False), ({"islands": 3}, True)]
)
def test_children_are_counted_as_the_populations_have_them(given, crossed):
    small = {"population": 4, "pool": 12, "generations": 5, "ends": "generations", **given}
    told = levelsmith.generate(
        "loderunner",
        preset="thakkar2019",
        set={"latent.model": "ae", **{f"islands.{name}": value for name, value in small.items()}},
        evaluations=1000,
        seed=1,
    ).statistics
    assert (told["samples"], told["generations"]) == (12, 5)
    assert told["children"] == 5 * given["islands"] * (4 + 1)  # those of the best of each come last
    assert (told["crossed"] > 0) == crossed


def test_the_page_names_models_readings_and_what_evolution_did(file, tmp_path, monkeypatch):
    report(file, tmp_path / "lode.md")
    text = (tmp_path / "lode.md").read_text()
    for words in (
        "Table III",
        "Table II",
        "What evolution did",
        "Figure 1",
        "Figure 2",
        "Figure 5",
        "Figure 6",
        "Figure 7",
    ):
        assert words in text
    assert "the original levels" in text
    assert "and 0.30 of training 24 models (of 12 it is known)" in text
    first, _, _ = text.partition("\n## Appendix\n")
    assert first.count("![") == 3
    assert len(first.split()) < 1500
    assert [line[:4] for line in first.splitlines() if line.startswith("| L")][:3] == ["| L2", "| L7", "| L8"]
    monkeypatch.delenv("LEVELSMITH_DATA")
    for cached in (trained.digest_of, measured._reference):
        cached.cache_clear()
    titles = [item for item in build(Results(file)).items() if isinstance(item, str)]
    assert any("LEVELSMITH_DATA" in title for title in titles)
