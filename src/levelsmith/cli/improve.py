"""`levelsmith improve`: makes a level harder or easier by few changes, and shows it before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.options import (
    INTERRUPTED,
    asked_for,
    file_options,
    format_option,
    json_option,
    options_of,
    read,
    reading_among,
    theme_option,
)
from levelsmith.request import IMPROVE

if TYPE_CHECKING:
    from levelsmith.core import Level, Result


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("file")
@file_options
@click.option("--easier", is_flag=True, help="Make it easier, to about two thirds.")
@click.option(
    "--by", help="What to increase, such as pushes (default: difficulty, moves or path, by the game)."
)
@options_of(IMPROVE)
@click.option("-o", "--output", metavar="PATH", help="Write the new level here; - for standard output.")
@format_option
@json_option
@theme_option
@click.pass_context
def improve(
    context: click.Context,
    /,
    file: str,
    easier: bool,
    by: str | None,
    output: str | None,
    write_as: str | None,
    as_json: bool,
    theme: str,
    **options: Any,
) -> int:
    """Make the level that FILE#k names harder, or easier, by as few changes as it takes.

    It aims at a quarter more and takes back every change that this does not need. A harder Sokoban level
    keeps at least its pushes, moves and cells of floor; a Lode Runner level gets a longer plan, a cave a
    longer path. Ranges of metrics are options, as for generate: the new level lies in them.

    \b
    levelsmith improve pack.xsb#3 -o harder.xsb
    levelsmith improve pack.xsb#3 --by pushes --lock wall
    levelsmith improve pack.xsb#3 --easier --seconds 5
    levelsmith improve pack.xsb#3 --pushes 20..40 --lone-goals 0
    """
    from levelsmith.cli.output import Watcher, print_json, tell_compilations
    from levelsmith.core import Result
    from levelsmith.editing.improve import improving
    from levelsmith.errors import LevelsmithError
    from levelsmith.levels.files import save, writable
    from levelsmith.levels.formats.json import as_object
    from levelsmith.making.interrupts import interruptible

    levels = read(file, **reading_among(options))
    if len(levels) != 1:
        raise LevelsmithError(f"{file} holds {len(levels)} levels; name one, such as {file}#1")
    (level,) = levels
    request = asked_for(context, level.game, options, changing=True)
    if output is not None:
        writable(output, write_as)
    tell_compilations()
    with interruptible() as interrupted, Watcher(1, theme) as watcher:
        try:
            for event in improving(level, by=by, easier=easier, cancel=interrupted, **request.given):
                if isinstance(event, Result):
                    result = event
                else:
                    watcher.see(event)
        except LevelsmithError as error:
            raise LevelsmithError(f"{file}: {error.marked}") from None
        stopped = interrupted()
    found = result.statistics
    if as_json:
        print_json(
            {
                "before": {"text": level.text, "metrics": found["before"]},
                "after": {"text": result.best.text, "metrics": found["after"]},
                "changed": found["changed"],
                **as_object(result.best),
            }
        )
    else:
        _show(level, result, theme)
    if output is not None:
        save([result.best], output, format=write_as)
        click.echo(f"wrote 1 level to {output}", err=True)
    return INTERRUPTED if stopped else 0


def _show(level: Level, result: Result, theme: str) -> None:
    from levelsmith.cli.terminal import console, render

    out = console()
    for heading, one in (("before", level), ("after", result.best)):
        out.print(heading, style="bold", highlight=False)
        out.print(render(one, theme=theme))
    out.print(result.statistics["told"], style="bold", highlight=False)
    if not result.solved:
        out.print(f"less than was aimed at, in {result.evaluations:,} tries", highlight=False)
