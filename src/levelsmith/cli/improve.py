"""`levelsmith improve`: makes a level harder or easier by few changes, and shows it before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.options import (
    NUMBER,
    Name,
    file_options,
    guards_option,
    json_option,
    read,
    reading_among,
    theme_option,
)

if TYPE_CHECKING:
    from levelsmith.core import Level, Result

INTERRUPTED = 130


@click.command()
@click.argument("file")
@file_options
@click.option("--easier", is_flag=True, help="Make it easier, to about two thirds.")
@click.option(
    "--by", help="What to increase, such as pushes (default: difficulty, moves or path, by the game)."
)
@click.option(
    "--lock",
    multiple=True,
    metavar="CELLS",
    help="Keep these cells: a tile's name, border, X,Y or X,Y,WxH; repeat for more.",
)
@click.option("--evaluations", type=NUMBER, help="Levels to try (1,000, or more if none fits).")
@click.option("--seconds", type=float, help="Time limit.")
@click.option("--seed", type=NUMBER, default=0, show_default=True, help="0 or more.")
@guards_option
@click.option("-o", "--output", metavar="PATH", help="Write the new level here; - for standard output.")
@click.option("--format", "write_as", type=Name("formats"), help="Format to write, if not by extension.")
@json_option
@theme_option
def improve(
    file: str,
    output: str | None,
    write_as: str | None,
    as_json: bool,
    theme: str,
    **choices: Any,
) -> int:
    """Make the level that FILE#k names harder, or easier, by as few changes as it takes.

    It aims at a quarter more and takes back every change that this does not need. A harder Sokoban level
    keeps at least its pushes, moves and cells of floor; a Lode Runner level gets a longer plan, a cave a
    longer path.

    \b
    levelsmith improve pack.xsb#3 -o harder.xsb
    levelsmith improve pack.xsb#3 --by pushes --lock wall
    levelsmith improve pack.xsb#3 --easier --seconds 5
    """
    from levelsmith.cli.output import Watcher, print_json, tell_compilations
    from levelsmith.core import Result
    from levelsmith.errors import LevelsmithError
    from levelsmith.levels.files import save, writable
    from levelsmith.levels.formats.json import as_object
    from levelsmith.making.improve import improving
    from levelsmith.making.interrupts import interruptible

    levels = read(file, **reading_among(choices))
    if len(levels) != 1:
        raise LevelsmithError(f"{file} holds {len(levels)} levels; name one, such as {file}#1")
    (level,) = levels
    if output is not None:
        writable(output, write_as)
    tell_compilations()
    with interruptible() as interrupted, Watcher(1, theme) as watcher:
        try:
            for event in improving(level, cancel=interrupted, **choices):
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
