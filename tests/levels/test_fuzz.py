"""Mutated files into every parser: only our own error comes out, soon, within 200 MB."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from levelsmith.registry import formats

COUNT = 2_000  # `fuzz.py` alone takes any number
FUZZ = Path(__file__).with_name("fuzz.py")


@pytest.mark.parametrize("name", formats.names)
def test_thousands_of_wounded_files_are_read_or_refused(name):
    done = subprocess.run(
        [sys.executable, FUZZ, name, str(COUNT), "0"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    outcome = json.loads(done.stdout)
    assert outcome["accepted"] + outcome["refused"] == COUNT
    assert outcome["refused"] > COUNT // 2  # the wounds are real
    assert outcome["slowest_ms"] < 2000
    assert outcome["process_mb"] < 200
