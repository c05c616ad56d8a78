"""`levelsmith repair`: changes as few cells of a level as it takes to make it playable."""

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
from levelsmith.errors import amount
from levelsmith.request import REPAIR

if TYPE_CHECKING:
    from levelsmith.core import Level
    from levelsmith.editing.repair import Repair


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("file")
@file_options
@options_of(REPAIR)
@click.option("-o", "--output", metavar="PATH", help="Write the levels here; - for standard output.")
@format_option
@json_option
@theme_option
@click.pass_context
def repair(
    context: click.Context,
    /,
    file: str,
    output: str | None,
    write_as: str | None,
    as_json: bool,
    theme: str,
    **options: Any,
) -> int:
    """Change as few cells of the levels of FILE as it takes until each can be played.

    One or two changes are the fewest possible; if fewer might do, the command says so. Gold, boxes and goals
    stay if a way can be opened for them. Ranges of metrics are options, as for generate: --gold 3..5.

    \b
    levelsmith repair broken.txt#2 -o mended.txt
    levelsmith repair drawn.xsb --lock player
    levelsmith repair cave.txt --objective connectivity
    levelsmith repair temple.txt --gold 3..5
    """
    from levelsmith.cli.output import print_json, tell_compilations
    from levelsmith.editing import repair as repairs
    from levelsmith.levels.files import save, writable
    from levelsmith.levels.formats.json import as_object
    from levelsmith.making.interrupts import interruptible

    levels = read(file, **reading_among(options))
    if output is not None:
        writable(output, write_as)
    tell_compilations()
    made = []
    with interruptible() as interrupted:
        for number, level in enumerate(levels, start=1):
            if interrupted():
                break
            request = asked_for(context, level.game, options, changing=True)
            found = repairs.repair(level, cancel=interrupted, **request.given)
            made.append(found.level)
            if as_json:
                print_json({"edits": edits(level, found), "fewest": found.fewest, **as_object(found.level)})
            else:
                _show(number, level, found, theme, drawn=output is None)
        stopped = interrupted()
    if output is not None and made:
        save(made, output, format=write_as)
        click.echo(f"wrote {amount(len(made), 'level')} to {output}", err=True)
    return INTERRUPTED if stopped else 0


def edits(before: Level, found: Repair) -> list[dict[str, Any]]:
    """Returns the changes as a program reads them."""
    names = before.tiles.names
    return [
        {"x": cell[1], "y": cell[0], "from": names[before.grid[cell]], "to": names[found.level.grid[cell]]}
        for cell in found.edits
    ]


def _show(number: int, before: Level, found: Repair, theme: str, drawn: bool) -> None:
    from levelsmith.cli.terminal import console, render

    n = len(found.edits)
    changes = ", ".join(f"{e['x']},{e['y']} {e['from']} to {e['to']}" for e in edits(before, found))
    doubt = "" if found.fewest else ", perhaps not the fewest"
    told = f"{amount(n, 'change')}{doubt}: {changes}" if n else "nothing to change"
    click.echo(f"level {number}: {told}")
    if drawn:
        console().print(render(found.level, theme=theme))
