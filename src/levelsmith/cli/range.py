"""The command `range`: the expressive range of any set of levels."""

from __future__ import annotations

from typing import Any

import click

from levelsmith.cli.options import NUMBER, file_options, json_option


@click.command("range")
@click.argument("file")
@click.option("--x", metavar="METRIC", help="What goes along the bottom, such as pushes.")
@click.option("--y", metavar="METRIC", help="What goes up the side, such as boxes.")
@click.option("--by", help="Instead of both: bins as of the search elites, for the best score in each.")
@click.option("-o", "--output", metavar="FILE", help="A picture: .png, .svg or .pdf.")
@click.option("--bins", type=NUMBER, default=30, help="Bins along each side at most (30).")
@file_options
@json_option
def range_(
    file: str,
    x: str | None,
    y: str | None,
    by: str | None,
    output: str | None,
    bins: int,
    as_json: bool,
    **reading: Any,
) -> None:
    """Draw the expressive range of the levels of FILE: how many have which two metrics.

    FILE may be a file or a folder; `levelsmith measure` shows which metrics a game has.

    \b
    levelsmith range pack.xsb --x pushes --y boxes -o range.png
    levelsmith range maps.json --x path --y regions --json
    levelsmith range elites.json --by "empty:0..100%:10, path:0..60:10" -o archive.png
    """
    from levelsmith.cli.options import read
    from levelsmith.cli.output import print_json, tell_compilations
    from levelsmith.errors import LevelsmithError
    from levelsmith.experiment import diversity
    from levelsmith.experiment.ranges import draw, measured, writable

    if output is not None:
        writable(output)
    tell_compilations()
    levels = read(file, **reading)
    if by is not None:
        x, y = diversity.metrics_of(levels, by)
    if x is None or y is None:
        raise LevelsmithError("expected two metrics, --x and --y, or --by with their ranges")
    found = measured(levels, x, y)
    if output is not None:
        if by is None:
            draw(found, output, bins)
        else:
            diversity.draw(levels, by, output)
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
