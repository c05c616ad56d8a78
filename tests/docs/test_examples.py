"""Every example in the documents works, and prints what the document says it prints."""

from __future__ import annotations

import contextlib
import dataclasses
import doctest
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import levelsmith
import prepared
from docs.documents import DOCS, DOCUMENTS, ROOT, Command, blocks, commands, name
from levelsmith import experiment
from levelsmith.levels.formats.json import dumps
from levelsmith.making.plan import plan
from levelsmith.registry import formats, games, generators, representations, searches
from levelsmith.request import Request

NOT_RUN = ("make ", "git ", "pip ")
FIRST_READ = ("README.md", "docs/start.md")  # of the others `make thorough` runs the commands and sessions
# What a slow or a fresh machine prints besides: that something was compiled, and how far a run has come.
NOW_AND_THEN = re.compile(
    r"compiling .* for its first use … .*\d s|((level|step) )?[\d,]+ of [\d,]+ ((levels|runs) )?· .*"
)
END = "end of output, status"
# The command as the documents call it: by a fork of a server that has loaded it. Where the path of modules is
# another one, plug-ins may be on it: the real command takes its place.
COMMAND = """#!{python} -IS
import json, os, socket, sys
if os.environ.get("PYTHONPATH") != {modules!r}:
    os.execv({real!r}, [{real!r}, *sys.argv[1:]])
asked = dict(words=["-m", "levelsmith", *sys.argv[1:]], folder=os.getcwd(), environment=dict(os.environ))
with socket.socket(socket.AF_UNIX) as line:
    line.connect({address!r})
    socket.send_fds(line, [json.dumps({{**asked, "session": False}}).encode() + b"\\n"], [0, 1, 2])
    told = line.makefile()
    number, status = told.readline(), told.readline()
sys.exit(os.waitstatus_to_exitcode(int(status)))
"""
Environment = dict[str, str]


# ------------------------------------------------------------------------------------------------- commands


def tiered(paths: Iterable[Path]) -> list[Any]:
    return [
        pytest.param(path, marks=() if name(path) in FIRST_READ else pytest.mark.slow, id=name(path))
        for path in paths
    ]


def with_commands() -> list[Path]:
    return [path for path in DOCUMENTS if runnable(path)]


def runnable(path: Path) -> list[Command]:
    wanted = [dataclasses.replace(command, text=plugged(command.text)) for command in commands(path)]
    return [command for command in wanted if not command.text.startswith(NOT_RUN)]


def plugged(text: str) -> str:
    """Instead of an install into this environment, a package's source on the path with its entry points."""
    found = re.fullmatch(r"pip install --editable (\w+)", text)
    if found is None:
        return text
    script = ROOT / "tests" / "docs" / "editable.py"
    return f'python {script} {found[1]} && export PYTHONPATH="$PWD/{found[1]}/src:$PYTHONPATH"'


def clone(folder: Path) -> None:
    """What the documents expect in the folder they are read in."""
    shutil.copytree(DOCS / "levels", folder / "docs" / "levels")
    shutil.copytree(ROOT / "examples" / "dungeon", folder / "examples" / "dungeon")
    game = Path("src/levelsmith/games/orchard")
    shutil.copytree(ROOT / game, folder / game, ignore=shutil.ignore_patterns("__pycache__"))


@contextlib.contextmanager
def command_of(folder: Path) -> Iterator[Environment]:
    """An environment with a `levelsmith` that starts in no time."""
    environment = os.environ | {"PYTHONUTF8": "1", "NO_COLOR": "1"}
    environment["XLA_FLAGS"] = "--xla_backend_optimization_level=0"  # JAX compiles for longer than it trains
    scripts = Path(sys.executable).parent
    with prepared.serving(environment, "docs.loaded") as address:
        facts = {"modules": environment.get("PYTHONPATH"), "real": str(scripts / "levelsmith")}
        command = folder / "levelsmith"
        command.write_text(COMMAND.format(python=sys.executable, address=address, **facts))
        command.chmod(0o755)
        path = [str(folder), str(scripts), os.environ.get("PATH", "")]
        yield {**environment, "PATH": os.pathsep.join(path)}


