"""`levelsmith calibrate`: holds one's own players against the difficulty of the levels that they played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from levelsmith.cli.options import json_option
from levelsmith.errors import amount

if TYPE_CHECKING:
    from levelsmith.experiment.plays import Calibration


@click.command("calibrate")
@click.argument("file")
@json_option
def calibrate(file: str, as_json: bool) -> None:
    """Say how well difficulty ranks the levels that your players have played, and where its tiers would begin
    by these plays.

    FILE has a line of JSON for each play, as the play page of the studio saves them when it keeps plays: the
    game, the level as text, whether it was solved, and the seconds, moves, undos and restarts. Plays with a
    hint, or in which the page told that it is lost, do not count.

    \b
    levelsmith calibrate plays.jsonl
    levelsmith calibrate plays.jsonl --json
    """
    from levelsmith.cli.output import print_json, tell_compilations
    from levelsmith.experiment.plays import calibrated, read_plays

    plays = read_plays(Path(file))
    tell_compilations()
    found = calibrated(plays)
    if as_json:
        print_json(found.summary())
    else:
        _show(found)


def _show(found: Calibration) -> None:
    click.echo(
        f"{amount(found.plays, 'play')} of {amount(found.levels, 'level')} of {found.game}, "
        f"{found.solved:.0%} of them solved"
    )
    if found.helped:
        click.echo(f"left out, as the page has helped: {amount(found.helped, 'play')}")
    if found.unrated:
        click.echo(f"left out, as no solution is known: {amount(found.unrated, 'level')}")
    for name, rank in found.ranks.items():
        told = f"{rank.value:.2f} ({rank.low:.2f} to {rank.high:.2f})"
        click.echo(f"  difficulty and {name:<14} {told}")
    if not found.ranks:
        click.echo("  too few levels, or all alike: nothing is said about how they are ranked")
    if found.why_not:
        click.echo(f"tiers stay where they are: {found.why_not}")
        return
    click.echo("tier        begins at  by these plays")
    for name, (now, fitted) in found.cuts.items():
        click.echo(f"{name:<10}  {now:>9g}  {fitted:>14.1f}")
