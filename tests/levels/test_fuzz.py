"""Mutated files into every parser: only our own error comes out, soon, within 200 MB."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from levelsmith.registry import formats

FUZZ = Path(__file__).with_name("fuzz.py")


@pytest.mark.parametrize("count", [400, pytest.param(5_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", formats.names)
def test_wounded_files_are_read_or_refused(name, count):
    done = subprocess.run(
        [sys.executable, FUZZ, name, str(count), "0"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    outcome = json.loads(done.stdout)
    assert outcome["accepted"] + outcome["refused"] == count
    assert outcome["refused"] > count // 2  # the wounds are real
    assert outcome["slowest_ms"] < 2000
    assert outcome["process_mb"] < 200
