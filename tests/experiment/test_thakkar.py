"""The pages on Thakkar et al.: levels compared with those that their models learned from, over trainings."""

from __future__ import annotations

import json

import numpy as np
import pytest

from experiment import stores
from levelsmith.experiment.papers.thakkar import measured
from levelsmith.experiment.papers.thakkar.statements import THRESHOLDS, statements
from levelsmith.experiment.report import build, report
from levelsmith.experiment.results import Results
from levelsmith.learn import trained

TRAININGS = 6
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
        }
        for kind in ("vae", "ae") for i in range(TRAININGS)
    }  # fmt: skip
    base = stores.create(
        tmp_path / "lode.db", pages="thakkar", experiment="thakkar2019", models=json.dumps(models)
    )
    for part in (measured.BEFORE, measured.AFTER):
        for row, kind in (("variational", "vae"), ("vanilla", "ae")):
            cell = stores.add_cell(
                base, part, "islands", "latent", "thakkar2019", TRAININGS, {"row": row}, "loderunner", "5x3"
            )
            names = [name for name in models if name.startswith(f"trained:{kind}")]
            evolved = part == measured.AFTER

            def levels(i, kind=kind, evolved=evolved):
                text = (
                    f"M.G#.\nb{'b' * (i % 3)}{'.' * (4 - i % 3)}\n-...E"
                    if kind == "ae"
                    else "MbG..\n.###.\nbbbbb"
                )
                metrics = {"gold": 1, "enemies": 0, "density": 0.5, "playable": int(evolved), "moves": 9 + i}
                metrics |= {"connectivity": 0.5 + 0.3 * evolved + 0.01 * i}
                third = text.replace("G", "E", 1), None, metrics | {"playable": 1}
                return [
                    (1.0, text, None, metrics),
                    (0.5, text.replace("G", ".", 1), None, metrics),
                    (1.0, *third),
                ]

            stores.add_runs(
                base, cell, TRAININGS, lambda i: (1, 1.0, "solved", 15, 0.1, STATISTICS, [[1, 0.1, 1.0]]),
                levels, lambda i, names=names: {"latent.model": names[i]},
            )  # fmt: skip
    base.commit()
    base.close()
    return tmp_path / "lode.db"


def test_a_measure_has_one_number_for_each_training(file):
    found = measured.column(Results(file), measured.AFTER, "vanilla", "connectivity")
    np.testing.assert_allclose(found, [0.8, 0.81, 0.82, 0.83, 0.84, 0.85])
    spent = measured.column(Results(file), measured.AFTER, "vanilla", "evaluations")
    assert spent.tolist() == [15.0] * TRAININGS


def test_levels_are_compared_with_those_that_their_model_learned_from(file, monkeypatch):
    vanilla = measured.column(Results(file), measured.AFTER, "vanilla", "similarity")
    variational = measured.column(Results(file), measured.AFTER, "variational", "similarity")
    assert (vanilla > variational).all()
    monkeypatch.delenv("LEVELSMITH_DATA")
    for cached in (trained.digest_of, measured._reference):
        cached.cache_clear()
    assert np.isnan(measured.column(Results(file), measured.AFTER, "vanilla", "similarity")).all()


def test_the_statements_go_by_trainings(file):
    found = {
        each.name: each for each in statements(Results(file), {n: t.value for n, t in THRESHOLDS.items()})
    }
    assert list(found) == [f"L{i}" for i in range(1, 13)]
    words = {name: {claim.word for claim in each.claims} for name, each in found.items()}
    assert words["L1"] == words["L2"] == words["L3"] == words["L4"] == {"holds"}
    assert words["L10"] == {"open"}  # both kinds have plans as long
    assert {claim.found.runs for claim in found["L3"].claims} == {TRAININGS}


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
    monkeypatch.delenv("LEVELSMITH_DATA")
    for cached in (trained.digest_of, measured._reference):
        cached.cache_clear()
    titles = [item for item in build(Results(file)).items() if isinstance(item, str)]
    assert any("LEVELSMITH_DATA" in title for title in titles)
