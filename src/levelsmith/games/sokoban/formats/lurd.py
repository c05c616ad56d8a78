"""Moves as Sokoban players write them: u d l r, capitals for pushes, and run lengths such as `3r2U`."""

from __future__ import annotations

import re

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.games.sokoban.formats import rle

LONGEST = 1_000_000  # moves of one solution
LETTERS = "udlrUDLR"
_STRANGE = re.compile(f"[^{LETTERS}0-9()]")


def moves(text: str, longest: int = LONGEST) -> str:
    """Plain moves, without blanks and run lengths; more than `longest` are refused before they are unpacked.

    >>> moves("3r 2U (ld)")
    'rrrUUld'
    """
    packed = "".join(text.split())
    strange = _STRANGE.search(packed)
    if strange:
        raise LevelsmithError(f"expected moves u d l r (capitals for pushes), got {quoted(strange[0])}")
    if len(packed) > longest:
        raise LevelsmithError(f"expected at most {longest:,} moves, got {len(packed):,} characters")
    if not rle.is_packed(packed):
        return packed
    number = rle.length(packed)
    if number > longest:
        raise LevelsmithError(f"expected at most {longest:,} moves, got {number:,}")
    return rle.unpack(packed)
