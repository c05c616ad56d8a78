"""What seeds gave before they must give now: a change here breaks everyone's recorded runs.

`python tests/golden/test_runs.py` writes the file anew, for a change that is meant.
"""

import json
from pathlib import Path

import pytest

from levelsmith import generate

FILE = Path(__file__).with_name("runs.json")
WANTED = [
    {"game": "orchard", "search": search, "size": size, "seed": seed, "skip": skip, "evaluations": 500}
    for search in ("random", "hc")
    for size in ((4, 5), (8, 8), (11, 12), (16, 16))
    for seed, skip in ((0, 0), (1, 3))
] + [
    {
        "game": "binary",
        "search": search,
        "representation": representation,
        "size": size,
        "seed": 0,
        "skip": 2,
        "evaluations": 300,
    }
    for search in ("bfs", "dfs", "best", "astar", "mcts", "hc", "sa", "es", "ga", "roots", "plan", "graft")
    for representation in ("narrow", "turtle", "wide")
    for size in ((10, 10), (17, 16))
    if representation != "turtle" or size == (10, 10)  # each needs kernels of its own
]


def made(wanted):
    result = generate(**{**wanted, "size": tuple(wanted["size"])})
    return {"rows": result.best.text.split("\n"), "score": result.score, "evaluations": result.evaluations}


RUNS = json.loads(FILE.read_text()) if FILE.exists() else []


def marked(run):
    wanted = run["wanted"]
    slow = wanted["size"] == [17, 16] and wanted["search"] != "ga"  # one large board shows what all have
    return pytest.param(run, marks=pytest.mark.slow if slow else (), id="-".join(map(str, wanted.values())))


def test_nothing_is_missing():
    assert [run["wanted"] for run in RUNS] == json.loads(json.dumps(WANTED))


@pytest.mark.parametrize("run", [marked(run) for run in RUNS])
def test_a_seed_gives_what_it_always_gave(run):
    assert made(run["wanted"]) == run["made"]


if __name__ == "__main__":
    FILE.write_text(json.dumps([{"wanted": w, "made": made(w)} for w in WANTED], indent=1) + "\n")
