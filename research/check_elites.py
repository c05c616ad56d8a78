"""The archive of MAP-Elites of Lode Runner, seed by seed: bins, plans, and how like its levels are to others.

python research/check_elites.py [FOLDER]
"""

from __future__ import annotations

import sys
import time

from levelsmith import generate, load
from levelsmith.levels.compare import compare

EVALUATIONS = 50_000


def main() -> None:
    reference = load(sys.argv[1] if len(sys.argv) > 1 else "loderunner:corpus", game="loderunner")
    for representation in ("latent", "wide"):
        for seed in (1, 2, 3):
            begun = time.perf_counter()
            made = generate(
                "loderunner",
                search="elites",
                representation=representation,
                evaluations=EVALUATIONS,
                set={"pieces": 1},
                guards="still",
                seed=seed,
            )
            solved = [level for level in made.levels if level.provenance["score"] >= 1]
            planned = sum(level.solution is not None for level in solved)
            likeness = compare(solved, reference)
            print(
                f"{representation:6} seed {seed}: {len(made.levels)} bins filled, {len(solved)} playable, "
                f"{planned} with a plan; jaccard {likeness['jaccard']:.3f}, "
                f"hamming {likeness['hamming']:.3f}; {made.seconds:.1f} s of search, "
                f"{time.perf_counter() - begun:.1f} s in all"
            )


if __name__ == "__main__":
    main()
