"""Compiles what many tests need while pip installs their libraries, which keeps but one processor busy.

`python tests/warm.py FILE` goes through the list until FILE is there. It needs what levelsmith itself needs.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUESTS = [
    *({"game": "sokoban", "search": search} for search in (None, "carve")),
    *({"game": "binary", "search": search} for search in ("hc", "mcts", "ga")),
    {"game": "loderunner"},
    {"game": "sokoban", "representation": "play", "size": (5, 5)},
    {"game": "sokoban", "representation": "play"},
    *({"game": "orchard", "search": search} for search in ("hc", "random")),
    *({"game": "binary", "search": search} for search in ("bfs", "random", "sa", "es", "islands", "elites")),
    *({"game": "binary", "search": "hc", "size": size} for size in ((6, 6), (17, 16))),
]


def main() -> None:
    os.environ["LEVELSMITH_CACHE"] = str(ROOT / ".pytest_cache")  # as tests/conftest.py has it
    os.environ["LEVELSMITH_FIRST"] = "compiled"
    sys.path.insert(0, str(ROOT / "src"))
    from levelsmith import LevelsmithError, generate

    for asked in REQUESTS:
        if Path(sys.argv[1]).exists():
            return
        with suppress(LevelsmithError):  # one evaluation may make no level
            generate(**asked, evaluations=1, seed=1)


if __name__ == "__main__":
    main()
