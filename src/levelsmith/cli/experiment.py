"""`levelsmith experiment`: many runs of many settings into one file, begun, watched and gone on with."""

from __future__ import annotations

from typing import Any

import click

from levelsmith.cli.group import Group
from levelsmith.cli.options import INTERRUPTED, NUMBER, Name, field_option, json_option, options_of
from levelsmith.request import EXPERIMENT

FAILED = 1
MOST_TOLD = 10  # failures that are named


@click.group(cls=Group)
def experiment() -> None:
    """Run experiments: the papers' and your own, on one machine or many."""


@experiment.command()
@click.argument("name", type=Name("presets"))
@click.option("-o", "--output", required=True, metavar="FILE", help="The file to write, or to go on with.")
@click.option("--runs", type=NUMBER, help="Runs of each cell; more than before extend the file.")
@options_of(EXPERIMENT)
@click.option("--quick", is_flag=True, help="The short form, a minute or two.")
@click.option(
    "--only", multiple=True, metavar="PART/SEARCH", help="Only this part, search or both; repeat for more."
)
@click.option("--shard", metavar="I/N", help="Do the I-th of N shares, each in its own file; see merge.")
@field_option("workers", help="Processes (all cores).")
@click.option("--executor", metavar="ADDRESS", help="A Dask cluster, such as dask://head:8786.")
@click.option("--timeout", type=float, help="Give a run up after so many seconds.")
def run(name: str, output: str, **choices: Any) -> int:
    """Do the runs of the experiment NAME, a preset or a .toml file, that FILE does not have yet.

    Ctrl-C, or anything worse, loses only the runs that were being done: the same command goes on.

    \b
    levelsmith experiment run fdg20 --quick -o quick.db
    levelsmith experiment run fdg20 --runs 3000 --evaluations 50k -o fdg20.db
    levelsmith experiment run fdg20 -o fdg20.db --executor dask://head:8786
    levelsmith experiment run fdg20 --only trees/mcts --only optimisers -o some.db
    """
    from levelsmith.cli.output import Counter, tell_compilations
    from levelsmith.experiment import follow
    from levelsmith.experiment.executors import GoneError
    from levelsmith.making.interrupts import interruptible

    tell_compilations()
    with interruptible() as interrupted:
        events = follow(name, output, cancel=interrupted, **choices)
        standing = first = next(events)
        with Counter(first.asked, "runs") as counter:
            counter.see(first.done)
            try:
                doing = ""
                for standing in events:
                    if standing.doing not in ("", doing):
                        doing = standing.doing
                        click.echo(doing, err=True)
                    counter.see(standing.done)
            except GoneError as error:
                click.echo(f"levelsmith: {error.for_command_line}", err=True)
                return FAILED
    new = standing.done - first.done
    click.echo(f"{standing.done:,} of {standing.asked:,} runs are in {output}, {new:,} of them new", err=True)
    for run, why in list(standing.failures.items())[:MOST_TOLD]:
        click.echo(f"failed: {run}: {why}", err=True)
    if len(standing.failures) > MOST_TOLD:
        click.echo(f"failed: {len(standing.failures) - MOST_TOLD:,} more", err=True)
    if standing.done < standing.asked:
        click.echo("the same command goes on with what is missing", err=True)
    if standing.cancelled:
        return INTERRUPTED
    return 0 if standing.done == standing.asked else FAILED


@experiment.command()
@click.argument("file")
@json_option
def status(file: str, as_json: bool) -> None:
    """Say how far FILE is, even while a run writes it."""
    from levelsmith.cli.output import print_json
    from levelsmith.experiment.status import status as told

    found = told(file)
    if as_json:
        print_json(found)
        return
    quick = ", quick" if found["quick"] else ""
    shard = f", shard {found['shard']}" if found["shard"] else ""
    click.echo(f"{found['experiment']}{quick}{shard}, levelsmith {found['levelsmith']}: {found['title']}")
    width = max(len(part["part"]) for part in found["parts"])
    for part in found["parts"]:
        cells = f"{part['cells']:,} cell{'s' * (part['cells'] != 1)}"
        click.echo(
            f"  {part['part']:<{width}}  {part['done']:>9,} of {part['asked']:>9,} runs  {cells:>10}  "
            f"{part['solved']:>9,} solved"
        )
    training = f", {found['training']:,.0f} s of training" if found["training"] else ""
    click.echo(
        f"{found['done']:,} of {found['asked']:,} runs, {found['compute']:,.0f} s of search in all{training}"
    )
    if found["last"] is not None:
        click.echo(f"the last run ended {found['ago']:,.0f} s ago; {found['rate']:,.1f} a second lately")


@experiment.command()
@click.argument("output")
@click.argument("files", nargs=-1, required=True)
def merge(output: str, files: tuple[str, ...]) -> None:
    """Join FILES of the same experiment, such as its shards, into OUTPUT.

    \b
    levelsmith experiment run fdg20 --shard 1/2 -o one.db
    levelsmith experiment run fdg20 --shard 2/2 -o two.db
    levelsmith experiment merge fdg20.db one.db two.db
    """
    from levelsmith.experiment import merge as merged

    added, total = merged(output, files)
    click.echo(f"wrote {added:,} runs to {output}, which has {total:,} now", err=True)


@experiment.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the experiments that ship, with their parts."""
    from levelsmith import presets
    from levelsmith.cli.output import print_json

    for name in presets.names():
        table = presets.load(name).experiment
        if table is None:
            continue
        parts = [part["name"] for part in table["part"]]
        if as_json:
            print_json({"name": name, "title": table.get("title", ""), "parts": parts})
        else:
            click.echo(f"{name:<16}  {table.get('title', '')}")
            click.echo(f"{'':<16}  parts: {', '.join(parts)}")
