"""Programs for a GPU in the simulator of numba-cuda: the same source, run by threads of the processor."""

import os
import subprocess
import sys
import textwrap

import pytest


def simulated(start, program):
    """Runs a program with the simulator, which is chosen when numba is imported."""
    pytest.importorskip("numba_cuda")
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    program = textwrap.dedent(start) + textwrap.dedent(program)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
