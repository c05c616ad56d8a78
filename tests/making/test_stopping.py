"""Programs can stop what they started: Ctrl-C, cancel, threads, asyncio, workers without a guard."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import levelsmith
import prepared
from levelsmith.core import Result
from levelsmith.errors import LevelsmithError
from spent import wait_until_spent

SLOW = {"search": "random", "size": (16, 16), "set": {"share": 0.5}, "seed": 6, "evaluations": 10**9}

PROGRAMS = {
    "generate": """
try:
    while True:
        say()
        levelsmith.generate("orchard", **SLOW)
except KeyboardInterrupt as stop:
    print(stop.result.stopped, stop.result.missing, stop.result.best.size)
""",
    "generate with workers": """
try:
    say()
    levelsmith.generate("orchard", **SLOW, count=4, workers=2)
except KeyboardInterrupt as stop:
    print(stop.result.stopped, stop.result.missing, stop.result.best.size)
""",
    "stream": """
try:
    while True:
        for event in levelsmith.stream("orchard", **SLOW, count=2):
            say()
except KeyboardInterrupt as stop:
    print("interrupted")
""",
    "stream with workers": """
try:
    while True:
        for event in levelsmith.stream("orchard", **SLOW, count=4, workers=2):
            if multiprocessing.active_children():
                say()
except KeyboardInterrupt as stop:
    print("interrupted", multiprocessing.active_children())
""",
    "endless": """
try:
    for level in levelsmith.endless("orchard", size=(4, 5), seed=1, workers=2):
        say()
    print("ended quietly")
except KeyboardInterrupt as stop:
    print("interrupted", multiprocessing.active_children())
""",
}
TOLD = {
    "generate": "cancelled 0 (16, 16)\n",
    "generate with workers": "cancelled",
    "stream": "interrupted\n",
    "stream with workers": "interrupted []\n",
    "endless": "interrupted []\n",
}
HEAD = f"""
import multiprocessing, sys
import levelsmith
from levelsmith import processes
from levelsmith.making import flow
processes.SOON = flow.START_SECONDS = 0.0
SLOW = {SLOW}
told = []

def say():
    if not told:
        told.append(print("begun", flush=True))
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_first_ctrl_c_ends_a_program(name, tmp_path):
    """None of these has a guard for its main module, either."""
    program = tmp_path / "program.py"
    program.write_text(HEAD + PROGRAMS[name])
    running = prepared.Popen(
        [sys.executable, program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stdout.readline() == "begun\n"
    wait_until_spent(running, 1.5)
    os.kill(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, "")
    assert out.startswith(TOLD[name])


@pytest.mark.parametrize("started", ["start_method", "_Interpreters"])
def test_a_program_without_a_guard_has_workers(started, tmp_path):
    """As forks of a server, and as the interpreters of their own that other systems have."""
    program = tmp_path / "program.py"
    program.write_text(
        HEAD
        + f"""
processes.start_method = processes.{started}
made = levelsmith.generate("orchard", size=(4, 5), seed=1, evaluations=50, count=6, workers=2)
print(len(made.levels))
"""
    )
    done = prepared.run([sys.executable, program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "6\n", "")


def test_a_handler_of_the_programs_own_is_left_alone():
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    try:
        asked = {"cancel": lambda: bool(heard) or os.kill(os.getpid(), signal.SIGINT) is not None}
        result = levelsmith.generate("orchard", **SLOW, **asked)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard
    assert result.stopped == "cancelled"


def test_cancel_is_heard_between_any_two_levels():
    for game, asked in (("orchard", {"size": (4, 5)}), ("binary", {"size": (8, 8), "search": "hc"})):
        events = levelsmith.stream(game, count=None, seed=1, evaluations=300, cancel=lambda: True, **asked)
        assert sum(isinstance(event, Result) for event in events) == 1
        levels = levelsmith.endless(game, seed=1, evaluations=300, cancel=lambda: True, **asked)
        assert len(list(levels)) == 1
    made = levelsmith.generate("orchard", size=(4, 5), seed=1, count=9, cancel=lambda: True)
    assert (len(made.levels), made.missing) == (1, 8)


def test_levels_are_made_and_cancelled_in_threads():
    found, stop = [], threading.Event()

    def work():
        found.append(levelsmith.generate("orchard", size=(4, 5), seed=1).best)
        found.append(levelsmith.generate("orchard", **SLOW, cancel=stop.is_set).stopped)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    stop.set()
    for thread in threads:
        thread.join(30)
    here = levelsmith.generate("orchard", size=(4, 5), seed=1).best
    assert found.count(here) == found.count("cancelled") == 2


def test_levels_are_made_and_cancelled_beside_an_event_loop():
    async def both():
        stop = threading.Event()
        slow = asyncio.create_task(
            asyncio.to_thread(levelsmith.generate, "orchard", **SLOW, cancel=stop.is_set)
        )
        quick = await asyncio.to_thread(levelsmith.generate, "orchard", size=(4, 5), seed=1)
        stop.set()
        return quick, await slow

    quick, slow = asyncio.run(both())
    assert quick.solved
    assert slow.stopped == "cancelled"


def test_a_budget_that_is_too_small_is_an_error_that_names_the_range_of_a_preset():
    asked = {"preset": "boxoban", "size": (3, 3), "set": {"boxes": 1}, "seed": 0, "evaluations": 1}
    why = r"of 3 levels with pushes 8\.\.30 \(of the preset boxoban\) could not be made in 1 evaluations each"
    with pytest.raises(levelsmith.MissingLevelsError, match=why):
        levelsmith.generate("sokoban", count=3, **asked)
    with pytest.raises(LevelsmithError, match="expected a count of levels, got None"):
        levelsmith.generate("orchard", count=None)


def test_a_time_for_all_levels_together_ends_them_all_and_says_what_is_missing():
    asked = {**SLOW, "size": (4, 4), "count": 50, "seconds": 0.2}
    made = levelsmith.generate("orchard", **asked, within=0.5, partial=True)
    assert 0 < len(made.levels) < 50
    assert made.missing == 50 - len(made.levels)
    with pytest.raises(
        levelsmith.MissingLevelsError,
        match=r"of 50 levels could not be made in 0.3 s, no two alike; .*within",
    ):
        levelsmith.generate("orchard", **asked, within=0.3)


def test_a_clock_for_all_levels_begins_when_nothing_is_left_to_compile_and_tells_time_from_a_cancel():
    from levelsmith.making.flow import Deadline

    stop = False
    clock = Deadline(0.2, lambda: stop)
    time.sleep(0.3)  # somebody compiles
    assert not clock.cancel()
    time.sleep(0.25)
    assert clock.cancel()
    assert clock.over
    stop, other = True, Deadline(10.0, lambda: stop)
    assert other.cancel()
    assert not other.over


def test_a_time_for_all_levels_is_more_than_nothing():
    with pytest.raises(LevelsmithError, match="expected a time limit of more than 0 seconds, got -1"):
        levelsmith.generate("orchard", within=-1)
