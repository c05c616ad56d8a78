"""The command `range`: the expressive range of any set of levels."""

from __future__ import annotations

from typing import Any

import click

from levelsmith.cli.options import file_options, json_option


@click.command("range")
@click.argument("file")
@click.option("--x", required=True, metavar="METRIC", help="What goes along the bottom, such as pushes.")
@click.option("--y", required=True, metavar="METRIC", help="What goes up the side, such as boxes.")
@click.option("-o", "--output", metavar="FILE", help="A picture: .png, .svg or .pdf.")
@click.option("--bins", type=int, default=30, help="Bins along each side at most (30).")
@file_options
@json_option
def range_(file: str, x: str, y: str, output: str | None, bins: int, as_json: bool, **reading: Any) -> None:
    """Draw the expressive range of the levels of FILE: how many have which two metrics.

    FILE may be a file or a folder; `levelsmith measure` shows which metrics a game has.

    \b
    levelsmith range pack.xsb --x pushes --y boxes -o range.png
    levelsmith range maps.json --x path --y regions --json
    """
    from levelsmith.cli.options import read
    from levelsmith.cli.output import print_json, tell_compilations
    from levelsmith.experiment.ranges import draw, measured, writable

    if output is not None:
        writable(output)
    tell_compilations()
    found = measured(read(file, **reading), x, y)
    if output is not None:
        draw(found, output, bins)
        click.echo(f"wrote {output}", err=True)
    told = found.summary()
    if as_json:
        print_json(told)
        return
    click.echo(f"{told['levels']:,} levels of {told['game']}")
    for name in (x, y):
        each = told[name]
        click.echo(
            f"  {name:<16} {each['least']:g} to {each['most']:g}, "
            f"mean {each['mean']:.4g}, median {each['median']:g}"
        )
    click.echo(
        f"  correlation {told['correlation']:.3f}"
        if told["correlation"] is not None
        else "  no correlation: one of them is constant"
    )
