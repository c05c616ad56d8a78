"""A digest of board and solution beside what a file says of them, so that an edited file is not believed.

Where a level came from says how its solution was found, and so whether it is proved to be a shortest one. Of
another board, or of another solution, that is not so.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import Any

from levelsmith.core import UNSURE, Level

CLAIMS = frozenset({"search", "representation", "proved"})  # what an origin says by which levels are judged


def digest(level: Level) -> str:
    """Returns a number of a level's game, board and solution, in hexadecimal digits."""
    text = "\n".join((level.game, level.text, level.solution or ""))
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()


def unless_edited(level: Level, told: Any) -> Level:
    """Returns a level as it was read, marked as unsure where its origin makes claims and what the file has
    `told` as the digest is not that of this board and this solution."""
    if told == digest(level) or not CLAIMS & level.provenance.keys():
        return level
    return replace(level, provenance={**level.provenance, UNSURE: True})
