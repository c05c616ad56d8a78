"""A model as it is kept: weights and settings in one `.npz` file, which executes nothing when it is read.

An encoder of three convolutions maps a level to a code of a few numbers. A decoder maps a code to features of
each cell. By default a level is drawn from them cell after cell, from the top left: each cell's tile from its
features and the tiles that were drawn before around it, so that rare tiles and unbroken ladders survive. In
the mode `paper` a code gives one chance for each channel of tiles in each cell, and the last channel above
one half wins; there encoder and decoder may be `dense` as well, a hidden layer each that sees the whole
level.

The code of a `vq` is a coarse map of the level (van den Oord et al., 2017): a place for every four by four
cells, and in it a few numbers, each -1, 0 or 1 (Mentzer et al., 2023). It holds the layout of a level, and a
prior over codes, which draws place after place, makes new ones. `network.py` and `prior.py` have the formulas
in JAX.
"""

from __future__ import annotations

import io
import json
import secrets
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levelsmith.contracts import Solvable
from levelsmith.core import Effort, Grid, Level, Size
from levelsmith.errors import LevelsmithError, listed, quoted
from levelsmith.files import read_plain_file, write_files
from levelsmith.learn.kernels.shape import BOUNDS, DEEPEST, EXPANSION, HEADS, VALUES, WIDTHS, offsets
from levelsmith.levels.files import Levels, all_levels
from levelsmith.levels.formats.arrays import read_arrays
from levelsmith.numbers import check_number, check_seed, whole_number
from levelsmith.registry import games

Weights = dict[str, NDArray[np.float32]]
VERSION = 1
WARMEST = 10.0  # temperature
WARM = 0.55  # that of levels of codes: without any, a vae and an ae draw next to no rare tiles
MOST_SAMPLES = 1_000_000
TRIES = 200  # levels drawn at a time until enough can be played, so often as levels were asked for
STATES = 100_000  # that a solver looks at before it gives a level up
NETS = ("conv", "dense")
MODELS, MODES = ("vq", "vae", "ae"), ("default", "paper")
MOST_BYTES = 100_000_000


