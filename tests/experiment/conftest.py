"""Small experiments that take no kernels of their own, and how to compare their files."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys

import pytest

import prepared

SPEC = """
summary = "small"

[orchard]
size = "12x12"
objective = "spaced"

[experiment]
title = "Small"
runs = 10
evaluations = 20_000
quick = { runs = 2, evaluations = 100 }

[[experiment.part]]
name = "searches"
search = ["random", "hc"]
set = { "spaced.share" = 0.5 }

[[experiment.part]]
name = "patience"
search = "hc"
set = { "spaced.share" = 0.5, "hc.patience" = [100, 500] }
turns = { fill = [0.25, 0.5] }
"""
RUNS = """SELECT part, name, number, seed, turn, solved, runs.score, stopped, runs.evaluations, statistics,
  history, place, levels.score, levels.evaluations, text, solution, metrics
FROM runs JOIN cells ON cells.id = cell LEFT JOIN levels ON run = runs.id
ORDER BY part, name, number, place"""


@pytest.fixture
def spec(tmp_path):
    """The path of a small experiment, as written or with something else in it."""

    def write(text=SPEC, name="small.toml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def results():
    """Everything that a file says about its runs but for the time they took."""

    def read(path):
        found = []
        connection = sqlite3.connect(path)
        for row in connection.execute(RUNS):
            found.append([*row[:10], [(spent, score) for spent, _, score in json.loads(row[10])], *row[11:]])
        connection.close()
        return found

    return read


@pytest.fixture
def command():
    """Starts `levelsmith experiment …` as a process of its own; it ends with the test."""
    started = []

    def start(*words, **options):
        process = prepared.Popen(
            [sys.executable, "-m", "levelsmith", "experiment", *map(str, words)],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **options},
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stderr.close()


@pytest.fixture
def count():
    """How many runs a file has by now; 0 while there is no file."""

    def counted(path):
        try:
            connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        except sqlite3.OperationalError:
            return 0
        try:
            return connection.execute("SELECT count(*) FROM runs").fetchone()[0]
        except sqlite3.OperationalError:
            return 0
        finally:
            connection.close()

    return counted
