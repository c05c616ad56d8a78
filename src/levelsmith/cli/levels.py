"""Commands about levels that exist: `show`, `convert`, `info`, `measure`."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from levelsmith.cli.options import (
    assigned,
    field_option,
    file_options,
    format_option,
    json_option,
    read,
    spawn_option,
    spawned,
    theme_option,
)
from levelsmith.errors import LevelsmithError, amount, listed

MISTAKE = 2  # the exit status where some levels were left out


@click.command()
@click.argument("file")
@file_options
@click.option(
    "--style", type=click.Choice(["auto", "cells", "half", "plain"]), default="auto", help="How to draw it."
)
@theme_option
@click.option("--solution", is_flag=True, help="Play the solution that comes with the level.")
@click.option("--speed", type=float, metavar="MOVES", help="Moves a second of the solution (8).")
@json_option
def show(
    file: str,
    style: str,
    theme: str,
    solution: bool,
    speed: float | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Draw the levels of FILE in the terminal; pack.json#3 is the third of a pack.

    \b
    levelsmith show pack.json#3
    levelsmith show level.txt --game sokoban
    levelsmith show pack.json#3 --solution --speed 4
    """
    from levelsmith.cli.output import print_json
    from levelsmith.cli.terminal import SPEED, console, play, render
    from levelsmith.levels.formats.json import as_object

    if speed is not None and not solution:
        raise LevelsmithError("expected --solution beside --speed, which says how fast it plays")
    speed = SPEED.default if speed is None else SPEED.check(speed)
    out = console()
    for i, level in enumerate(read(file, **reading)):
        if as_json:
            print_json(as_object(level))
            continue
        if i:
            out.print()
        if solution:
            play(level, style=style, theme=theme, speed=speed)
        else:
            out.print(render(level, style=style, theme=theme))


@click.command()
@click.argument("source")
@click.argument("target")
@file_options
@format_option
@field_option("set")
def convert(source: str, target: str, write_as: str | None, set: tuple[str, ...], **reading: Any) -> None:
    """Write the levels of SOURCE to TARGET in the format of its extension.

    \b
    levelsmith convert pack.json#4 level.tmj
    levelsmith convert level.txt level.png --game sokoban --set scale=16 --set theme=dark
    levelsmith convert pack.json levels/ --format tmx
    """
    from levelsmith.levels.files import save, writable
    from levelsmith.levels.pack import said_together

    writable(target, write_as)
    levels = read(source, **reading)
    save(levels, target, format=write_as, **assigned(set))
    if target != "-":
        click.echo(f"wrote {amount(len(levels), 'level')} to {target}", err=True)
    if lost := said_together(source, reading.get("limit_bytes")):
        click.echo(f"not kept there: the pack's {listed(lost)}", err=True)


@click.command()
@click.argument("file")
@file_options
@json_option
def info(file: str, as_json: bool, **reading: Any) -> None:
    """Say what FILE holds: game, size, tiles, title, solution, where each level came from."""
    from levelsmith.cli.output import print_json
    from levelsmith.levels.files import split_number

    for number, level in enumerate(read(file, **reading), start=split_number(file)[1] or 1):
        counts = {name: int((level.grid == i).sum()) for i, name in enumerate(level.tiles.names)}
        facts: dict[str, Any] = {
            "number": number,
            "game": level.game,
            "size": f"{level.size[1]}x{level.size[0]}",
            "title": level.title,
            "author": level.author,
            "tiles": {name: count for name, count in counts.items() if count},
            "told": _description(level),
            "solution": level.solution,
            "provenance": dict(level.provenance),
        }
        if as_json:
            print_json(facts)
        else:
            _print_facts(facts)


def _description(level: Any) -> str | None:
    """Returns what a reader wants to know of a level first; None of what is no level, or where no game
    tells."""
    from levelsmith.errors import LevelsmithError
    from levelsmith.levels.measure import headline
    from levelsmith.registry import games

    try:
        games.get(level.game).check(level)
        return headline(level)
    except LevelsmithError:
        return None


