"""`levelsmith solve`: solves levels, shows how far it is, prints or writes what it found."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.options import (
    INTERRUPTED,
    NUMBER,
    field_option,
    file_options,
    format_option,
    json_option,
    read_each,
    reading_among,
    spawn_option,
    spawned,
)
from levelsmith.errors import amount, on_command_line, plural, worded

if TYPE_CHECKING:
    from levelsmith.core import Level, Verdict

MISTAKE = 2  # something could not be read, or is no level
UNSOLVED = 1  # a level has no solution, or none was found
LEFT = ("level", "status", "optimal", "title")  # columns of words; numbers stand on the right
MEGABYTE = 1_000_000


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@file_options
@click.option("--any", "any_", is_flag=True, help="Take the first solution found; this solves larger levels.")
@click.option("--moves", is_flag=True, help="Find a shortest solution with the fewest moves.")
@field_option("guards")
@click.option(
    "--steady", type=float, metavar="SHARE", help="Find a plan that wins this share of replays with chance."
)
@click.option("--states", type=NUMBER, help="Most states to look at for a level, such as 2M.")
@click.option("--seconds", type=float, default=10.0, show_default=True, help="Most time for a level.")
@click.option("--memory", type=NUMBER, default=1000, show_default=True, help="Most megabytes for a level.")
@field_option("workers", help="Processes (all cores).")
@spawn_option
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Write the levels with their solutions here; - for standard output.",
)
@format_option
@json_option
def solve(
    files: tuple[str, ...],
    any_: bool,
    output: str | None,
    write_as: str | None,
    as_json: bool,
    memory: int,
    spawn: str | None,
    **choices: Any,
) -> int:
    """Solve the levels of each FILE, or prove that they have no solution.

    A level is solved; or unsolvable, which is proved, with the reason where one is known; or unknown, where a
    limit was reached first. Files and folders may hold levels of several games. What is no level is malformed
    if it is one of many; a file that cannot be read is told and left out. Neither stops the others.

    \b
    The exit status, for builds:
      0  every level is solved
      1  a level is unsolvable, or unknown: no solution was found in time
      2  a file cannot be read, a level is malformed, an option is wrong

    \b
    What a solution is, and what the table counts as moves:
      sokoban       the fewest pushes; moves are steps
      PuzzleScript  the fewest keys; moves are keys
      loderunner    a plan that wins against the guards, not the shortest;
                    moves are keys held, ticks its time
        --guards still   while nobody moves; moves are steps and digs
      binary        the fewest steps (way) from a cave's entry to its exit,
                    which are the two empty cells in its border

    \b
    levelsmith solve pack.xsb
    levelsmith solve levels/ my-puzzlescript-game.txt
    levelsmith solve pack.xsb#3 --moves --json
    levelsmith solve pack.xsb --any --seconds 60 -o solved.xsb
    levelsmith solve level.txt --game loderunner --guards still
    levelsmith solve level.txt --game loderunner --steady 0.9
    """
    from levelsmith.cli.output import print_json, stdout_is_terminal, tell_compilations
    from levelsmith.core import MALFORMED
    from levelsmith.levels.files import save, writable
    from levelsmith.levels.solve import solve as solve_levels
    from levelsmith.making.interrupts import interruptible
    from levelsmith.registry import games

    if output is not None:
        writable(output, write_as)
    left_out: list[str] = []
    named = read_each(files, left_out, **reading_among(choices))
    names, levels = [name for name, _ in named], spawned([level for _, level in named], spawn)
    verdicts: list[Verdict] = []
    started = time.monotonic()
    with interruptible() as interrupted:
        tell_compilations()
        limits = {"any": any_, "memory": memory * MEGABYTE, **choices}
        found = solve_levels(levels, cancel=interrupted, lazily=True, **limits)
        quiet = as_json and stdout_is_terminal()
        for verdict in found if quiet else _watched(found, len(levels)):
            verdicts.append(verdict)
            if as_json:
                number = len(verdicts) - 1
                print_json(_object(names[number], levels[number], verdict))
        stopped_early = interrupted()
    if output is not None and verdicts:
        pairs = zip(levels, verdicts, strict=False)
        solved = [_with_solution(*pair) for pair in pairs if not pair[0].provenance.get(MALFORMED)]
        save(solved, output, format=write_as)
        click.echo(f"wrote {amount(len(solved), 'level')} to {output}", err=True)
    if not as_json and output != "-":
        _print_table(names, levels, verdicts)
    errors = {name: v.statistics.get("error") for name, v in zip(names, verdicts, strict=False)}
    malformed = [name for name, error in errors.items() if error]
    for name in malformed:
        click.echo(f"{name} is malformed: {errors[name]}", err=True)
    fewest = list(dict.fromkeys(games.get(level.game).fewest for level in levels))
    if any("estimated" in verdict.statistics for verdict in verdicts) and not as_json:
        click.echo("~ is estimated from the solution: the level has too many positions to meet", err=True)
    click.echo(_summary(verdicts, time.monotonic() - started, fewest), err=True)
    if stopped_early:
        click.echo(f"interrupted: {len(levels) - len(verdicts)} levels are left", err=True)
    if stopped_early:
        return INTERRUPTED
    if malformed or left_out:
        return MISTAKE
    return 0 if all(verdict.status == "solved" for verdict in verdicts) else UNSOLVED


def _watched(verdicts: Iterator[Verdict], number: int) -> Iterator[Verdict]:
    """Yields the verdicts, with a bar on a terminal and a line now and then elsewhere."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from levelsmith.cli.output import QUIET_SECONDS
    from levelsmith.cli.terminal import console

    out = console(stderr=True)
    told = time.monotonic()
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("levels"), TimeElapsedColumn())
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task("", total=number)
        for done, verdict in enumerate(verdicts, start=1):
            yield verdict
            bar.advance(task)
            if not out.is_terminal and time.monotonic() - told >= QUIET_SECONDS:
                told = time.monotonic()
                click.echo(f"level {done} of {number} · {verdict.status}", err=True)


