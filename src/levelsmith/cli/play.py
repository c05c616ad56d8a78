"""`levelsmith play`: levels to play in the terminal, with keys."""

from __future__ import annotations

import contextlib
import os
import sys
import textwrap
import time
from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.options import file_options, read, theme_option
from levelsmith.errors import LevelsmithError, printable

if TYPE_CHECKING:
    from levelsmith.core import Level
    from levelsmith.games.arena import Session

CELL = 2  # columns to a cell
LINES = 2  # below a level: how it stands, and what keys do
FASTEST, SLOWEST = 10.0, 0.1
ARROWS = {"←": "l", "→": "r", "↑": "u", "↓": "d"}  # the moves that they are
COMMANDS = "p pauses, r begins again, n next level, q ends"
PAUSE = 1.0  # seconds before the level after one that is won


@click.command()
@click.argument("file")
@file_options
@theme_option
@click.option("--speed", type=float, metavar="TIMES", help="Speed of a real-time game; 1 is its own speed.")
def play(file: str, theme: str, speed: float | None, **reading: Any) -> None:
    """Play the levels of FILE in the terminal; pack.json#3 is the third of a pack.

    Lode Runner goes in real time, against its guards: arrows run, z and x dig, and a key stays until another
    comes. Sokoban, PuzzleScript and games of yours whose rules play move by move wait for each move. A win
    leads to the next level.

    \b
    levelsmith play loderunner:corpus#7
    levelsmith play pack.xsb
    levelsmith play puzzlescript:crates
    """
    from levelsmith.cli.sessions import begin

    if speed is not None and not SLOWEST <= speed <= FASTEST:
        raise LevelsmithError(f"expected a number from {SLOWEST} to {FASTEST:g} for --speed, got {speed:g}")
    levels = read(file, **reading)
    sessions = [begin(level, speed) for level in levels]  # what cannot be played is told before anything is
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise LevelsmithError(
            "expected a terminal to play on, got a file or a pipe; levelsmith show draws levels anywhere"
        )
    for line in _on_screen(levels, sessions, theme):
        click.echo(line)


def _on_screen(levels: list[Level], sessions: list[Session], theme: str) -> list[str]:
    """Plays, with the whole screen to draw on; returns a line on each level that was begun."""
    try:
        import curses
    except ImportError:
        raise LevelsmithError(
            "this Python has no curses, which draws in terminals; levelsmith studio plays in a browser"
        ) from None
    try:
        curses.setupterm()
        if not curses.tigetstr("cup"):
            raise curses.error
    except curses.error:
        raise LevelsmithError(
            f"expected a terminal that can be drawn on, got TERM={os.environ.get('TERM', '')}; "
            "levelsmith studio plays in a browser"
        ) from None
    os.environ.setdefault("ESCDELAY", "25")
    told: list[str] = []
    curses.wrapper(lambda window: Screen(window, theme).play(levels, sessions, told))
    return told


