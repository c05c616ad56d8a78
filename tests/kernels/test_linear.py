"""Linear use: uncompiled, what looks at a set, board or state after it was changed can be found out."""

import json

CHECKED = {"LEVELSMITH_KERNELS": "plain", "LEVELSMITH_LINEAR": "1"}

WRONG = {
    "a set after a member was added": """
cells = from_members((3,), 300)
more = added(cells, 5)
count(cells)
""",
    "a set that was handed back, by its words": """
first = added(from_members((3,), 300), 5)
second = removed(first, 3)
first[0]
""",
    "a board after a tile was put": """
board = blank(6, 3)
other = with_tile(board, 2, 1)
tile_at(board, 2)
""",
    "a state that was unpacked before another": """
first = unpack(rep, packed)
second = unpack(rep, packed)
tile_at(first.cells, 0)
""",
    "a state after an action": """
state = unpack(rep, packed)
child = apply(rep, state, nth(legal(rep, state).value, 0))
apply(rep, state, 0)
""",
}

SET_UP = """
import json, numpy as np
import levelsmith
from levelsmith.kernels.bits import added, count, from_members, nth, removed
from levelsmith.kernels.boards import blank, tile_at, with_tile
from levelsmith.kernels.linear import UsedAfterChangeError
from levelsmith.kernels.problem import apply, initial, legal, pack, unpack
from levelsmith.kernels.random import seeded
from levelsmith.making.build import build_problem
from levelsmith.making.plan import plan
from levelsmith.registry import games
from levelsmith.request import Request

task = plan(Request("binary", search="mcts", representation="wide", size=(17, 17)))
rep = build_problem(task).representation
packed = np.zeros(rep.words, np.uint64)
pack(rep, initial(rep, seeded(np.random.SeedSequence(1))), packed)
"""

FIND = """
import sys
found = {}
for name, code in json.loads(sys.argv[1]).items():
    try:
        exec(code)
        found[name] = None
    except UsedAfterChangeError as error:
        found[name] = str(error)
print(json.dumps(found))
"""


def test_what_is_used_after_it_was_changed_is_found_out(python):
    found = json.loads(python(SET_UP + FIND, json.dumps(WRONG), **CHECKED))
    assert {name for name, message in found.items() if message and "go on with" in message} == set(WRONG)


def test_nobody_asks_where_code_is_compiled_or_the_variable_is_not_set(python):
    code = SET_UP + FIND
    assert set(json.loads(python(code, json.dumps(WRONG), LEVELSMITH_KERNELS="plain")).values()) == {None}


OURS = """
import levelsmith
steps, variation = ("random", "dfs", "best", "mcts"), ("hc", "es", "ga", "elites")
large = [("binary", search, "wide", (17, 17), "connectivity") for search in (*steps, *variation)]
narrow = ("ga", "astar", "plan", "roots")
large += [("binary", search, "narrow", (17, 17), "connectivity") for search in narrow]
bytes_ = [("loderunner", search, "turtle", (6, 6), None) for search in ("mcts", "graft", "sa")]
small = [("sokoban", *pair, (4, 4), None) for pair in (("hc", "rooms"), ("mcts", "rooms"), ("mcts", "play"))]
for game, search, representation, size, objective in large + bytes_ + small:
    asked = {"size": size, "evaluations": 8, "seed": 1, "objective": objective}
    levelsmith.generate(game, search=search, representation=representation, **asked)
"""


def test_ours_use_everything_once(python):
    python(OURS, **CHECKED)
