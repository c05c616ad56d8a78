"""What comments right above a level of a PuzzleScript file tell: its title, and keys that win it."""

from __future__ import annotations

import re
from collections.abc import Sequence

NOTE = re.compile(r"\s*\(\s*(title|solution)\s*:\s*(.*?)\s*\)\s*", re.I)


def notes_above(lines: Sequence[str], line: int) -> dict[str, str]:
    """Returns the notes above a line, which counts from 1."""
    notes: dict[str, str] = {}
    while line > 1 and (note := NOTE.fullmatch(lines[line - 2])):
        notes[note[1].lower()] = note[2]
        line -= 1
    return notes
