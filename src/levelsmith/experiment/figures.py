"""Figures of an experiment: panels that flow on a page, or stand side by side in a file.

A search has the same colour everywhere; the colours are told apart by the colour-blind, on light and on dark
pages. Matplotlib draws them; it comes with the extra `analysis`.
"""

from __future__ import annotations

import io
import logging
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from levelsmith.errors import LevelsmithError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

COLOURS = {
    "bfs": "#3d7ab8",
    "dfs": "#5cb8e6",
    "best": "#139c78",
    "astar": "#7d9b36",
    "mcts": "#8f6cc0",
    "roots": "#35b3a8",
    "plan": "#4f5bd0",
    "graft": "#c9303e",
    "hc": "#dd9a12",
    "sa": "#d2601a",
    "es": "#cc6f9f",
    "ga": "#a4714a",
    "random": "#848b98",
}
OTHERS = ("#3d7ab8", "#d2601a", "#139c78", "#cc6f9f", "#8f6cc0", "#dd9a12", "#5cb8e6", "#a4714a", "#7d9b36")
SHADES = (1.0, 0.66, 0.36)  # of bars that belong together
INK = "#1f2530"
PAGE_INK = "#010203"  # becomes the page's own colour of writing
FORMATS = ("png", "svg", "pdf")
DOTS = 96  # an inch
SMALL = 3.0, 2.3  # inches of a panel


def colours_of(names: Sequence[str]) -> dict[str, str]:
    """Returns a colour for each name: a search's own, else the next of a list."""
    others = [name for name in names if name not in COLOURS]
    own = {name: OTHERS[i % len(OTHERS)] for i, name in enumerate(others)}
    return {name: COLOURS.get(name) or own[name] for name in names}


def key_columns(names: Sequence[str], width: float) -> int:
    """Returns how many names of a legend stand beside each other in so many inches."""
    return max(1, min(len(names), int(width / (0.5 + 0.062 * max(map(len, names))))))


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes: its title, and what draws it."""

    title: str
    draw: Callable[[Axes], None]
    width: float = SMALL[0]
    height: float = SMALL[1]
    margins: tuple[float, float, float, float] = (0.52, 0.13, 0.44, 0.08)  # inches: left, right, bottom, top
    room: float = 6.0  # points between the axes and the title


@dataclass(frozen=True, slots=True)
class Figure:
    """Panels that belong together, and the stem of their files."""

    name: str
    title: str
    panels: Sequence[Panel]
    paper: str = ""  # what the paper says about it
    note: str = ""
    columns: int = 3
    legend: Mapping[str, str] = field(default_factory=dict)  # label -> colour, where panels share one


# -------------------------------------------------------------------------------------------------- rendering


def matplotlib() -> Any:
    """Returns the library, or the line that says how to get it."""
    logging.getLogger("matplotlib").addFilter(_worth_telling)
    try:
        import matplotlib as library
    except ImportError:
        raise LevelsmithError(
            "figures are drawn by matplotlib, which is not installed; "
            "type: pip install 'levelsmith[analysis]'"
        ) from None
    return library


def _worth_telling(record: logging.LogRecord) -> bool:
    """Keeps from the user where Matplotlib lists its fonts: without a home, in a folder for now."""
    return "cache directory" not in str(record.msg)


def settings(ink: str) -> dict[str, Any]:
    names = (
        "text.color",
        "axes.edgecolor",
        "axes.labelcolor",
        "xtick.color",
        "ytick.color",
        "legend.labelcolor",
    )
    return {
        **dict.fromkeys(names, ink),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.8,
        "axes.axisbelow": True,
        "font.size": 8.5,
        "axes.titlesize": 9.5,
        "axes.labelsize": 8.5,
        "figure.dpi": DOTS,
        "svg.fonttype": "none",
        "svg.hashsalt": "levelsmith",
        "pdf.fonttype": 42,
        "legend.frameon": False,
        "legend.fontsize": 8,
    }


def drawn(panel: Panel) -> Drawing:
    """Returns a panel alone, within its margins."""
    from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=(panel.width, panel.height))
    left, right, bottom, top = panel.margins
    drawing.subplots_adjust(
        *(left / panel.width, bottom / panel.height, 1 - right / panel.width, 1 - top / panel.height)
    )
    panel.draw(drawing.add_subplot())
    return drawing


def inline_svg(panel: Panel) -> str:
    """Returns a panel as SVG for a page, in the page's own colour of writing."""
    library = matplotlib()
    with library.rc_context(settings(PAGE_INK)):
        text = _saved(drawn(panel), "svg", transparent=True).decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    width = round(panel.width * DOTS)
    size = f'width="{width}" style="max-width:{round(1.2 * width)}px"'  # as wide as there is room, on a phone
    text = re.sub(r'<svg [^>]*?(viewBox="[^"]*")[^>]*>', rf"<svg \1 {size}>", text, count=1)
    text = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font: \1px system-ui, sans-serif", text)
    text = re.sub(r"<[^>]+>", lambda tag: re.sub(r"(?<=\d)(\.\d{3})\d+", r"\1", tag[0]), text)
    text = re.sub(r"\s*\n\s*", "\n", text)
    return text.replace(PAGE_INK, "currentColor")


def files(figure: Figure, formats: Sequence[str] = FORMATS, dots: int = 200) -> dict[str, bytes]:
    """Returns a figure with all its panels, by file name, in each format; with so many dots an inch."""
    library = matplotlib()
    with library.rc_context(settings(INK) | {"savefig.dpi": dots}):
        from matplotlib.figure import Figure as Drawing

        columns = min(figure.columns, len(figure.panels))
        rows = math.ceil(len(figure.panels) / columns)
        size = (columns * figure.panels[0].width, rows * (figure.panels[0].height + 0.3))
        drawing = Drawing(figsize=size, layout="constrained")
        for i, panel in enumerate(figure.panels):
            axes = drawing.add_subplot(rows, columns, i + 1)
            panel.draw(axes)
            if len(figure.panels) > 1:
                axes.set_title(panel.title, pad=panel.room)
            else:
                drawing.suptitle(panel.title)
        if figure.legend:
            from matplotlib.patches import Patch

            keys = [Patch(color=colour, label=name) for name, colour in figure.legend.items()]
            ncols = key_columns(list(figure.legend), size[0])
            drawing.legend(handles=keys, loc="outside lower center", ncols=ncols)
        made = {}
        for kind in formats:
            made[f"{figure.name}.{kind}"] = _saved(drawing, kind)
            drawing.set_layout_engine("none")  # all is in its place now
        return made


def _saved(drawing: Drawing, kind: str, transparent: bool = False) -> bytes:
    """Returns the bytes of a drawing, without the day it was made, so that the same is drawn the same."""
    buffer = io.BytesIO()
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    drawing.savefig(buffer, format=kind, transparent=transparent, metadata=dates[kind])
    return buffer.getvalue()
