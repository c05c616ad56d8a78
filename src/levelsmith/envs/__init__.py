"""Environments of Gymnasium: design a level step by step, or play levels that are made as you go.

They are registered when both packages are imported, whichever comes first; neither loads the other.
"""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["register"]

REPRESENTATIONS = ("narrow", "turtle", "wide")


def register() -> None:
    """Tells Gymnasium about the environments; call it again for games that were registered since."""
    from gymnasium.envs.registration import register as tell
    from gymnasium.envs.registration import registry

    from levelsmith.registry import arenas_by_game, games

    design = "design:DesignEnv", "design:DesignVectorEnv"
    rows = [
        (f"Design-{game}-{each}", *design, {"game": game, "representation": each})
        for game in games
        for each in REPRESENTATIONS
    ]
    named = arenas_by_game()
    named |= {game: _capitals(game) for game in games.added if game not in named}  # played by their rules
    rows += [(name, "play:PlayEnv", "device:play_vector", {"game": game}) for game, name in named.items()]
    rows += [(name, "files:FileEnv", "files:file_vector", {}) for name in games.findable_as]
    for name, one, many, settings in rows:
        if f"levelsmith/{name}-v0" not in registry:
            one, many = f"levelsmith.envs.{one}", f"levelsmith.envs.{many}"
            tell(f"levelsmith/{name}-v0", one, vector_entry_point=many, kwargs=settings)


def _capitals(game: str) -> str:
    """Returns the name of a game's environment: ice_slide becomes IceSlide."""
    return "".join(word.capitalize() for word in game.replace("-", "_").split("_"))


def register_in_time() -> None:
    """Registers at once where Gymnasium is there already, or else right after it was imported."""
    if "gymnasium" in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _Watch())


class _Watch:
    """Sees Gymnasium being imported."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "gymnasium":
            return None
        from importlib.util import find_spec

        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_and_register(module: Any) -> None:
            load(module)
            register()

        spec.loader.exec_module = load_and_register  # type: ignore[method-assign]
        return spec
