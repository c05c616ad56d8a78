"""The maker of a game's own, where nothing of a search was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from levelsmith.contracts import Game
from levelsmith.core import Size
from levelsmith.making.wants import Want, metric_called, wanted
from levelsmith.registry import generators


def takes_starts(game: Game) -> bool:
    """Returns whether the game's own maker takes a level to begin with."""
    name = game.defaults.get("generator")
    return name is not None and generators.get(name).begins


def usual_maker(
    game: Game, size: Size | None, values: Mapping[str, Any], wants: tuple[Want, ...]
) -> tuple[str | None, Size | None]:
    """Returns the name of the game's own maker, or None where a search serves better, and the size to make.

    It does where a parameter is not the maker's, or where its levels cannot have such a size or hardly ever
    lie in the ranges, to which belong parameters that are called as a metric is. Some parameters it `insists`
    on: wherever one of these is given, it is taken.
    """
    name = game.defaults.get("generator")
    if name is None:
        return None, size
    maker = generators.get(name)
    known = {parameter.name for parameter in maker.parameters}
    if not all(key.removeprefix(f"{name}.") in known for key in values):
        return None, size
    asked = size or maker.default_size or game.default_size
    named = {key.removeprefix(f"{name}.") for key in values}
    if named & maker.insists:
        return name, asked
    alike = {key: value for key, value in values.items() if metric_called(game, key) is not None}
    return (name, asked) if maker.serves(asked, (*wants, *wanted(game, alike))) else (None, size)
