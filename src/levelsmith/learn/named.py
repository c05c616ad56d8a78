"""Models by their names: those that ship, files, and those that are trained when they are first asked for."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from levelsmith.errors import LevelsmithError, option, quoted
from levelsmith.learn import trained
from levelsmith.learn.model import MODELS, Model, load_model

SHIPPED = MODELS


def load(name: str | Path, *, game: str | None = None) -> Model:
    """Returns a model from a file, or by its name one that ships with a game.

    Args:
        name: the path of a model, or with a game `vq`, `vae`, `ae`, or a name that begins with `trained:`.
        game: whose model it is; a file says so itself.
    """
    if not isinstance(name, str | os.PathLike):
        raise LevelsmithError(f"expected the path of a model, got {quoted(name)}")
    if game is not None:
        return _found(game, os.fspath(name))
    if str(name) in SHIPPED or trained.is_name(name):
        raise LevelsmithError(f"expected the game whose model {quoted(name)} is; add {option('game')}")
    return load_model(name)


@lru_cache(maxsize=16)
def model_of(game: str, name: str) -> Model:
    """Returns the model of a name, read once."""
    return _found(game, name)


def _found(game: str, name: str) -> Model:
    """Returns a shipped model by its name, one from a file, or one that is trained where it is not yet."""
    if trained.is_name(name):
        path = str(trained.kept(game, name))
    elif name in SHIPPED:
        file = files("levelsmith.learn") / "models" / f"{game}-{name}.npz"
        if not file.is_file():
            raise LevelsmithError(
                f"no model of {game} is shipped; train one (levelsmith train {game}) and give its path"
            )
        path = str(file)
    else:
        path = name
        if not os.path.isfile(name):
            raise LevelsmithError(
                f"expected {', '.join(SHIPPED)}, or the path of a model, got {quoted(name)}"
            )
    model = load_model(path)
    if model.settings.game != game:
        raise LevelsmithError(f"{path} is a model of {model.settings.game}, but {game} was asked for")
    return model
