"""Runs in several processes: the same bytes as in one, cancelled together, done again where a worker dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from multiprocessing import forkserver

import pytest

import levelsmith
import prepared
from levelsmith import processes
from levelsmith.core import Progress, Result
from levelsmith.errors import LevelsmithError
from levelsmith.games.orchard import Orchard
from levelsmith.levels.formats.json import dumps
from levelsmith.making import flow
from levelsmith.registry import games

NEEDED = {"numpy", "levelsmith.search.tree", "levelsmith.games.sokoban", "levelsmith.experiment.work"}
HOPELESS = {"game": "orchard", "search": "random", "size": (16, 16), "set": {"share": 0.5}, "seed": 6}


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Processes are started for the shortest runs too."""
    monkeypatch.setattr(processes, "SOON", 0.0)
    monkeypatch.setattr(flow, "START_SECONDS", 0.0)


def test_runs_that_are_over_before_a_process_has_started_need_none(monkeypatch):
    monkeypatch.setattr(processes, "SOON", 60.0)
    monkeypatch.setattr(flow, "START_SECONDS", 60.0)
    monkeypatch.setattr(processes, "spread", None)
    found = levelsmith.generate("orchard", evaluations=200, seed=3, count=5, workers=2)
    assert len(found.levels) == 5


def test_two_workers_make_the_same_bytes_as_one():
    one, two = (
        levelsmith.generate("orchard", evaluations=200, seed=3, count=5, workers=n, set={"share": 0.5})
        for n in (1, 2)
    )
    assert dumps(two.levels) == dumps(one.levels)
    assert (two.score, two.evaluations, two.stopped) == (one.score, one.evaluations, one.stopped)
    assert not any(level.grid.flags.writeable for level in two.levels)


@pytest.mark.slow
def test_a_killed_workers_run_is_done_again_and_the_result_is_the_same():
    events = levelsmith.stream(**HOPELESS, evaluations=60_000, count=2, workers=2)
    killed, results, again = None, [], 0
    for event in events:
        if killed is None and (children := multiprocessing.active_children()):
            killed = children[0].pid
            os.kill(killed, signal.SIGKILL)
        elif isinstance(event, Result):
            results.append(event)
        elif killed not in [child.pid for child in multiprocessing.active_children()]:
            again += 1
    assert killed is not None
    assert again > 0
    one = levelsmith.generate(**HOPELESS, evaluations=60_000, count=2)
    assert dumps([result.best for result in results]) == dumps(one.levels)


def test_workers_that_die_again_and_again_are_given_up(monkeypatch):
    monkeypatch.setattr(processes, "TRIES", 1)
    events = levelsmith.stream(**HOPELESS, evaluations=10_000_000, count=2, workers=2)
    while not multiprocessing.active_children():
        next(events)
    os.kill(multiprocessing.active_children()[0].pid, signal.SIGKILL)
    with pytest.raises(LevelsmithError, match=r"a worker process died 1 times .* try workers=1"):
        list(events)
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_workers_end_with_a_parent_that_was_killed():
    asked = {**HOPELESS, "evaluations": 10**9, "count": 2, "workers": 2}
    code = f"import levelsmith\nfor event in levelsmith.stream(**{asked}): print(event.run, flush=True)"
    parent = prepared.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    while parent.stdout.readline() != "1\n":  # from the second worker
        pass
    parent.kill()
    parent.communicate(timeout=30)  # the output ends when the last process that holds it does


def test_cancelling_stops_every_worker_and_keeps_what_they_have():
    told = []
    events = levelsmith.stream(
        **HOPELESS, evaluations=10_000_000, count=20, workers=2, cancel=lambda: len(told) > 2
    )
    results = []
    for event in events:
        (results if isinstance(event, Result) else told).append(event)
    assert 1 <= len(results) <= 5  # those that had begun or were next; the others were called off
    assert all(result.stopped == "cancelled" and result.evaluations > 0 for result in results)
    assert multiprocessing.active_children() == []


def test_nobody_listening_any_more_stops_the_workers():
    events = levelsmith.stream(**HOPELESS, evaluations=3_000_000, count=2, workers=2)
    next(events)
    began = time.monotonic()
    events.close()
    assert time.monotonic() - began < 10
    assert multiprocessing.active_children() == []


def test_progress_comes_from_each_worker_and_results_in_order():
    events = list(levelsmith.stream(**HOPELESS, evaluations=20_000, count=3, workers=2))
    results = [event for event in events if isinstance(event, Result)]
    assert [result.best.provenance["run"] for result in results] == [0, 1, 2]
    assert len({event.run for event in events if isinstance(event, Progress)}) > 1


def test_a_game_of_this_process_only_is_refused(entered):
    entered(games, "secret", type("Secret", (Orchard,), {"name": "secret"})())
    with pytest.raises(LevelsmithError, match="secret is registered in this process only"):
        levelsmith.generate("secret", evaluations=5, count=2, workers=2)
    assert levelsmith.generate("secret", evaluations=5, count=2, workers=1).evaluations == 10
    assert levelsmith.generate("secret", evaluations=5, count=1, workers=2).evaluations == 5


INTERRUPTED = """
import multiprocessing, os, signal
from levelsmith import processes

if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: None)
    workers = processes.Workers(2)
    assert len(multiprocessing.active_children()) == 2
    os.killpg(0, signal.SIGINT)
    print(workers.submit(int, "7").result(timeout=60))
    workers.close()
"""


def test_a_process_that_starts_does_not_hear_ctrl_c(tmp_path):
    """A terminal sends it to all of them, and a process that has not settled in would say where it was."""
    (tmp_path / "interrupted.py").write_text(INTERRUPTED)
    words = [sys.executable, tmp_path / "interrupted.py"]
    done = prepared.run(words, capture_output=True, text=True, start_new_session=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "7\n", "")


def test_ctrl_c_is_raised_again_once_every_worker_has_ended(monkeypatch):
    real, interrupts = processes.wait, [KeyboardInterrupt]

    def wait(*futures, **options):
        if interrupts:
            raise interrupts.pop()
        return real(*futures, **options)

    monkeypatch.setattr(processes, "wait", wait)
    jobs = processes.spread(abs, [-1, -2, -3], 2)
    with pytest.raises(KeyboardInterrupt):
        list(jobs)
    assert multiprocessing.active_children() == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each starts by itself")
def test_workers_are_forks_of_a_server_that_has_imported_what_they_need(monkeypatch):
    for said in ("once", "again"):  # the server is the same, the environment is not
        monkeypatch.setenv("SAID", said)
        workers = processes.Workers(1)
        assert workers.submit(os.getenv, "SAID").result(timeout=60) == said
        parent = workers.submit(os.getppid).result(timeout=60)
        loaded = workers.submit(eval, f"__import__('sys').modules.keys() >= {NEEDED}").result(timeout=60)
        workers.close()
        assert (loaded, parent) == (True, forkserver._forkserver._forkserver_pid)
