"""Feeds readers wounded files and reports what came of it: `python tests/fuzz/fuzz.py KIND COUNT SEED`.

KIND is a format of levels, `preset`, `spec` (of an experiment), `model`, `experiment` (a file of results) or
`all`: each of them in a process of its own, COUNT inputs in all. Only LevelsmithError may come out, soon, and
without a heap of memory.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])

import numpy as np

from experiment import damage
from experiment.conftest import SPEC
from fuzz import wounds
from levelsmith import presets
from levelsmith.errors import LevelsmithError
from levelsmith.experiment import spec
from levelsmith.learn.model import Model, Settings, load_model
from levelsmith.levels.files import parse_bytes
from levelsmith.levels.formats.format import MAIN, Source
from levelsmith.levels.formats.text import parse
from levelsmith.making.plan import plan
from levelsmith.registry import formats, games
from levelsmith.request import Request

LEVELS = {
    "binary": "..#\n#..",
    "sokoban": "#####\n#@$.#\n#+*_#\n#####",
    "loderunner": "..G..E\nbb#bbb\n..#--.\n.M#..B",
    "orchard": "^.^.\n.^.^",
}
WOUNDS: dict[str, tuple[wounds.Wound, ...]] = {
    "text": (wounds.lines,),
    "vglc": (wounds.lines,),
    "csv": (wounds.lines,),
    "xsb": (wounds.lines,),
    "sok": (wounds.lines,),
    "totalrecall": (wounds.lines,),
    "kgoldrunner": (wounds.lines,),
    "json": (wounds.json_, wounds.json_),
    "jsonl": (wounds.json_lines, wounds.lines),
    "tmj": (wounds.json_, wounds.json_),
    "ldtk": (wounds.json_, wounds.json_),
    "tmx": (wounds.xml, wounds.xml),
    "godot": (wounds.lines,),
    "svg": (wounds.xml,),
    "png": (wounds.png, wounds.png),
    "npz": (wounds.npz, wounds.npz),
    "preset": (wounds.toml, wounds.toml, wounds.toml),
    "spec": (wounds.toml, wounds.toml, wounds.toml),
    "model": (wounds.npz, wounds.npz),
}
RICH = """
summary = "many settings"
[binary]
size = "6x6"
search = "hc"
objective = ["path-length"]
combine = "mean"
evaluations = 50
want = { path = "3..9" }
[sokoban]
size = "5x5"
want = { boxes = 2 }
[set]
"hc.patience" = 3
"wide.fill" = 0.5
[experiment]
title = "Rich"
pages = ""
seed = 3
runs = 2
evaluations = 9
metrics = ["path"]
quick = { runs = 1 }
[[experiment.part]]
name = "a"
game = "binary"
size = ["6x6", "7x6"]
search = ["hc", "es"]
representation = "wide"
until = 0.9
keep_above = 0.5
keep_most = 3
set = { "wide.fill" = [0.2, 0.4] }
turns = { "wide.fill" = [0.25, 0.5] }
quick = { size = "5x5" }
[[experiment.part]]
name = "b"
rows = { "x" = { search = "hc" }, "y" = { search = "es", "es.mu" = 3 } }
seconds = 0.5
"""


# -------------------------------------------------------------------------------------------------- originals


def level_files(name: str) -> list[bytes]:
    """Valid files of a format, one a game, and a pack where it holds many."""
    chosen = formats.get(name)
    values = {parameter.name: parameter.default for parameter in chosen.parameters}
    if "scale" in values:
        values["scale"] = 4
    levels = [parse(text, game) for game, text in LEVELS.items()]
    levels.append(dataclasses.replace(parse("#####\n#@$.#\n#####", "sokoban"), solution="R", title="One"))
    sets = [[level] for level in levels] + [[level] * 2 for level in levels if chosen.many]
    files = []
    for members in sets:
        with contextlib.suppress(LevelsmithError):  # what it does not hold
            files.append(chosen.write(members, "level", values)[MAIN])
    return files


def preset_files() -> list[bytes]:
    return [
        Path(presets.__file__).with_name(f"{name}.toml").read_bytes() for name in presets.names()
    ] + spec_files()


def spec_files() -> list[bytes]:
    return [SPEC.encode(), RICH.encode()]


def model_files() -> list[bytes]:
    """Small models of both modes."""
    files = []
    with tempfile.TemporaryDirectory() as folder:
        for mode in ("default", "paper"):
            settings = Settings(
                "binary", (4, 4), ("empty", "wall"), mode=mode, latent=2, features=2, hidden=2
            )
            weights = {name: np.zeros(shape, np.float32) for name, shape in settings.shapes().items()}
            Model(settings, weights, {"steps": 3}).save(Path(folder) / "m.npz")
            files.append((Path(folder) / "m.npz").read_bytes())
    return files


# ------------------------------------------------------------------------------------------------- readers


def read_levels(name: str) -> Callable[[Path, random.Random], None]:
    chosen = formats.get(name)
    asked = [games.get(game) for game in LEVELS]

    def read(path: Path, rng: random.Random) -> None:
        game = rng.choice([*asked, None]) if chosen.names_game else rng.choice(asked)
        parse_bytes(path.read_bytes(), chosen, Source("wounded", game))

    return read


def read_preset(path: Path, rng: random.Random) -> None:
    for game in [*presets.load(str(path)).games][:2]:
        plan(Request(game, preset=str(path), seed=1))


def read_spec(path: Path, rng: random.Random) -> None:
    spec.read(str(path), quick=rng.random() < 0.3)


def read_model(path: Path, rng: random.Random) -> None:
    load_model(path)


KINDS = (*formats.names, "preset", "spec", "model", "experiment")
READERS = {"preset": read_preset, "spec": read_spec, "model": read_model}
ORIGINALS = {"preset": preset_files, "spec": spec_files, "model": model_files}


def inputs(kind: str, count: int, seed: int) -> Iterator[bytes]:
    """Yields valid files with wounds of every kind that fits them."""
    rng = random.Random(f"{kind}-{seed}")
    originals = ORIGINALS[kind]() if kind in ORIGINALS else level_files(kind)
    for _ in range(count):
        wound = rng.choice((wounds.bytes_, *WOUNDS.get(kind, ())))
        yield wound(rng.choice(originals), originals, rng)


def fuzz_files(kind: str, count: int, seed: int) -> Iterator[tuple[str, float]]:
    """Yields how each input ended (`read`, `refused`, or what it must not come to) after how many seconds."""
    reader = READERS[kind] if kind in READERS else read_levels(kind)
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("wounded.toml" if kind in ("preset", "spec") else "wounded")
        for data in inputs(kind, count, seed):
            path.write_bytes(data)
            begun = time.process_time()
            end = damage.call(lambda: reader(path, rng))
            spent = time.process_time() - begun
            if end not in ("read", "refused"):
                kept = Path(tempfile.gettempdir()) / f"wounded-{kind}"
                kept.write_bytes(data)
                end = f"{end}the input is kept in {kept}"
            yield end, spent


def fuzz_experiments(count: int, seed: int) -> Iterator[tuple[str, float]]:
    """Yields how each call of a reader on a damaged file of results ended, and after how many seconds."""
    begun = time.process_time()
    for what, called, end in damage.fuzz(1 + count // 8, seed):
        yield end if end in ("read", "refused") else f"{what}, {called}: {end}", time.process_time() - begun
        begun = time.process_time()


def peak_mb() -> float:
    """The most memory this process ever held; `ru_maxrss` would count the parent that started it."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1000
    raise OSError("no VmHWM in /proc/self/status")


