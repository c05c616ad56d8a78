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
# Searches and representations (None: the default) whose kernels are compiled for other tests anyway. These
# requests are tried by every run of the tests, and all 200 by `make thorough`.
SHARED = {
    "orchard": {(None, None), ("random", None), ("hc", None)},
    "binary": {(None, None), ("caves", None), ("hc", "wide"), ("hc", None)},
    "sokoban": {(None, None), (None, "play"), ("mcts", "play"), ("ga", "play"), ("carve", None)},
    "loderunner": {(None, None), ("hc", "wide")},
}


def marked(asked, outcome):
    shared = (asked.get("search"), asked.get("representation")) in SHARED[asked["game"]]
    large = asked["game"] == "sokoban" and max(asked.get("size", [0])) > 8
    alone = large or asked.get("preset") == "thakkar2019"
    return pytest.param(asked, outcome, marks=() if shared and not alone else pytest.mark.slow)


def test_nothing_is_missing():
    assert [asked for asked, _ in KEPT] == json.loads(json.dumps(list(golden.requests())))
    assert len(KEPT) >= 200
    assert sum(outcome.startswith("refused") for _, outcome in KEPT) < 15


@pytest.mark.parametrize(("asked", "outcome"), [marked(*each) for each in KEPT])
def test_a_request_gives_what_it_always_gave(asked, outcome):
    assert golden.outcome(asked) == outcome
