"""What all tests share: a fresh process, a browser, and where public levels lie."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

import prepared

ROOT = Path(__file__).resolve().parent.parent

# Before levelsmith is imported: what numba compiles for plug-ins of the tests is kept for the next session.
os.environ.setdefault("LEVELSMITH_CACHE", str(ROOT / ".pytest_cache"))

# The terminal that the tests are started from changes nothing.
_COLOURS = ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLUMNS", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
# What tests start keeps its bytecode, or each process would compile the same modules again.
for _name in (*_COLOURS, "PYTHONDONTWRITEBYTECODE"):
    os.environ.pop(_name, None)
os.environ["TERM"] = "xterm-256color"


WAITING = ("tests/cli/", "tests/experiment/", "tests/studio/", "tests/browser/")
LAST = ("tests/learn/", "tests/docs/test_examples.py")  # nothing forks once JAX has been loaded
PATIENCE = 90_000  # milliseconds that a browser may take for anything, on a machine that compiles meanwhile
ALONE = 0.3  # the share of the other files that comes before the first that waits


def pytest_collection_modifyitems(config, items):
    """Files that wait for programs and browsers are spread among those that keep a processor busy.

    What reads public levels is marked so: `make data` runs it. Of a test marked `first(n)`, `make thorough`
    runs the cases after the first n. It begins with the files that take longest, as `slow(seconds)` says of
    their tests: one that began last would keep a single processor busy.
    """
    cases = Counter()
    for item in items:
        if "data_folder" in item.fixturenames:
            item.add_marker("data")
        if few := item.get_closest_marker("first"):
            cases[item.path, item.originalname] += 1
            if cases[item.path, item.originalname] > few.args[0]:
                item.add_marker("slow")
    places = {}
    for group in (WAITING, LAST, ("",)):
        files = dict.fromkeys(item.path for item in items if item.nodeid.startswith(group))
        files = [file for file in files if file not in places]
        start, end = {WAITING: (ALONE, 1), LAST: (1, 2)}.get(group, (0, 1))
        for i, file in enumerate(files):
            places[file] = start + (end - start) * i / len(files)
    longest = Counter()
    if config.option.markexpr == "slow":
        for item in items:
            longest[item.path] -= sum(sum(mark.args) for mark in item.iter_markers("slow"))
    items.sort(key=lambda item: (places[item.path] >= 1, longest[item.path], places[item.path]))


@pytest.fixture(scope="session")
def python():
    """Runs a program in a process of its own: `python(code, *arguments, source=…, path=…, NAME=value)`.

    With `fresh` it is an interpreter that has imported nothing.
    """

    def run(code, *arguments, source=ROOT / "src", path=(), check=True, fresh=False, **environment):
        paths = os.pathsep.join(map(str, [source, *path]))
        done = prepared.run(
            [sys.executable, "-W", "error", "-c", code, *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": paths, **environment},
            capture_output=True,
            text=True,
            timeout=300,
            fresh=fresh,
        )
        if check:
            assert done.returncode == 0, done.stderr
        return done.stdout if check else done

    return run


@pytest.fixture
def entered():
    """Adds entries to registries for one test: `entered(games, "mine", game)`."""
    added = []

    def enter(registry, name, entry):
        registry.register(name, entry)
        added.append((registry, name))
        return entry

    yield enter
    for registry, name in added:
        registry.unregister(name)


@pytest.fixture
def met():
    """What a compiled search meets in so many evaluations, in order: scores, and grids as bytes."""

    import numpy as np

    from levelsmith.search.kernels.run import BEST

    def watch(search, evaluations):
        states = []
        while search.evaluations < evaluations and not search.exhausted:
            search.run.scores[BEST] = -np.inf  # so that whatever comes next is the best
            search.advance(1)
            if search.evaluations > len(states):
                states.append((search.score, search.best().tobytes()))
        return states

    return watch


@pytest.fixture
def without_numba(monkeypatch):
    """Kernels that are not built run as plain Python, and nothing is said of it."""
    from levelsmith.kernels import built, compile

    monkeypatch.setattr(compile, "_compiler", lambda: None)
    monkeypatch.setattr(built, "warn", lambda message: None)
    monkeypatch.setattr(compile, "others", {way: set() for way in compile.others})


@pytest.fixture(scope="session")
def data_folder():
    """Public levels to measure against, which are not part of the project."""
    if "LEVELSMITH_DATA" not in os.environ:
        pytest.skip("LEVELSMITH_DATA names no folder of public levels")
    return Path(os.environ["LEVELSMITH_DATA"])


@pytest.fixture(scope="session")
def npm():
    """Finds packages that `make setup` took from npm, by their names."""

    def package(name):
        found = sorted((Path(__file__).parents[1] / ".venv").glob(f"{name}-*.tgz"))
        if not found:
            pytest.skip(f"npm's package {name} is not here; make setup takes it where there is npm")
        return found[-1]

    return package


@pytest.fixture(scope="module")
def browser():
    """A real browser."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no chromium here; Debian: apt-get install chromium")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            timeout=PATIENCE,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    return page
