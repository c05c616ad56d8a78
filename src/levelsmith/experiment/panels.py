"""The kinds of panels: bars with intervals, curves with bands, histograms of two metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from levelsmith.experiment.figures import COLOURS, Panel, key_columns
from levelsmith.experiment.statistics import Estimate, Numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLAIN = 10_000  # from here on thousands are written as k
FEW_NAMES, SHORT_NAME = 4, 12  # a legend of more, or longer ones, stands below the axes
BINS = 25  # of a histogram, at most, along each axis
ROW = 0.165  # inches of a row of such a legend


def _lines(axes: Axes, axis: str = "y") -> None:
    from matplotlib import rcParams

    axes.grid(axis=axis, color=rcParams["text.color"], alpha=0.13, linewidth=0.8)  # type: ignore[arg-type]


def _logarithmic(axis: Any) -> None:
    """Puts plain numbers at the powers of ten, which are also drawn faster than exponents."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    low, high = axis.get_view_interval()
    close = high / max(low, 1e-12) < 100
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if close else (1,), numticks=7))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))


def short(value: float) -> str:
    """Returns a number in few characters.

    >>> [short(v) for v in (0.001, 1, 1000, 50000, 2e6)]
    ['0.001', '1', '1k', '50k', '2M']
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def bars(
    title: str,
    groups: Sequence[tuple[str, Sequence[tuple[str, Estimate, str, float]]]],
    label: str,
    percent: bool = False,
    log: bool = False,
    level: Estimate | None = None,
    **size: Any,
) -> Panel:
    """Returns bars with their intervals, and a dashed line at a level that they are compared with.

    groups: (name, [(letter below the bar, figure, colour, shade)])
    """

    def draw(axes: Axes) -> None:
        from matplotlib import rcParams

        ink = rcParams["text.color"]
        factor = 100 if percent else 1
        x = 0.0
        middles, places, letters = [], [], []
        for _, members in groups:
            first = x
            for letter, figure, colour, shade in members:
                if figure:
                    low, high = (
                        factor * abs(end - figure.value) if math.isfinite(end) else 0.0
                        for end in (figure.low, figure.high)
                    )
                    axes.bar(x, factor * figure.value, 0.86, color=colour, alpha=shade, linewidth=0)
                    axes.errorbar(
                        x, factor * figure.value, [[low], [high]], ecolor=ink, elinewidth=0.9, fmt="none"
                    )
                if letter:
                    places.append(x)
                    letters.append(letter)
                x += 1
            middles.append((first + x - 1) / 2)
            x += 0.6 if any(len(members) > 1 for _, members in groups) else 0.1
        if level:
            axes.axhline(factor * level.value, color=ink, linewidth=1.0, linestyle=(0, (4, 3)), alpha=0.8)
        axes.set_xticks(middles, [name for name, _ in groups])
        axes.tick_params(axis="x", length=0, pad=13 if letters else 4)
        if letters:
            axes.xaxis.remove_overlapping_locs = False
            axes.set_xticks(places, letters, minor=True)
            axes.tick_params(axis="x", which="minor", length=0, pad=2, labelsize=7)
        if percent:
            axes.set_ylim(0, 104)
        if log:
            axes.set_yscale("log")
            axes.set_ylim(bottom=0.7 * min(known, default=1.0))
            _logarithmic(axes.yaxis)
        axes.set_ylabel(label)
        axes.margins(x=0.02)
        _lines(axes)

    known = [figure.low for _, members in groups for _, figure, _, _ in members if figure and figure.low > 0]
    left = 0.7 if log and min(known, default=1.0) < 0.001 else 0.6  # inches; small numbers are long
    bottom = 0.4 if any(len(members) > 1 for _, members in groups) else 0.26
    return Panel(title, draw, **{"margins": (left, 0.04, bottom, 0.08), **size})


@dataclass(frozen=True, slots=True)
class Line:
    """A curve with its band."""

    label: str
    x: Numbers
    y: Numbers
    colour: str
    low: Numbers | None = None
    high: Numbers | None = None
    style: Any = "-"
    steps: bool = False


def line_of(label: str, x: Numbers, found: Sequence[Estimate], colour: str) -> Line:
    """Returns the curve of estimates, with their intervals as its band."""
    y, low, high = (np.array([getattr(each, end) for each in found]) for end in ("value", "low", "high"))
    return Line(label, x, y, colour, low, high)


def curves(
    title: str,
    lines: Sequence[Line],
    x: str,
    y: str,
    log: bool = False,
    legend: bool = True,
    least: float | None = 0.0,
    **size: Any,
) -> Panel:
    """Returns curves over a common axis, with bands where they have them."""

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import MaxNLocator

        for line in lines:
            drawn: Any = {"drawstyle": "steps-post"} if line.steps else {}
            axes.plot(
                line.x,
                line.y,
                color=line.colour,
                linestyle=line.style,
                linewidth=1.6,
                label=line.label,
                **drawn,
            )
            if line.low is not None and line.high is not None:
                axes.fill_between(
                    line.x,
                    line.low,
                    line.high,
                    color=line.colour,
                    alpha=0.16 if len(lines) < 6 else 0.1,
                    linewidth=0,
                )
        if log:
            axes.set_xscale("log")
            _logarithmic(axes.xaxis)
        elif axes.get_xlim()[1] >= PLAIN:
            axes.xaxis.set_major_locator(MaxNLocator(4))
            axes.xaxis.set_major_formatter(lambda value, _: short(value))
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        if least is not None:
            axes.set_ylim(bottom=least)
        axes.margins(x=0.01)
        _lines(axes)
        if below:
            from matplotlib.transforms import ScaledTranslation

            shift = ScaledTranslation(-left, -bottom, axes.figure.dpi_scale_trans)
            axes.legend(
                loc="upper left",
                ncols=columns,
                bbox_to_anchor=(0, 0),
                bbox_transform=axes.transAxes + shift,
                handlelength=1.6,
                labelspacing=0.25,
                columnspacing=1,
                borderpad=0.1,
            )
        elif names:
            axes.legend(loc="best", handlelength=1.6, labelspacing=0.25)

    panel = Panel(title, draw, **size)
    left, right, bottom, top = panel.margins
    names = [line.label for line in lines] if legend and len(lines) > 1 else []
    below = len(names) > FEW_NAMES or max(map(len, names), default=0) > SHORT_NAME
    columns = key_columns(names, panel.width) if below else 1
    more = ROW * math.ceil(len(names) / columns) + 0.05 if below else 0.0
    return replace(panel, height=panel.height + more, margins=(left, right, bottom + more, top))


def heat(
    title: str,
    x: Numbers,
    y: Numbers,
    labels: tuple[str, str],
    spans: tuple[tuple[float, float], tuple[float, float]] | None = None,
    colour: str = COLOURS["bfs"],
    bins: int = BINS,
    most: float | None = None,
    **size: Any,
) -> Panel:
    """Returns how many levels have which two metrics, with the distribution of each along the edges.

    A bin has its full colour at the share `most` of the levels, so that panels have one scale; without it at
    the most there are in any bin.
    """
    known = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[known], y[known]
    spans = spans or (span_of(x), span_of(y))
    edges = [_edges(span, bins) for span in spans]

    def draw(axes: Axes) -> None:
        from matplotlib.colors import to_rgb
        from matplotlib.ticker import MaxNLocator

        counts, _, _ = np.histogram2d(x, y, bins=edges)
        image = np.zeros((*counts.T.shape, 4))
        image[..., :3] = to_rgb(colour)
        full = max(1, counts.max()) if not most else most * max(1, len(x))
        image[..., 3] = np.where(counts.T > 0, opacity(counts.T / full), 0)
        extent = (edges[0][0], edges[0][-1], edges[1][0], edges[1][-1])
        axes.imshow(image, origin="lower", extent=extent, aspect="auto", interpolation="none")
        for axis, span in ((axes.xaxis, spans[0]), (axes.yaxis, spans[1])):
            axis.set_major_locator(MaxNLocator(4, integer=span[1] - span[0] > 3))
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        _lines(axes, "both")
        top = axes.inset_axes((0, 1.02, 1, 0.17), sharex=axes)
        side = axes.inset_axes((1.02, 0, 0.17, 1), sharey=axes)
        top.bar(edges[0][:-1], counts.sum(1), np.diff(edges[0]), align="edge", color=colour, alpha=0.75)
        side.barh(edges[1][:-1], counts.sum(0), np.diff(edges[1]), align="edge", color=colour, alpha=0.75)
        for beside in (top, side):
            beside.set_axis_off()
        if len(x) == 0:
            axes.text(0.5, 0.5, "no levels", transform=axes.transAxes, ha="center", va="center", alpha=0.7)

    return Panel(title, draw, **{"room": 26.0, "margins": (0.42, 0.32, 0.4, 0.32), **size})


def opacity(share: Any) -> Any:
    """Returns how much colour a bin has with a share of the levels that the fullest has."""
    return 0.12 + 0.88 * np.sqrt(np.minimum(1.0, share))


def densest(
    x: Numbers, y: Numbers, spans: tuple[tuple[float, float], tuple[float, float]], bins: int = BINS
) -> float:
    """Returns the largest share of levels in any bin of a panel."""
    known = ~np.isnan(x) & ~np.isnan(y)
    counts, _, _ = np.histogram2d(x[known], y[known], bins=[_edges(span, bins) for span in spans])
    return float(counts.max() / max(1, known.sum()))


def span_of(values: Numbers) -> tuple[float, float]:
    known = values[~np.isnan(values)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)


def _edges(span: tuple[float, float], bins: int) -> Numbers:
    """Bins as wide as whole numbers ask for, where the values are few whole numbers."""
    low, high = span
    if float(low).is_integer() and float(high).is_integer():
        width = max(1, math.ceil((high - low + 1) / bins))
        return np.arange(low - 0.5, high + 0.5 + width, width)
    return np.linspace(low, high if high > low else low + 1, bins + 1)