def fuzz(kind: str, count: int, seed: int) -> dict[str, Any]:
    """Counts of what happened."""
    ends = fuzz_experiments(count, seed) if kind == "experiment" else fuzz_files(kind, count, seed)
    outcome: dict[str, Any] = {"kind": kind, "inputs": 0, "accepted": 0, "refused": 0, "wrong": []}
    slowest = {"read": 0.0, "refused": 0.0}
    started = time.process_time()
    for end, spent in ends:
        outcome["inputs"] += 1
        if end in slowest:
            outcome["accepted" if end == "read" else end] += 1
            slowest[end] = max(slowest[end], spent)
        else:
            outcome["wrong"].append(end)
    return outcome | {
        "accepted_ms": round(1000 * slowest["read"]),  # the slowest of them
        "refused_ms": round(1000 * slowest["refused"]),
        "seconds": round(time.process_time() - started),
        "megabytes": round(peak_mb()),
    }


def fuzz_all(count: int, seed: int) -> int:
    """Feeds every kind its share, prints the figures, and returns how many inputs went wrong."""
    share = -(-count // len(KINDS))
    wrong = total = 0
    names = ("inputs", "accepted", "refused", "wrong", "accepted_ms", "refused_ms", "megabytes", "seconds")
    print(f"{'kind':<12}" + "".join(f"{name:>12}" for name in names))
    for kind in KINDS:
        words = [sys.executable, __file__, kind, str(share), str(seed)]
        done = subprocess.run(words, capture_output=True, text=True)
        if not done.stdout:
            print(f"{kind}: {done.stderr}")
            wrong += 1
            continue
        outcome = json.loads(done.stdout)
        told = outcome | {"wrong": len(outcome["wrong"])}
        print(f"{kind:<12}" + "".join(f"{told[name]:>12,}" for name in names), flush=True)
        for end in outcome["wrong"][:5]:
            print(end)
        wrong += len(outcome["wrong"])
        total += outcome["inputs"]
    print(f"{total:,} inputs, {wrong:,} wrong")
    return wrong


def main() -> None:
    kind, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    warnings.simplefilter("ignore", UserWarning)  # zipfile tells of names that are there twice
    if kind == "all":
        sys.exit(fuzz_all(count, seed) > 0)
    outcome = fuzz(kind, count, seed)
    print(json.dumps(outcome))
    sys.exit(len(outcome["wrong"]) > 0)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    main()