def outputs(wanted: list[Command], folder: Path, environment: Environment) -> list[tuple[int, list[str]]]:
    """Status and lines of each command, all run by one shell in one folder."""
    script = "".join(f"{command.text}\necho; echo '{END}' $?\n" for command in wanted)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    found, lines = [], []
    for line in done.stdout.splitlines():
        if line.startswith(END):
            found.append((int(line.removeprefix(END)), lines[:-1]))  # the last one is our own empty line
            lines = []
        elif not NOW_AND_THEN.fullmatch(line):
            lines.append(line.rstrip())
    return found


def matches(shown: list[str], came: list[str]) -> bool:
    """Whether the lines are those shown, where … stands for anything on its line."""
    patterns = [".*".join(map(re.escape, line.rstrip().split("…"))) for line in shown]
    return len(shown) == len(came) and all(map(re.fullmatch, patterns, came))


@pytest.fixture(scope="module")
def finished(request, tmp_path_factory):
    """The folder and the outputs of each chosen document; all are run at once, in half the time."""

    chosen = [
        item.callspec.params["path"] for item in request.session.items if "finished" in item.fixturenames
    ]
    folders = {path: tmp_path_factory.mktemp(path.stem) for path in chosen}
    for folder in folders.values():
        clone(folder)
    with command_of(tmp_path_factory.mktemp("bin")) as environment, ThreadPoolExecutor() as pool:
        found = pool.map(lambda path: outputs(runnable(path), folders[path], environment), folders)
        return {path: (folders[path], each) for path, each in zip(folders, found, strict=True)}


@pytest.mark.parametrize("path", tiered(with_commands()))
def test_commands_work_and_print_what_is_shown(path, finished):
    folder, found = finished[path]
    wanted = runnable(path)
    assert len(found) == len(wanted), f"{name(path)}: the shell stopped after {found[-1:]}"
    for command, (status, lines) in zip(wanted, found, strict=True):
        came = "\n".join(lines)
        assert status == 0, f"{name(path)}:{command.line}: $ {command.text}\n{came}"
        if command.output:
            assert matches(command.output, lines), (
                f"{name(path)}:{command.line}: $ {command.text}\nprinted\n{came}"
            )
    for picture in (folder / "docs").glob("pictures/*"):
        same = picture.read_bytes() == (DOCS / "pictures" / picture.name).read_bytes()
        assert same, f"docs/pictures/{picture.name} is not what its command makes now: make it again"


def test_every_picture_stands_beside_the_command_that_makes_it():
    lines = [line for path in DOCUMENTS for line in path.read_text(encoding="utf-8").splitlines()]
    made = " ".join(line for line in lines if line.startswith(("$ ", "> ")))
    for picture in (DOCS / "pictures").iterdir():
        assert f"docs/pictures/{picture.name}" in made or f"--output docs/pictures/{picture.stem}" in made


def test_a_mismatch_of_output_is_seen():
    assert matches(["in … s, seed 7", "^.^"], ["in 0.01 s, seed 7", "^.^"])
    assert not matches(["in … s, seed 7"], ["in 0.01 s, seed 8"])
    assert not matches(["^.^"], ["^.^", "more"])
    assert not matches(["^.^"], ["^^^"])


# ------------------------------------------------------------------------------------------------- doctests


def report(test: doctest.DocTest) -> None:
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(test, out=said.append, clear_globs=False).failed == 0, "".join(said)


@pytest.mark.parametrize("path", tiered(path for path in DOCUMENTS if any(blocks(path, "pycon"))))
def test_python_sessions_in_documents(path, tmp_path):
    names: dict[str, object] = {}
    with contextlib.chdir(tmp_path):
        for block in blocks(path, "pycon"):
            test = doctest.DocTestParser().get_doctest(block.body, {}, name(path), str(path), block.line - 1)
            test.globs = names  # a session goes on from block to block
            report(test)


def modules_with_sessions() -> list[str]:
    package = Path(levelsmith.__file__).parent
    found = [file for file in package.rglob("*.py") if "\n    >>> " in file.read_text(encoding="utf-8")]
    parts = [file.relative_to(package.parent).with_suffix("").parts for file in found]
    return sorted(".".join(names[:-1] if names[-1] == "__init__" else names) for names in parts)


@pytest.mark.parametrize("module", modules_with_sessions())
def test_python_sessions_in_docstrings(module, tmp_path):
    found = doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(module))
    assert found
    with contextlib.chdir(tmp_path):
        for test in found:
            report(test)


def test_sessions_are_found_at_all():
    assert len(list(blocks(ROOT / "README.md", "pycon"))) > 0
    assert sum(len(runnable(path)) for path in DOCUMENTS) > 20


