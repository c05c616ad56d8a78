"""The weights of Sokoban's difficulty, as `tools/fit_difficulty.py` prints them."""

WEIGHTS = {"pushes": 0.852, "walks": 2.531, "detour": 0.586}
OFFSET = -4.326
