"""Writes tests/golden/requests.json: what 200 requests over all games, searches and makers give.

A change that is meant to change nothing is compared with it: `make thorough`, or this with `--check`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import levelsmith
from levelsmith.errors import LevelsmithError

FILE = Path(__file__).parent.parent / "tests" / "golden" / "requests.json"
STEPWISE = ["random", "bfs", "dfs", "best", "astar", "mcts", "roots", "plan", "graft"]
VARYING = ["hc", "sa", "es", "ga", "islands", "elites"]
# Of where a level came from: the version, how kernels ran, and what was asked for anyway.
NOT_TOLD = ("levelsmith", "kernels", "guards")
SEARCHES = [*STEPWISE, *VARYING]
# Parameters that came after the file was written, with the defaults by which they change nothing.
LATER = {"mcts": {"closed": False, "deepest": 0}, "kartal2016": {"empty": "free"}}
# Ten small ones of all games, by searches, makers and a model: for ways to run kernels that take long.
FEW = (9, 47, 48, 70, 87, 126, 137, 147, 180, 195)
Request = dict[str, Any]


def requests() -> Iterator[Request]:
    """Yields keywords of `generate`, each with a game; sizes are [height, width]."""
    yield from _of_orchard()
    yield from _of_binary()
    yield from _of_sokoban()
    yield from _of_loderunner()


def _of_orchard() -> Iterator[Request]:
    for seed, search in enumerate(SEARCHES):
        yield {"game": "orchard", "search": search, "seed": seed, "evaluations": 400}
    yield {"game": "orchard", "seed": 0, "count": 3, "skip": 2, "evaluations": 200}
    yield {"game": "orchard", "preset": "dense-orchard", "seed": 5, "evaluations": 200}
    yield {"game": "orchard", "size": [3, 4], "seed": 7, "count": 4, "workers": 2, "evaluations": 100}


def _of_binary() -> Iterator[Request]:
    small = {"game": "binary", "size": [7, 8], "evaluations": 300}
    for seed, search in enumerate(SEARCHES):
        for representation in ("narrow", "turtle", "wide"):
            yield {**small, "search": search, "representation": representation, "seed": seed}
    for seed, objective in enumerate(("path-length", "connectivity", "empty-tiles")):
        for search in ("hc", "mcts"):
            yield {**small, "search": search, "objective": objective, "seed": seed}
    both = ["path-length", "connectivity"]
    for combine in ("mean", "product", "sum"):
        yield {**small, "search": "ga", "objective": both, "combine": combine, "seed": 3}
    for seed in range(3):
        yield {"game": "binary", "seed": seed, "count": 4}
    yield {"game": "binary", "size": [20, 30], "seed": 1}
    yield {"game": "binary", "seed": 2, "want": {"way": "30.."}}
    yield {"game": "binary", "seed": 2, "search": "caves", "objective": "empty-tiles"}
    yield {**small, "search": "hc", "seed": 4, "want": {"regions": [1, 1], "path": "8.."}}
    yield {**small, "search": "hc", "seed": 4, "keep_above": 0.4, "keep_most": 5}
    yield {**small, "search": "mcts", "seed": 4, "keep_above": 0.4, "keep_most": 5}
    yield {**small, "search": "hc", "seed": 1, "until": 0.5}
    yield {**small, "search": "es", "seed": 1, "set": {"mu": 5, "es.lambda": 10}}
    yield {**small, "search": "ga", "seed": 1, "set": {"rate": 0.05}, "count": 3, "workers": 2}
    yield {**small, "search": "mcts", "seed": 1, "set": {"mcts.c": 0.3, "trees": 3}}
    yield {**small, "search": "elites", "seed": 1, "set": {"by": "empty:0..100%:5, path:0..60%:5"}}
    yield {**small, "search": "hc", "seed": 9, "start": "\n".join(["........"] * 7), "lock": "border"}
    for seed, size in enumerate(([10, 10], [14, 14], [8, 20], [25, 12])):
        yield {"game": "binary", "search": "caves", "size": size, "seed": seed, "count": 2}
    for preset in ("fdg20", "arxiv19"):
        yield {"game": "binary", "preset": preset, "seed": 1, "evaluations": 300}


def _of_sokoban() -> Iterator[Request]:
    for seed in range(10):
        yield {"game": "sokoban", "seed": seed}
    for seed, difficulty in enumerate(("easy", "medium", "hard")):
        yield {"game": "sokoban", "seed": seed, "want": {"difficulty": difficulty}}
    for seed in range(3):
        wants = {"boxes": "2..4", "pushes": "10..25"}
        yield {"game": "sokoban", "seed": seed, "size": [6, 6], "want": wants, "count": 2}
    yield {"game": "sokoban", "seed": 4, "want": {"pushes": "5..30"}, "ramp": "pushes", "count": 5}
    for objective in ("pushes", "moves", "box-changes", "difficulty", "detour", "box-lines"):
        yield {"game": "sokoban", "size": [5, 5], "seed": 1, "objective": objective, "evaluations": 300}
    for seed, search in enumerate(SEARCHES):
        for way in ("play", "rooms"):
            made = {"game": "sokoban", "size": [5, 5], "search": search, "representation": way}
            yield {**made, "seed": seed, "evaluations": 400}
    for preset in ("kartal2016", "koczorowski2023", "aiide2016"):
        yield {"game": "sokoban", "preset": preset, "size": [5, 5], "seed": 1, "evaluations": 2_000}
    for seed in range(4):
        yield {"game": "sokoban", "preset": "boxoban", "seed": seed, "count": 20}
    yield {"game": "sokoban", "preset": "boxoban", "seed": 1, "want": {"pushes": "8..20"}, "count": 5}
    yield {"game": "sokoban", "search": "carve", "size": [8, 8], "seed": 3, "count": 10, "workers": 2}
    yield {"game": "sokoban", "search": "carve", "seed": 3, "set": {"boxes": 3}, "count": 3, "skip": 4}
    for seed, size in enumerate(([5, 5], [7, 9], [10, 10])):
        yield {"game": "sokoban", "search": "carve", "size": size, "seed": seed, "count": 4}
        yield {"game": "sokoban", "size": size, "seed": seed, "want": {"boxes": "2..3"}}
    yield {"game": "sokoban", "representation": "play", "size": [5, 5], "seed": 2, "evaluations": 3_000}
    for lock in ("wall", "border", "1,1,2x2"):
        start = "#######\n#@ $ .#\n#     #\n#  $ .#\n#     #\n#######"
        made = {"game": "sokoban", "objective": "pushes", "seed": 2, "evaluations": 200}
        yield {**made, "start": start, "lock": lock}


def _of_loderunner() -> Iterator[Request]:
    """Yields levels whose guards stand still, as they always gave, and a few that are won against guards."""
    for asked in _of_still_guards():
        yield {**asked, **({} if "preset" in asked else {"guards": "still"})}
    for seed in range(2):
        yield {"game": "loderunner", "seed": seed, "size": [12, 16]}
    small = {"game": "loderunner", "size": [8, 12], "evaluations": 300}
    yield {**small, "search": "hc", "representation": "wide", "seed": 0}


def _of_still_guards() -> Iterator[Request]:
    for seed in range(10):
        yield {"game": "loderunner", "seed": seed, "count": 2}
    for seed in range(3):
        yield {"game": "loderunner", "seed": seed, "size": [12, 16]}
    yield {"game": "loderunner", "seed": 1, "want": {"gold": "8..12", "enemies": "2..3"}}
    small = {"game": "loderunner", "size": [8, 12], "evaluations": 300}
    for seed, search in enumerate(VARYING):
        for representation in ("wide", "narrow"):
            yield {**small, "search": search, "representation": representation, "seed": seed}
    for seed, search in enumerate(("random", "mcts", "best")):
        yield {**small, "search": search, "representation": "narrow", "seed": seed}
    for seed, search in enumerate(("hc", "ga", "es")):
        yield {
            "game": "loderunner",
            "representation": "latent",
            "search": search,
            "seed": seed,
            "evaluations": 60,
        }
    yield {**small, "search": "hc", "seed": 3, "want": {"gold": "4..8", "enemies": "1..2"}}
    yield {"game": "loderunner", "preset": "thakkar2019", "seed": 1, "evaluations": 40}


def outcome(asked: Request) -> str:
    """Returns a digest of the levels that a request gives, with their provenance; or why it is refused."""
    words = dict(asked)
    if "size" in words:
        words["size"] = tuple(words["size"])
    if "start" in words:
        words["start"] = levelsmith.parse(words["start"], words["game"])
    try:
        result = levelsmith.generate(**words, partial=True)
    except LevelsmithError as error:
        return f"refused: {error}"
    kept = [[level.text, level.solution, _told(level.provenance)] for level in result.levels]
    said = json.dumps([kept, result.stopped, result.evaluations], sort_keys=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()[:24]


def _told(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """Returns where a level came from as it was told when the file was written."""
    told = {key: value for key, value in provenance.items() if key not in NOT_TOLD}
    if "parameters" in told:
        told["parameters"] = {
            owner: {k: v for k, v in values.items() if (k, v) not in LATER.get(owner, {}).items()}
            for owner, values in told["parameters"].items()
        }
    return told


def main() -> None:
    """Writes the file, or compares with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    parser.add_argument(
        "--few", type=int, metavar="N", help="only the first N of ten small ones, with --check"
    )
    given = parser.parse_args()
    check = given.check
    if given.few is not None and not (check and 0 < given.few <= len(FEW)):
        parser.error(f"expected --check and --few from 1 to {len(FEW)}")
    before = json.loads(FILE.read_text()) if check else []
    made, wrong = [], 0
    for i, asked in enumerate(requests()):
        if given.few is not None and i not in FEW[: given.few]:
            continue
        made.append([asked, outcome(asked)])
        if given.few is not None:
            print(json.dumps(made[-1]), flush=True)
        if check and (i >= len(before) or before[i] != made[-1]):
            wrong += 1
            print(json.dumps(asked), "gave", made[-1][1], "instead of", before[i : i + 1])
    if check:
        print(f"{len(made)} requests, {wrong} with another outcome")
        sys.exit(wrong > 0)
    FILE.write_text("[\n" + ",\n".join(json.dumps(each) for each in made) + "\n]\n")
    print(f"wrote {len(made)} requests to {FILE.relative_to(Path.cwd())}")


if __name__ == "__main__":
    main()
