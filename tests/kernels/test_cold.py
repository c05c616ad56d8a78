"""The first answer does not wait for the compiler, is the same to the byte, and what is compiled is kept."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import levelsmith
import prepared
from levelsmith.kernels import cold
from levelsmith.studio.worker import search

WORK = """
import time
from levelsmith.kernels.compile import kernel


@kernel
def add(number):
    return number + 3


def slow_to_compile(number, begun):
    import numba
    if not numba.config.DISABLE_JIT:
        time.sleep(60)
    begun()
    return [add(number)]


def slow_uncompiled(number, begun):
    import numba
    if numba.config.DISABLE_JIT:
        time.sleep(60)
    begun()
    return [add(number)]


def wrong(number, begun):
    raise ValueError(number)
"""


@pytest.fixture
def work(tmp_path, monkeypatch):
    (tmp_path / "cold_work.py").write_text(WORK)
    monkeypatch.syspath_prepend(str(tmp_path))
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", paths)
    import cold_work

    yield cold_work
    del sys.modules["cold_work"]


@pytest.fixture
def processes(monkeypatch):
    """The processes that are started, the plain one first; all are ended."""
    started = []
    real = subprocess.Popen

    def start(*args, **options):
        started.append(real(*args, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    yield started
    for process in started:
        if process.returncode == 0:
            process.returncode = None  # as if nobody had let it go on
        process.kill()
        process.wait()
    for thread in threading.enumerate():
        if thread.name.startswith("cold"):
            thread.join(10)  # closes its pipe


def test_an_answer_that_comes_sooner_uncompiled_is_taken_and_the_compiler_goes_on(work, processes):
    assert cold.answer(work.slow_to_compile, 4) == ([7],)
    plain, compiled = processes
    assert plain.returncode is not None
    os.kill(compiled.pid, 0)


def test_once_all_is_compiled_the_uncompiled_process_is_ended_and_there_is_no_answer(work, processes):
    assert cold.answer(work.slow_uncompiled, 4) is None
    assert processes[0].returncode == -signal.SIGKILL


def test_work_that_fails_is_left_to_the_caller(work, processes):
    assert cold.answer(work.wrong, 4) is None


def test_ctrl_c_ends_both(work, processes):
    begun = time.monotonic()
    assert cold.answer(work.slow_to_compile, 4, cancel=lambda: time.monotonic() > begun + 0.2) is None
    assert [process.wait(10) for process in processes] == [-signal.SIGKILL] * 2


ASKED = """
import os, pickle, queue, time, cold_work
from levelsmith.kernels import cold
process = cold._start(True, queue.SimpleQueue())
cold._send(process, pickle.dumps((cold_work.slow_uncompiled, (4,), os.getpid())))
print(process.pid, flush=True)
time.sleep(60)
"""


def is_alive(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_the_uncompiled_process_ends_with_a_killed_one_that_asked_for_it(work):
    asking = prepared.Popen([sys.executable, "-c", ASKED], stdout=subprocess.PIPE, text=True)
    with asking:
        pid = int(asking.stdout.readline())
        time.sleep(0.5)  # the request is there
        assert is_alive(pid)
        asking.kill()
    waits = time.monotonic() + 30
    while is_alive(pid) and time.monotonic() < waits:
        time.sleep(0.1)
    assert not is_alive(pid)


class Pipe(list):
    """The studio's end of a pipe to a worker."""

    send = list.append

    def poll(self):
        return False


def test_the_library_and_the_studio_ask_for_it_too(monkeypatch):
    asked = []

    def follow(start, work, given, cancel, say):
        asked.append(work)
        say("soon")
        return start()

    monkeypatch.setattr(cold, "follow", follow)
    made = levelsmith.generate("orchard", seed=1)
    pipe = Pipe()
    search(pipe, {"game": "orchard", "seed": 1}, seconds=60, megabytes=4_000, most=9)
    assert len(asked) == 2
    assert ("note", "soon") in pipe
    (result,) = [data for word, data in pipe if word == "result"]
    assert result["levels"][0]["text"] == made.best.text


def run(*words, cache, **environment):
    done = prepared.run(
        [sys.executable, "-m", "levelsmith", *words],
        env={**os.environ, "LEVELSMITH_CACHE": str(cache), **environment},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    return done


# Of so small a map the first level is made long before a compiler is done.
CAVE = ("generate", "binary", "--search", "hc", "--size", "6x6", "--seed", "3", "--json")


def test_the_first_level_of_a_command_is_made_while_its_kernels_are_compiled(tmp_path):
    first = run(*CAVE, cache=tmp_path, LEVELSMITH_FIRST="")
    assert first.stderr.startswith(cold.NOTICE)
    assert "for its first use" not in first.stderr  # nobody waited
    waits = time.monotonic() + 120
    while time.monotonic() < waits and not list(tmp_path.rglob("climb-*[!k]")):
        time.sleep(0.2)
    second = run(*CAVE, cache=tmp_path, LEVELSMITH_FIRST="")
    assert second.stderr.count(cold.NOTICE) == 0  # what the other process compiled was kept
    assert texts(first) == texts(second)


def texts(done):
    import json

    return [json.loads(line)["text"] for line in done.stdout.splitlines()]


def test_a_level_is_measured_while_its_kernels_are_compiled(tmp_path):
    words = ("measure", "puzzlescript:lasers", "--json")
    first = run(*words, cache=tmp_path, LEVELSMITH_FIRST="")
    assert first.stderr == f"{cold.NOTICE}\n"  # nobody waited
    assert run(*words, cache=os.environ["LEVELSMITH_CACHE"]).stdout == first.stdout