class Screen:
    """A terminal that a game is drawn on and that keys come from."""

    def __init__(self, window: Any, theme: str):
        import curses

        self.window, self.theme = window, theme
        self.pairs: dict[tuple[str, str], int] = {}  # of colours, by number
        self.coloured = curses.has_colors() and not os.environ.get("NO_COLOR")
        if self.coloured:
            curses.use_default_colors()
        if curses.tigetstr("civis"):
            curses.curs_set(0)

    def play(self, levels: list[Level], sessions: list[Session], told: list[str]) -> None:
        """Plays level after level until there are no more or enough; adds a line on each to `told`."""
        for number, (level, session) in enumerate(zip(levels, sessions, strict=True), start=1):
            self._fit(level)
            self.window.clear()
            more = self._play(level, session, number < len(levels))
            told.append(f"{level.title or f'level {number}'}: {session.end() or 'left'} ({session.line()})")
            if not more:
                return

    def _fit(self, level: Level) -> None:
        """Refuses a level that is too large for the terminal."""
        rows, columns = self.window.getmaxyx()
        height, width = level.size
        if rows < height + LINES or columns < width * CELL:
            raise LevelsmithError(
                f"expected a terminal of {width * CELL}x{height + LINES} characters for this level, "
                f"got {columns}x{rows}; make it larger, or its letters smaller"
            )

    def _play(self, level: Level, session: Session, goes_on: bool) -> bool:
        """Plays a level; returns whether the next one is asked for, which a win does where there is one."""
        running, due = False, 0.0
        while True:
            running = running and session.seconds is not None and session.end() is None
            if not self._tell(session):
                return False
            self._draw(level, session, running)
            leaves = goes_on and session.won
            wait = PAUSE if leaves else due - time.monotonic() if running else None
            key = self._key(wait)
            if key in ("q", "n") or (leaves and key not in ("r", "z")):
                return key != "q"
            if key == "r":
                session.restart()
            if key in ("r", "p"):
                running = False
            elif session.press(ARROWS.get(key, key)) and not running:
                running, due = True, time.monotonic()
            if running and session.seconds is not None and time.monotonic() >= due:
                session.advance()
                due = max(due + session.seconds, time.monotonic())

    def _tell(self, session: Session) -> bool:
        """Shows the messages of a session, each until a key comes; returns whether it was none that ends."""
        from levelsmith.games.arena import Telling

        for text in session.messages() if isinstance(session, Telling) else ():
            rows, columns = self.window.getmaxyx()
            lines = [*textwrap.wrap(printable(text), max(1, columns - 2)), "", "a key goes on"][: rows - 1]
            self.window.clear()
            for i, line in enumerate(lines):
                self._put(max(0, rows // 3) + i, (columns - len(line)) // 2, line)
            self.window.refresh()
            if self._key(None) == "q":
                return False
            self.window.clear()
        return True

    def _key(self, seconds: float | None) -> str:
        """Returns an arrow, or what was typed; '' where nothing was, in so many seconds.

        Where the terminal is gone nothing ever will be: that is a `q`.
        """
        import curses

        arrows = {curses.KEY_LEFT: "←", curses.KEY_RIGHT: "→", curses.KEY_UP: "↑", curses.KEY_DOWN: "↓"}
        self.window.timeout(-1 if seconds is None else max(0, round(1000 * seconds)))
        code = self.window.getch()
        if code == curses.ERR and not sys.stdin.isatty():
            return "q"
        return arrows.get(code, chr(code) if 0 < code < 128 else "")

    def _draw(self, level: Level, session: Session, running: bool) -> None:
        from levelsmith.cli.terminal import cells

        grid, names, drawn = session.ground(), level.tiles.names, cells(level, self.theme)
        if not self.coloured:  # a ground of one colour has no symbol then
            drawn = [
                (tile.symbol * CELL if text.isspace() and tile.symbol != "." else text, colours)
                for tile, (text, colours) in zip(level.tiles, drawn, strict=True)
            ]
        for row, tiles in enumerate(grid.tolist()):
            for column, tile in enumerate(tiles):
                self._put(row, column * CELL, *drawn[tile])
        for thing in session.things():
            column = min(max(0, round(thing.column * CELL)), grid.shape[1] * CELL - CELL)
            ground, symbol = drawn[names.index(thing.tile)][1]
            self._put(thing.row, column, thing.text, (ground if ground != symbol else drawn[0][1][0], symbol))
        state = session.end() or ("" if session.seconds is None or running else "a key starts it")
        room = self.window.getmaxyx()[1] - 1
        for i, line in enumerate((f"{session.line()}  {state}", f"{session.keys}; {COMMANDS}")):
            self._put(grid.shape[0] + i, 0, line[:room].ljust(room))
        self.window.refresh()

    def _put(self, row: int, column: int, text: str, colours: tuple[str, str] | None = None) -> None:
        import curses

        attribute = curses.A_NORMAL if colours is None or colours[0] == colours[1] else curses.A_BOLD
        if self.coloured and colours is not None:
            attribute |= curses.color_pair(self._pair(colours))
        with contextlib.suppress(curses.error):  # the terminal has been made too small meanwhile
            self.window.addstr(row, column, text, attribute)

    def _pair(self, colours: tuple[str, str]) -> int:
        """Returns the number of a pair of colours, in those that the terminal has."""
        import curses

        from rich.color import Color, ColorSystem

        if colours not in self.pairs:
            system = ColorSystem.EIGHT_BIT if curses.COLORS >= 256 else ColorSystem.STANDARD
            ground, symbol = (Color.parse(name).downgrade(system).number or 0 for name in colours)
            self.pairs[colours] = len(self.pairs) + 1
            curses.init_pair(self.pairs[colours], symbol % curses.COLORS, ground % curses.COLORS)
        return self.pairs[colours]
