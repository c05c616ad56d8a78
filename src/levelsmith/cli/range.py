"""`levelsmith range`: the expressive range of any set of levels, or how one metric goes through a pack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.options import NUMBER, file_options, json_option

if TYPE_CHECKING:
    from levelsmith.experiment.ranges import Curve, Range

BAR = 40  # characters of the longest bar


@click.command("range")
@click.argument("file")
@click.option("--x", metavar="METRIC", help="What goes along the bottom, such as pushes.")
@click.option("--y", metavar="METRIC", help="What goes up the side, such as boxes.")
@click.option("--by", help="Instead of both: bins as in the search elites, with the best score of each.")
@click.option("--curve", metavar="METRIC", help="Instead of both: one metric from level to level.")
@click.option("-o", "--output", metavar="FILE", help="A picture: .png, .svg or .pdf.")
@click.option("--bins", type=NUMBER, help="Bins along each side at most (30).")
@file_options
@json_option
def range_(
    file: str,
    x: str | None,
    y: str | None,
    by: str | None,
    curve: str | None,
    output: str | None,
    bins: int | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Draw the expressive range of the levels of FILE: how many have which two metrics; or one metric from
    level to level.

    FILE may be a file or a folder; `levelsmith measure` shows which metrics a game has.

    \b
    levelsmith range pack.xsb --x pushes --y boxes -o range.png
    levelsmith range maps.json --x path --y regions --json
    levelsmith range elites.json --by "empty:0..100%:10, path:0..60:10" -o archive.png
    levelsmith range pack.xsb --curve difficulty -o curve.png
    """
    from levelsmith.cli.options import read
    from levelsmith.cli.output import print_json, tell_compilations
    from levelsmith.experiment import diversity
    from levelsmith.experiment.ranges import BINS, curve_of, draw, draw_curve, measured, writable

    _check(x, y, by, curve, bins)
    if output is not None:
        writable(output)
    tell_compilations()
    levels = read(file, **reading)
    if curve is not None:
        followed = curve_of(levels, curve)
        if output is not None:
            draw_curve(followed, output)
            click.echo(f"wrote {output}", err=True)
        print_json(followed.summary()) if as_json else _show_curve(followed)
        return
    if by is not None:
        x, y = diversity.metrics_of(levels, by)
    found = measured(levels, str(x), str(y))
    if output is not None:
        if by is None:
            draw(found, output, BINS if bins is None else bins)
        else:
            diversity.draw(levels, by, output)
        click.echo(f"wrote {output}", err=True)
    if as_json:
        print_json(found.summary())
    else:
        _show_range(found)


def _check(x: str | None, y: str | None, by: str | None, curve: str | None, bins: int | None) -> None:
    """Refuses options that do not say what to draw, or of which some would be ignored."""
    from levelsmith.errors import LevelsmithError

    given = {"--x": x, "--y": y, "--by": by, "--bins": bins}
    for chosen, value, others in (("--curve", curve, [*given]), ("--by", by, ["--x", "--y", "--bins"])):
        for other in others:
            if value is not None and given[other] is not None:
                raise LevelsmithError(
                    f"{chosen} says what to draw, so {other} would be ignored: leave one out"
                )
    if curve is None and by is None and (x is None or y is None):
        raise LevelsmithError(
            "expected two metrics, --x and --y, or --by with their ranges, or --curve with one metric"
        )


def _show_range(found: Range) -> None:
    told = found.summary()
    click.echo(f"{told['levels']:,} levels of {told['game']}")
    for name in found.names:
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


def _show_curve(found: Curve) -> None:
    """Prints a bar for each level, and where they fall."""
    most = max((value for value in found.values.tolist() if value == value), default=0.0)
    for number, value in enumerate(found.values.tolist(), 1):
        known = value == value
        bar = "█" * round(BAR * max(0.0, value) / most) if known and most > 0 else ""
        click.echo(f"{number:>5}  {f'{value:.5g}' if known else '-':>7}  {bar}".rstrip())
    falls = found.falls
    told = f"falls at {', '.join(map(str, falls))}" if falls else "never falls"
    click.echo(f"{found.name} of {len(found.values):,} levels of {found.game}: {told}")
