"""`levelsmith dataset`: makes levels by the million, labelled and split, for those who train on them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from levelsmith.cli.options import INTERRUPTED, NUMBER, Name, asked_for, options_of
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.request import DATASET


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("game", type=Name("games"))
@options_of(DATASET, count={"required": True, "default": None, "show_default": False})
@click.option(
    "-o", "--output", metavar="FOLDER", required=True, help="Write the dataset here, or go on with it."
)
@click.option("--splits", metavar="SHARES", help="Shares of the splits (90/5/5).")
@click.option("--format", metavar="NAME", help="jsonl (the default), or parquet with pyarrow.")
@click.option("--shard", type=NUMBER, help="Levels of a shard (10,000).")
@click.pass_context
def dataset(
    context: click.Context,
    /,
    game: str,
    output: str,
    splits: str | None,
    format: str | None,
    shard: int | None,
    **options: Any,
) -> int:
    """Make a dataset of proved levels of GAME: text, prompt, solution, metrics, hash and split of each.

    No two levels are alike up to symmetry, in one split or in two. If you stop the command, give it again
    and it goes on; the bytes are the same for any number of workers. verify.py, beside the levels, checks
    them all without levelsmith. Ranges of metrics are options, as for generate: --pushes 20..30.

    \b
    levelsmith dataset sokoban --count 1M --splits 90/5/5 --difficulty 10..90 -o levels/
    levelsmith dataset sokoban --count 10k --size 5x5 --boxes 2 --pushes 4..20 --seed 1 -o small/
    levelsmith dataset loderunner --count 500 --splits 80/20 -o runner/
    """
    from levelsmith.cli.output import Counter, tell_compilations
    from levelsmith.making.dataset import Order
    from levelsmith.making.interrupts import interruptible

    own = {"splits": None if splits is None else shares(splits), "format": format, "shard": shard}
    given: dict[str, Any] = {name: value for name, value in own.items() if value is not None}
    order = Order(asked_for(context, game, options), Path(output), files=options["unlike"], **given)
    tell_compilations()
    begun, made = time.perf_counter(), 0
    with interruptible() as interrupted, Counter(order.count) as counter:
        for made in order.write(interrupted):
            counter.see(made)
        stopped_early = interrupted() and made < order.count
    parts = ", ".join(f"{name} {number:,}" for name, number in order.counts.items())
    click.echo(f"{made:,} levels in {output} ({parts}), seed {order.task.seed}", err=True)
    click.echo(
        f"{time.perf_counter() - begun:.2f} s; check them: python {output.rstrip('/')}/verify.py", err=True
    )
    if stopped_early:
        click.echo("interrupted: the same command goes on", err=True)
        return INTERRUPTED
    return 0


def shares(text: str) -> Any:
    """Returns the shares of splits: 90/5/5, or with names, train=80/test=20."""
    try:
        parts = [part.partition("=") for part in text.split("/")]
        if any(equals for _, equals, _ in parts):
            return {name.strip(): float(share) for name, _, share in parts}
        return tuple(float(share) for share, _, _ in parts)
    except ValueError:
        raise LevelsmithError(f"expected shares of splits such as 90/5/5, got {quoted(text)}") from None
