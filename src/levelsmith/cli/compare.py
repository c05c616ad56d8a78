"""`levelsmith compare`: measures one set of levels against another."""

from __future__ import annotations

from typing import Any

import click

from levelsmith.cli.options import file_options, json_option, read

MEANINGS = {
    "levels": "levels compared",
    "reference": "levels they are compared with",
    "similarity": "cells with the same tile, blank ones aside, over all cells; mean of the nearest",
    "similarity_above_30": "levels more than 30 % like one of the others",
    "similarity_above_50": "levels more than 50 % like one of the others",
    "jaccard": "cells with the same tile over those not blank in both; mean of the nearest",
    "jaccard_most": "the same, of the level that is most like one of the others",
    "kl_2x2": "divergence of the patterns of 2x2 cells, in bits",
    "unseen_2x2": "share of windows of 2x2 cells that never occur in the others",
    "kl_3x3": "divergence of the patterns of 3x3 cells, in bits",
    "unseen_3x3": "share of windows of 3x3 cells that never occur in the others",
    "hamming": "share of cells in which two levels differ; mean of all pairs",
    "duplicates": "levels that repeat another one",
}


@click.command()
@click.argument("file")
@click.argument("reference", required=False)
@click.option("--mirror/--no-mirror", default=True, help="Count mirror images to the reference (yes).")
@file_options
@json_option
def compare(file: str, reference: str | None, mirror: bool, as_json: bool, **reading: Any) -> None:
    """Measure how alike the levels of FILE and REFERENCE are, and how varied those of FILE are.

    Without a REFERENCE each level is compared with the others. Both may be files or folders.

    \b
    levelsmith compare made.json originals/ --game loderunner
    levelsmith compare pack.xsb --json
    """
    from levelsmith.cli.output import print_json
    from levelsmith.levels.compare import compare as compared

    others = None if reference is None else read(reference, **reading)
    found = compared(read(file, **reading), others, mirrored=mirror)
    if as_json:
        print_json(found)
        return
    for name, value in found.items():
        shown = f"{value:.4f}" if isinstance(value, float) else f"{value:,}"
        click.echo(f"{name:<20} {shown:>8}  {MEANINGS[name]}")
