"""Figures 1, 2 and 5 of Thakkar et al. again, of a level that ships with levelsmith."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from levelsmith.contracts import Provable, WithGuards, WithTrail
from levelsmith.core import Level
from levelsmith.experiment.figures import Figure, Panel
from levelsmith.experiment.papers.captions import Captions
from levelsmith.registry import games

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE, HIGH = 3.6, 2.9  # inches of a panel
CHANNELS = {"brick": "#c8413b", "ladder": "#3f9142"}  # of figure 2: red and green
WAY = "#d4721f"
TRIM = (0.05, 0.05, 0.05, 0.05)


def figures(captions: Captions, level: Level) -> list[Figure]:
    """Returns the string of a level, two of its channels, and the way of the agent through it."""
    string = [_panel("as a picture", level), _text("as a string", level)]
    channels = [_channel(level, name, colour) for name, colour in CHANNELS.items()]
    return [
        captions.figure("figure-1", string, level=level.title),
        captions.figure("figure-2", channels),
        *_way(captions, level),
    ]


def _way(captions: Captions, level: Level) -> list[Figure]:
    game = games.get(level.game)
    if isinstance(game, WithGuards):
        game = game.against("still")  # as in the paper
    if not (isinstance(game, Provable) and isinstance(game, WithTrail)):
        return []
    plan = game.prove(level)
    if plan is None:
        return []
    solved = Level(level.game, level.tiles, level.grid, level.title, solution=plan)
    cells = np.array(game.trail(solved))
    return [captions.figure("figure-5", [_panel("the agent's plan", level, cells)], moves=len(plan))]


def _panel(title: str, level: Level, way: np.ndarray | None = None) -> Panel:
    """Returns a level in its own colours, with a way over it."""
    colours = _colours(level)

    def draw(axes: Axes) -> None:
        axes.imshow(colours[level.grid], interpolation="none")
        if way is not None:
            axes.plot(way[:, 1], way[:, 0], color=WAY, linewidth=1.4, alpha=0.85)
        axes.set_axis_off()

    return Panel(title, draw, WIDE, HIGH, TRIM)


def _colours(level: Level) -> np.ndarray:
    """Returns a colour for each tile. → `[tiles, 3]`"""
    from matplotlib.colors import to_rgb

    named = {
        "empty": "#f2f0ea",
        "brick": "#a9583c",
        "solid": "#5f5a55",
        "ladder": "#3f7fb5",
        "rope": "#b59b3f",
    }
    named |= {"gold": "#e5b800", "enemy": "#c0392b", "player": "#2d8a4e"}
    return np.array([to_rgb(named.get(name, "#888888")) for name in level.tiles.names])


def _text(title: str, level: Level) -> Panel:
    def draw(axes: Axes) -> None:
        axes.text(
            0.5, 0.5, level.text, family="monospace", fontsize=7.6, ha="center", va="center", linespacing=1.05
        )
        axes.set_axis_off()

    return Panel(title, draw, WIDE, HIGH, TRIM)


def _channel(level: Level, name: str, colour: str) -> Panel:
    names = [games.get(level.game).alike.get(tile, tile) for tile in level.tiles.names]
    there = np.array([each == name for each in names])[level.grid]

    def draw(axes: Axes) -> None:
        from matplotlib.colors import ListedColormap

        axes.imshow(there, cmap=ListedColormap(["#f2f0ea", colour]), vmin=0, vmax=1, interpolation="none")
        axes.set_axis_off()

    return Panel(f"{name}s", draw, WIDE, HIGH, TRIM)
