"""A real Dask cluster: what dead workers did is done elsewhere, and what goes wrong is told in one line."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time

import pytest

import prepared
from levelsmith import experiment

pytestmark = pytest.mark.slow

START_SECONDS = 400
LOADED = ("distributed.cli.dask_scheduler", "distributed.cli.dask_worker", "levelsmith.processes.preloaded")


@pytest.fixture(scope="module", autouse=True)
def distributed():
    """Only here, as it takes long to import."""
    return pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a scheduler and its four workers, each a process of its own; the tests use them up."""
    began, folder = [], tmp_path_factory.mktemp("cluster")
    environment = {**os.environ, "DASK_LOGGING__DISTRIBUTED": "info"}
    loaded = contextlib.ExitStack()
    address = loaded.enter_context(prepared.serving(environment, *LOADED))

    def start(*words):
        began.append(
            prepared.Popen(
                [sys.executable, "-m", "dask", *words, "--no-dashboard"],
                stderr=subprocess.PIPE,
                text=True,
                cwd=folder,
                env=environment,
                address=address,
            )
        )
        return began[-1]

    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0")
    scheduled = next(
        found[1] for line in scheduler.stderr if (found := re.search(r"Scheduler at:\s+tcp://(\S+)", line))
    )
    workers = [start("worker", f"tcp://{scheduled}", "--no-nanny", "--nthreads", "1") for _ in range(4)]
    for worker in workers:
        assert any("Registered to" in line for line in worker.stderr)
    yield scheduled, scheduler, workers
    for process in began:
        process.kill()
        process.communicate()
    loaded.close()


def test_two_of_four_workers_are_killed_and_every_run_is_there_once(cluster, spec, tmp_path, results):
    address, _, workers = cluster
    killed = 0
    for standing in experiment.follow(spec(), tmp_path / "dask.db", executor=f"dask://{address}"):
        if killed < 2 and standing.done > 8 * killed:
            workers[killed].send_signal(signal.SIGKILL)
            killed += 1
    assert (killed, standing.done, standing.failures) == (2, 40, {})
    experiment.run(spec(), tmp_path / "here.db", workers=2)
    assert results(tmp_path / "dask.db") == results(tmp_path / "here.db")


def test_a_cluster_that_goes_away_leaves_what_is_done(cluster, spec, tmp_path, command, count):
    address, scheduler, _ = cluster
    path = tmp_path / "x.db"
    running = command("run", spec(), "-o", path, "--executor", f"dask://{address}")
    until = time.monotonic() + START_SECONDS
    while not count(path) and time.monotonic() < until:
        time.sleep(0.05)
    scheduler.kill()
    _, said = running.communicate(timeout=START_SECONDS)
    assert running.returncode == 1
    assert said.splitlines()[-1] == (
        f"levelsmith: the Dask cluster at {address} has gone away; what is done is kept: "
        "start it again and type the same command"
    )
    assert 0 < count(path) < 40


def test_a_cluster_that_is_not_there_is_told_at_once(spec, tmp_path, command):
    began = time.monotonic()
    process = command("run", spec(), "-o", tmp_path / "x.db", "--executor", "dask://127.0.0.1:1")
    _, said = process.communicate()
    assert process.returncode == 2
    assert said == (
        "levelsmith: no Dask scheduler answers at 127.0.0.1:1 (OSError); "
        "start one with: dask scheduler --port 1\n"
    )
    assert time.monotonic() - began < 30
