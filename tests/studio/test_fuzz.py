"""Some seconds of requests made up at random; `fuzz.py` does it for longer."""

from studio.fuzz import fuzz

SECONDS = 2


def test_no_request_gets_a_500_or_hangs(studio):
    counts = fuzz(studio, SECONDS, seed=1)
    assert sum(counts.values()) >= 10  # on a busy machine; some hundreds on a quiet one
    assert {200, 400, 404} <= counts.keys()
    assert studio.get("levels/counts")