@dataclass(frozen=True)
class Settings:
    """What decides about the shape of a model."""

    game: str
    size: Size
    kinds: tuple[str, ...]  # the names of the tiles that it knows, or of its channels
    model: str = "vae"  # of MODELS
    mode: str = "default"  # or "paper"
    latent: int = 32
    features: int = 32
    hidden: int = 64
    net: str = "conv"  # or "dense"
    bound: str = "none"  # of BOUNDS
    width: int = 0  # of the prior of a vq
    layers: int = 0

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Between which the numbers of codes lie, new ones drawn uniformly from there; None for anywhere."""
        return BOUNDS[self.bound]

    @property
    def possible(self) -> bool:
        """Whether net and bound are of use: other than the usual ones in the mode `paper` alone.

        A vq is for the default mode, and has whole numbers in each place, and heads of the same width.
        """
        if self.model == "vq":
            fits = self.latent == self.depth * self.places and 1 <= self.depth <= DEEPEST
            headed = self.width >= HEADS and self.width % HEADS == 0 and self.layers >= 1
            return fits and headed and (self.mode, self.net, self.bound) == ("default", "conv", "none")
        return (self.mode == "paper" or self.net == "conv") and (self.model == "ae" or self.bound == "none")

    @property
    def places(self) -> int:
        """Places of the code of a vq, each of four by four cells; the last of a row may be cut."""
        rows, columns = self.sizes[2]
        return rows * columns

    @property
    def depth(self) -> int:
        """Numbers in a place of the code of a vq; of others 0."""
        return self.latent // self.places if self.model == "vq" else 0

    @property
    def sizes(self) -> list[Size]:
        """The size of a level, and after each convolution, which halves it."""
        found = [self.size]
        for _ in WIDTHS:
            height, width = found[-1]
            found.append(((height + 1) // 2, (width + 1) // 2))
        return found

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Returns the shape of each weight, by name."""
        kinds, latent, hidden = len(self.kinds), self.latent, self.hidden
        if self.net == "dense":
            channels = self.size[0] * self.size[1] * kinds
            return {
                "centre": (channels,),  # the mean of the levels it learned from
                "inner": (channels, hidden),
                "inner_bias": (hidden,),
                "code": (hidden, 2 * latent),
                "code_bias": (2 * latent,),
                "decode0": (latent, hidden),
                "decode0_bias": (hidden,),
                "mean": (latent,),
                "spread": (latent, latent),
                "out": (hidden, channels),
                "out_bias": (channels,),
            }
        a, b, c = WIDTHS
        shapes: dict[str, tuple[int, ...]] = {
            "encode1": (3, 3, kinds, a),
            "encode2": (3, 3, a, b),
            "encode3": (3, 3, b, c),
            **(self._placed() if self.model == "vq" else self._coded()),
            "decode3": (3, 3, b, self.features),
            "places": (*self.size, self.features),
        }
        if self.mode == "paper":
            return shapes | {"out": (self.features, kinds), "out_bias": (kinds,)}
        around = len(offsets())
        return shapes | {
            "around": (around, kinds + 2, hidden),  # by tile; after the kinds: outside, not told
            "inside": (self.features, hidden),
            "hidden_bias": (hidden,),
            "deeper": (hidden, hidden),
            "deeper_bias": (hidden,),
            "out": (hidden, kinds),
            "out_bias": (kinds,),
        }

    def _coded(self) -> dict[str, tuple[int, ...]]:
        """Shapes of what makes a code of numbers that each tell of the whole level, and reads it."""
        _, b, c = WIDTHS
        latent, flat = self.latent, self.sizes[-1][0] * self.sizes[-1][1] * c
        return {
            "code": (flat, 2 * latent),
            "code_bias": (2 * latent,),
            "decode0": (latent, flat),
            "decode0_bias": (flat,),
            "decode1": (3, 3, c, b),
            "decode2": (3, 3, b, b),
            "mean": (latent,),  # of the codes of the levels it learned from
            # A root of their covariance: mean + spread @ normal numbers is a code.
            "spread": (latent, latent),
        }

    def _placed(self) -> dict[str, tuple[int, ...]]:
        """Shapes of what makes a code of places and reads it, and of the prior that draws one."""
        _, b, c = WIDTHS
        depth, width, layers, wide = self.depth, self.width, self.layers, EXPANSION * self.width
        return {
            "code": (c, depth),
            "code_bias": (depth,),
            "decode0": (3, 3, depth, c),
            "decode0_bias": (c,),
            "decode1": (3, 3, c, c),
            "decode2": (3, 3, c, b),
            "seen": (depth, VALUES, width),
            "first": (width,),
            "at": (self.places, width),
            "attend": (layers, width, 3 * width),  # queries, keys and values
            "mix": (layers, width, width),
            "up": (layers, width, wide),
            "up_bias": (layers, wide),
            "down": (layers, wide, width),
            "token": (width, VALUES**depth),
            "token_bias": (VALUES**depth,),
            "symmetry": (1,),  # share of the levels learned from that are like their mirror images
        }


