"""A run that keeps all above a score keeps what its search met, each level once, whatever the portions."""

from __future__ import annotations

import pytest

import levelsmith
from levelsmith.making.build import start_run
from levelsmith.making.plan import plan
from levelsmith.request import Request
from levelsmith.search.compiled import BUFFER

BAR = 0.2


@pytest.mark.first(3)
@pytest.mark.parametrize("search", ["best", "mcts", "roots", "plan", "graft"])
def test_what_is_kept_is_what_was_met_above_the_bar(search, met):
    asked = {"search": search, "seed": 3, "set": {"goal": 74}}
    wanted = {}
    for after, (score, grid) in enumerate(met(start_run(plan(Request("binary", **asked))), 3_000), 1):
        if score >= BAR:
            wanted.setdefault(grid, (score, after))
    made = levelsmith.generate("binary", **asked, evaluations=3_000, keep_above=BAR, keep_most=3_000)
    kept = {
        level.grid.tobytes(): (level.provenance["score"], level.provenance["evaluations"])
        for level in made.levels
    }
    assert kept.pop(made.best.grid.tobytes())[0] == wanted.pop(made.best.grid.tobytes())[0] == made.score
    assert kept == wanted
    assert len(wanted) > 2 * BUFFER
