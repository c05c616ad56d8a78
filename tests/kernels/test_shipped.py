"""Compiled code that a wheel brings along: it spares compiling where it fits, and else nobody sees it."""

from __future__ import annotations

import json
import pickle
import runpy
import shutil
import sys
from collections import namedtuple
from pathlib import Path

import numba
import pytest
from numba.core.registry import cpu_target

import levelsmith
from levelsmith.kernels import cache, compile, shipped, sources

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(levelsmith.__file__).parent
TOOL = runpy.run_path(str(ROOT / "tools" / "wheel.py"), run_name="wheel")

Pair = namedtuple("Pair", "first second")


def add_three(number):
    return number + 3


def add_both(pair):
    return pair.first + pair.second


# ------------------------------------------------------------------------------- one small kernel, as if ours


@pytest.fixture
def ship(tmp_path, monkeypatch):
    """Calls a kernel as a new process with an empty cache would; returns whether it had to be compiled.

    What it compiles at first is shipped from then on.
    """
    monkeypatch.setattr(compile, "FOLDER", tmp_path / "compiled")
    monkeypatch.setattr(sources, "is_own", lambda thing: True)
    remembered = (cache.cache_home, cache.cache_folder, cache.warn)

    def run(function=add_three, given=4, own="own"):
        monkeypatch.setenv(cache.VARIABLE, str(tmp_path / own))
        for one in remembered:
            one.cache_clear()
        made = compile.kernel(function)
        assert made(given) == 7
        return sum(made.stats.cache_misses.values()) > 0

    def start(function=add_three, given=4):
        assert run(function, given, own="first")
        entries = [path for path in tmp_path.glob("first/*/*/*/*-*") if path.suffix != ".lock"]
        folder = tmp_path / "compiled" / entries[0].parent.name
        folder.mkdir(parents=True)
        made = compile.KernelCache(function)
        machine = shipped.baseline(made.machine(cpu_target.target_context.codegen()))
        path = folder / made.name((numba.typeof(given),), machine)
        shipped.write_shipped(path, cache.read_entry(entries[0]))
        return path

    run.start = start
    yield run
    for one in remembered:
        one.cache_clear()


def test_what_is_shipped_is_not_compiled_and_not_written(ship, tmp_path):
    ship.start()
    before = sorted(tmp_path.rglob("compiled/**"))
    assert not ship()
    assert sorted(tmp_path.rglob("compiled/**")) == before
    assert list(tmp_path.glob("own/*/*/*/add_three-*")) == []


def test_what_is_shipped_serves_where_nothing_can_be_kept(ship, monkeypatch):
    ship.start()
    monkeypatch.setattr(cache, "cache_home", lambda: None)
    monkeypatch.setattr(sources, "cache_folder", lambda name: None)
    made = compile.kernel(add_three)
    assert made(4) == 7
    assert sum(made.stats.cache_misses.values()) == 0


def test_this_machines_own_code_comes_first(ship, monkeypatch):
    path = ship.start()
    monkeypatch.setattr(compile, "read_shipped", lambda path: pytest.fail("looked at what is shipped"))
    assert not ship(own="first")
    assert path.exists()


OTHER = {
    "Python": ("levelsmith.kernels.cache.sys.version_info", (3, 99, 0)),
    "numba": ("numba.__version__", "0.99.0"),
    "llvmlite": ("levelsmith.kernels.cache.llvmlite_version", "0.99.0"),
    "sources": ("levelsmith.kernels.compile.source_hash", lambda foreign: "0123456789abcdef"),
}


@pytest.mark.parametrize("what", OTHER)
def test_what_another_version_compiled_is_not_used(ship, monkeypatch, what):
    ship.start()
    monkeypatch.setattr(*OTHER[what])
    assert ship()


@pytest.mark.parametrize(
    "machine",
    [
        ("riscv64-unknown-linux-gnu", "generic", "+neon,+popcnt"),
        ("powerpc64le-unknown-linux-gnu", "pwr9", ""),
        ("x86_64-unknown-linux-gnu", "core2", "+cx16,+ssse3,-popcnt,-sse4.2"),
        ("aarch64-unknown-linux-gnu", "generic", ""),  # as when a wheel is made
    ],
    ids=["riscv64", "ppc64le", "x86-64-v1", "baseline"],
)
def test_a_processor_below_every_baseline_gets_nothing(machine):
    assert shipped.baseline(machine) is None


@pytest.mark.parametrize(
    ("triple", "features"),
    [
        ("x86_64-unknown-linux-gnu", "+cx16,+popcnt,+sse4.2,+avx2"),
        ("x86_64-pc-windows-msvc", "+cx16,+popcnt,+sse4.2"),
        ("aarch64-unknown-linux-gnu", "+crc,+neon"),
        ("arm64-apple-darwin", "+neon"),
    ],
)
def test_another_architecture_or_system_has_entries_of_its_own(triple, features):
    machine = shipped.baseline((triple, "any", features))
    assert machine is not None
    made = compile.KernelCache(add_three)
    ours = shipped.baseline(made.machine(cpu_target.target_context.codegen()))
    same = machine == ours
    assert (made.name((numba.int64,), machine) == made.name((numba.int64,), ours)) == same


