"""Expressive range: two metrics of a set of levels against each other (Smith and Whitehead 2010)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from levelsmith.atomic import write_files
from levelsmith.core import Level
from levelsmith.errors import LevelsmithError, listed, quoted, unknown
from levelsmith.experiment.figures import FORMATS, Figure, files, matplotlib
from levelsmith.experiment.panels import heat
from levelsmith.experiment.statistics import Numbers
from levelsmith.levels.measure import measure
from levelsmith.registry import games

MOST_BINS = 1000  # along a side


@dataclass(frozen=True, slots=True)
class Range:
    """Two metrics of each level."""

    game: str
    names: tuple[str, str]
    x: Numbers
    y: Numbers

    def summary(self) -> dict[str, Any]:
        varied = self.x.std() > 0 and self.y.std() > 0
        correlation = float(np.corrcoef(self.x, self.y)[0, 1]) if varied else None
        told: dict[str, Any] = {"game": self.game, "levels": len(self.x), "correlation": correlation}
        for name, values in zip(self.names, (self.x, self.y), strict=True):
            told[name] = {
                "least": float(values.min()),
                "most": float(values.max()),
                "mean": float(values.mean()),
                "median": float(np.median(values)),
            }
        return told


def measured(levels: Sequence[Level], x: str, y: str) -> Range:
    """Returns the two metrics of levels of one game."""
    kinds = list(dict.fromkeys(level.game for level in levels))
    if len(kinds) > 1:
        raise LevelsmithError(f"expected levels of one game, got {listed(kinds)}")
    known = games.get(kinds[0]).metrics
    for name in (x, y):
        if name not in known:
            raise unknown(f"metric of {kinds[0]}", name, known, hint="levelsmith measure shows them")
    rows = [row for row in measure(levels) if row[x] is not None and row[y] is not None]
    if not rows:
        raise LevelsmithError(f"expected levels of which {x} and {y} are known, got none; solve them first")
    columns = [np.array([row[name] for row in rows], np.float64) for name in (x, y)]
    return Range(kinds[0], (x, y), columns[0], columns[1])


def writable(output: str) -> None:
    """Refuses a picture that could not be drawn, before any work is done for it."""
    if Path(output).suffix.lower().removeprefix(".") not in FORMATS:
        raise LevelsmithError(f"expected a picture that ends in .png, .svg or .pdf, got {quoted(output)}")
    matplotlib()


def draw(found: Range, output: str, bins: int = 30) -> None:
    """Writes the histogram of both, with that of each along the edges."""
    if not 1 <= bins <= MOST_BINS:
        raise LevelsmithError(f"expected from 1 to {MOST_BINS} bins, got {bins}")
    title = f"{len(found.x):,} levels of {found.game}"
    labels = (found.names[0].replace("_", " "), found.names[1].replace("_", " "))
    panel = heat(title, found.x, found.y, labels, bins=bins, width=5.0, height=4.4, room=42.0)
    path = Path(output)
    kind = path.suffix.lower().removeprefix(".")
    write_files({path: files(Figure("range", title, [panel]), (kind,))[f"range.{kind}"]})
