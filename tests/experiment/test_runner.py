"""Runs that are killed, cancelled, lost or shared out: in the end every one is there once, and the same."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

import levelsmith
import prepared
from levelsmith import experiment
from levelsmith.errors import LevelsmithError
from levelsmith.experiment import executors, runner, work
from levelsmith.experiment.executors import GoneError
from levelsmith.games.orchard import Orchard
from levelsmith.registry import games

QUICK = {"quick": True, "workers": 1}


def wait_for(condition, seconds=400):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.01)


def test_runs_are_those_that_generate_makes(spec, tmp_path, results):
    experiment.run(spec(), tmp_path / "x.db", **QUICK)
    found = {tuple(row[:3]): row for row in results(tmp_path / "x.db")}
    made = levelsmith.generate(
        "orchard",
        size=(12, 12),
        search="hc",
        objective="spaced",
        set={"share": 0.5, "patience": 500, "fill": 0.5},
        evaluations=100,
        seed=0,
        skip=1,
    )
    row = found["patience", "hc.patience=500", 1]
    assert row[4:9] == ['{"fill":0.5}', int(made.solved), made.score, made.stopped, made.evaluations]
    assert row[10] == [(spent, score) for spent, _, score in made.history]
    assert row[14] == made.best.text
    assert len(found) == 8


def test_every_gain_can_be_kept_with_when_it_was_found(spec, tmp_path, results):
    text = '[orchard]\n[experiment]\nevaluations = 500\n[[experiment.part]]\nname = "a"\nkeep_gains = true\n'
    experiment.run(spec(text), tmp_path / "x.db", workers=1)
    best, *others = [row[10:15] for row in results(tmp_path / "x.db")]
    history = best[0]
    assert len(history) > 2
    assert [(spent, score) for _, _, score, spent, _ in [*others, best]] == history
    assert len({text for *_, text in [*others, best]}) == len(history)


def test_a_second_run_does_nothing_and_more_runs_extend_the_first(spec, tmp_path, results):
    short, whole = tmp_path / "short.db", tmp_path / "whole.db"
    assert experiment.run(spec(), short, **QUICK).done == 8
    before = short.read_bytes()
    first, *later = experiment.follow(spec(), short, **QUICK)
    assert (first.done, first.asked, later) == (8, 8, [])
    assert results(short) == results(short)
    assert len(before) == short.stat().st_size
    assert experiment.run(spec(), short, runs=5, **QUICK).asked == 20
    assert experiment.run(spec(), short, runs=1, **QUICK).asked == 20  # never fewer than before
    experiment.run(spec(), whole, runs=5, **QUICK)
    assert results(short) == results(whole)


@pytest.mark.slow
def test_a_run_killed_three_times_ends_as_one_that_was_not(spec, tmp_path, results, command, count):
    path = tmp_path / "killed.db"
    for i, least in enumerate((1, 9, 19)):
        process = command("run", spec(), "-o", path, "--runs", 15, "--workers", 1 + (i == 1))
        wait_for(lambda least=least: count(path) >= least)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert least <= count(path) < 60
    process = command("run", spec(), "-o", path, "--runs", 15, "--workers", 1)
    assert process.wait() == 0
    experiment.run(spec(), tmp_path / "whole.db", runs=15, workers=1)
    assert results(path) == results(tmp_path / "whole.db")
    assert len(results(path)) == 60


def test_a_killed_worker_takes_nothing_with_it(spec, tmp_path, results):
    standings = experiment.follow(spec(), tmp_path / "two.db", runs=4, workers=2)
    killed = 0
    for standing in standings:
        children = multiprocessing.active_children()
        if killed < 2 and standing.done > 4 * killed and children:
            os.kill(children[0].pid, signal.SIGKILL)
            killed += 1
    assert (killed, standing.done, standing.failures) == (2, 16, {})
    experiment.run(spec(), tmp_path / "one.db", runs=4, workers=1)
    assert results(tmp_path / "two.db") == results(tmp_path / "one.db")


def test_a_run_that_kills_every_worker_is_named_and_the_others_are_done(spec, tmp_path, monkeypatch):
    whole = experiment.read(spec(), quick=True)
    deadly = replace(whole.cells[1], tasks=(replace(whole.cells[1].tasks[0], lock=("die",)),))
    cells = (whole.cells[0], deadly, *whole.cells[2:])
    monkeypatch.setattr(executors, "work", fatal)
    monkeypatch.setattr(runner, "TRIES", 1)
    last = experiment.run(replace(whole, cells=cells), tmp_path / "x.db", workers=2)
    assert (last.done, last.asked) == (6, 8)
    assert set(last.failures) == {"searches/hc run 0", "searches/hc run 1"}
    assert all("its worker died each time" in why for why in last.failures.values())


def fatal(jobs, timeout):
    if any(job.task.lock for job in jobs):
        os.kill(os.getpid(), signal.SIGKILL)
    return work.work(jobs, timeout)


def test_a_run_that_takes_too_long_is_given_up(spec, tmp_path):
    last = experiment.run(
        spec(), tmp_path / "x.db", only=["searches/random"], runs=2, evaluations=10**9, workers=1, timeout=0.2
    )
    assert (last.done, last.asked) == (0, 2)
    assert last.failures == {f"searches/random run {k}": "not done after 0.2 s" for k in (0, 1)}


def test_a_run_that_hangs_ends_with_its_process():
    program = (
        "import time\nfrom levelsmith.experiment import work\nwork.COMPILE_SECONDS = 0.1\n"
        "with work.watched(0.1):\n    [x for x in iter(int, 1)]"
    )
    began = time.monotonic()
    assert prepared.run([sys.executable, "-c", program], check=False).returncode == 1
    assert time.monotonic() - began < 60


def test_a_run_that_fails_is_named_and_the_others_are_done(spec, tmp_path, monkeypatch):
    made = work._result

    def failing(task, cancel):
        if task.search == "random":
            raise ValueError("no luck")
        return made(task, cancel)

    monkeypatch.setattr(work, "_result", failing)
    last = experiment.run(spec(), tmp_path / "x.db", **QUICK)
    assert (last.done, last.asked) == (6, 8)
    assert last.failures == {f"searches/random run {k}": "ValueError: no luck" for k in (0, 1)}


def test_cancelling_keeps_what_is_done(spec, tmp_path, count):
    told = []
    for standing in experiment.follow(
        spec(), tmp_path / "x.db", runs=200, workers=1, cancel=lambda: len(told) > 2
    ):
        told.append(standing)
    assert told[-1].cancelled
    assert 0 < told[-1].done < 800
    assert count(tmp_path / "x.db") == told[-1].done


def test_shards_merged_are_the_whole(spec, tmp_path, results):
    parts = [tmp_path / f"{i}.db" for i in (1, 2, 3)]
    for i, part in enumerate(parts):
        experiment.run(spec(), part, shard=f"{i + 1}/3", runs=4, **QUICK)
    whole, merged = tmp_path / "whole.db", tmp_path / "merged.db"
    experiment.run(spec(), whole, runs=4, **QUICK)
    assert experiment.merge(merged, parts[:2]) == (11, 11)
    assert experiment.merge(merged, parts) == (5, 16)
    assert results(merged) == results(whole)
    assert experiment.run(spec(), merged, runs=4, **QUICK).done == 16


@pytest.mark.parametrize("workers", [1, 3])
def test_any_executor_will_do(spec, tmp_path, results, workers):
    with ThreadPoolExecutor(workers) as pool:
        experiment.run(spec(), tmp_path / "threads.db", executor=pool, workers=workers, quick=True)
    experiment.run(spec(), tmp_path / "here.db", **QUICK)
    assert results(tmp_path / "threads.db") == results(tmp_path / "here.db")


def test_an_executor_that_breaks_is_told(spec, tmp_path):
    pool = ThreadPoolExecutor(1, initializer=sys.exit)
    with pytest.raises(GoneError, match="a worker of the executor died; what is done is kept"):
        experiment.run(spec(), tmp_path / "x.db", executor=pool, quick=True)


def test_short_runs_go_together_and_long_ones_alone(spec, tmp_path, monkeypatch):
    sizes = []
    monkeypatch.setattr(
        executors, "work", lambda jobs, *rest: sizes.append(len(jobs)) or work.work(jobs, *rest)
    )
    experiment.run(spec(), tmp_path / "x.db", workers=1, runs=100, evaluations=10)
    assert sizes[:2] == [1, 1]  # the first of each kin
    assert max(sizes) > 20
    sizes.clear()
    monkeypatch.setattr(runner, "CHUNK_SECONDS", 1e-9)
    experiment.run(spec(), tmp_path / "y.db", workers=1, runs=3, evaluations=10)
    assert sizes == [1] * 12


def test_cells_that_are_timed_go_to_one_process_in_turns_from_either_end(tmp_path, monkeypatch):
    jobs = []
    monkeypatch.setattr(executors, "work", lambda mine, *rest: jobs.append(mine) or work.work(mine, *rest))
    monkeypatch.setattr(runner, "CHUNK_SECONDS", 1e-9)
    part = {"name": "a", "search": "hc", "timed": True, "set": {"spaced.share": [0.2, 0.3, 0.4]}}
    tables = {"orchard": {"size": (6, 6)}, "experiment": {"runs": 4, "evaluations": 10, "part": [part]}}
    experiment.run(tables, tmp_path / "x.db", workers=1)
    shares = [[job.task.provenance()["parameters"]["spaced"]["share"] for job in mine] for mine in jobs]
    assert shares[-3:] == [[0.4, 0.3, 0.2], [0.2, 0.3, 0.4], [0.4, 0.3, 0.2]]
    assert all(len({job.task.run for job in mine}) == 1 for mine in jobs)


def test_a_game_of_this_process_only_runs_in_it(spec, tmp_path, entered):
    entered(games, "secret", type("Secret", (Orchard,), {"name": "secret"})())
    text = '[secret]\n[experiment]\nruns=2\nevaluations=5\n[[experiment.part]]\nname="a"\nsearch="hc"\n'
    with pytest.raises(LevelsmithError, match="secret is registered in this process only"):
        experiment.run(spec(text), tmp_path / "x.db", workers=2)
    assert experiment.run(spec(text), tmp_path / "x.db", workers=1).done == 2
