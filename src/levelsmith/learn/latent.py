"""The representation `latent`: candidates come from a model, are mutated in its codes and crossed by patches.

Thakkar et al. (CoG 2019), section III: encode, move the code, decode; nine patches, seven the mother's.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Game, Representation
from levelsmith.core import Canvas, Grid, Parameter, Parameters, Size, Values
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.kernels.boards import blank, board_of, store_board, tiles_of, words_of
from levelsmith.learn import trained
from levelsmith.learn.kernels import latent
from levelsmith.learn.kernels import network as network_kernels
from levelsmith.learn.model import Model
from levelsmith.learn.named import model_of
from levelsmith.levels.compare import BLANK, kind_of
from levelsmith.levels.files import load
from levelsmith.registry import games

CROSSINGS = ("two", "last", "mask")
MUTATIONS = ("shift", "redraw")
SHIFT = 0.5
LEARNED = "learned"
ORIGINALS = "a file or folder of levels, or `learned`: the first samples, with their mirror images"
WORD = 64  # bits


class LatentRepresentation(Representation):
    name = "latent"
    summary = "levels of a model: drawn from its codes, mutated in them, crossed by patches"
    offers = frozenset({"variation"})
    instead = (
        "levelsmith.learn.load(path).sample(5) draws levels of a model of any game, and repair mends them"
    )
    parameters: Parameters = (
        Parameter(
            "model", "vq", "vq, vae or ae, as shipped for the game, the path of a model, or `trained:…`"
        ),
        Parameter("temperature", 0.9, "below 1 the likelier tiles are drawn more often", low=0.0, high=10.0),
        Parameter(
            "mutating",
            "shift",
            "a code is moved, or each of its numbers drawn anew with the chance that the search says; "
            "a vq always draws a part of the level anew",
            choices=MUTATIONS,
        ),
        Parameter("shift", SHIFT, "how far a mutation moves a code, against how codes are spread", low=0.0),
        Parameter(
            "crossing",
            "two",
            "which of nine patches are the father's: any two, the last two, or each by chance",
            choices=CROSSINGS,
        ),
        Parameter("originals", "", ORIGINALS),
        Parameter("unlike", "", "a file or folder of levels that none may be much like"),
        Parameter("likeness", 0.5, "how like these at most, by Jaccard's measure", low=0.0, high=1.0),
    )

    def ready(self, game: Game, values: Values) -> bool:
        name = values["model"]
        return not trained.is_name(name) or trained.is_kept(game.name, name)

    def build(self, game: Game, canvas: Canvas, values: Values, needs: str) -> Any:
        model = model_of(game.name, values["model"])
        if canvas.size != model.settings.size:
            height, width = model.settings.size
            raise LevelsmithError(
                f"expected the size {width}x{height} of the model, got {canvas.size[1]}x{canvas.size[0]}; "
                "`levelsmith train` makes models of other sizes"
            )
        cells, kinds = canvas.size[0] * canvas.size[1], game.tiles.kinds
        free = np.arange(cells) if canvas.locked is None else np.flatnonzero(~canvas.locked)
        start = np.zeros(words_of(cells, kinds), np.uint64)
        if canvas.start is not None:
            store_board(board_of(canvas.start.ravel(), kinds), start)
        room = np.zeros(kinds * -(-cells // WORD), np.uint64)
        others = np.zeros((0, len(room)), np.uint64)
        if values["unlike"]:
            others = cells_of_each(values["unlike"], game.name, canvas.size)
        if model.settings.model == "vq" and (values["mutating"], values["shift"]) != (MUTATIONS[0], SHIFT):
            raise LevelsmithError("a vq draws parts of levels anew: leave out `mutating` and `shift`")
        network = network_kernels.make(model)
        known = np.zeros((0, cells), np.uint8)
        if values["originals"]:
            known = first_samples(model, values["originals"], values["model"])
        return latent.Latent(
            network=network,
            words=len(start),
            board=blank(cells, kinds),
            drawn=np.zeros(cells, np.uint8),
            before=np.zeros(cells, np.uint8),
            places=free.astype(np.int32),
            start=start,
            given=canvas.start is not None,
            temperature=values["temperature"],
            shift=values["shift"],
            redraws=values["mutating"] == "redraw",
            crossing=CROSSINGS.index(values["crossing"]),
            tiles=np.unique(np.append(network.tile_of, 0)).astype(np.uint8),
            others=others,
            likeness=values["likeness"],
            kind_of=kind_of(game)[:kinds],
            cells_of=room,
            known=known,
            handed=np.zeros(1, np.int64),
        )

    def grid(self, built: Any, board: Any) -> Grid:
        cells: Grid = tiles_of(board, built.network.height * built.network.width)
        return cells.reshape(built.network.height, built.network.width)


def first_samples(model: Model, path: str, name: str) -> Grid:
    """Returns levels of a file or folder, or those that a model learned from, as the model would draw them.

    Their mirror images come last. → `[levels, cells]`
    """
    game = games.get(model.settings.game)
    if path == LEARNED and not trained.is_name(name):
        raise LevelsmithError(f"nobody knows what {quoted(name)} learned from: give `originals` a path")
    levels = trained.levels_of_name(game.name, name) if path == LEARNED else load(path, game=game.name)
    if any(level.size != model.settings.size for level in levels):
        raise LevelsmithError(f"expected levels of the size of the model in {path}, got others")
    drawn = [
        game.alike.get(tile, tile) if model.settings.mode == "paper" else tile for tile in game.tiles.names
    ]
    tiles = [game.tiles.names.index(tile) if tile in model.settings.kinds else 0 for tile in drawn]
    grids = np.array(tiles, np.uint8)[np.stack([level.grid for level in levels])]
    return np.concatenate([grids, grids[:, :, ::-1]]).reshape(2 * len(levels), -1)


@lru_cache(maxsize=4)
def cells_of_each(path: str, name: str, size: Size) -> NDArray[np.uint64]:
    """Of each level of a file or folder, and its mirror image, the cells of each kind, as `Latent.others`."""
    game = games.get(name)
    levels = load(path, game=name)
    odd = next((level for level in levels if level.size != size), None)
    if odd is not None:
        raise LevelsmithError(
            f"expected levels of {size[1]}x{size[0]} in {path}, got one of {odd.size[1]}x{odd.size[0]}; "
            "leave it out"
        )
    grids = kind_of(game)[np.stack([level.grid for level in levels])]
    grids = np.concatenate([grids, grids[:, :, ::-1]]).reshape(2 * len(levels), -1)
    each = np.stack([grids != BLANK] + [grids == kind for kind in range(1, game.tiles.kinds)], 1)
    each = np.pad(each, ((0, 0), (0, 0), (0, -grids.shape[1] % WORD)))
    return np.packbits(each, axis=-1, bitorder="little").view("<u8").reshape(len(grids), -1)


LATENT = LatentRepresentation()
