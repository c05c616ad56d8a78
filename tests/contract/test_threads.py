"""Whoever works owns his arrays: eight threads give byte for byte what one gives, and no workspace is kept
where two could meet in it."""

from __future__ import annotations

import ast
import functools
import gc
import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import levelsmith
from parts import all_parts

THREADS = 8
SEEDS = (0, 1)
PARTS = all_parts()
SOURCES = Path(levelsmith.__file__).parent

# What may be kept though it is made of arrays: nothing is written to it, which the tests here see.
READ_ONLY = {
    "games/binary/__init__.py:_small": "the masks of a size",
    "learn/latent.py:cells_of_each": "the levels of a file",
    "editing/style.py:_shipped": "the windows of the levels of a game",
}


@pytest.mark.first(6)
@pytest.mark.parametrize("name", PARTS)
def test_eight_threads_give_what_one_gives(name):
    part = PARTS[name]
    alone = [part(seed) for seed in SEEDS]
    kept = arrays_kept()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            answers = list(pool.map(part, SEEDS * (THREADS // 2)))
    finally:
        sys.setswitchinterval(interval)
    assert answers == alone * (THREADS // 2)
    assert changed(kept) == []


# Arrays that are kept


def arrays_kept():
    """Returns each array that a cache, a module or a registered game leads to, with where it was met and a
    digest of what it holds."""
    caches = [thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper)]
    ours = [cache for cache in caches if getattr(cache, "__module__", "").startswith("levelsmith")]
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] == "levelsmith"]
    left = [
        (f"cache {cache.__module__}.{cache.__qualname__}", found)
        for cache in ours
        for found in gc.get_referents(cache)
    ]
    left += [
        (f"module {module.__name__}.{name}", found)
        for module in modules
        for name, found in vars(module).items()
    ]
    seen, arrays = set(), {}
    while left:
        where, thing = left.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, np.ndarray):
            if thing.size and thing.flags.writeable:
                arrays[id(thing)] = where, thing, digest(thing)
        elif isinstance(thing, dict):
            left += [(where, one) for pair in thing.items() for one in pair]
        elif isinstance(thing, list | tuple | set | frozenset):
            left += [(where, one) for one in thing]
        elif type(thing).__module__.startswith("levelsmith") and hasattr(thing, "__dict__"):
            left += [(f"{where}.{name}", one) for name, one in vars(thing).items()]
    return arrays


def digest(array):
    return (
        hashlib.blake2b(np.ascontiguousarray(array).view(np.uint8).data).hexdigest()
        if array.dtype != object
        else ""
    )


def changed(kept):
    """Returns where arrays were written to since they were looked at."""
    return sorted({where for where, array, before in kept.values() if digest(array) != before})


class Kept:
    def __init__(self):
        self.workspace = np.zeros(4)


@functools.lru_cache(maxsize=2)
def _workspace(size):
    return np.zeros(size)


def test_a_workspace_in_a_cache_a_module_or_a_game_is_seen(monkeypatch):
    from levelsmith.registry import games

    monkeypatch.setattr(_workspace, "__module__", "levelsmith.games")
    monkeypatch.setattr(levelsmith, "_workspace", np.zeros(3), raising=False)
    monkeypatch.setattr(games.get("orchard"), "_workspace", np.zeros(2), raising=False)
    kept = arrays_kept()
    assert changed(kept) == []
    _workspace(5)
    kept = arrays_kept()
    for array in (_workspace(5), levelsmith._workspace, games.get("orchard")._workspace):
        array[0] += 1
    assert [where.split()[0] for where in changed(kept)] == ["cache", "module", "module"]


# Sources


def caches_of_arrays(source):
    """Returns the functions that are cached, or remembered with an object, and make arrays or workspaces."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and any(map(_is_cache, node.decorator_list)):
            if node.returns is not None and ast.unparse(node.returns) == "None":
                continue  # it keeps nothing
            calls = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
            if any(map(_makes_arrays, calls)) or "orkspace" in ast.unparse(node):
                found.append(node.name)
    return found


def _is_cache(decorator):
    name = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(name).split(".")[-1] in ("cache", "lru_cache", "cached_property")


def _makes_arrays(called):
    name = ast.unparse(called)
    return name in ("np.zeros", "np.empty", "np.full") or name.split(".")[-1] in (
        "make",
        "compiled",
        "_replace",
    )


@pytest.mark.parametrize(
    "source",
    [
        "@lru_cache(maxsize=2)\ndef _workspace(size):\n    return Workspace(boards.make(size))",
        "@functools.cache\ndef board(size):\n    return np.zeros(size)",
        "class Game:\n    @cached_property\n    def engine(self):\n        return np.full(3, 1)",
    ],
)
def test_a_source_that_caches_a_workspace_is_seen(source):
    assert len(caches_of_arrays(source)) == 1


def test_no_source_caches_a_workspace():
    files = {file: file.relative_to(SOURCES).as_posix() for file in sorted(SOURCES.rglob("*.py"))}
    found = [
        f"{name}:{one}" for file, name in files.items() for one in caches_of_arrays(file.read_text("utf-8"))
    ]
    assert [one for one in found if one not in READ_ONLY] == []


# What went wrong once, over and over


@pytest.mark.slow
def test_four_threads_solve_levels_of_one_game():
    levels = levelsmith.load("puzzlescript:lasers")
    alone = [levelsmith.solve(level) for level in levels]
    with ThreadPoolExecutor(4) as pool:
        verdicts = list(pool.map(levelsmith.solve, levels * 20))
    assert [(one.status, one.solution) for one in verdicts] == [
        (one.status, one.solution) for one in alone
    ] * 20


@pytest.mark.slow
def test_threads_make_levels_of_one_size():
    def work(seed):
        return [level.text for level in made(seed).levels]

    def made(seed):
        return levelsmith.generate("sokoban", size=(5, 5), set={"boxes": 2}, seed=seed, count=2)

    alone = [work(seed) for seed in range(8)]
    for threads in (2, 4):
        with ThreadPoolExecutor(threads) as pool:
            assert list(pool.map(work, [*range(8)] * 2)) == alone * 2


@pytest.mark.slow(35)
def test_environments_of_one_process_have_levels_of_their_own():
    import gymnasium

    options = {"size": (5, 5), "boxes": 2, "search": "warehouse"}
    for _ in range(4):
        envs = [gymnasium.make("levelsmith/Sokoban-v0", **options) for _ in range(3)]
        seen = [[env.reset(seed=seed)[0] for seed, env in enumerate(envs)] for _ in range(2)]
        assert all(np.array_equal(*both) for both in zip(*seen, strict=True))
        for env in envs:
            env.close()
