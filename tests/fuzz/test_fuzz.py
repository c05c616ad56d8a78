"""Wounded files into every reader: only our own error comes out, soon, within 200 MB.

The full form is `python tests/fuzz/fuzz.py all 100000 0`; `make thorough` runs a fifth of it.
"""

import json
import sys
from pathlib import Path

import pytest

import prepared
from fuzz.fuzz import KINDS

FUZZ = Path(__file__).with_name("fuzz.py")
QUICK, LONG = 80, 950
FEWER = {"experiment": 16}  # each takes long, and test_damage.py tries more: a sixteenth


@pytest.mark.parametrize("count", [QUICK, pytest.param(LONG, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_wounded_files_are_read_or_refused(kind, count):
    count //= FEWER.get(kind, 1)
    done = prepared.run(
        [sys.executable, FUZZ, kind, str(count), "0"], capture_output=True, text=True, timeout=3000
    )
    assert done.stdout, done.stderr[-2000:]
    outcome = json.loads(done.stdout)
    assert outcome["wrong"] == []
    assert outcome["inputs"] == outcome["accepted"] + outcome["refused"] >= count
    assert outcome["accepted"] > 0
    assert outcome["refused"] > outcome["inputs"] // 2 or kind == "experiment"  # the wounds are real
    if kind != "experiment":  # which draws pages
        assert outcome["refused_ms"] < 2000  # of processor
        assert outcome["megabytes"] < 200
