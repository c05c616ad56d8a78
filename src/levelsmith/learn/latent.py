"""The representation `latent`: candidates come from a model, are mutated in its codes and crossed by patches.

Thakkar et al. (CoG 2019), section III: encode, move the code, decode; nine patches, seven the mother's.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from levelsmith.core import Canvas, Game, Grid, Parameter, Parameters, Values
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.boards import blank, board_of, store_board, tiles_of, words_of
from levelsmith.learn import latent_kernels, network_kernels
from levelsmith.learn.model import Model, load_model

SHIPPED = ("vae", "ae")
CROSSINGS = ("two", "last", "mask")


class LatentRepresentation:
    name = "latent"
    summary = "levels of a model: drawn from its codes, mutated in them, crossed by patches"
    offers = frozenset({"variation"})
    parameters: Parameters = (
        Parameter("model", "vae", "vae or ae, as shipped for the game, or the path of a model"),
        Parameter("temperature", 0.8, "below 1 the likelier tiles are drawn more often", low=0.0, high=10.0),
        Parameter("shift", 0.5, "how far a mutation moves a code, against how codes are spread", low=0.0),
        Parameter(
            "crossing",
            "two",
            "which of nine patches are the father's: any two, the last two, or each by chance",
            choices=CROSSINGS,
        ),
    )

    def build(self, game: Game, canvas: Canvas, values: Values, needs: str) -> Any:
        model = model_of(game.name, values["model"])
        if canvas.size != model.settings.size:
            height, width = model.settings.size
            raise LevelsmithError(
                f"expected the size {width}x{height} of the model, got {canvas.size[1]}x{canvas.size[0]}; "
                "`levelsmith train` makes models of other sizes"
            )
        cells, kinds = canvas.size[0] * canvas.size[1], len(game.tiles)
        free = np.arange(cells) if canvas.locked is None else np.flatnonzero(~canvas.locked)
        start = np.zeros(words_of(cells, kinds), np.uint64)
        if canvas.start is not None:
            store_board(board_of(canvas.start.ravel(), kinds), start)  # type: ignore[no-untyped-call]
        network = network_kernels.make(model)
        return latent_kernels.Latent(
            network=network,
            row=len(start),
            board=blank(cells, kinds),
            drawn=np.zeros(cells, np.uint8),
            places=free.astype(np.int32),
            start=start,
            given=canvas.start is not None,
            temperature=values["temperature"],
            shift=values["shift"],
            crossing=CROSSINGS.index(values["crossing"]),
            tiles=np.unique(np.append(network.tile_of, 0)).astype(np.uint8),
        )

    def grid(self, built: Any, board: Any) -> Grid:
        cells: Grid = tiles_of(board, built.network.height * built.network.width)
        return cells.reshape(built.network.height, built.network.width)


@lru_cache(maxsize=4)
def model_of(game: str, name: str) -> Model:
    """A shipped model by its name, or one from a file."""
    if name in SHIPPED:
        file = files("levelsmith.learn") / "models" / f"{game}-{name}.npz"
        if not file.is_file():
            raise LevelsmithError(
                f"no model of {game} is shipped; train one (levelsmith train {game}) and give its path"
            )
        path = str(file)
    else:
        path = name
        if not Path(name).is_file():
            raise LevelsmithError(f"expected {' or '.join(SHIPPED)}, or the path of a model, got {name!r}")
    model = load_model(path)
    if model.settings.game != game:
        raise LevelsmithError(f"{path} is a model of {model.settings.game}, but {game} was asked for")
    return model


LATENT = LatentRepresentation()