def test_code_for_this_machine_alone_is_never_taken_for_the_baselines(ship, monkeypatch):
    ship.start()
    monkeypatch.setattr(compile, "baseline", lambda machine: None)
    assert ship()


def cut(path):
    path.write_bytes(path.read_bytes()[:-100])


def flip(path):
    data = bytearray(path.read_bytes())
    data[-100] ^= 4
    path.write_bytes(data)


def make_folder(path):
    path.unlink()
    path.mkdir()


DAMAGES = {
    "gone": Path.unlink,
    "all gone": lambda path: shutil.rmtree(path.parent.parent),
    "empty": lambda path: path.write_bytes(b""),
    "cut": cut,
    "a bit": flip,
    "a folder": make_folder,
    "not packed": lambda path: path.write_bytes(cache.digested(b"not packed")),
    "no pickle": lambda path: shipped.write_shipped(path, b"no pickle"),
    "a pickle of something else": lambda path: shipped.write_shipped(path, pickle.dumps({"a": 1})),
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_is_a_slow_start(ship, caplog, kind):
    DAMAGES[kind](ship.start())
    assert ship()
    assert not ship()  # from now on this machine's own
    assert caplog.records == []


def test_a_plug_ins_kernel_or_type_gets_nothing(ship, monkeypatch):
    ship.start(add_both, Pair(3, 4))
    assert not ship(add_both, Pair(3, 4))
    monkeypatch.setattr(sources, "is_own", lambda thing: thing is not Pair)
    assert ship(add_both, Pair(3, 4), own="type")
    monkeypatch.setattr(sources, "is_own", lambda thing: thing is not add_both)
    assert ship(add_both, Pair(3, 4), own="kernel")


# ---------------------------------------------------------------------------------------- a package with code

SMALL = """
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.problem import metric
from levelsmith.kernels.random import unit


@kernel
def small(game, cells, rng):
    return unit(rng) * metric(game, cells, 1)
"""

ASK = """
import json, sys
import numpy as np
from levelsmith.kernels import compile
told = []
compile.notice = lambda name, seconds: told.append(name)
from levelsmith.registry import games
from levelsmith.search.kernels.small import small
game = games.get("orchard").compiled((8, 8))
said = small(game, (np.uint64(0b1011),), np.array([3, 1 << 40], np.uint64))
print(json.dumps({"said": float(said), "compiled": len(told) > 0}))
"""


@pytest.fixture
def copy(tmp_path, python):
    """A copy of the package with one more kernel, which is shipped with it, asked with an empty cache."""
    shutil.copytree(SOURCE, tmp_path / "levelsmith", ignore=shutil.ignore_patterns("__pycache__", "compiled"))
    (tmp_path / "levelsmith" / "search" / "kernels" / "small.py").write_text(SMALL)

    def ask(name, **environment):
        environment.setdefault(cache.VARIABLE, str(tmp_path / name))
        return json.loads(python(ASK, source=tmp_path, **environment))

    ask.package = tmp_path / "levelsmith"
    ask.before = ask("baseline", **TOOL["baseline_settings"]())
    (entries,) = (tmp_path / "baseline" / cache.OWN / "kernels").iterdir()
    TOOL["pack"](entries, ask.package / "kernels" / "compiled")
    return ask


def test_code_for_the_baseline_runs_here_until_a_source_is_edited(copy):
    assert copy.before["compiled"]
    assert copy("empty") == {**copy.before, "compiled": False}
    edited = copy.package / "games" / "orchard" / "kernels.py"
    old, new = "return float(count(both(", "return 2 * float(count(both("
    assert edited.read_text().count(old) == 1
    edited.write_text(edited.read_text().replace(old, new))
    after = copy("edited")
    assert after == {"said": 2 * copy.before["said"], "compiled": True}


def test_nothing_in_an_entry_tells_where_it_was_made(copy):
    (path,) = copy.package.rglob("small-*")
    data = shipped.read_shipped(path)
    assert str(copy.package).encode() not in data
    assert str(ROOT).encode() not in data


SAME = """
import json, levelsmith
made = [
    levelsmith.generate(game, size=(6, 6), evaluations=2000, seed=5, **more)
    for game, more in (("orchard", {"search": "hc"}), ("binary", {"search": "random"}))
]
print(json.dumps([[r.best.text, r.score, r.evaluations, r.statistics] for r in made]))
"""


def test_code_for_the_baseline_makes_the_same_levels(python):
    assert python(SAME, **TOOL["baseline_settings"]()) == python(SAME)


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are POSIX's")
def test_an_installed_package_need_not_be_this_users(ship):
    path = ship.start()
    path.chmod(0o664)
    path.parent.chmod(0o775)
    assert not ship()