# ------------------------------------------------------------------------------- files shown in contributing


def test_the_files_shown_in_contributing_keep_the_contracts(tmp_path):
    for block in blocks(ROOT / "CONTRIBUTING.md", "python"):
        first, _, _ = block.body.partition("\n")
        assert re.fullmatch(r"# [\w/]+\.py", first), f"expected a file name on line {block.line}"
        file = tmp_path / first.removeprefix("# ")
        file.parent.mkdir(exist_ok=True)
        file.write_text(block.body, encoding="utf-8")
    checks = sorted(file.stem for file in tmp_path.glob("check_*.py"))
    assert checks == ["check_format", "check_maker", "check_representation", "check_search"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "; ".join(f"import {check}" for check in checks)],
        cwd=tmp_path,
        env={
            **os.environ,
            "LEVELSMITH_KERNELS": "plain",
        },  # their kernels would be compiled for this test alone
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# -------------------------------------------------------------------------------------- tables and the schema


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows(text: str, first: str) -> list[list[str]]:
    """The rows of every table in a text whose first heading is `first`."""
    found, inside = [], False
    for line in text.splitlines():
        inside = line.startswith("|") and (inside or cells(line)[0] == first)
        if inside and cells(line)[0] != first and not line.startswith("|---"):
            found.append(cells(line))
    return found


def section(path: Path, heading: str) -> str:
    text = path.read_text(encoding="utf-8")
    return re.split(r"\n## (?=\w)", text.split(f"\n## {heading}\n")[1])[0]


@pytest.mark.parametrize(
    ("game", "heading"),
    [("orchard", "Orchard"), ("binary", "Binary"), ("sokoban", "Sokoban"), ("loderunner", "Lode Runner")],
)
def test_the_tables_of_tiles_are_true(game, heading):
    def shown(characters: str) -> str:
        return " ".join("space" if character == " " else f"`{character}`" for character in characters)

    tiles = games.get(game).tiles
    expected = [[tile.name, shown(tile.symbol), shown(tile.aliases)] for tile in tiles]
    text = section(DOCS / "games.md", heading)
    assert rows(text, "tile") == expected
    for metric in games.get(game).metrics:
        assert f"`{metric}`" in text


HEADINGS = {
    "random": "## Random play",
    "bfs": "## Breadth-first search",
    "dfs": "## Depth-first search",
    "best": "## Best-first search",
    "astar": "## A* search",
    "mcts": "## Monte Carlo tree search",
    "roots": "## Many roots",
    "plan": "## Online planning",
    "graft": "## Grafting",
    "hc": "## Hill climbing",
    "sa": "## Simulated annealing",
    "es": "## Evolution strategy",
    "ga": "## Genetic algorithm",
    "islands": "## Islands",
    "elites": "## MAP-Elites",
    "narrow": "### Narrow",
    "turtle": "### Turtle",
    "wide": "### Wide",
}


def test_the_tables_of_parameters_are_true():
    def shown(value: object) -> str:
        return f"{value:.4g}" if isinstance(value, float) else str(value).lower()

    text = (DOCS / "searches.md").read_text(encoding="utf-8")
    assert set(searches) <= set(HEADINGS)
    for part, heading in HEADINGS.items():
        table = rows(text.split(f"\n{heading}\n")[1].split("\n##")[0], "parameter")
        parameters = (searches if part in searches else representations).get(part).parameters
        assert [row[:2] for row in table] == [[f"`{p.name}`", shown(p.default)] for p in parameters], part
    own = {
        "play": ("sokoban-play.md", "Options"),
        "rooms": ("sokoban.md", "Hard levels"),
        "carve": ("sokoban.md", "Levels by the thousand"),
        "latent": ("learn.md", "Levels from a model"),
    }
    for part, (page, heading) in own.items():
        table = rows(section(DOCS / page, heading), "parameter")
        parameters = (generators if part in generators else representations).get(part).parameters
        assert [row[:2] for row in table] == [[f"`{p.name}`", shown(p.default)] for p in parameters], part


def test_the_table_of_searches_is_true():
    text = (DOCS / "searches.md").read_text(encoding="utf-8")
    listed = {row[0].split("`")[1]: row[2] for row in rows(text, "search")}
    assert listed == {each: searches.get(each).needs for each in searches}