def _object(name: str, level: Level, verdict: Verdict) -> dict[str, Any]:
    why = verdict.statistics.get("why")
    return {
        "level": name,
        "game": level.game,
        "title": level.title,
        "status": verdict.status,
        "optimal": verdict.optimal,
        "solution": verdict.solution,
        "metrics": dict(verdict.metrics),
        "statistics": {**verdict.statistics, **({"why": _in_words(why)} if why else {})},
    }


def _in_words(why: str) -> str:
    """Returns a reason in the words of the command line."""
    return worded(why, on_command_line)


def _with_solution(level: Level, verdict: Verdict) -> Level:
    """Returns the level with the solution that was found, of which its origin does not tell."""
    from levelsmith.levels.formats.digest import unless_edited

    if verdict.solution is None or verdict.solution == level.solution:
        return level
    return unless_edited(replace(level, solution=verdict.solution), None)


def _print_table(names: list[str], levels: list[Level], verdicts: list[Verdict]) -> None:
    from levelsmith.cli.output import print_table
    from levelsmith.registry import games

    named = [name for level in levels for name in games.get(level.game).solution_columns]
    columns = ("level", "status", *dict.fromkeys(named), "optimal", "seconds", "title")
    rows: list[tuple[str, ...]] = [columns]
    for name, level, verdict in zip(names, levels, verdicts, strict=False):
        status, metrics, spent = verdict.status, verdict.metrics, verdict.statistics
        if "limit" in spent or "why" in spent:
            status += f" ({spent.get('limit') or _in_words(spent['why'])})"
        guessed = spent.get("estimated", ())
        counts = [("~" if key in guessed else "") + _number(metrics.get(key)) for key in columns[2:-3]]
        optimal = "" if verdict.solution is None else "yes" if verdict.optimal else "no"
        rows.append((name, status, *counts, optimal, f"{spent['seconds']:.3f}", level.title))
    print_table(rows, LEFT)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)


def _summary(verdicts: list[Verdict], seconds: float, fewest: list[str | None]) -> str:
    """Returns how many levels came out how; `fewest` is what the solutions of their games have least of."""
    counts = Counter(verdict.status for verdict in verdicts)
    best = ""
    if any(fewest):
        of = f"with the fewest {plural(fewest[0])}" if len(fewest) == 1 and fewest[0] else "proved shortest"
        best = f" ({sum(v.optimal for v in verdicts)} of them {of})"
    malformed = f", {counts['malformed']} malformed" if counts["malformed"] else ""
    return (
        f"{amount(len(verdicts), 'level')} in {seconds:.1f} s: "
        f"{counts['solved']} solved{best}, "
        f"{counts['unsolvable']} unsolvable, {counts['unknown']} unknown{malformed}"
    )