@dataclass(frozen=True)
class Model:
    """A model of levels of one game and size: `settings`, `weights`, and in `told` how it was trained."""

    settings: Settings
    weights: Weights
    told: dict[str, Any] = field(default_factory=dict)  # how it was trained

    @property
    def game(self) -> str:
        """The game of its levels."""
        return self.settings.game

    @property
    def size(self) -> Size:
        """(height, width) of its levels, with the walls around them where they have some."""
        return self.settings.size

    @property
    def latent(self) -> int:
        """How many numbers a code has."""
        return self.settings.latent

    @property
    def tiles(self) -> tuple[str, ...]:
        """The names of the tiles of its game."""
        return tuple(games.get(self.settings.game).tiles.names)

    def encode(self, levels: Level | Levels) -> NDArray[np.float32]:
        """Returns the code of a level `[latent]`, or the codes of many `[B, latent]`."""
        from levelsmith.learn.sampling import encoded

        codes = encoded(self, self._grids(all_levels(levels)))
        return np.asarray(codes[0]) if isinstance(levels, Level) else codes

    def _grids(self, levels: list[Level]) -> Grid:
        for level in levels:
            if (level.game, level.size) != (self.game, self.size):
                raise LevelsmithError(
                    f"expected levels of {self.game}, {_sides(self.size)}, as the model knows, "
                    f"got one of {level.game}, {_sides(level.size)}"
                )
        return np.stack([level.grid for level in levels]) if levels else np.zeros((0, *self.size), np.uint8)

    def decode(
        self, codes: ArrayLike, *, temperature: float | None = None, seed: int = 0
    ) -> Level | list[Level]:
        """Returns the level of a code `[latent]`, or a list of those of many `[B, latent]`.

        Args:
            codes: as `encode` returns them, or any others.
            temperature: the higher, the oftener tiles are drawn that are not the likeliest. By default 0.55,
                and 0 of a vq and in the mode paper.
            seed: of what is drawn; a code has the same level alone and among others.
        """
        from levelsmith.learn.sampling import decoded

        try:
            given = np.asarray(codes, np.float64)
        except (TypeError, ValueError):
            raise LevelsmithError(f"expected codes as numbers, got {quoted(codes)}") from None
        if given.ndim not in (1, 2) or given.shape[-1] != self.latent or not np.isfinite(given).all():
            raise LevelsmithError(
                f"expected codes of {self.latent} finite numbers, as an array [{self.latent}] or "
                f"[levels, {self.latent}], got shape {given.shape}"
            )
        each = np.atleast_2d(given)
        usual = 0.0 if self.settings.model == "vq" or self.settings.mode == "paper" else WARM
        warmth = self._temperature(temperature, usual)
        levels = self._levels(decoded(self, each, warmth, check_seed(seed)), {})
        return levels[0] if given.ndim == 1 else levels

    def sample(
        self,
        count: int = 1,
        *,
        seed: int | None = None,
        temperature: float | None = None,
        playable: bool = False,
    ) -> list[Level]:
        """Returns levels that the model draws, of random codes.

        Args:
            count: how many.
            seed: the same one draws the same levels; by default a fresh one, which their provenance has.
            temperature: below 1 the likelier tiles are drawn more often; by default 0.9.
            playable: draws anew whatever the game takes for no level, or its solver cannot solve; the
                solutions come with the levels.
        """
        from levelsmith.learn.sampling import samples

        count = whole_number(count, "a count", 1, " levels", MOST_SAMPLES)
        warmth = self._temperature(temperature, 0.9)
        seed = secrets.randbits(63) if seed is None else check_seed(seed)
        origin = {"model": self.settings.model, "seed": seed, "temperature": warmth}
        if not playable:
            return self._levels(samples(self, count, seed, warmth), origin)
        kept: list[Level] = []
        for batch in range(count):
            drawn = self._levels(samples(self, TRIES, (seed, batch), warmth), origin, batch * TRIES)
            kept += [proved for level in drawn if (proved := _proved(level))]
            if len(kept) >= count:
                return kept[:count]
        raise LevelsmithError(
            f"of {TRIES * count} levels that the model drew {len(kept)} can be played, and {count} were "
            "asked for; train it longer or on more levels, or take all of them and levelsmith.repair"
        )

    def _levels(self, grids: Grid, origin: dict[str, Any], first: int = 0) -> list[Level]:
        tiles = games.get(self.game).tiles
        return [
            Level(self.game, tiles, grid, provenance={**origin, "number": i} if origin else {})
            for i, grid in enumerate(grids, first)
        ]

    def _temperature(self, value: float | None, usual: float) -> float:
        if value is None:
            return usual
        if self.settings.mode == "paper":
            raise LevelsmithError("a model of the mode paper has one level for a code: leave out temperature")
        check_number(value, "the temperature")
        if not 0 <= value <= WARMEST:
            raise LevelsmithError(f"expected a temperature from 0 to {WARMEST:g}, got {value:g}")
        return float(value)

    def save(self, path: str | Path) -> None:
        """Writes the file under a temporary name, then renames it."""
        head = {"version": VERSION, **asdict(self.settings), "told": self.told}
        buffer = io.BytesIO()
        np.savez_compressed(buffer, settings=np.array(json.dumps(head)), **self.weights)  # type: ignore[arg-type]
        write_files({Path(path): buffer.getvalue()})


def _sides(size: Size) -> str:
    return f"{size[1]}x{size[0]}"


def _proved(level: Level) -> Level | None:
    """Returns a level with its solution, where its game has a solver; None where it cannot be played."""
    game = games.get(level.game)
    try:
        game.check(level)
        game.check_start(level)
        if not isinstance(game, Solvable):
            return level
        found = game.solve(level, Effort(states=STATES, seconds=None))
    except LevelsmithError:
        return None
    return None if found.solution is None else replace(level, solution=found.solution)


