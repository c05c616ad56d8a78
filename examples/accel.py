"""ACCEL against uniform levels on Sokoban: levels are edited, and each edit is proved to be solvable.

    python examples/accel.py --output accel

writes `accel.png` (curves), `accel.md` (what came out) and `accel.csv` (all that was measured). It needs
`pip install "levelsmith[learn,analysis]"`, and with a GPU minutes; without one, choose fewer `--steps` and
`--seeds`. The trainer is ppo.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from compared import compare
from ppo import DISCOUNT, SMOOTHING

from levelsmith import Level
from levelsmith.curricula import Accel, Curriculum, Uniform


def build(name: str, levels: Sequence[Level], seed: int) -> Curriculum:
    """Returns the curriculum of a run; all of one seed draw levels in the same order."""
    if name == "uniform":
        return Uniform(levels, seed=seed)
    settings = {"discount": DISCOUNT, "smoothing": SMOOTHING, "buffer": 4000, "seed": seed}
    # It learns from edits and new levels too, so that all runs learn from as many steps.
    return Accel(levels, score="regret", edits=3, robust=False, **settings)


if __name__ == "__main__":
    compare(build, ["uniform", "ACCEL"], __doc__.splitlines()[0], "accel")
