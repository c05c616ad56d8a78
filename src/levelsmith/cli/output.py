"""What commands print besides levels: JSON lines, notices of compilation, the live view of a search."""

from __future__ import annotations

import json
import sys
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from levelsmith.core import Level, Progress, Result

COUNT_SECONDS = 0.2  # between two counts on a terminal
QUIET_SECONDS = 10.0  # between two lines of progress where there is no terminal
SAVE_SECONDS = 2.0  # between two times that levels are written while more are made
SAVE_SHARE = 20  # of the time, at most one part in so many goes to writing them


def print_json(item: dict[str, Any]) -> None:
    click.echo(json.dumps(item, ensure_ascii=True, allow_nan=False))


def print_table(rows: Sequence[Sequence[str]], words: Collection[str]) -> None:
    """Prints rows below their heads, the first of them, with the columns of words on the left.

    Columns are as wide as they need be: a table that is cut to the terminal loses figures.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for i, row in enumerate(rows):
        cells = [
            cell.ljust(width) if head in words else cell.rjust(width)
            for cell, width, head in zip(row, widths, rows[0], strict=True)
        ]
        click.secho("  ".join(cells).rstrip(), bold=i == 0)


def result_object(result: Result) -> dict[str, Any]:
    """Returns one made level as the object that `--json` prints."""
    from levelsmith.levels.formats.digest import digest
    from levelsmith.levels.measure import measure

    level = result.best
    return {
        "game": level.game,
        "text": level.text,
        "score": result.score,
        "solved": result.solved,
        **({"missed": result.missed} if result.missed else {}),
        "metrics": measure(level),
        "solution": level.solution,
        "statistics": {
            "evaluations": result.evaluations,
            "seconds": round(result.seconds, 6),
            "evaluations_per_second": round(result.evaluations / max(result.seconds, 1e-9)),
            "stopped": result.stopped,
            **result.statistics,
        },
        "provenance": dict(level.provenance),
        "digest": digest(level),
    }


def tell_compilations() -> None:
    """Says so when something compiles for the first time: it takes seconds, once."""
    from levelsmith.kernels import compile

    def notice(kernel: str, seconds: float | None) -> None:
        if seconds is None or watched:
            click.echo(f"\rcompiling {kernel} for its first use … "[not watched :], nl=False, err=True)
        if seconds is not None:
            click.echo(f"{seconds:.1f} s", err=True)

    watched = sys.stderr.isatty()
    compile.notice = notice


class Watcher:
    """Shows a search while it runs: live on a terminal, a line now and then elsewhere."""

    def __init__(self, runs: int, theme: str):
        from levelsmith.cli.terminal import console

        self.runs, self.theme = runs, theme
        self.console = console(stderr=True)
        self.finished = 0
        self.shown_at: float | None = None
        self.live: Any = None

    def __enter__(self) -> Watcher:
        return self

    def __exit__(self, *_: object) -> None:
        if self.live is not None:
            self.live.stop()

    def see(self, progress: Progress) -> None:
        status = (
            f"level {self.finished + 1} of {self.runs} · score {progress.score:.4g} · "
            f"{progress.evaluations:,} evaluations · {progress.rate:,.0f}/s · {progress.seconds:.1f} s"
        )
        if self.console.is_terminal:
            self._draw(progress, status)
        elif self.shown_at is None:  # the clock starts with the search, after any compilation
            self.shown_at = time.monotonic()
        elif time.monotonic() - self.shown_at >= QUIET_SECONDS:
            self.shown_at = time.monotonic()
            click.echo(status, err=True)

    def _draw(self, progress: Progress, status: str) -> None:
        from rich.console import Group
        from rich.live import Live
        from rich.text import Text

        from levelsmith.cli.terminal import render

        if self.live is None:  # only now, so that a notice of compilation has the screen to itself
            self.live = Live(console=self.console, transient=True, refresh_per_second=10)
            self.live.start()
        parts = [] if progress.best is None else [render(progress.best, theme=self.theme)]
        self.live.update(Group(*parts, Text(status), Text("Ctrl-C keeps the best so far", style="dim")))


class Kept:
    """The levels so far. They are written now and then, so that a command that is killed has not lost them.

    Args:
        output: the path to write to; None or - for nowhere until the end.
        write_as: the format, where the path does not tell.
    """

    def __init__(self, output: str | None, write_as: str | None):
        self.output, self.write_as = output, write_as
        self.levels: list[Level] = []
        self.due = time.monotonic() + SAVE_SECONDS

    def add(self, levels: Sequence[Level]) -> None:
        self.levels += levels
        if levels and self.output not in (None, "-") and time.monotonic() >= self.due:
            self.write()

    def write(self) -> None:
        from levelsmith.levels.files import save

        begun = time.monotonic()
        save(self.levels, self.output or "-", format=self.write_as)
        now = time.monotonic()
        self.due = now + max(SAVE_SECONDS, SAVE_SHARE * (now - begun))


class Counter:
    """Says how far levels or runs by the thousand are: on one line of a terminal, now and then elsewhere."""

    def __init__(self, asked: int, word: str = "levels"):
        self.asked, self.word = asked, word
        self.first: int | None = None  # those that were there at the start
        self.begun = self.shown_at = 0.0
        self.terminal = sys.stderr.isatty()

    def __enter__(self) -> Counter:
        return self

    def __exit__(self, *_: object) -> None:
        if self.terminal and self.first is not None:
            click.echo("\r\x1b[K", nl=False, err=True)

    def see(self, made: int) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first, self.begun, self.shown_at = made, now, now
        elif now - self.shown_at >= (COUNT_SECONDS if self.terminal else QUIET_SECONDS):
            self.shown_at = now
            line = f"{made:,} of {self.asked:,} {self.word} · {self._pace(made, now)}"
            click.echo(f"\r\x1b[K{line}" if self.terminal else line, nl=not self.terminal, err=True)

    def _pace(self, made: int, now: float) -> str:
        """Returns how fast it goes, and how long that will take."""
        rate = (made - (self.first or 0)) / (now - self.begun)
        if rate == 0:
            return "starting"
        left = timedelta(seconds=round((self.asked - made) / rate))
        return f"{rate:,.{0 if rate >= 10 else 1}f}/s · {left} to go"


def stdout_is_terminal() -> bool:
    return sys.stdout.isatty()
