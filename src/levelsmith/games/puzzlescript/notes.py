"""What the comments right above a level of a PuzzleScript file tell: its title, and keys that win it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from levelsmith.levels.notes import NOTES

BEFORE, AFTER = "messages", "messages at the end"  # what the provenance of a level says
NOTE = re.compile(rf"\s*(?://\s*)?\(\s*(title|solution|{'|'.join(NOTES)})\s*:\s*(.*?)\s*\)\s*", re.I)


def notes_above(lines: Sequence[str], line: int) -> dict[str, str]:
    """Returns the title and the solution that notes above a line tell, which counts from 1."""
    first = line - 1 - notes_count(lines, line)
    found = [NOTE.fullmatch(one) for one in lines[first : line - 1]]
    notes = {note[1].lower(): note[2] for note in reversed(found) if note}
    return {key: told for key, told in notes.items() if key not in NOTES}


def notes_count(lines: Sequence[str], line: int) -> int:
    """Returns how many notes are above a line."""
    count = 0
    while line - 1 > count and NOTE.fullmatch(lines[line - 2 - count]):
        count += 1
    return count
