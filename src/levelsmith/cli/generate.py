"""`levelsmith generate`: makes levels, shows the search while it runs, prints or writes what it found."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from levelsmith.cli.options import (
    INTERRUPTED,
    Name,
    asked_for,
    format_option,
    json_option,
    options_of,
    theme_option,
)
from levelsmith.errors import amount
from levelsmith.request import OPTION

if TYPE_CHECKING:
    from levelsmith.core import Level, Result
    from levelsmith.making.runs import Runs

MOST_TOLD = 20  # levels of one that makes them by the thousand, up to which a line tells of each
MISSED = 1  # not every level that was asked for could be made


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("game", type=Name("games"))
@options_of(OPTION)
@click.option("-o", "--output", metavar="PATH", help="Write the levels here; - for standard output.")
@format_option
@json_option
@click.option(
    "--verbose",
    is_flag=True,
    help="Also say what the search did: score, evaluations, why it ended, which kernels ran.",
)
@theme_option
@click.pass_context
def generate(
    context: click.Context,
    /,
    game: str,
    output: str | None,
    write_as: str | None,
    as_json: bool,
    verbose: bool,
    theme: str,
    **options: Any,
) -> int:
    """Make levels of GAME by search.

    Parameters of the search, the representation and the objectives are options too: --goal 60 is the same as
    --set goal=60. So are ranges of the game's metrics: --pushes 20..30.

    \b
    levelsmith generate sokoban --difficulty hard
    levelsmith generate sokoban --size 7x7 --boxes 3 --pushes 20..30 --count 5 -o pack.xsb
    levelsmith generate loderunner --gold 8..15 --count 5 -o levels.json
    levelsmith generate binary --size 20x15 --objective path-length --goal 60
    levelsmith generate binary --start cave.txt --lock border --lock 3,3,4x2
    levelsmith generate sokoban --preset boxoban --count 100k --seed 1 -o levels/
    """
    from levelsmith.cli.output import Kept, Watcher, print_json, result_object, tell_compilations
    from levelsmith.core import NOT_WON, REPEATS, Result
    from levelsmith.levels.files import is_folder, writable
    from levelsmith.making.driver import RAMP_STEPS, runs_of
    from levelsmith.making.flow import follow
    from levelsmith.making.interrupts import interruptible

    if output is not None:
        writable(output, write_as)
    request = asked_for(context, game, options)
    if request.ramp is not None and context.get_parameter_source("count") is ParameterSource.DEFAULT:
        request = request.but(count=RAMP_STEPS)
    runs = runs_of(request)
    tell_compilations()
    if runs.task.device == "cuda":
        from levelsmith.kernels.gpu import device_name

        click.echo(f"on {device_name()}, {runs.task.trees:,} trees", err=True)
    if output is not None and write_as is None and is_folder(output) and runs.task.batches:
        return _write_bulk(runs, output, request.workers, request.unlike)
    results: list[Result] = []
    kept = Kept(output, write_as)
    with interruptible(signal.SIGTERM) as interrupted:
        events = follow(runs, request.workers, interrupted, request.unlike)
        with Watcher(request.count, theme) as watcher:
            for event in events:
                if not isinstance(event, Result):
                    watcher.see(event)
                    continue
                results.append(event)
                watcher.finished += 1
                kept.add(event.levels)
                if as_json:
                    print_json(result_object(event))
        stopped_early = interrupted()
    levels = kept.levels
    if output is not None and levels:
        kept.write()
        click.echo(f"wrote {amount(len(levels), 'level')} to {output}", err=True)
    elif not as_json:
        _print_levels(results, theme)
    thrown = sum(int(result.statistics.get(NOT_WON, 0)) for result in results)
    if thrown:
        why = "not won" if runs.task.wins else "without a solution"
        click.echo(f"thrown away: {thrown:,} {why}", err=True)
    again = sum(int(result.statistics.get(REPEATS, 0)) for result in results)
    if again:
        click.echo(f"made anew: {again:,}, as they repeated other levels", err=True)
    if runs.task.batches:
        if results and len(results) <= MOST_TOLD:
            _print_headlines(runs, results, verbose)
        else:
            _print_sum(runs, len(levels), sum(result.seconds for result in results))
        return _ended(runs, len(levels), stopped_early)
    _print_headlines(runs, results, verbose)
    _print_ends(runs, results, stopped_early, options["start"])
    if stopped_early:
        return INTERRUPTED
    return 0 if sum(bool(result.levels) for result in results) == runs.count else MISSED


def _write_bulk(runs: Runs, folder: str, workers: int, unlike: list[Level]) -> int:
    """Returns levels by the thousand into a folder, file by file."""
    from levelsmith.cli.output import Counter
    from levelsmith.making.bulk import write_bulk
    from levelsmith.making.interrupts import interruptible

    begun = time.perf_counter()
    made = 0
    with interruptible(signal.SIGTERM) as interrupted, Counter(runs.count or 0) as counter:
        for made in write_bulk(runs, folder, workers, interrupted, unlike):
            counter.see(made)
        stopped_early = interrupted()
    click.echo(f"wrote {amount(made, 'level')} to {folder}", err=True)
    if stopped_early:
        click.echo(f"go on with the same command and --seed {runs.task.seed}", err=True)
    _print_sum(runs, made, time.perf_counter() - begun)
    return _ended(runs, made, stopped_early)


def _print_sum(runs: Runs, made: int, seconds: float) -> None:
    click.echo(
        f"{amount(made, 'level')} in {seconds:.2f} s, seed {runs.task.seed}, runs from {runs.first}", err=True
    )


def _ended(runs: Runs, made: int, stopped_early: bool) -> int:
    """Says which levels are missing of those that are made by the thousand; returns the status."""
    missing = (runs.count or 0) - made
    if stopped_early:
        click.echo("interrupted: these are the levels so far", err=True)
        return INTERRUPTED
    if missing:
        _print_missing(runs, missing)
    return MISSED if missing else 0


def _print_missing(runs: Runs, missing: int) -> None:
    from levelsmith.errors import on_command_line, worded
    from levelsmith.making.outcome import shortfall

    told = shortfall(runs.task, missing, runs.count or 0, within=runs.within)
    click.echo(worded(told, on_command_line), err=True)


def _print_levels(results: list[Result], theme: str) -> None:
    """Prints coloured cells on a terminal; elsewhere text that can be loaded as it stands."""
    from levelsmith.cli.output import stdout_is_terminal
    from levelsmith.cli.terminal import console, render
    from levelsmith.levels.files import save

    if not stdout_is_terminal():
        levels = [level for result in results for level in result.levels]
        if levels:
            save(levels, "-", format="text")
        return
    out = console()
    for i, result in enumerate(result for result in results if result.levels):
        if i:
            out.print()
        out.print(render(result.best, theme=theme))


def _print_headlines(runs: Runs, results: list[Result], verbose: bool) -> None:
    """Tells of each level what its reader wants to know, and the seed that makes it again."""
    from levelsmith.kernels.compile import ways

    for result in results:
        click.echo(_headline(runs, result), err=True)
        if verbose:
            click.echo(
                f"score {result.score:.4g}, {result.evaluations:,} evaluations in {result.seconds:.2f} s, "
                f"{result.ended}, run {result.best.provenance['run']}",
                err=True,
            )
    if verbose:
        click.echo(f"kernels: {ways()}", err=True)


def _headline(runs: Runs, result: Result) -> str:
    from levelsmith.levels.measure import headline
    from levelsmith.making.outcome import lacking

    origin = result.best.provenance
    if not result.levels:
        return f"not made: {result.missed}" if result.missed else f"not made in {result.seconds:.1f} s"
    told = headline(result.best)
    score = [] if result.solved and told else [f"score {result.score:.4g}"]
    run = [f"run {origin['run']}"] if origin["run"] else []
    words = [*([told] if told else []), *score, f"seed {origin['seed']}", *run]
    asked = "" if result.solved else lacking(runs.task, result.best)
    return f"{'solved' if result.solved else 'best'}: {', '.join(words)}{asked and '; the goal is ' + asked}"


def _print_ends(runs: Runs, results: list[Result], stopped_early: bool, start: str | None) -> None:
    from levelsmith.request import Request

    # Trees that a clock has stopped have each spent another number of evaluations: no command says that.
    timed = [result for result in results if result.stopped in ("seconds", "cancelled") and result.levels]
    again = [origin for result in timed if "tree" not in (origin := result.best.provenance)]
    if again:
        which = "it" if len(again) == 1 else "the first of them"
        click.echo(f"repeat {which} exactly: {Request.again(again[0], start).command}", err=True)
    missing = (runs.count or 0) - sum(bool(result.levels) for result in results)
    if missing and not stopped_early:
        _print_missing(runs, missing)
    if stopped_early:
        click.echo("interrupted: this is the best so far", err=True)
