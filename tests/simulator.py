"""Tests for a GPU in the simulator of numba-cuda: the same source, run by threads of the processor."""

from __future__ import annotations

import functools
import json
import os
import runpy
import subprocess
import sys
import traceback

import pytest


def simulated(test):
    """Has a test run with the simulator, in one process for all such tests of its file."""

    @functools.wraps(test)
    def run():
        failures = _failures(test.__code__.co_filename)
        assert test.__name__ not in failures, failures[test.__name__]

    run.simulated = test
    return run


@functools.cache
def _failures(file):
    """Runs the simulated tests of a file in a new process, and returns what went wrong, by their names."""
    pytest.importorskip("numba_cuda")
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "LEVELSMITH_KERNELS": "plain"}
    command = [sys.executable, "-W", "ignore", __file__, file]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def _main(file):
    failures = {}
    for name, test in runpy.run_path(file).items():
        if hasattr(test, "simulated"):
            try:
                test.simulated()
            except Exception:
                failures[name] = traceback.format_exc()
    print(json.dumps(failures))


if __name__ == "__main__":
    _main(sys.argv[1])
