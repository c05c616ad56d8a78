"""What numba compiles here: an edit is followed, a second process starts at once, plain Python agrees."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import levelsmith

SOURCE = Path(levelsmith.__file__).parent

# A kernel that is soon compiled, for the copy alone: it asks a game and the ground, as searches do.
SMALL = """
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.problem import metric
from levelsmith.kernels.random import unit


@kernel
def small(game, cells, rng):
    return unit(rng) * metric(game, cells, 1)
"""

# Tells what the small kernel says of a game, and what was compiled on the way.
ASK = """
import json, sys
import numpy as np
from levelsmith.kernels import compile
told = []
compile.notice = lambda name, seconds: told.append([name, seconds])
from levelsmith.registry import games
from levelsmith.search.kernels.small import small
if len(sys.argv) > 2:
    sys.path.insert(0, sys.argv[2])
    import pond
game = games.get(sys.argv[1]).compiled((8, 8))
said = small(game, (np.uint64(0b1011),), np.array([3, 1 << 40], np.uint64))
stood = compile.compiled_for >= sum(seconds for _, seconds in told if seconds is not None)
print(json.dumps({"said": float(said), "told": told, "stood": stood}))
"""

# A game in a file of its own, outside the package.
POND = """
from typing import NamedTuple

from levelsmith.games.orchard import Orchard
from levelsmith.kernels.bits import count
from levelsmith.kernels.problem import implement, metric
from levelsmith.registry import games


class PondBoard(NamedTuple):
    width: int


@implement(metric, PondBoard)
def pond_metric(game, cells, k):
    return FACTOR * count(cells)


class Pond(Orchard):
    name = "pond"

    def compiled(self, size):
        return PondBoard(size[1])


games.register("pond", Pond())
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory, python):
    """A copy of the package that a test may edit, with its own cache, and what it said before any edit."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(SOURCE, folder / "levelsmith", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "levelsmith" / "search" / "kernels" / "small.py").write_text(SMALL)

    def ask(*arguments, **environment):
        environment.setdefault("LEVELSMITH_CACHE", str(folder / "cache"))
        return json.loads(python(ASK, *arguments, source=folder, **environment))

    ask.folder = folder
    ask.before = ask("orchard")
    return ask


@pytest.fixture
def edit(copy):
    """Replaces text in a file of the copy for one test, by a longer one: Python takes a file of the same
    second and length for the one that it has seen."""
    edited = {}

    def replace(name, old, new):
        file = copy.folder / "levelsmith" / name
        edited[file] = file.read_text()
        assert edited[file].count(old) == 1
        assert len(new) > len(old)
        file.write_text(edited[file].replace(old, new))

    yield replace
    for file, text in edited.items():
        file.write_text(text)


def test_a_first_compilation_is_told_once_with_nothing_and_once_with_its_seconds(copy):
    (first, nothing), (second, seconds) = copy.before["told"]
    assert (first, nothing, second) == ("small", None, "small")
    assert seconds > 0.1


def test_the_clock_stands_still_while_numba_compiles(copy):
    assert copy.before["stood"]


def test_a_second_process_compiles_nothing(copy):
    again = copy("orchard")
    assert again == {**copy.before, "told": []}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("games/orchard/kernels.py", "return float(count(both(", "return 2 * float(count(both("),
        ("kernels/random.py", "1.0 / (1 << 53)", "0.25 / (1 << 53)"),
    ],
    ids=["the game", "the ground"],
)
def test_an_edit_in_another_file_than_the_kernels_is_followed(copy, edit, file, old, new):
    edit(file, old, new)
    after = copy("orchard")
    assert after["told"]
    assert after["said"] != copy.before["said"]
    assert after["said"] == copy("orchard", LEVELSMITH_KERNELS="plain")["said"]


@pytest.mark.slow
def test_an_edit_in_a_plug_in_is_followed_and_a_plug_in_is_cached_too(copy, tmp_path):
    said = []
    for factor in ("0.25", "0.5"):
        (tmp_path / "pond.py").write_text(POND.replace("FACTOR", factor))
        first, second = copy("pond", tmp_path), copy("pond", tmp_path)
        assert first["told"]
        assert second == {**first, "told": []}
        said.append(first["said"])
    assert said[0] != said[1]
    assert said[1] == copy("pond", tmp_path, LEVELSMITH_KERNELS="plain")["said"]


READY = """
import time
from levelsmith.making.build import start_run
from levelsmith.making.plan import plan
from levelsmith.request import Request
start_run(plan(Request("orchard"))).advance(0)
print(time.process_time())  # of the processor, as other tests may run at the same time
"""


def test_a_compiled_search_is_ready_in_a_second_and_a_half(python):
    assert min(float(python(READY)) for _ in range(2)) < 1.5


SAME = """
import json, levelsmith
made = [
    levelsmith.generate("orchard", size=size, search=search, evaluations=n, seed=5, set={"share": 0.5})
    for size in ((5, 7), (12, 12))
    for search, n in (("hc", 300), ("random", 12))
]
print(json.dumps([[r.best.text, r.score, r.evaluations, r.statistics] for r in made]))
"""


def test_plain_python_makes_the_same_levels_as_compiled_code(python):
    assert python(SAME, LEVELSMITH_KERNELS="plain") == python(SAME)


@pytest.mark.slow
def test_what_is_typed_at_a_prompt_is_never_served_by_code_typed_before(python, tmp_path):
    program = """
import sys
from typing import NamedTuple
from levelsmith.kernels.problem import implement, metric
from levelsmith.kernels.score import make, score
from levelsmith.kernels.compile import kernel
from levelsmith.core import Term

class Typed(NamedTuple):
    width: int

body = "def typed(game, cells, k):\\n    return float(" + sys.argv[1] + ")"
exec(compile(body, "<prompt>", "exec"))
implement(metric, Typed)(typed)

@kernel
def ask(game, objective, cells):
    return score(game, objective, cells)

print(ask(Typed(1), make([Term("a", "linear", low=1.0)], ["a"]), (0,)))
"""
    file = tmp_path / "asks.py"
    file.write_text(program)
    run = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0])"
    for number in ("3", "4"):
        assert python(run, file, number, LEVELSMITH_CACHE=str(tmp_path / "cache")).strip() == f"{number}.0"
