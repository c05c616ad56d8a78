"""The weights of Sokoban's difficulty as far as a solution tells, as `tools/fit_estimate.py` prints them."""

WEIGHTS = {"walks": 2.237, "detour": 0.419}
OFFSET = -2.522
