"""Levels in a terminal: coloured cells, half-blocks where those are too wide, plain text without colour."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.live import Live
from rich.measure import Measurement
from rich.style import Style
from rich.text import Text

from levelsmith.core import Level, Parameter
from levelsmith.errors import unknown
from levelsmith.levels.film import frames, highlights, moves, place
from levelsmith.levels.formats.sheet import shown
from levelsmith.levels.look import THEMES, Look
from levelsmith.registry import games

STYLES = ("auto", "cells", "half", "plain")
CELL = 2  # columns to a cell, which makes it about square
LINES = "-=_~#"  # symbols that are drawn twice, because then they join
DIM = Style(dim=True)
SPEED = Parameter("speed", 8.0, "moves a second", 0.1, 1000)
MOST_SHOWN = 8  # frames of a solution where there is no terminal to play it on


def console(stderr: bool = False) -> Console:
    """Returns the console that commands print to.

    Colour only on a terminal; NO_COLOR switches it off, FORCE_COLOR on. What a stream cannot encode is
    replaced rather than fatal: a title may have any letters.
    """
    stream = sys.stderr if stderr else sys.stdout
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def render(level: Level, *, style: str = "auto", theme: str = "dark", width: int | None = None) -> LevelView:
    """Returns a level for `console.print`.

    Args:
        level: the level.
        style: `cells`, `half` (two rows a line, a column a cell) or `plain`; `auto` takes half-blocks for
            levels too wide for cells, and plain text where colours are missing or too few.
        theme: for a light or a dark terminal.
        width: columns to fit into; by default those of the console.
    """
    if style not in STYLES:
        raise unknown("style", style, STYLES)
    if theme not in THEMES:
        raise unknown("theme", theme, THEMES)
    return LevelView(level, style, theme, width)


def cells(level: Level, theme: str) -> list[tuple[str, tuple[str, str]]]:
    """Returns of each tile kind the text of a cell, and the colours of its ground and of its symbol."""
    look: Look = games.get(level.game).look()
    named = look.palettes[theme]
    drawn = []
    for tile in level.tiles:
        ground, symbol = (named[name] for name in look.terminal[tile.name])
        text = " " if ground == symbol else tile.symbol
        drawn.append((text * CELL if text in LINES else text.ljust(CELL), (ground, symbol)))
    return drawn


@dataclass(frozen=True, slots=True)
class LevelView:
    """A level that decides how it looks when it meets the console it is printed on."""

    level: Level
    style: str
    theme: str
    width: int | None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        style = self._chosen(console, options)
        yield Text("\n").join(self._lines(style))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        style = self._chosen(console, options)
        columns = max(line.cell_len for line in self._lines(style))
        return Measurement(columns, columns)

    def _chosen(self, console: Console, options: ConsoleOptions) -> str:
        if self.style != "auto":
            return self.style
        if console.no_color or console.color_system is None:
            return "plain"
        room = self.width if self.width is not None else options.max_width
        if self.level.size[1] * CELL <= room:
            return "cells"
        # Half-blocks have no symbols: they need a character beyond ASCII and colours enough for all tiles.
        rich_colour = console.color_system in ("256", "truecolor")
        return "half" if rich_colour and not options.ascii_only else "plain"

    def _lines(self, style: str) -> Iterator[Text]:
        level = self.level
        if style == "plain":
            # Comments rather than a heading, so that what is printed can be loaded as it stands.
            for key in ("title", "author"):
                if getattr(level, key) and ";" not in level.tiles.by_character:
                    yield Text(f"; {key}: {getattr(level, key)}")
            yield from map(Text, level.tiles.rows(level.grid))
            return
        heading = level.title + (f" by {level.author}" if level.author else "")
        if heading.strip():
            yield Text(heading.strip(), DIM)
        yield from self._cells() if style == "cells" else self._halves()

    def _cells(self) -> Iterator[Text]:
        drawn = [
            (text, Style(color=symbol, bgcolor=ground, bold=ground != symbol))
            for text, (ground, symbol) in cells(self.level, self.theme)
        ]
        drawn.append((" " * CELL, Style()))
        for row in shown(self.level, self.level.grid).tolist():
            yield Text.assemble(*(drawn[kind] for kind in row))

    def _halves(self) -> Iterator[Text]:
        """Yields two rows a line. A cell has one colour: its ground's, or its symbol's if the ground is
        common."""
        colours = [pair for _, pair in cells(self.level, self.theme)]
        common = colours[0][0]
        paint: list[str | None] = [symbol if ground == common else ground for ground, symbol in colours]
        paint.append(None)
        rows = shown(self.level, self.level.grid).tolist()
        if len(rows) % 2:
            rows.append([len(colours)] * len(rows[0]))
        for uppers, lowers in zip(rows[::2], rows[1::2], strict=True):
            yield Text.assemble(
                *map(_half, (paint[kind] for kind in uppers), (paint[kind] for kind in lowers))
            )


def _half(upper: str | None, lower: str | None) -> tuple[str, Style]:
    """Returns a character with the colours of two cells, either of which may be blank."""
    if upper is None:
        return (" ", Style()) if lower is None else ("▄", Style(color=lower))
    return "▀", Style(color=upper, bgcolor=lower)


# --------------------------------------------------------------------------------------- solutions, played


def play(level: Level, *, style: str = "auto", theme: str = "dark", speed: float = 8.0) -> None:
    """Plays a level's solution, live on a terminal; elsewhere as text that can be loaded as it stands."""
    speed = SPEED.check(speed)
    out, played = console(), moves(level)  # a solution that fails does so before anything is drawn
    if out.is_interactive and sys.stdout.isatty():
        _play_live(out, level, played, style, theme, 1 / speed)
    else:
        _print_highlights(out, level, played, style, theme)


def _play_live(out: Console, level: Level, played: str, style: str, theme: str, delay: float) -> None:
    coloured = out.color_system in ("256", "truecolor") and not out.no_color
    if style == "auto" and coloured and level.size[0] + 4 > out.height:
        style = "half"  # what is too high for cells may fit then
    capital = games.get(level.game).capitals
    due, reached, grid = time.monotonic(), 0, level.grid
    with Live(console=out, auto_refresh=False, vertical_overflow="crop") as live:
        try:
            for reached, grid in enumerate(frames(level)):
                board = render(replace(level, grid=grid), style=style, theme=theme)
                hint = Text("Ctrl-C stops", DIM) if reached < len(played) else Text("the end", DIM)
                live.update(Group(board, Text(place(played, reached, capital)), hint), refresh=True)
                if reached < len(played):
                    due = max(due + delay, time.monotonic())  # after a slow frame the rest does not hurry
                    time.sleep(max(0.0, due - time.monotonic()))
        except KeyboardInterrupt:
            board = render(replace(level, grid=grid), style=style, theme=theme)
            live.update(Group(board, Text(f"stopped after {place(played, reached, capital)}")), refresh=True)
            raise


def _print_highlights(out: Console, level: Level, played: str, style: str, theme: str) -> None:
    shown = highlights(played, MOST_SHOWN)
    capital = games.get(level.game).capitals
    out.print(f"; solution: {level.solution}")
    for number, grid in enumerate(frames(level)):
        if number in shown:
            frame = replace(level, grid=grid, title=place(played, number, capital), author="")
            if number:
                out.print()
            out.print(render(frame if number else level, style=style, theme=theme))
