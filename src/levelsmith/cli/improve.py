"""`levelsmith improve`: makes a level that exists harder or easier, and shows it before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.options import NUMBER, Name, file_options, json_option, read, theme_option

if TYPE_CHECKING:
    from levelsmith.core import Level

INTERRUPTED = 130
EASIER = 0.5, 0.8  # what part of the difficulty an easier level has
TOLD = ("boxes", "pushes", "moves", "box_changes", "difficulty")


@click.command()
@click.argument("file")
@file_options
@click.option("--easier", is_flag=True, help="Make it easier, to about two thirds of its difficulty.")
@click.option(
    "--by", default="difficulty", show_default=True, help="What shall grow: an objective such as pushes."
)
@click.option(
    "--lock",
    multiple=True,
    metavar="CELLS",
    help="Keep these cells: a tile's name, border, X,Y or X,Y,WxH; repeat for more.",
)
@click.option("--evaluations", type=NUMBER, default=2_000, show_default=True, help="Candidates to try.")
@click.option("--seconds", type=float, help="Time limit.")
@click.option("--seed", type=NUMBER, default=0, show_default=True, help="0 or more.")
@click.option("-o", "--output", metavar="PATH", help="Write the new level here; - for standard output.")
@click.option("--format", "write_as", type=Name("formats"), help="Format to write (the extension tells).")
@json_option
@theme_option
def improve(
    file: str,
    easier: bool,
    by: str,
    lock: tuple[str, ...],
    output: str | None,
    write_as: str | None,
    as_json: bool,
    theme: str,
    game: str | None,
    read_as: str | None,
    limit_bytes: int | None,
    limit_side: int | None,
    **budget: Any,
) -> int:
    """Make the level that FILE#k names harder, or easier, step by step from what it is.

    \b
    levelsmith improve pack.xsb#3 -o harder.xsb
    levelsmith improve pack.xsb#3 --by pushes --lock wall
    levelsmith improve pack.xsb#3 --easier --seconds 5
    """
    from levelsmith.cli.output import print_json, tell_compilations
    from levelsmith.errors import LevelsmithError
    from levelsmith.levels.files import save, writable
    from levelsmith.levels.json import as_object
    from levelsmith.levels.measure import measure
    from levelsmith.registry import games
    from levelsmith.search.driver import generate, interruptible

    levels = read(file, game, read_as, limit_bytes, limit_side)
    if len(levels) != 1:
        raise LevelsmithError(f"{file} holds {len(levels)} levels; name one, such as {file}#1")
    (level,) = levels
    if "difficulty" not in games.get(level.game).metrics:
        raise LevelsmithError(
            f"levels of {level.game} have no difficulty to change yet; expected one of sokoban"
        )
    if output is not None:
        writable(output, write_as)
    tell_compilations()
    before = measure(level)
    if not before["pushes"]:
        raise LevelsmithError(f"{file}: no solution was found, so that nothing says what is harder")
    choices: dict[str, Any] = {"objective": by}
    if easier:
        low, high = (part * before["difficulty"] for part in EASIER)
        choices = {"want": {"difficulty": (low, high)}}
    with interruptible() as interrupted:
        result = generate(
            level.game,
            search="hc",
            representation="rooms",
            set={"patience": 0, "boxes": before["boxes"]},
            start=level,
            lock=lock,
            cancel=interrupted,
            **choices,
            **budget,
        )
        stopped = interrupted()
    after = measure(result.best)
    if not after["boxes"]:
        raise LevelsmithError(f"{file}: nothing was found; expected fewer boxes or a smaller board than here")
    if easier and after["difficulty"] >= before["difficulty"] and not stopped:
        raise LevelsmithError(
            f"{file}: nothing easier than its {before['difficulty']:.4g} was found in "
            f"{result.evaluations:,} evaluations; try more --evaluations or fewer locks"
        )
    if as_json:
        print_json(
            {"before": _told(level, before), "after": _told(result.best, after), **as_object(result.best)}
        )
    else:
        _show(level, before, result.best, after, theme)
    if output is not None:
        save([result.best], output, format=write_as)
        click.echo(f"wrote 1 level to {output}", err=True)
    return INTERRUPTED if stopped else 0


def _told(level: Level, metrics: dict[str, int | float]) -> dict[str, Any]:
    return {"text": level.text, "metrics": metrics}


def _show(
    level: Level,
    before: dict[str, int | float],
    better: Level,
    after: dict[str, int | float],
    theme: str,
) -> None:
    from levelsmith.cli.terminal import console, render

    out = console()
    for heading, one, metrics in (("before", level, before), ("after", better, after)):
        counts = ", ".join(f"{name.replace('_', ' ')} {metrics[name]:.4g}" for name in TOLD)
        out.print(f"{heading}: {counts}", style="bold", highlight=False)
        out.print(render(one, theme=theme))