def test_the_experiment_of_your_own_can_be_run(tmp_path):
    file = tmp_path / "orchards.toml"
    file.write_text(next(blocks(DOCS / "experiments.md", "toml")).body, encoding="utf-8")
    assert len(experiment.read(str(file)).cells) == 7
    assert experiment.run(str(file), tmp_path / "x.db", quick=True, workers=1).done == 15
    (query,) = blocks(DOCS / "experiments.md", "sql")
    with experiment.open(tmp_path / "x.db") as reader:
        assert len(reader.connection.execute(query.body).fetchall()) == 5


def test_the_tables_of_an_experiments_file_are_true(tmp_path):
    experiment.run("fdg20", tmp_path / "x.db", quick=True, only=["optimisers/hc"], evaluations=9, workers=1)
    described = {
        row[0].strip("`"): row[2] for row in rows(section(DOCS / "experiments.md", "The file"), "table")
    }
    with experiment.open(tmp_path / "x.db") as reader:
        names = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
        assert set(described) == {name for (name,) in reader.connection.execute(names)}
        for table, text in described.items():
            told = reader.connection.execute(f"SELECT * FROM {table} LIMIT 1").description
            listed = re.findall(r"`(\w+)`", re.sub(r": `format.*", "", re.sub(r"\([^)]*\)", "", text)))
            assert listed == [column[0] for column in told], table
        assert set(re.findall(r"`(\w+)`", described["meta"])) - {"name", "value"} == set(reader.meta)


def test_the_preset_of_your_own_can_be_used(tmp_path):
    file = tmp_path / "caves.toml"
    file.write_text(next(blocks(DOCS / "searches.md", "toml")).body, encoding="utf-8")
    task = plan(Request("binary", preset=str(file)))
    assert (task.size, task.search, task.values["es"]["mu"]) == ((12, 20), "es", 20)


@pytest.mark.parametrize("path", [ROOT / "README.md", DOCS / "formats.md"], ids=name)
def test_every_format_is_in_the_table(path):
    listed = {cells[0].split("`")[1]: cells[1] for cells in rows(path.read_text(encoding="utf-8"), "name")}
    expected = {each: " ".join(f"`{e}`" for e in formats.get(each).extensions) for each in formats}
    assert listed == expected


def test_the_table_of_formats_says_what_they_keep():
    table = rows((DOCS / "formats.md").read_text(encoding="utf-8"), "name")
    for link, _, many, names_game, *_ in table:
        chosen = formats.get(link.split("`")[1])
        assert many.startswith("many") == chosen.many, chosen.name
        assert (names_game == "yes") == chosen.names_game, chosen.name


def test_the_canonical_file_is_as_shown():
    shown = next(blocks(DOCS / "formats.md", "json")).body
    assert "levelsmith generate orchard --size 4x3 --seed 1 -o tiny.json" in section(
        DOCS / "formats.md", "JSON, the canonical file"
    )
    written = dumps(levelsmith.generate("orchard", size=(3, 4), seed=1).levels)
    assert shown == written, "docs/formats.md: the example is not what that command writes now"


def test_every_field_of_the_canonical_file_is_described():
    tables = section(DOCS / "formats.md", "JSON, the canonical file")
    described = [row[0].strip("`") for row in rows(tables, "field")]
    document = json.loads(next(blocks(DOCS / "formats.md", "json")).body)
    level = document["levels"][0]
    extra = ["title", "author", "solution"]
    top = list(document)
    top.insert(top.index("levels"), "pack")  # of packs alone
    expected = [*top, *list(level)[:2], *extra, *list(level)[2:], *level["provenance"]]
    assert described == expected


@pytest.mark.parametrize("kind", ["Level", "Progress", "Result", "Verdict"])
def test_every_field_of_a_value_is_described(kind):
    value = getattr(levelsmith, kind)
    after = (DOCS / "api.md").read_text(encoding="utf-8").split(f"autoclass:: levelsmith.{kind}")[1]
    described = [row[0].strip("`") for row in rows(after.split("autoclass::")[0], "field")]
    fields = [field.name for field in dataclasses.fields(value)]
    properties = [key for key, member in vars(value).items() if isinstance(member, property)]
    assert described == fields + properties


def test_every_public_name_is_in_the_reference():
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    for public in levelsmith.__all__:
        if public != "__version__":
            assert f":: levelsmith.{public}" in text
