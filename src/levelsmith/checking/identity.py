"""What a proof hangs on, as a number: the level, the rules of its game, and the version that proves it."""

from __future__ import annotations

import sys
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from levelsmith import __version__
from levelsmith.contracts import Identified
from levelsmith.core import Level
from levelsmith.registry import games

OURS = "levelsmith"  # the package whose version says which rules there are


def identity_of(level: Level, guards: str | None, lines: bool = False) -> bytes:
    """Returns a digest of a level and all that its proofs hang on: neither its name nor that of its file.

    What is said of rules by their lines hangs on these too.
    """
    game: Any = games.get(level.game)
    found = blake2b(f"{__version__}\n{guards}\n".encode(), digest_size=16)
    if isinstance(game, Identified):
        found.update(game.identity(level, lines))
    else:
        found.update(
            f"{game.name} {rules_digest(type(game).__module__.partition('.')[0])} {level.size}\n".encode()
        )
        found.update(level.grid.tobytes())
    return found.digest()


@lru_cache(maxsize=64)
def rules_digest(package: str) -> str:
    """Returns a digest of the program that a game of a package is: of all files of it that are loaded; our
    own are known by the version."""
    if package == OURS:
        return ""
    found = blake2b(digest_size=16)
    for name in sorted(sys.modules):
        if name == package or name.startswith(f"{package}."):
            file = sys.modules[name].__dict__.get("__file__")
            if file and file.endswith(".py") and Path(file).is_file():
                found.update(name.encode() + b"\0" + Path(file).read_bytes())
    return found.hexdigest()


def question(identity: bytes, asked: str) -> bytes:
    """Returns the number of a question about a level."""
    return blake2b(identity + asked.encode(), digest_size=16).digest()
