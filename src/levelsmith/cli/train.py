"""`levelsmith train`: makes a model that draws levels like those it is shown."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.options import INTERRUPTED, NUMBER, Name, assigned, json_option, options_of, read
from levelsmith.request import TRAIN, spelled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from levelsmith.core import Parameter
    from levelsmith.learn.training import Trained, TrainingProgress


class Training(click.Command):
    """A command with an option for each parameter of a training."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from levelsmith.learn.training import PARAMETERS

        *own, helps = super().get_params(ctx)
        names = [each.name for each in own]
        return [*own, *(_option(each) for each in PARAMETERS if each.name not in names), helps]


def _option(parameter: Parameter) -> click.Option:
    from levelsmith.learn.training import PAPER, PLACED

    usual = [spelled(parameter.default)]
    tables: dict[str, Mapping[str, Any]] = {"of a vq": PLACED, "in the mode paper": PAPER}
    for where, table in tables.items():
        value = table.get(parameter.name, parameter.default)
        usual += [f"{spelled(value)} {where}"] if value != parameter.default else []
    summary = parameter.summary[0].upper() + parameter.summary[1:]
    kinds: dict[type, Any] = {int: NUMBER, float: float}
    kind = click.Choice(parameter.choices) if parameter.choices else kinds[type(parameter.default)]
    return click.Option([f"--{parameter.name}"], type=kind, help=f"{summary} ({'; '.join(usual)}).")


@click.command(cls=Training)
@click.argument("game", type=Name("games"))
@click.option(
    "--data",
    multiple=True,
    required=True,
    metavar="PATH",
    help="Levels to learn from, all of one size: a folder or a file; repeat for more.",
)
@click.option("--from", "read_as", type=Name("formats"), help="Format to read, if not by extension.")
@click.option(
    "--model",
    default="vae",
    show_default=True,
    help="vae or ae: with or without random codes; vq: codes that are maps, for thousands of levels.",
)
@click.option("--mode", default="default", show_default=True, help="default, or paper for plain channels.")
@click.option("-o", "--output", required=True, metavar="FILE", help="Write the model here, such as a.npz.")
@click.option("--mirror/--no-mirror", default=None, help="Learn from mirror images too (the game says).")
@options_of(TRAIN)
@click.option("--curve", metavar="FILE", help="Draw the losses to this .svg file.")
@json_option
def train(
    game: str,
    data: tuple[str, ...],
    read_as: str | None,
    output: str,
    set: tuple[str, ...],
    curve: str | None,
    as_json: bool,
    **choices: Any,
) -> int:
    """Train a model on levels of GAME, to make more like them.

    Ctrl-C keeps the best model so far. The same command goes on with a training that was interrupted.

    \b
    levelsmith train loderunner --data levels/ -o model.npz
    levelsmith train loderunner --data made.npz --model vq -o map.npz
    levelsmith train loderunner --data levels/ --mode paper --model ae -o plain.npz
    levelsmith train sokoban --data pack.xsb --steps 1000 -o mine.npz --curve losses.svg
    """
    from levelsmith.cli.output import print_json
    from levelsmith.errors import LevelsmithError, quoted
    from levelsmith.learn.training import Trained, follow
    from levelsmith.making.interrupts import interruptible

    if curve is not None and not curve.lower().endswith(".svg"):
        raise LevelsmithError(f"expected a file that ends in .svg for --curve, got {quoted(curve)}")
    levels = [level for path in data for level in read(path, game, read_as=read_as)]
    given = assigned(set) | {name: value for name, value in choices.items() if value is not None}
    with interruptible() as interrupted:
        events = follow(game, levels, output=output, cancel=interrupted, **given)
        for event in _watched(events):
            if isinstance(event, Trained):
                result = event
            elif as_json and event.row and event.row[0] == event.step:
                print_json(_row(event.row))
    if curve is not None and result.history:
        _draw(result, curve)
    if as_json:
        print_json({"output": output, "stopped": result.stopped, "step": result.step})
    elif result.model is not None:
        _print_table(result)
    return _told_end(result, output)


def _watched(events: Iterator[TrainingProgress | Trained]) -> Iterator[TrainingProgress | Trained]:
    """Yields the events, with a bar on a terminal and a line now and then elsewhere."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from levelsmith.cli.output import QUIET_SECONDS
    from levelsmith.cli.terminal import console
    from levelsmith.learn.training import Trained

    out = console(stderr=True)
    told, begun = time.monotonic(), False
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Bar(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task("steps", total=None)
        for event in events:
            yield event
            if isinstance(event, Trained):
                continue
            if not begun and event.step:
                click.echo(f"going on from step {event.step} of {event.steps}", err=True)
            begun = True
            losses = _losses(event)
            bar.update(task, completed=event.step, total=event.steps, description=f"steps · {losses}")
            if not out.is_terminal and time.monotonic() - told >= QUIET_SECONDS:
                told = time.monotonic()
                click.echo(f"step {event.step} of {event.steps} · {losses}", err=True)


def _losses(progress: TrainingProgress) -> str:
    if not progress.row:
        return "no losses yet" if progress.step else "compiling"
    _, nll, kl, *kept = progress.row
    told = f"training {nll + kl:.1f}"
    return f"{told} · validation {kept[0] + kept[1]:.1f} nats a level" if kept else f"{told} nats a level"


def _row(row: list[float]) -> dict[str, Any]:
    step, nll, kl, *kept = row
    found: dict[str, Any] = {"step": int(step), "training": {"nll": nll, "kl": kl}}
    if kept:
        found["validation"] = {"nll": kept[0], "kl": kept[1], "objective": kept[2]}
    return found


def _draw(result: Trained, path: str) -> None:
    from pathlib import Path

    from levelsmith.files import write_files
    from levelsmith.learn.curve import curve

    write_files({Path(path): curve(result.history).encode()})


def _print_table(result: Trained) -> None:
    assert result.model is not None  # noqa: S101
    told, settings = result.model.told, result.model.settings
    height, width = settings.size
    images = " and mirror images" if told["mirrored"] else ""
    click.echo(f"{settings.model} of {settings.game} {width}x{height}, {settings.latent} numbers in a code")
    click.echo(f"{told['levels']} levels{images}: {told['learned']} learned, {told['kept']} for validation")
    click.secho(f"{'':12}{'nll':>8}{'kl':>8}{'sum':>8}", bold=True)
    losses = told["loss"]
    for name, pair in (("training", losses[:2]), ("validation", losses[2:4])):
        if pair:
            click.echo(f"{name:12}{pair[0]:8.1f}{pair[1]:8.1f}{sum(pair):8.1f}")


def _told_end(result: Trained, output: str) -> int:
    if result.stopped != "cancelled":
        why = "no better one came" if result.stopped == "patience" else "all steps done"
        click.echo(f"wrote {output}: the best was after step {result.step}, {why}", err=True)
        return 0
    best = f"{output} has the best so far; " if result.model is not None else ""
    click.echo(f"interrupted: {best}the same command goes on from here", err=True)
    return INTERRUPTED
