"""Models of the mode `paper` that are trained when they are first asked for, and kept in the user's cache.

Their names say all that decides about them: `trained:ae,seed=3,bound=sigmoid` is an ae with these parameters,
and `trained:ae,seed=1..30` stands for thirty.
They learn from the original levels of their game where `LEVELSMITH_DATA` has them, else from the corpus that
ships; the full name says which, and has the digest of the levels.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError, quoted, unknown
from levelsmith.files import Lock, write_files
from levelsmith.kernels.cache import cache_home, make_private
from levelsmith.learn.checkpoint import beside
from levelsmith.learn.data import prepare
from levelsmith.learn.training import Trained, TrainingProgress, follow, values_of
from levelsmith.levels.files import load
from levelsmith.registry import games

PREFIX = "trained:"
MODE = "paper"
MODELS = ("vae", "ae")
FOLDER = "{game}-vglc/levels"  # in the one that LEVELSMITH_DATA names
MOST = 10_000  # models that one name stands for
DATA = {"originals": "the original levels", "corpus": "the corpus that ships"}


class Recipe(NamedTuple):
    """What a name asks for."""

    model: str
    given: dict[str, str]  # parameters of the training
    data: str  # of DATA; empty where the name does not say
    digest: str  # of the levels

    @property
    def name(self) -> str:
        pairs = [*self.given.items(), ("data", self.data), ("digest", self.digest)]
        return PREFIX + ",".join([self.model, *(f"{key}={value}" for key, value in pairs if value)])


def is_name(name: Any) -> bool:
    return isinstance(name, str) and name.startswith(PREFIX)


def each_of(name: Any) -> list[Any]:
    """Returns the names that one with a span of seeds such as `seed=1..30` stands for; else what is given."""
    found = re.search(r"(?<=,seed=)(\d+)\.\.(\d+)(?=,|$)", name) if is_name(name) else None
    if found is None:
        return [name]
    first, last = map(int, found.groups())
    if not 0 <= last - first < MOST:
        raise LevelsmithError(
            f"expected from 1 to {MOST:,} seeds in {quoted(name)}, got {last - first + 1:,}"
        )
    return [name[: found.start()] + str(seed) + name[found.end() :] for seed in range(first, last + 1)]


def parse(name: str) -> Recipe:
    """Returns what a name asks for, if it is one of these names."""
    model, *pairs = name.removeprefix(PREFIX).split(",")
    if model not in MODELS:
        raise unknown(f"model in {quoted(name)}", model, MODELS)
    given = {key: value for key, _, value in (pair.partition("=") for pair in pairs)}
    data, digest = given.pop("data", ""), given.pop("digest", "")
    if data and data not in DATA:
        raise unknown(f"data in {quoted(name)}", data, DATA)
    values_of(model, MODE, given)  # which names what is wrong
    return Recipe(model, given, data, digest)


def full_name(game: str, name: str) -> str:
    """Returns the name with the levels that the model learns from."""
    recipe = parse(name)
    data = recipe.data or ("originals" if folder_of(game) else "corpus")
    return recipe._replace(data=data, digest=recipe.digest or digest_of(game, data)).name


def folder_of(game: str) -> Path | None:
    """Returns where the original levels of a game are, if they are there."""
    data = os.environ.get("LEVELSMITH_DATA")
    folder = Path(data or "", FOLDER.format(game=game))
    return folder if data and folder.is_dir() else None


def levels_of(game: str, data: str) -> list[Level]:
    """Returns the levels that a model learns from."""
    if data == "corpus":
        return load(f"{game}:corpus", game=game)
    folder = folder_of(game)
    if folder is None:
        raise LevelsmithError(
            f"expected the original levels of {game} in LEVELSMITH_DATA, as {FOLDER.format(game=game)}, "
            "got none there"
        )
    return load(folder, game=game)


def levels_of_name(game: str, name: str) -> list[Level]:
    """Returns the levels that the model of a name learns from."""
    return levels_of(game, parse(full_name(game, name)).data)


@lru_cache(maxsize=8)
def digest_of(game: str, data: str) -> str:
    return prepare(games.get(game), levels_of(game, data), MODE, None, 0.0, 0).digest


def file_of(game: str, name: str) -> Path:
    """Returns where a model is kept, trained or not."""
    recipe = parse(full_name(game, name))
    home = cache_home()
    if home is None:
        raise LevelsmithError(f"no folder to keep {recipe.name} in; set XDG_CACHE_HOME to one")
    decides = [game, recipe.model, recipe.digest, values_of(recipe.model, MODE, recipe.given)]
    key = hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:20]
    return home.parent / "models" / f"{game}-{recipe.model}-{key}.npz"


def is_kept(game: str, name: str) -> bool:
    """Tells whether a model is there; what an interrupted training has left, with its checkpoint, is none."""
    file = file_of(game, name)
    return file.exists() and not beside(file).exists()


def train_missing(game: str, name: str, **choices: Any) -> Iterator[TrainingProgress | Trained]:
    """Trains a model that is not kept yet, and tells how far it is; `choices` as in `train.follow`."""
    file, recipe = file_of(game, name), parse(full_name(game, name))
    if is_kept(game, name):
        return
    levels = levels_of(game, recipe.data)
    if digest_of(game, recipe.data) != recipe.digest:
        raise LevelsmithError(f"expected the levels of {recipe.name}, got others in LEVELSMITH_DATA")
    file.parent.parent.mkdir(parents=True, exist_ok=True)
    make_private(file.parent)
    with Lock(file):
        if not is_kept(game, name):
            given: dict[str, Any] = {"model": recipe.model, "mode": MODE, "output": file, **recipe.given}
            before, started = seconds_of(game, name) or 0.0, time.process_time()
            try:
                yield from follow(game, levels, **given, **choices)
            finally:
                spent = {"seconds": round(before + time.process_time() - started, 3)}
                write_files({_beside(file): json.dumps(spent).encode() + b"\n"})


def _beside(file: Path) -> Path:
    """Returns where it says what a model cost: not in its own file, whose bytes follow from its name."""
    return file.with_suffix(".json")


def seconds_of(game: str, name: str) -> float | None:
    """Returns the processor's seconds that the training of a model took, with all its interruptions; None
    where nothing says them."""
    try:
        return float(json.loads(_beside(file_of(game, name)).read_text(encoding="utf-8"))["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def kept(game: str, name: str) -> Path:
    """Returns the file of a model, which is trained first if it is not there."""
    for _ in train_missing(game, name):
        pass
    return file_of(game, name)