def _print_facts(facts: dict[str, Any]) -> None:
    from levelsmith.errors import printable

    click.echo(f"#{facts['number']} {facts['game']} {facts['size']} {facts['title']}".rstrip())
    if facts["author"]:
        click.echo(f"  author         {facts['author']}")
    if facts["told"]:
        click.echo(f"  level          {facts['told']}")
    click.echo("  tiles          " + ", ".join(f"{count} {name}" for name, count in facts["tiles"].items()))
    if facts["solution"]:
        click.echo(f"  solution       {facts['solution']}")
    for key, value in facts["provenance"].items():
        if value in ([], {}):
            continue
        if not isinstance(value, dict):
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            click.echo(printable(f"  {key:<14} {shown}"))
            continue
        for owner, settings in value.items():
            settings = settings if isinstance(settings, dict) else {"": settings}
            click.echo(printable(f"  {owner:<14} " + ", ".join(f"{k} {v}" for k, v in settings.items())))


@click.command()
@click.argument("file")
@file_options
@click.option("--rules", metavar="NAME", help="Rule set to judge by, such as no-dig for Lode Runner.")
@spawn_option
@field_option("device")
@json_option
def measure(
    file: str, rules: str | None, spawn: str | None, device: str, as_json: bool, **reading: Any
) -> int:
    """Print the metrics of each level of FILE, a file or a folder of files.

    Among several levels, the command names and leaves out one that is no level, and a file of a folder that
    it cannot read.
    """
    from levelsmith.cli.output import print_json, tell_compilations
    from levelsmith.levels.measure import details as details_of
    from levelsmith.levels.measure import device_for
    from levelsmith.levels.measure import measure as metrics_of

    left_out: list[str] = []
    numbered = _measurable(file, read(file, **reading, left_out=left_out))
    levels = spawned([level for _, level in numbered.levels], spawn)
    kinds = {(level.game, level.size): level for level in levels}.values()
    if any(device_for(level, device) == "cuda" for level in kinds):
        from levelsmith.kernels.gpu import device_name

        click.echo(f"on {device_name()}", err=True)
    tell_compilations()
    metrics = metrics_of(levels, rules, device)
    facts = [(found, details_of(level, rules)) for level, found in zip(levels, metrics, strict=True)]
    if as_json:
        for level, (found, details) in zip(levels, facts, strict=True):
            told = {"game": level.game, "title": level.title, "text": level.text, "metrics": found}
            print_json({**told, **details})
    else:
        numbers = [number for number, _ in numbered.levels]
        _print_table(numbers, levels, [found for found, _ in facts])
        for number, (_, details) in zip(numbers, facts, strict=True):
            if note := details.get("note"):
                click.echo(f"{file}#{number}: {note}", err=True)
    return MISTAKE if numbered.refused or left_out else 0


class _Measurable(NamedTuple):
    levels: list[tuple[int, Any]]  # with their numbers
    refused: int


def _measurable(file: str, levels: list[Any]) -> _Measurable:
    """Returns the levels without those that their game refuses, which are named; where all are, that is
    the error."""
    from levelsmith.levels.solve import reason
    from levelsmith.registry import games

    kept, refused = [], []
    for number, level in enumerate(levels, start=1):
        try:
            games.get(level.game).check(level)
            kept.append((number, level))
        except LevelsmithError as error:
            if len(levels) == 1:
                raise
            title = f" ({level.title})" if level.title else ""
            refused.append(f"{file}#{number}{title} is left out: {reason(error, level)}")
    if not kept and refused:
        raise LevelsmithError(f"{file} holds no level to measure; {refused[0]}")
    for line in refused:
        click.echo(line, err=True)
    return _Measurable(kept, len(refused))


def _shown(value: float | None) -> str:
    return "unknown" if value is None else f"{value:g}"


def _print_table(numbers: list[int], levels: list[Any], metrics: list[dict[str, int | float | None]]) -> None:
    from levelsmith.cli.output import print_table

    names = list(dict.fromkeys(name for found in metrics for name in found))
    rows = [("#", "game", "size", *names, "title")]
    for number, level, found in zip(numbers, levels, metrics, strict=True):
        values = [_shown(found[name]) if name in found else "" for name in names]
        rows.append((str(number), level.game, f"{level.size[1]}x{level.size[0]}", *values, level.title))
    print_table(rows, ("game", "title"))
