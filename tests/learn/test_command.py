"""`levelsmith train`: a table, JSON lines, a curve, and what Ctrl-C leaves."""

from __future__ import annotations

import contextlib
import json
import math

import pytest
from click.testing import CliRunner

import levelsmith
from levelsmith.cli import cli, output
from levelsmith.learn import training
from levelsmith.learn.curve import curve
from levelsmith.learn.model import load_model
from levelsmith.making import interrupts


@pytest.fixture
def run(maps, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(training, "EVERY", 10)
    monkeypatch.setattr(output, "QUIET_SECONDS", math.inf)
    levelsmith.save(maps(12), "maps.json")

    def call(*words):
        small = [
            "--latent",
            "2",
            "--hidden",
            "8",
            "--batch",
            "4",
            "--steps",
            "20",
            "-o",
            "a.npz",
            "--set",
            "features=4",
        ]
        return CliRunner().invoke(
            cli, ["train", "binary", "--data", "maps.json", *small, *words], standalone_mode=False
        )

    return call


@pytest.mark.slow
def test_a_training_ends_with_a_table_and_a_curve_and_one_that_is_stopped_goes_on(run, tmp_path, monkeypatch):
    @contextlib.contextmanager
    def at_once():
        yield lambda: True

    with monkeypatch.context() as patched:
        patched.setattr(interrupts, "interruptible", at_once)
        stopped = run()
    assert stopped.return_value == 130
    assert stopped.stderr == "interrupted: the same command goes on from here\n"
    assert (tmp_path / "a.npz.part").exists()

    done = run("--curve", "losses.svg")
    assert done.exception is None
    first, second, heading, *rows = done.stdout.splitlines()
    assert first == "vae of binary 6x5, 2 numbers in a code"
    assert second == "12 levels and mirror images: 22 learned, 2 for validation"
    assert heading.split() == ["nll", "kl", "sum"]
    assert [row.split()[0] for row in rows] == ["training", "validation"]
    assert done.stderr == (
        "going on from step 1 of 20\nwrote a.npz: the best was after step 20, all steps done\n"
    )
    assert (tmp_path / "losses.svg").read_text().count("<polyline") == 2
    assert load_model("a.npz").told["steps"] == 20

    lines = [
        json.loads(line) for line in run("--json", "--validation", "0", "--no-mirror").stdout.splitlines()
    ]
    assert [line["step"] for line in lines] == [10, 20, 20]
    assert set(lines[0]["training"]) == {"nll", "kl"}
    assert lines[-1] == {"output": "a.npz", "stopped": "steps", "step": 20}
    assert load_model("a.npz").told["mirrored"] is False


def test_a_curve_without_validation_has_one_line():
    assert curve([[10.0, 5.0, 1.0], [20.0, 4.0, 1.0]]).count("<polyline") == 1
    assert curve([[10.0, 5.0, 1.0, 6.0, 1.0, 7.0]]).count("<polyline") == 2
