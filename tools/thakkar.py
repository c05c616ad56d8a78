"""Thakkar et al. (CoG 2019) again: models trained on levels, what they draw, and what evolution makes of it.

python tools/thakkar.py LEVELS FOLDER

trains the four models that are not in FOLDER yet (vae and ae, in the default mode and in that of the paper),
prints table III and the other figures, and writes a sheet of levels, FOLDER/sheet.png. LEVELS is a folder of
Lode Runner levels or `loderunner:corpus`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import levelsmith
from levelsmith.core import Level
from levelsmith.games.loderunner.judge.judge import judge_all
from levelsmith.games.loderunner.rules.rules import EMPTY, ENEMY, GOLD, PLAYER
from levelsmith.learn.latent import samples
from levelsmith.learn.model import Model, load_model
from levelsmith.learn.train import train
from levelsmith.levels.compare import compare
from levelsmith.registry import games

SEED = 1
SAMPLES = 1000
LEAST_GOLD = 4
WANTED = {"density": "0.35.."}  # or those that are easily playable, and emptier than most, are too many
POPULATION = 32
IN_A_ROW = 6  # of the sheet
GAME = games.get("loderunner")
KINDS = [("default", "vae"), ("default", "ae"), ("paper", "vae"), ("paper", "ae")]
TOLD = {"vae": (0.2536, 73, 3), "ae": (0.2705, 130, 38)}  # the paper's table III
Row = dict[str, Any]


def main(where: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    levels = levelsmith.load(where, game="loderunner")
    raw: dict[str, Row] = {"learned from": counted(levels)}
    evolved, sheet = dict(raw), []
    for mode, kind in KINDS:
        name = f"{mode} {kind}"
        file = folder / f"{mode}-{kind}.npz"
        model = trained(levels, file, mode, kind)
        drawn = samples(model, SAMPLES, SEED)
        raw[name] = of_samples(drawn, levels)
        made, seconds = evolution(file, where if mode == "default" else None)
        evolved[name] = of_evolved(made, levels) | {"CPU seconds": f"{seconds:.1f}"}
        sheet += levels_of(drawn[:IN_A_ROW]) + made[:: POPULATION + 1][:IN_A_ROW]
    show(f"{SAMPLES} samples as drawn", raw)
    show("after the preset", evolved)
    print("\ntable III: similarity, levels above 30 %, above 50 %")
    for mode, kind in KINDS:
        row = evolved[f"{mode} {kind}"]
        print(f"{mode + ' ' + kind:12}" + "  ".join(row[name] for name in ("similarity", "> 30 %", "> 50 %")))
    for kind, (mean, thirty, fifty) in TOLD.items():
        print(f"{'paper says':12}{mean:.4f}  {thirty}  {fifty}  ({kind})")
    rows = [*sheet, *levels[:: max(1, len(levels) // IN_A_ROW)][:IN_A_ROW]]
    levelsmith.save(rows, folder / "sheet.png", columns=IN_A_ROW, scale=6)
    print(f"\nwrote {folder / 'sheet.png'}: row after row drawn and evolved by")
    print(f"{', '.join(f'{mode} {kind}' for mode, kind in KINDS)}; last are levels learned from")


def trained(levels: Sequence[Level], file: Path, mode: str, kind: str) -> Model:
    if not file.exists():
        started = time.process_time()
        done = train("loderunner", levels, model=kind, mode=mode, seed=SEED, output=file)
        print(f"trained {mode} {kind}: {done.step} steps, {time.process_time() - started:.0f} s", flush=True)
    return load_model(file)


def evolution(file: Path, unlike: str | None) -> tuple[list[Level], float]:
    """The 330 levels of the preset, and the processor's seconds it took.

    With `unlike` they are none too like these and none all but empty; without, they need little gold.
    """
    choices: Row = {"set": {"latent.model": str(file), "playable.pieces": LEAST_GOLD}, "seed": SEED}
    if unlike is not None:
        choices |= {"set": {"latent.model": str(file), "latent.unlike": unlike}, "want": WANTED}
    levelsmith.generate("loderunner", preset="thakkar2019", **choices, evaluations=1)
    started = time.process_time()
    found = levelsmith.generate("loderunner", preset="thakkar2019", **choices)
    seconds = time.process_time() - started
    print(f"evolved {file.stem}: {found.evaluations} evaluations, {seconds:.1f} s", flush=True)
    return list(found.levels), seconds


def levels_of(grids: NDArray[np.uint8]) -> list[Level]:
    return [Level("loderunner", GAME.tiles, grid) for grid in grids]


def counted(levels: Sequence[Level]) -> Row:
    grids = np.stack([level.grid for level in levels])
    return {
        name: f"{(grids == tile).sum((1, 2)).mean():.2f}"
        for name, tile in (("gold", GOLD), ("enemies", ENEMY))
    } | {"blank": f"{(grids == EMPTY).mean():.2f}"}


def measured(levels: Sequence[Level], reference: Sequence[Level]) -> Row:
    found = compare(levels, reference)
    names = {
        "similarity": "similarity", "> 30 %": "similarity_above_30", "> 50 %": "similarity_above_50",
        "Jaccard": "jaccard", "most": "jaccard_most", "KL 2x2": "kl_2x2", "unseen 3x3": "unseen_3x3",
        "Hamming": "hamming",
    }  # fmt: skip
    told = {name: found[key] for name, key in names.items()}
    return counted(levels) | {k: f"{v:.4f}" if isinstance(v, float) else str(v) for k, v in told.items()}


def of_samples(grids: NDArray[np.uint8], reference: Sequence[Level]) -> Row:
    rich = (grids == GOLD).sum((1, 2)) >= LEAST_GOLD
    somewhere = judge_all(begun(grids), "mmneat")
    best = judge_all(grids, "dig", best_start=True)
    return {
        "mmneat": share([one.gold_collectable == one.gold for one in somewhere] & rich),
        "dig": share([one.gold_collectable == one.gold for one in best] & rich),
        **measured(levels_of(grids), reference),
    }


def begun(grids: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Levels with a player in any one of their empty cells."""
    rng = np.random.default_rng(SEED)
    grids = grids.copy()
    for grid in grids:
        places = np.flatnonzero(grid == EMPTY)
        if len(places):
            grid.flat[rng.choice(places)] = PLAYER
    return grids


def of_evolved(levels: Sequence[Level], reference: Sequence[Level]) -> Row:
    told = judge_all(np.stack([level.grid for level in levels]), "dig")
    apart = (
        len(levels) // (POPULATION + 1) * POPULATION
    )  # the levels of the populations; then the best of each
    within = [compare(levels[i : i + POPULATION])["hamming"] for i in range(0, apart, POPULATION)]
    plans = [level.solution for level in levels if level.solution is not None]
    return {
        "playable": f"{sum(one.playable for one in told)} of {len(levels)}",
        "by the agent": f"{len(plans)}",
        "moves": f"{np.mean([len(plan) - plan.count('.') for plan in plans]):.1f}",
        **measured(levels, reference),
        "within": f"{min(within):.4f}",
    }


def share(flags: NDArray[np.bool_]) -> str:
    return f"{np.mean(flags):.1%}"


def show(title: str, rows: dict[str, Row]) -> None:
    print(f"\n{title}")
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    print(" " * 13 + "".join(f"{name:>14}" for name in rows))
    for name in names:
        print(f"{name:13}" + "".join(f"{row.get(name, ''):>14}" for row in rows.values()))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], Path(sys.argv[2]))
