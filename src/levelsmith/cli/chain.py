"""`levelsmith chain`: joins levels into one large level."""

from __future__ import annotations

from typing import Any

import click

from levelsmith.cli.options import file_options, format_option, json_option, read, theme_option


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@file_options
@click.option("-o", "--output", metavar="PATH", help="Write the level here; - for standard output.")
@format_option
@json_option
@theme_option
def chain(
    files: tuple[str, ...],
    output: str | None,
    write_as: str | None,
    as_json: bool,
    theme: str,
    **reading: Any,
) -> None:
    """Join the levels of each FILE into one large level that can be played as a whole.

    Sokoban rooms get doors between them, and a solution of the whole. Lode Runner levels get a ladder if they
    need one, and the agent's plan. Binary maps stay one region. The player of the first level stays.

    \b
    levelsmith chain pack.xsb -o big.xsb
    levelsmith chain pack.xsb#1 pack.xsb#7 other.xsb#2 -o big.json
    """
    from levelsmith.cli.output import print_json, tell_compilations
    from levelsmith.cli.terminal import console, render
    from levelsmith.levels.chain import chain as chained
    from levelsmith.levels.files import save, writable
    from levelsmith.levels.formats.json import as_object

    if output is not None:
        writable(output, write_as)
    levels = [level for file in files for level in read(file, **reading)]
    tell_compilations()
    whole = chained(levels)
    if as_json:
        print_json(as_object(whole))
    elif output is None:
        console().print(render(whole, theme=theme))
    if output is not None:
        save([whole], output, format=write_as)
        if output != "-":
            click.echo(f"joined {len(levels)} levels, wrote 1 to {output}", err=True)
