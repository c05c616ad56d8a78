"""Expressive range: two metrics of a set of levels against each other (Smith and Whitehead 2010), or one of
them from level to level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError, listed, quoted, unknown
from levelsmith.experiment.figures import FORMATS, Figure, Panel, colours_of, files, matplotlib
from levelsmith.experiment.panels import Line, curves, heat
from levelsmith.experiment.statistics import Numbers
from levelsmith.files import write_files
from levelsmith.levels.measure import measure
from levelsmith.registry import games

BINS, MOST_BINS = 30, 1000  # along a side


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


@dataclass(frozen=True, slots=True)
class Curve:
    """One metric of each level, in their order; NaN where nobody knows."""

    game: str
    name: str
    values: Numbers

    @property
    def falls(self) -> list[int]:
        """The numbers of the levels, from 1, that have less than the one before them."""
        return (np.flatnonzero(np.diff(self.values) < 0) + 2).tolist()

    def summary(self) -> dict[str, Any]:
        values = [None if np.isnan(value) else float(value) for value in self.values]
        return {"game": self.game, "metric": self.name, "values": values, "falls": self.falls}


def measured(levels: Sequence[Level], x: str, y: str) -> Range:
    """Returns the two metrics of levels of one game."""
    game, (across, up) = _columns(levels, x, y)
    known = np.isfinite(across) & np.isfinite(up)
    return Range(game, (x, y), across[known], up[known])


def curve_of(levels: Sequence[Level], name: str) -> Curve:
    """Returns how a metric goes from level to level of one game."""
    game, (values,) = _columns(levels, name)
    return Curve(game, name, values)


def _columns(levels: Sequence[Level], *names: str) -> tuple[str, list[Numbers]]:
    """Returns the game of levels, and metrics of each; NaN where nobody knows."""
    kinds = list(dict.fromkeys(level.game for level in levels))
    if len(kinds) > 1:
        raise LevelsmithError(f"expected levels of one game, got {listed(kinds)}")
    known = games.get(kinds[0]).metrics
    for name in names:
        if name not in known:
            raise unknown(f"metric of {kinds[0]}", name, known, hint="levelsmith measure shows them")
    rows = measure(levels)
    if not any(all(row[name] is not None for name in names) for row in rows):
        told = " and ".join(names) + (" are" if len(names) > 1 else " is")
        raise LevelsmithError(f"expected levels of which {told} known, got none; solve them first")
    return kinds[0], [np.array([row[name] for row in rows], np.float64) for name in names]


def writable(output: str) -> None:
    """Refuses a picture that could not be drawn, before any work is done for it."""
    if Path(output).suffix.lower().removeprefix(".") not in FORMATS:
        raise LevelsmithError(f"expected a picture that ends in .png, .svg or .pdf, got {quoted(output)}")
    matplotlib()


def draw(found: Range, output: str, bins: int = BINS) -> None:
    """Writes the histogram of both, with that of each along the edges."""
    if not 1 <= bins <= MOST_BINS:
        raise LevelsmithError(f"expected from 1 to {MOST_BINS} bins, got {bins}")
    title = f"{len(found.x):,} levels of {found.game}"
    labels = (found.names[0].replace("_", " "), found.names[1].replace("_", " "))
    panel = heat(title, found.x, found.y, labels, bins=bins, width=5.0, height=4.4, room=42.0)
    write_panel(title, panel, output)


def draw_curve(found: Curve, output: str) -> None:
    """Writes how the metric goes from level to level."""
    title = f"{len(found.values):,} levels of {found.game}"
    numbers = np.arange(1, len(found.values) + 1, dtype=np.float64)
    line = Line(found.name, numbers, found.values, colours_of([found.name])[found.name])
    panel = curves(title, [line], "level", found.name.replace("_", " "), width=5.0, height=3.2)
    write_panel(title, panel, output)


def write_panel(title: str, panel: Panel, output: str) -> None:
    """Writes a picture of one panel, of the kind that its name ends in."""
    path = Path(output)
    kind = path.suffix.lower().removeprefix(".")
    write_files({path: files(Figure("range", title, [panel]), (kind,))[f"range.{kind}"]})
