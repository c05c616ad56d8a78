"""Some seconds of requests made up at random; `fuzz.py` does it for longer."""

import pytest

from studio.fuzz import fuzz

SECONDS = 4  # long enough for that many answers on a busy machine too


@pytest.mark.slow
def test_no_request_gets_a_500_or_hangs(studio):
    counts = fuzz(studio, SECONDS, seed=1)
    assert sum(counts.values()) > 20
    assert {200, 400, 404} <= counts.keys()
    assert studio.get("levels/counts")
