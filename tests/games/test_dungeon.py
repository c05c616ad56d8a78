"""The example game in `examples/dungeon` passes its own tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "dungeon"


@pytest.mark.slow
def test_the_example_game_passes_its_own_tests():
    paths = [str(EXAMPLE / "src"), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLE / "tests")],
        cwd=EXAMPLE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "LEVELSMITH_KERNELS": "plain"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
