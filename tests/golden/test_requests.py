"""What 200 requests over all games, searches and makers gave before they give now, with their provenance."""

import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("golden", ROOT / "tools" / "golden.py")
golden = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(golden)

KEPT = json.loads(golden.FILE.read_text())
SPARED = 10  # one in so many is tried by every run of the tests, and all of them by `make thorough`


def test_nothing_is_missing():
    assert [asked for asked, _ in KEPT] == json.loads(json.dumps(list(golden.requests())))
    assert len(KEPT) >= 200
    assert sum(outcome.startswith("refused") for _, outcome in KEPT) < 15


@pytest.mark.parametrize(
    ("asked", "outcome"),
    [pytest.param(*each, marks=pytest.mark.slow if i % SPARED else ()) for i, each in enumerate(KEPT)],
)
def test_a_request_gives_what_it_always_gave(asked, outcome):
    assert golden.outcome(asked) == outcome
