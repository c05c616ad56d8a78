"""Calls with a mistake in them: each gives our error, in one line and in the words of Python."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

import levelsmith
from levelsmith import Level, experiment, learn
from levelsmith.core import Objective, Term, Tile, Tiles
from levelsmith.errors import LevelsmithError
from levelsmith.testing import check_game

BINARY = "binary"
CAVE = levelsmith.parse("#.#\n...", BINARY)
ORCHARD = levelsmith.parse("^.^\n...", "orchard")
BOX = levelsmith.parse("#####\n#@$.#\n#####", "sokoban")
OPEN = levelsmith.parse("# ###\n#@$.#\n#####", "sokoban")
MARCH = Tiles(Tile("road", "."), Tile("walker", "@"))

GENERATE = """
generate(None)
generate(5)
generate("chess")
generate("binary", size=5)
generate("binary", size="5")
generate("binary", size=(5,))
generate("binary", size=(5, 5, 5))
generate("binary", size=(5.5, 5))
generate("binary", size=("a", "b"))
generate("binary", size=(-5, 5))
generate("binary", size=(0, 0))
generate("binary", size=np.int64(5))
generate("binary", size=np.zeros((2, 2)))
generate("binary", size={"a": 1})
generate("binary", size=object())
generate("binary", search=5)
generate("binary", search="luck")
generate("binary", search=["hc"])
generate("binary", representation=5)
generate("binary", representation="deep")
generate("sokoban", representation="narrow")
generate("binary", representation="play")
generate("binary", search="mcts", representation="latent")
generate("binary", objective=5)
generate("binary", objective="beauty")
generate("binary", objective=[5])
generate("binary", objective={"a": 1})
generate("binary", objective=["path-length", "path-length"])
generate("binary", search="hc", combine=5)
generate("binary", search="hc", combine="sum")
generate("binary", preset=5)
generate("binary", preset="none such")
generate("binary", preset="boxoban")
generate("binary", preset="nowhere.toml")
generate("binary", set=5)
generate("binary", set="patience=3")
generate("binary", set=[("patience", 3)])
generate("binary", set={5: 1})
generate("binary", set={"patiense": 3})
generate("binary", search="hc", set={"patience": "lots"})
generate("binary", search="hc", set={"patience": None})
generate("binary", search="hc", set={"patience": [1]})
generate("binary", search="hc", set={"patience": float("nan")})
generate("binary", search="hc", set={"mcts.c": 1})
generate("binary", evaluations="many")
generate("binary", evaluations=0)
generate("binary", evaluations=-1)
generate("binary", evaluations=1.5)
generate("binary", evaluations=True)
generate("binary", evaluations=[1])
generate("binary", evaluations=10**30)
generate("binary", seconds="long")
generate("binary", seconds=0)
generate("binary", seconds=float("nan"))
generate("binary", seconds=float("inf"))
generate("binary", seconds=True)
generate("binary", seconds=[1])
generate("binary", search="hc", until="done")
generate("binary", search="hc", until=float("nan"))
generate("binary", search="hc", until=[1])
generate("binary", seed="one")
generate("binary", seed=-1)
generate("binary", seed=1.5)
generate("binary", seed=[1])
generate("binary", seed=2**64)
generate("binary", start="cave.txt")
generate("binary", start=5)
generate("binary", start=np.zeros((4, 4)))
generate("binary", start=ORCHARD)
generate("binary", start=CAVE, size=(9, 9))
generate("binary", lock="border")
generate("binary", start=CAVE, lock=5)
generate("binary", start=CAVE, lock=[5])
generate("binary", start=CAVE, lock="roof")
generate("binary", start=CAVE, lock=["wall", "empty"])
generate("binary", start=CAVE, lock="9,9")
generate("binary", search="hc", keep_above="all")
generate("binary", search="hc", keep_above=float("nan"))
generate("binary", search="hc", keep_above=0.5, keep_most="many")
generate("binary", search="hc", keep_above=0.5, keep_most=0)
generate("binary", search="caves", keep_above=0.5)
generate("binary", search="caves", start=CAVE)
generate("binary", search="caves", objective="path-length")
generate("binary", search="carve")
generate("binary", search="hc", keep_gains="yes")
generate("binary", want=5)
generate("binary", want="way")
generate("binary", want=["way"])
generate("binary", want={5: 1})
generate("binary", want={"beauty": 1})
generate("binary", want={"regions": "a lot"})
generate("binary", want={"regions": (1, 2, 3)})
generate("binary", want={"regions": (3, 1)})
generate("binary", want={"regions": None})
generate("binary", want={"regions": float("nan")})
generate("binary", want={"regions": "-3.."})
generate("binary", want={"way": "9999.."})
generate("binary", count=None)
generate("binary", count=0)
generate("binary", count=-3)
generate("binary", count="ten")
generate("binary", count=2.5)
generate("binary", count=[2])
generate("binary", search="hc", count=10**9)
generate("binary", skip="one")
generate("binary", skip=-1)
generate("binary", ramp=5)
generate("binary", ramp="beauty", count=3)
generate("binary", ramp="regions", count=3)
generate("binary", unlike=5)
generate("binary", unlike="pack.json")
generate("binary", unlike=[5])
generate("binary", unlike=CAVE)
generate("binary", search="hc", unlike=[CAVE])
generate("binary", workers=0)
generate("binary", workers="two")
generate("binary", workers=10**9)
generate("binary", device=5)
generate("binary", device="tpu")
generate("binary", cancel=True)
generate("binary", cancel="stop")
generate("binary", sead=1)
generate("sokoban", preset="boxoban", size=(4, 4), set={"boxes": 40})
generate("sokoban", want={"pushes": "200.."}, search="carve", size=(5, 5), set={"boxes": 99})
"""

STREAMS = """
stream(5)
stream("chess")
stream("binary", count="all")
stream("binary", cancel=5)
stream("binary", seed="one")
stream("binary", workers=0)
stream("binary", unlike=[5])
stream("binary", sead=1)
endless(5)
endless("chess")
endless("binary", count=3)
endless("binary", cancel=5)
endless("binary", size="wide")
endless("binary", seed=-1)
"""

CHANGES = """
improve(5)
improve("level.txt")
improve(None)
improve([CAVE])
improve(CAVE, by=5)
improve(CAVE, by="beauty")
improve(CAVE, easier="yes")
improve(CAVE, lock=5)
improve(CAVE, lock=["roof"])
improve(CAVE, evaluations="many")
improve(CAVE, evaluations=0)
improve(CAVE, seconds="long")
improve(CAVE, seconds=-1)
improve(CAVE, seed="one")
improve(CAVE, cancel=5)
improve(ORCHARD)
repair(5)
repair("level.txt")
repair([CAVE])
repair(CAVE, objective=5)
repair(CAVE, objective="beauty")
repair(CAVE, want=5)
repair(CAVE, want={"beauty": 1})
repair(CAVE, set=5)
repair(CAVE, set={"patiense": 3})
repair(CAVE, lock=5)
repair(CAVE, lock="roof")
repair(CAVE, evaluations="many")
repair(CAVE, seed="one")
repair(CAVE, cancel=5)
repair(BOX, objective="pushes")
chain(5)
chain(CAVE)
chain("pack.json")
chain([])
chain([CAVE])
chain([CAVE, 5])
chain([CAVE, ORCHARD])
chain([ORCHARD, ORCHARD])
compare(5)
compare(CAVE)
compare("pack.json")
compare([])
compare([CAVE])
compare([CAVE, 5])
compare([CAVE, ORCHARD])
compare([CAVE, CAVE], reference=5)
compare([CAVE, CAVE], reference=[])
"""

FILES = """
load(5)
load(None)
load("nothing.json")
load("nothing.xyz")
load("")
load(["a.json"])
load("nothing.json", game=5)
load("cave.json", game="chess")
load("cave.json", format=5)
load("cave.json", format="word")
load("cave.json", limits=5)
load("cave.json#9")
load("bare.txt")
save(5, "a.json")
save(None, "a.json")
save([], "a.json")
save([5], "a.json")
save("cave.json", "a.json")
save(CAVE, 5)
save(CAVE, None)
save(CAVE, "a.xyz")
save(CAVE, "cave.json/a.json")
save(CAVE, "a.json", format=5)
save(CAVE, "a.json", format="word")
save(CAVE, "a.json", scale=4)
save(CAVE, "a.png", scale="big")
parse(5, "binary")
parse(None, "binary")
parse("", "binary")
parse("@@", "binary")
parse(["#."], "binary")
parse("#.", "chess")
parse("#.", 5)
"""

QUESTIONS = """
measure(5)
measure(None)
measure("cave.xyz")
measure([5])
measure(CAVE, rules=5)
measure(CAVE, rules="strict")
measure(CAVE, device="tpu")
measure(CAVE, device=5)
solve(5)
solve(None)
solve([5])
solve("nothing.xsb")
solve(CAVE)
solve(OPEN)
solve(BOX, any=True, moves=True)
solve(BOX, states=0)
solve(BOX, states="many")
solve(BOX, seconds=0)
solve(BOX, seconds="long")
solve(BOX, memory=0)
solve(BOX, memory="much")
solve([BOX, BOX], workers=0)
solve([BOX, BOX], workers="two")
solve(BOX, cancel=5)
Level("binary", levelsmith.parse("#", "binary").tiles, 5)
Level("binary", levelsmith.parse("#", "binary").tiles, "#.")
Level("binary", levelsmith.parse("#", "binary").tiles, [[0, 9]])
Level("binary", levelsmith.parse("#", "binary").tiles, [[0, -1]])
Level("binary", levelsmith.parse("#", "binary").tiles, [[0], [0, 1]])
Level("binary", levelsmith.parse("#", "binary").tiles, [[0.5]])
Level("binary", levelsmith.parse("#", "binary").tiles, None)
Level("binary", levelsmith.parse("#", "binary").tiles, [[0]], title=5)
Level("binary", levelsmith.parse("#", "binary").tiles, [[0]], solution=5)
Level("binary", 5, [[0]])
"""

PARTS = """
Term("trees", "hill")
Term("trees", 5)
Tiles(Tile("road", "."), Tile("walker", "."))
Tiles(Tile("road", "."), Tile("walker", "@", aliases="."))
Tiles(Tile("road", "."), Tile("walker", "@@"))
Tiles(Tile("road", "."), Tile("walker", ""))
Tiles(Tile("road", "."), Tile("road", "@"))
check_game("chess")
"""

ENVIRONMENTS = """
gym.make("levelsmith/Sokoban-v0", size=5)
gym.make("levelsmith/Sokoban-v0", size="small")
gym.make("levelsmith/Sokoban-v0", boxes="many")
gym.make("levelsmith/Sokoban-v0", boxes=-1)
gym.make("levelsmith/Sokoban-v0", pushes="many")
gym.make("levelsmith/Sokoban-v0", beauty=5)
gym.make("levelsmith/Sokoban-v0", count=0)
gym.make("levelsmith/Sokoban-v0", count="all")
gym.make("levelsmith/Sokoban-v0", level_seed=-1, count=1)
gym.make("levelsmith/Sokoban-v0", level_seed="one", count=1)
gym.make("levelsmith/Sokoban-v0", levels="nothing.xsb")
gym.make("levelsmith/Sokoban-v0", levels=5)
gym.make("levelsmith/Sokoban-v0", levels=[CAVE])
gym.make("levelsmith/Sokoban-v0", levels=[])
gym.make("levelsmith/Sokoban-v0", levels=BOX, count=3)
gym.make("levelsmith/Sokoban-v0", levels=BOX, max_steps=0)
gym.make("levelsmith/Sokoban-v0", levels=BOX, max_steps="many")
gym.make("levelsmith/Sokoban-v0", levels=BOX, rewards=5)
gym.make("levelsmith/Sokoban-v0", levels=BOX, rewards={"step": "a"})
gym.make("levelsmith/Sokoban-v0", levels=BOX, rewards={"beauty": 1})
gym.make("levelsmith/Sokoban-v0", levels=BOX, observation="sound")
gym.make("levelsmith/Sokoban-v0", levels=BOX, observation=5)
gym.make("levelsmith/Sokoban-v0", curriculum="beauty")
gym.make("levelsmith/Sokoban-v0", curriculum=5)
gym.make("levelsmith/Sokoban-v0", preset="none such")
gym.make("levelsmith/Design-binary-narrow-v0", size=5)
gym.make("levelsmith/Design-binary-narrow-v0", objective="beauty")
gym.make("levelsmith/Design-binary-narrow-v0", objective=5)
gym.make("levelsmith/Design-binary-narrow-v0", want=5)
gym.make("levelsmith/Design-binary-narrow-v0", set=5)
gym.make("levelsmith/Design-binary-narrow-v0", max_steps="many")
gym.make("levelsmith/Design-binary-narrow-v0", max_changes=0)
gym.make("levelsmith/Design-binary-narrow-v0", observation="sound")
gym.make("levelsmith/Design-binary-narrow-v0", beauty=5)
gym.make_vec("levelsmith/Sokoban-v0", num_envs=0, levels=BOX)
gym.make_vec("levelsmith/Sokoban-v0", num_envs=2, levels=5)
"""

LEARNING = """
learn.train("chess", [CAVE])
learn.train(5, [CAVE])
learn.train("binary", 5)
learn.train("binary", [])
learn.train("binary", [5])
learn.train("binary", [CAVE])
learn.train("binary", [ORCHARD] * 9)
learn.train("binary", [CAVE] * 9, model="gan")
learn.train("binary", [CAVE] * 9, beauty=5)
learn.train("binary", [CAVE] * 9, seed="one")
"""

EXPERIMENTS = """
experiment.read(5)
experiment.read("none such")
experiment.read("nowhere.toml")
experiment.read("searches", runs=0)
experiment.read("searches", runs="many")
experiment.read("searches", evaluations=0)
experiment.run("none such", "a.db")
experiment.run(5, "a.db")
experiment.run("searches", 5)
experiment.run("searches", "a.db", only=["none such"], quick=True)
experiment.run("searches", "a.db", shard="x", quick=True)
experiment.run("searches", "a.db", workers=0, quick=True)
experiment.open("nothing.db")
experiment.open(5)
experiment.open("cave.json")
experiment.merge("a.db", [])
experiment.merge("a.db", ["nothing.db"])
experiment.merge("a.db", 5)
"""

SPEC = {"orchard": {}, "experiment": {"part": [{"name": "a"}]}}
MORE = """
parse(None, "orchard")
parse(3, "orchard")
parse("..", 3)
parse("", "orchard")
parse(b"..", "orchard")
load("o.json", game=3)
load("o.json", format=3)
load("o.json", limits=3)
load("x.json")
load("x\\0.json")
save(ORCHARD, None)
save(ORCHARD, "a.json", format=3)
save(ORCHARD, "a.json", colour=3)
save(ORCHARD, "a.xyz")
save(ORCHARD, "a\\0.json")
measure("^.^")
measure(ORCHARD, rules="x")
measure(ORCHARD, rules=3)
measure(ORCHARD, device=3)
measure({"a": 1})
solve(ORCHARD)
solve([ROOM], workers="a")
solve(ROOM, seconds="a")
solve(ROOM, seconds=-1)
solve(ROOM, states=0.5)
solve(ROOM, memory="x")
solve([ROOM], cancel=3)
compare([ORCHARD])
compare(ORCHARD)
compare(None)
compare([1, 2])
compare([ORCHARD, ORCHARD], 3)
compare([ORCHARD, ROOM])
chain(ORCHARD)
chain([1, 2])
chain(None)
Level("orchard", ORCHARD.tiles, None)
Level("orchard", ORCHARD.tiles, [["a"]])
Level("orchard", ORCHARD.tiles, ORCHARD.grid, title=3)
Level("orchard", ORCHARD.tiles, ORCHARD.grid, solution=3)
Level("orchard", 3, ORCHARD.grid)
Level("orchard", ORCHARD.tiles, np.zeros((2, 2, 2)))
Level("orchard", ORCHARD.tiles, [[0.5]])
Level.from_grid("orchard", [[0]], title=3)
Level.from_grid("orchard", [[0]], solution=3)
Level.from_grid("orchard", [[0]], provenance=3)
Level.from_grid("orchard", [[0], [0, 1]])
catalogue(None)
catalogue(["games"])
generate("orchard", size="a")
generate("orchard", size=(1, 2, 3))
generate("orchard", size=(4.5, 5))
generate("orchard", size=(-4, 5))
generate("orchard", size={"a": 1, "b": 2})
generate("orchard", preset=3)
experiment.read(None)
experiment.run("nothing.toml")
experiment.run(SPEC, 3)
experiment.run(SPEC, runs="x")
experiment.run(SPEC, seed=-1)
experiment.read({"orchard": {}, "experiment": {"part": [3]}})
experiment.read({"orchard": {}, "set": 3, "experiment": {"part": [{"name": "a"}]}})
experiment.read({"orchard": {"want": {"trees": object()}}, "experiment": {"part": [{"name": "a"}]}})
experiment.read({"orchard": {"want": {"trees": (1, 2, 3)}}, "experiment": {"part": [{"name": "a"}]}})
experiment.run(SPEC, only=["b"], workers=1)
experiment.Results("none.db")
experiment.Results(3)
experiment.compare("a.db", "b.db")
experiment.compare(3, 4)
experiment.open(3)
experiment.merge("x.db", ["a.db"])
experiment.run(SPEC, shard=3)
learn.train("orchard", None)
learn.train("orchard", [ORCHARD])
learn.train(3, [ORCHARD])
learn.train("orchard", [ORCHARD] * 9, steps="x")
learn.train("orchard", [ORCHARD] * 9, stepz=3)
learn.train("orchard", [ORCHARD] * 9, model=3)
learn.load(None)
"""

TABLES = {
    "making": GENERATE + STREAMS,
    "changing": CHANGES,
    "files": FILES,
    "asking": QUESTIONS,
    "parts": PARTS,
    "environments": ENVIRONMENTS,
    "learning": LEARNING,
    "experiments": EXPERIMENTS,
    "more": MORE,
}
CALLS = [call for table in TABLES.values() for call in table.splitlines() if call]

# Those that still give a raw error, or none.
OTHERS = {
    'gym.make("levelsmith/Sokoban-v0", count="all")',
    'gym.make("levelsmith/Sokoban-v0", level_seed=-1, count=1)',
    'gym.make("levelsmith/Sokoban-v0", level_seed="one", count=1)',
    'gym.make("levelsmith/Sokoban-v0", levels=5)',
    'gym.make("levelsmith/Sokoban-v0", levels=BOX, rewards=5)',
    'gym.make("levelsmith/Sokoban-v0", levels=BOX, rewards={"step": "a"})',
    'gym.make("levelsmith/Sokoban-v0", curriculum=5)',
    'gym.make("levelsmith/Design-binary-narrow-v0", set=5)',
    'gym.make_vec("levelsmith/Sokoban-v0", num_envs=2, levels=5)',
}

NAMES = {name: getattr(levelsmith, name) for name in levelsmith.__all__} | {
    "ROOM": BOX,
    "SPEC": SPEC,
    "CAVE": CAVE,
    "ORCHARD": ORCHARD,
    "BOX": BOX,
    "OPEN": OPEN,
    "np": np,
    "gym": gym,
    "Level": Level,
    "levelsmith": levelsmith,
    "learn": learn,
    "experiment": experiment,
    "check_game": check_game,
    "Term": Term,
    "Tile": Tile,
    "Tiles": Tiles,
    "Objective": Objective,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calls")
    levelsmith.save(CAVE, folder / "cave.json")
    levelsmith.save(ORCHARD, folder / "o.json")
    (folder / "bare.txt").write_text("#.\n")
    return folder


def test_there_are_as_many_as_were_tried_by_hand_and_more():
    assert len(CALLS) == len(set(CALLS)) >= 144


def marked(call):
    return pytest.param(call, marks=pytest.mark.xfail(call in OTHERS, reason="not mended yet"))


@pytest.mark.parametrize("call", [marked(call) for call in CALLS])
def test_a_bad_call_gives_our_error_in_one_line(call, folder, monkeypatch):
    monkeypatch.chdir(folder)
    with pytest.raises(LevelsmithError) as caught:
        eval(call, dict(NAMES))
    message = str(caught.value)
    assert message
    assert "\n" not in message
    assert len(message) < 500
    assert "⟦" not in message
    assert "--" not in message.replace("levelsmith convert --spawn", "")
