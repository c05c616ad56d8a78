"""Prioritized Level Replay against uniform levels on Sokoban, with true regret and with its usual proxies.

    python examples/plr.py --output plr

writes `plr.png` (curves), `plr.md` (what came out) and `plr.csv` (all that was measured). It needs
`pip install "levelsmith[learn,analysis]"`, and with a GPU minutes; without one, choose fewer `--steps` and
`--seeds`. The trainer is ppo.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from compared import compare
from ppo import DISCOUNT, SMOOTHING

from levelsmith import Level
from levelsmith.curricula import Curriculum, PrioritizedReplay, Uniform

SCORES = {
    "PLR, regret": "regret",
    "PLR, max Monte Carlo": "max_monte_carlo",
}


def build(name: str, levels: Sequence[Level], seed: int) -> Curriculum:
    """Returns the curriculum of a run; all of one seed draw levels in the same order."""
    if name not in SCORES:
        return Uniform(levels, seed=seed)
    settings = {"discount": DISCOUNT, "smoothing": SMOOTHING, "buffer": 4000, "replay": 0.5}
    return PrioritizedReplay(levels, score=SCORES[name], **settings, seed=seed)


if __name__ == "__main__":
    compare(build, ["uniform", *SCORES], __doc__.splitlines()[0], "plr")
