"""What the rules of a PuzzleScript game do to layers, found once for all levels."""

from __future__ import annotations

import numpy as np

from levelsmith.games.puzzlescript.kernels import goals as g
from levelsmith.games.puzzlescript.kernels import outlines as o
from levelsmith.games.puzzlescript.kernels.state import Rules


def outline_rules(rules: Rules) -> o.Outlines:
    """Returns what the rules of a game do to layers, whatever the level."""
    sizes = np.zeros(o.SIZES, np.int64)
    for _ in range(2):  # the first time there is no room, and it is found how much is needed
        rows, count = int(sizes[o.ROWS]), len(rules.rules.line)
        outlines = o.Outlines(
            np.zeros((2, len(rules.cells.set)), np.int64),
            np.zeros((rows, o.NUMBERS), np.int64),
            np.zeros((rows, o.SETS, rules.words), np.uint64),
            np.zeros((count, rules.words), np.uint64),
            np.zeros(len(rules.layer_sets), np.int64),
            sizes,
        )
        g.outline(rules, outlines)
    return outlines
