"""A game, a representation and a search written from the documents alone serve wherever ours do."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import prepared
from docs.documents import ROOT, blocks, commands
from levelsmith import plugin
from studio.running import Running

FACTS = {
    "METADATA": "Metadata-Version: 2.1\nName: own-parts\nVersion: 1.0\n",
    "entry_points.txt": """
[levelsmith.games]
vineyard = vineyard:GAME
hunt = hunt:GAME
[levelsmith.representations]
mirror = mirror:MIRROR
[levelsmith.searches]
scatter = scatter:Scatter
""",
}
SETTING = {"search": "scatter", "representation": "mirror", "evaluations": 30, "seed": 1}
DESIGNED = """
import gymnasium, levelsmith
env = gymnasium.make("levelsmith/Design-vineyard-wide-v0", size=(4, 4))
env.reset(seed=1)
print(env.step(env.action_space.sample())[0].shape)
"""
SPEC = """
[vineyard]
size = "5x4"
[experiment]
runs = 2
evaluations = 20
[[experiment.part]]
name = "ours and theirs"
search = ["scatter", "hc"]
representation = "mirror"
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A folder with what CONTRIBUTING.md shows and with what `levelsmith new-game` writes, installed."""
    folder = tmp_path_factory.mktemp("parts")
    for block in blocks(ROOT / "CONTRIBUTING.md", "python"):
        file = folder / block.body.partition("\n")[0].removeprefix("# ")
        file.parent.mkdir(exist_ok=True)
        file.write_text(block.body)
    copying = [c.text for c in commands(ROOT / "CONTRIBUTING.md") if re.search("mkdir|cp -r|sed", c.text)]
    script = "\n".join(copying).replace("src/levelsmith", f"{ROOT}/src/levelsmith")
    subprocess.run(["bash", "-ec", script], cwd=folder, check=True)
    (folder / "vineyard" / "src" / "vineyard").rename(folder / "inner")
    subprocess.run(["rm", "-r", folder / "vineyard"], check=True)
    (folder / "inner").rename(folder / "vineyard")
    prepared.run([sys.executable, "-m", "levelsmith", "new-game", "hunt"], cwd=folder, check=True)
    (folder / "hunt" / "src" / "hunt" / "__init__.py").rename(folder / "hunt.py")
    facts = folder / "own_parts-1.0.dist-info"
    facts.mkdir()
    for name, text in FACTS.items():
        (facts / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def environment(parts):
    return {"PYTHONPATH": f"{ROOT / 'src'}:{parts}", "LEVELSMITH_KERNELS": "plain"}


@pytest.fixture(scope="module")
def command(environment):
    """Runs `levelsmith` with the parts installed, in a folder of its own."""

    def run(folder, *words):
        done = prepared.run(
            [sys.executable, "-m", "levelsmith", *words],
            cwd=folder,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_what_is_written_from_the_documents_imports_nothing_but_plugin(parts):
    for file in [f for f in parts.rglob("*.py") if "tests" not in f.parts]:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("levelsmith"):
                assert node.module == "levelsmith.plugin", file.name


def test_every_name_of_plugin_is_there():
    assert all(hasattr(plugin, name) for name in dir(plugin))
    with pytest.raises(AttributeError, match="no attribute 'teapot'"):
        plugin.teapot  # noqa: B018


def test_the_command_takes_them(command, tmp_path):
    words = [word for name, value in SETTING.items() for word in (f"--{name}", str(value))]
    command(tmp_path, "generate", "vineyard", "--size", "6x5", *words, "-o", "level.json")
    (level,) = json.loads((tmp_path / "level.json").read_text())["levels"]
    assert (level["game"], level["provenance"]["search"]) == ("vineyard", "scatter")
    assert all(row == row[::-1] for row in level["text"].split("\n"))
    made = command(tmp_path, "generate", "hunt", "--size", "5x4", "--evaluations", "50", "--seed", "1")
    assert made.startswith("; game: hunt\n")


def test_the_studio_offers_and_runs_them(environment, tmp_path):
    studio = Running(tmp_path / "store.db", **environment)
    try:
        offered = {game["name"]: game for game in studio.get("catalogue")["games"]}
        for game in ("vineyard", "hunt", "binary"):
            assert "mirror" in [entry["name"] for entry in offered[game]["representations"]]
            assert "scatter" in [entry["name"] for entry in offered[game]["searches"]]
        assert "mirror" not in [entry["name"] for entry in offered["sokoban"]["representations"]]
        job = studio.finished(game="vineyard", size="6x5", **SETTING)
        assert (job["state"], job["setting"]["representation"]) == ("done", "mirror")
    finally:
        studio.stop()


def test_an_agent_designs_levels_of_the_game(environment, python, parts):
    assert python(DESIGNED, path=[parts], LEVELSMITH_KERNELS="plain").strip().endswith("4, 4)")


def test_an_experiment_compares_them_with_ours(command, tmp_path):
    Path(tmp_path / "own.toml").write_text(SPEC)
    command(tmp_path, "experiment", "run", "own.toml", "-o", "own.db", "--workers", "1")
    assert "4 of 4 runs" in command(tmp_path, "experiment", "status", "own.db")
