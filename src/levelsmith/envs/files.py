"""Play the levels that a game comes with, where a file is a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gymnasium.vector import VectorEnv

from levelsmith.envs.device import play_vector
from levelsmith.envs.play import PlayEnv
from levelsmith.errors import LevelsmithError
from levelsmith.numbers import whole_number
from levelsmith.registry import games


class FileEnv(PlayEnv):
    """One level at a time, of all that the game has or always the same.

    Args:
        game: the file, or the name of a game that ships.
        level: the number of a level in it, from 1; None for all of them.
        options: those of `PlayedBoards`.
    """

    def __init__(self, game: str | None = None, level: int | None = None, **options: Any):
        super().__init__(_named(game), **_with_levels(game, level, options))


def file_vector(
    game: str | None = None, num_envs: int = 1, level: int | None = None, **options: Any
) -> VectorEnv[Any, Any, Any]:
    """Returns many boards to play at once, each as `FileEnv` has one."""
    return play_vector(_named(game), num_envs, **_with_levels(game, level, options))


def _named(game: str | None) -> str:
    """Returns the game, which must be named."""
    if game is None:
        raise LevelsmithError(
            "expected a game in a file, got none: name a file or one that ships, such as "
            f"game={games.findable[0]!r}"
        )
    return game


def _with_levels(game: str | None, level: int | None, options: Mapping[str, Any]) -> dict[str, Any]:
    if level is not None and options.get("levels") is not None:
        raise LevelsmithError("expected level or levels, got both; leave out one of them")
    number = "" if level is None else f"#{whole_number(level, 'a level', 1)}"
    return {"levels": f"{game}{number}", **options}