def load_model(path: str | Path) -> Model:
    """Reads a model and checks every field of it."""
    data = read_plain_file(path, "the model", MOST_BYTES)
    try:
        head, weights = unpacked(data, "settings")
    except ValueError as error:
        raise LevelsmithError(f"{path}: expected a model from `levelsmith train`, got {error}") from None
    settings = _settings(path, head)
    told = head.get("told", {})
    return Model(settings, _weights(path, settings, weights), told if isinstance(told, dict) else {})


def unpacked(data: bytes, head: str, most: int = MOST_BYTES) -> tuple[Any, dict[str, NDArray[Any]]]:
    """Returns the arrays of an `.npz` file of at most so many bytes and, of one of them, the JSON that it
    holds.

    Raises ValueError and nothing else, whatever the bytes.
    """
    arrays = read_arrays(data, most)
    if head not in arrays or arrays[head].dtype.kind != "U" or arrays[head].size != 1:
        raise ValueError(f"no word called {head}")
    try:
        return json.loads(arrays.pop(head).item()), arrays
    except RecursionError:
        raise ValueError(f"a {head} nested too deeply") from None


def _settings(path: str | Path, head: Any) -> Settings:
    if not isinstance(head, dict) or head.get("version") != VERSION:
        found = head.get("version") if isinstance(head, dict) else None
        raise LevelsmithError(f"{path}: expected a model of version {VERSION}, got {found}; train it again")
    names: dict[str, Any] = {name: head.get(name) for name in Settings.__dataclass_fields__}
    if names["net"] is None and names["bound"] is None:  # a model from before there were others
        plain = (names["mode"], names["model"]) == ("paper", "ae")
        names |= {"net": "conv", "bound": "sigmoid" if plain else "none"}
    if names["width"] is None and names["layers"] is None:  # or from before there were priors
        names |= {"width": 0, "layers": 0}
    try:
        settings = Settings(
            **{**names, "size": tuple(map(int, names["size"])), "kinds": tuple(map(str, names["kinds"]))}
        )
        sizes = [settings.latent, settings.features, settings.hidden, *settings.size]
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise LevelsmithError(f"{path}: the settings of this model are broken: {error}") from error
    if not isinstance(settings.game, str) or settings.game not in games:
        raise LevelsmithError(
            f"{path}: this model makes levels of {quoted(settings.game)}, a game that is not here"
        )
    if len(settings.size) != 2 or not all(isinstance(n, int) and 1 <= n <= 4096 for n in sizes):
        raise LevelsmithError(f"{path}: expected sizes from 1 to 4096 in the settings, got {sizes}")
    if settings.mode not in MODES or settings.model not in MODELS:
        raise LevelsmithError(
            f"{path}: expected one of {listed(MODELS)}, got {settings.model!r} in mode {settings.mode!r}"
        )
    if not all(isinstance(n, int) and 0 <= n <= 4096 for n in (settings.width, settings.layers)):
        raise LevelsmithError(
            f"{path}: expected a prior of at most 4096, got {settings.width!r} and {settings.layers!r}"
        )
    if settings.net not in NETS or settings.bound not in BOUNDS or not settings.possible:
        raise LevelsmithError(
            f"{path}: expected a net and bound of such a model, got {settings.net!r} and {settings.bound!r}, "
            f"{settings.latent} numbers in a code and {settings.layers} layers of {settings.width}"
        )
    unknown = sorted(set(settings.kinds) - set(games.get(settings.game).tiles.names))
    if unknown or not settings.kinds or len(set(settings.kinds)) != len(settings.kinds):
        raise LevelsmithError(f"{path}: expected tiles of {settings.game}, got {listed(unknown or ['none'])}")
    return settings


def _weights(path: str | Path, settings: Settings, found: dict[str, Any]) -> Weights:
    shapes = settings.shapes()
    if set(found) != set(shapes):
        missing, extra = sorted(set(shapes) - set(found)), sorted(set(found) - set(shapes))
        raise LevelsmithError(f"{path}: the weights {listed(missing or extra)} are missing or of no use")
    for name, shape in shapes.items():
        array = found[name]
        if array.shape != shape or array.dtype.kind != "f" or not np.isfinite(array).all():
            raise LevelsmithError(
                f"{path}: expected {name} to be finite numbers of shape {shape}, "
                f"got {array.dtype} {array.shape}"
            )
    return {name: np.ascontiguousarray(found[name], np.float32) for name in shapes}
