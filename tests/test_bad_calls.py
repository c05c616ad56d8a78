"""What a program gets wrong is told in one line, in our own words: never an error of Python or numpy."""

import numpy as np
import pytest

import levelsmith
from levelsmith import LevelsmithError, experiment, learn

ORCHARD = levelsmith.parse("^.^\n...", "orchard")
ROOM = levelsmith.parse("#####\n#@$.#\n#####", "sokoban")
TABLES = {"orchard": {}, "experiment": {"part": [{"name": "a"}]}}
CALLS = {
    "parse none": lambda: levelsmith.parse(None, "orchard"),
    "parse int": lambda: levelsmith.parse(3, "orchard"),
    "parse game int": lambda: levelsmith.parse("..", 3),
    "parse empty": lambda: levelsmith.parse("", "orchard"),
    "parse bytes": lambda: levelsmith.parse(b"..", "orchard"),
    "load none": lambda: levelsmith.load(None),
    "load game int": lambda: levelsmith.load("o.json", game=3),
    "load format int": lambda: levelsmith.load("o.json", format=3),
    "load limits": lambda: levelsmith.load("o.json", limits=3),
    "load missing": lambda: levelsmith.load("x.json"),
    "load nul": lambda: levelsmith.load("x\0.json"),
    "save where none": lambda: levelsmith.save(ORCHARD, None),
    "save fmt": lambda: levelsmith.save(ORCHARD, "a.json", format=3),
    "save kw": lambda: levelsmith.save(ORCHARD, "a.json", colour=3),
    "save ext": lambda: levelsmith.save(ORCHARD, "a.xyz"),
    "save none": lambda: levelsmith.save(None, "a.json"),
    "save nul": lambda: levelsmith.save(ORCHARD, "a\0.json"),
    "measure none": lambda: levelsmith.measure(None),
    "measure str": lambda: levelsmith.measure("^.^"),
    "measure rules": lambda: levelsmith.measure(ORCHARD, rules="x"),
    "measure rules int": lambda: levelsmith.measure(ORCHARD, rules=3),
    "measure device": lambda: levelsmith.measure(ORCHARD, device=3),
    "measure dict": lambda: levelsmith.measure({"a": 1}),
    "solve none": lambda: levelsmith.solve(None),
    "solve unsolvable game": lambda: levelsmith.solve(ORCHARD),
    "solve workers": lambda: levelsmith.solve([ROOM], workers="a"),
    "solve seconds": lambda: levelsmith.solve(ROOM, seconds="a"),
    "solve seconds neg": lambda: levelsmith.solve(ROOM, seconds=-1),
    "solve states": lambda: levelsmith.solve(ROOM, states=0.5),
    "solve memory": lambda: levelsmith.solve(ROOM, memory="x"),
    "solve cancel": lambda: levelsmith.solve([ROOM], cancel=3),
    "compare one": lambda: levelsmith.compare([ORCHARD]),
    "compare level": lambda: levelsmith.compare(ORCHARD),
    "compare none": lambda: levelsmith.compare(None),
    "compare ints": lambda: levelsmith.compare([1, 2]),
    "compare ref": lambda: levelsmith.compare([ORCHARD, ORCHARD], 3),
    "compare mixed": lambda: levelsmith.compare([ORCHARD, ROOM]),
    "chain level": lambda: levelsmith.chain(ORCHARD),
    "chain ints": lambda: levelsmith.chain([1, 2]),
    "chain none": lambda: levelsmith.chain(None),
    "Level grid none": lambda: levelsmith.Level("orchard", ORCHARD.tiles, None),
    "Level grid str": lambda: levelsmith.Level("orchard", ORCHARD.tiles, [["a"]]),
    "Level title int": lambda: levelsmith.Level("orchard", ORCHARD.tiles, ORCHARD.grid, title=3),
    "Level solution int": lambda: levelsmith.Level("orchard", ORCHARD.tiles, ORCHARD.grid, solution=3),
    "Level tiles": lambda: levelsmith.Level("orchard", 3, ORCHARD.grid),
    "Level 3d": lambda: levelsmith.Level("orchard", ORCHARD.tiles, np.zeros((2, 2, 2))),
    "Level float": lambda: levelsmith.Level("orchard", ORCHARD.tiles, [[0.5]]),
    "from_grid title": lambda: levelsmith.Level.from_grid("orchard", [[0]], title=3),
    "from_grid solution": lambda: levelsmith.Level.from_grid("orchard", [[0]], solution=3),
    "from_grid provenance": lambda: levelsmith.Level.from_grid("orchard", [[0]], provenance=3),
    "from_grid ragged": lambda: levelsmith.Level.from_grid("orchard", [[0], [0, 1]]),
    "catalogue none": lambda: levelsmith.catalogue(None),
    "catalogue list": lambda: levelsmith.catalogue(["games"]),
    "gen size str": lambda: levelsmith.generate("orchard", size="a"),
    "gen size 3": lambda: levelsmith.generate("orchard", size=(1, 2, 3)),
    "gen size float": lambda: levelsmith.generate("orchard", size=(4.5, 5)),
    "gen size neg": lambda: levelsmith.generate("orchard", size=(-4, 5)),
    "gen size dict": lambda: levelsmith.generate("orchard", size={"a": 1, "b": 2}),
    "gen preset int": lambda: levelsmith.generate("orchard", preset=3),
    "gen game none": lambda: levelsmith.generate(None),
    "exp read none": lambda: experiment.read(None),
    "exp run missing": lambda: experiment.run("nothing.toml"),
    "exp run path int": lambda: experiment.run(TABLES, 3),
    "exp run runs": lambda: experiment.run(TABLES, runs="x"),
    "exp run seed": lambda: experiment.run(TABLES, seed=-1),
    "exp part not dict": lambda: experiment.read({"orchard": {}, "experiment": {"part": [3]}}),
    "exp set": lambda: experiment.read({"orchard": {}, "set": 3, "experiment": {"part": [{"name": "a"}]}}),
    "exp want": lambda: experiment.read(
        {"orchard": {"want": {"trees": object()}}, "experiment": {"part": [{"name": "a"}]}}
    ),
    "exp want3": lambda: experiment.read(
        {"orchard": {"want": {"trees": (1, 2, 3)}}, "experiment": {"part": [{"name": "a"}]}}
    ),
    "exp only": lambda: experiment.run(TABLES, only=["b"], workers=1),
    "exp results": lambda: experiment.Results("none.db"),
    "exp results int": lambda: experiment.Results(3),
    "exp compare": lambda: experiment.compare("a.db", "b.db"),
    "exp compare int": lambda: experiment.compare(3, 4),
    "exp open": lambda: experiment.open(3),
    "exp merge": lambda: experiment.merge("x.db", ["a.db"]),
    "exp shard": lambda: experiment.run(TABLES, shard=3),
    "learn none": lambda: learn.train("orchard", None),
    "learn few": lambda: learn.train("orchard", [ORCHARD]),
    "learn game": lambda: learn.train(3, [ORCHARD]),
    "learn steps": lambda: learn.train("orchard", [ORCHARD] * 9, steps="x"),
    "learn unknown": lambda: learn.train("orchard", [ORCHARD] * 9, stepz=3),
    "learn model": lambda: learn.train("orchard", [ORCHARD] * 9, model=3),
    "learn load none": lambda: learn.load(None),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_bad_call_has_our_error(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    levelsmith.save(ORCHARD, "o.json")
    with pytest.raises(LevelsmithError) as caught:
        CALLS[name]()
    assert "\n" not in str(caught.value)
