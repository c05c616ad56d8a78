"""Quality diversity: how many bins are filled on each game, on tiles and on latents, and by pyribs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import levelsmith
from levelsmith.experiment import diversity
from levelsmith.registry import games

sys.path.insert(0, str(Path(__file__).parent.parent / "examples" / "dungeon" / "src"))
import dungeon

EVALUATIONS = 20_000
RUNS = {
    "orchard, tiles": ("orchard", {"by": "trees:0..50%:10, crowded:0..50%:10"}, {}),
    "binary, tiles": ("binary", {"by": "empty:0..100%:10, path:0..60%:10"}, {}),
    "sokoban, rooms": (
        "sokoban",
        {"by": "pushes:0..50:10, box_changes:0..20:10"},
        {"representation": "rooms"},
    ),
    "loderunner, tiles": (
        "loderunner",
        {"by": "gold:0..50:10, enemies:0..10:10"},
        {"representation": "wide", "guards": "still"},
    ),
    "loderunner, latents": (
        "loderunner",
        {"by": "gold:0..50:10, enemies:0..10:10", "model": "vae"},
        {"representation": "latent", "guards": "still"},
    ),
    "dungeon, tiles": ("dungeon", {"by": "steps:0..50:10, doors:0..10:10"}, {}),
}


def measurements() -> Iterator[tuple[str, float, str]]:
    if "dungeon" not in games:
        games.register("dungeon", dungeon.GAME)
    for what, (game, by, choices) in RUNS.items():
        result = levelsmith.generate(
            game, search="elites", set=by, seed=1, evaluations=EVALUATIONS, **choices
        )
        yield f"{what}: bins filled of 100", result.statistics["filled"], "bins"
        yield f"{what}: mean score of them", result.statistics["mean_score"], ""
    for what, latent in (("tiles", None), ("latents", "vae")):
        by = RUNS["loderunner, tiles"][1]["by"]
        archive = diversity.illuminate(
            diversity.space("loderunner", by, latent=latent), evaluations=EVALUATIONS // 4, seed=1
        )
        yield f"loderunner, {what}, CMA-ME of pyribs: bins filled of 100", archive.stats.num_elites, "bins"
        yield f"loderunner, {what}, CMA-ME of pyribs: mean score", archive.stats.obj_mean, ""
