"""`levelsmith pack`: makes packs of levels, puts them in order, looks them over, and fills their gaps."""

from __future__ import annotations

import os
import re
import shlex
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.check import check
from levelsmith.cli.group import Group
from levelsmith.cli.options import NUMBER, asked_for, field_option, file_options, json_option, read, together
from levelsmith.errors import LevelsmithError, amount, listed, on_command_line, quoted, worded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from levelsmith.checking.rate import Rated
    from levelsmith.levels.pack import Pack

BAR = 20  # characters of the bar of a difficulty of 100
WITHIN = 120.0  # seconds for all levels of a gap
MISSED = 1
SPAN = re.compile(r"(\d+)(?:-(\d+))?")


@click.group(cls=Group)
def pack() -> None:
    """Make a pack: levels of one game in their order, with a title, an author and notes.

    A pack is one .json file, which every other command reads as the levels that it holds. The .txt file of a
    PuzzleScript game is a pack of its levels. levelsmith publish makes a page of a pack that people can play.

    \b
    levelsmith pack new winter.json --title "Winter rooms" --author Ann levels.xsb
    levelsmith pack sort winter.json
    levelsmith pack show winter.json
    """


about_options = together(  # what is said of the levels together
    click.option("--title", help="What the pack is called."),
    click.option("--author", help="Who made it."),
    click.option("--notes", help="Anything else that players may read."),
)
rating_options = together(  # how much may be spent on proofs
    click.option("--seconds", type=float, help="Most time for the proof of a level (10)."),
    field_option("workers", help="Processes (all cores).", default=None),
)


@pack.command()
@click.argument("target", metavar="PACK")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@about_options
@click.option("--name", "names", is_flag=True, help="Make up titles for levels without one.")
@file_options
def new(
    target: str,
    files: tuple[str, ...],
    title: str | None,
    author: str | None,
    notes: str | None,
    names: bool,
    **reading: Any,
) -> None:
    """Make PACK of the levels of each FILE; levels.xsb#3 is the third of a file.

    \b
    levelsmith pack new winter.json --title "Winter rooms" --author Ann levels.xsb
    levelsmith pack new best.json winter.json#2 spring.json#5 --name
    """
    from levelsmith.levels.pack import Pack, check_pack_name, title_of

    if os.path.lexists(target):
        raise LevelsmithError(
            f"{target} is there already; levelsmith pack add {target} FILE adds levels to it"
        )
    found = [pack_of(file, **reading) for file in files]
    check_pack_name(target, found[0].game)
    first = found[0] if len(found) == 1 else None
    made = Pack(
        tuple(level for each in found for level in each.levels),
        title or (first.title if first is not None else title_of(target)),
        author or (first.author if first is not None else ""),
        notes or (first.notes if first is not None else ""),
    )
    keep(made.named() if names else made, target, title, author, notes)
    tell_repeats(made, target)


@pack.command()
@click.argument("target", metavar="PACK")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--at", type=NUMBER, metavar="NUMBER", help="Put them before this level; by default at the end."
)
@file_options
def add(target: str, files: tuple[str, ...], at: int | None, **reading: Any) -> None:
    """Add the levels of each FILE to PACK.

    \b
    levelsmith pack add winter.json more.xsb
    levelsmith pack add winter.json drawn.txt --game sokoban --at 4
    """
    from levelsmith.levels.pack import read_pack

    there = read_pack(target)
    more = [level for file in files for level in pack_of(file, **reading).levels]
    place = len(there.levels) if at is None else there.number(at)
    made = there.with_levels([*there.levels[:place], *more, *there.levels[place:]])
    keep(made, target)
    tell_repeats(made, target)


def tell_repeats(made: Pack, target: str) -> None:
    """Says which levels a pack has more than once, and what takes them out."""
    again = [str(number) for number, first in enumerate(made.duplicates(), start=1) if first is not None]
    if again:
        command = shlex.join(["levelsmith", "pack", "drop", target, *again])
        told = f"level {again[0]} is" if len(again) == 1 else f"levels {listed(again)} are"
        click.echo(f"{told} there already, turned or mirrored or not; to take out: {command}", err=True)


@pack.command()
@click.argument("target", metavar="PACK")
@click.argument("numbers", nargs=-1, required=True, type=NUMBER, metavar="NUMBER...")
def drop(target: str, numbers: tuple[int, ...]) -> None:
    """Take the levels with these numbers out of PACK.

    \b
    levelsmith pack drop winter.json 3 7
    """
    from levelsmith.levels.pack import read_pack

    there = read_pack(target)
    places = {there.number(number) for number in numbers}
    if len(places) == len(there.levels):
        raise LevelsmithError(f"{target} would have no level left; remove the file instead")
    keep(there.with_levels(level for i, level in enumerate(there.levels) if i not in places), target)


@pack.command()
@click.argument("target", metavar="PACK")
@click.option("--by", default="difficulty", show_default=True, metavar="METRIC", help="What to sort by.")
@click.option("--reverse", is_flag=True, help="The largest first.")
@click.option("--order", metavar="NUMBERS", help="Instead: the order itself, such as 2,1,3-9.")
@rating_options
def sort(
    target: str, by: str, reverse: bool, order: str | None, seconds: float | None, workers: int | None
) -> None:
    """Put the levels of PACK in order, from easy to hard.

    Every level is proved and measured anew. Levels of which nobody knows the number come last.

    \b
    levelsmith pack sort winter.json
    levelsmith pack sort winter.json --by pushes
    levelsmith pack sort winter.json --order 2,1,3-9
    """
    from levelsmith.checking.rate import measured_by
    from levelsmith.levels.pack import read_pack

    there = read_pack(target)
    if order is not None:
        if reverse or by != "difficulty":
            raise LevelsmithError("--order says the order itself, so --by and --reverse would be ignored")
        keep(there.ordered(numbers_of(order)), target)
        return
    found = rated_levels(there, seconds, workers)
    values = measured_by(found, by)
    if all(value is None for value in values):
        raise LevelsmithError(f"expected levels of which {by} is known, got none; --by takes another metric")
    sign = -1 if reverse else 1
    places = sorted(
        range(len(values)),
        key=lambda i: (values[i] is None, sign * (values[i] or 0.0), found[i].count or 0.0),
    )
    keep(there.with_levels(there.levels[place] for place in places), target)
    unsure = [str(i + 1) for i, place in enumerate(places) if values[place] is None]
    if unsure:
        click.echo(f"{by} is not known of {listed(unsure)}, which come last", err=True)


@pack.command()
@click.argument("target", metavar="PACK")
@rating_options
@file_options
@json_option
def show(target: str, seconds: float | None, workers: int | None, as_json: bool, **reading: Any) -> None:
    """List the levels of PACK: what is proved of each, how hard it is, and which are the same as others.

    PACK may be any file of levels. A level is the same as another one if turning or mirroring makes it so.

    \b
    levelsmith pack show winter.json
    levelsmith pack show winter.json --json
    """
    there = pack_of(target, **reading)
    found = rated_levels(there, seconds, workers)
    duplicates = there.duplicates()
    if as_json:
        from levelsmith.cli.output import print_json

        print_json(as_object(there, found, duplicates))
    else:
        _print_pack(there, found, duplicates)


@pack.command()
@click.argument("target", metavar="PACK")
@click.argument("number", required=False, type=NUMBER)
@click.argument("title", required=False)
@click.option("--all", "everything", is_flag=True, help="Make up titles for all levels, also those with one.")
@click.option("--title", "pack_title", help="What the pack is called.")
@click.option("--author", help="Who made it.")
@click.option("--notes", help="Anything else that players may read.")
def name(
    target: str,
    number: int | None,
    title: str | None,
    everything: bool,
    pack_title: str | None,
    author: str | None,
    notes: str | None,
) -> None:
    """Give level NUMBER of PACK a TITLE, or make up titles for levels that have none.

    \b
    levelsmith pack name winter.json
    levelsmith pack name winter.json 3 "The Linen Room"
    levelsmith pack name winter.json --title "Winter rooms" --author Ann
    """
    from dataclasses import replace

    from levelsmith.levels.pack import read_pack

    if number is not None and (title is None or everything):
        raise LevelsmithError(
            f'expected a title after the number, such as: levelsmith pack name {target} 3 "A"'
        )
    there = read_pack(target)
    about = {"title": pack_title, "author": author, "notes": notes}
    given = {key: text for key, text in about.items() if text is not None}
    there = replace(there, levels=there.levels, **given)
    if number is not None and title is not None:
        place, levels = there.number(number), list(there.levels)
        levels[place] = replace(levels[place], title=title)
        there = there.with_levels(levels)
    elif everything or not given:
        there = there.named(everything)
    keep(there, target, pack_title, author, notes)


@pack.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("target", metavar="PACK")
@click.option(
    "--between", nargs=2, type=NUMBER, metavar="FIRST SECOND", help="Two levels that follow each other."
)
@click.option("--count", type=NUMBER, default=1, show_default=True, help="How many levels to make.")
@click.option(
    "--within", type=float, default=WITHIN, show_default=True, help="Seconds for all of them together."
)
@field_option("size")
@field_option("seed")
@field_option("set")
@field_option("workers")
@click.pass_context
def fill(
    context: click.Context,
    /,
    target: str,
    between: tuple[int, int] | None,
    count: int,
    within: float,
    **options: Any,
) -> int:
    """Make new levels that fill a gap of PACK, each proved and unlike all that are there.

    Between two levels they are as hard as one may expect there, and as large as the first of them. A range of
    a metric says it otherwise: --difficulty 40..60. Then they go where their difficulty belongs.

    \b
    levelsmith pack fill winter.json --between 4 5 --count 3
    levelsmith pack fill winter.json --difficulty 40..60 --count 3 --size 8x7
    """
    from levelsmith.checking.gaps import filled, gap_between
    from levelsmith.cli.output import tell_compilations
    from levelsmith.levels.pack import read_pack

    tell_compilations()
    there = read_pack(target)
    request = asked_for(context, there.game, {**options, "count": count, "within": within})
    if between is None and not request.want:
        raise LevelsmithError(
            "expected --between with two numbers, or a range such as --difficulty 40..60; "
            f"levelsmith pack show {target} shows where gaps are"
        )
    gap = None if between is None else gap_between(there, *between)
    if gap is not None:
        click.echo(f"making levels of difficulty {gap.low:g} to {gap.high:g} …", err=True)
    result = filled(there, request, gap)
    if result.new:
        keep(result.pack, target)
    for number, each in result.new.items():
        hard = "" if each.difficulty is None else f", difficulty {each.difficulty:.0f}"
        click.echo(f"level {number} is new: {each.told}{hard}", err=True)
    if result.missed:
        click.echo(worded(result.missed, on_command_line), err=True)
    return MISSED if len(result.new) < count else 0


pack.add_command(check)


# ------------------------------------------------------------------------------------------- what they share


def keep(
    made: Pack,
    target: str,
    title: str | None = None,
    author: str | None = None,
    notes: str | None = None,
) -> None:
    """Writes a pack and says so."""
    from levelsmith.levels.pack import ENDING, write_pack

    said = {"--title": title, "--author": author, "--notes": notes}
    if Path(target).suffix.lower() != ENDING and any(said.values()):
        option = next(name for name, text in said.items() if text)
        raise LevelsmithError(
            f"the source of the game says this itself: leave out {option}, and edit {target}"
        )
    write_pack(made, target)
    click.echo(f"wrote {amount(len(made.levels), 'level')} to {target}", err=True)


def pack_of(file: str, **reading: Any) -> Pack:
    """Returns the pack that a file is, read as the options say."""
    from levelsmith.levels.pack import read_pack

    return read_pack(file, read(file, **reading))


def numbers_of(text: str) -> list[int]:
    """Returns the numbers of an order: `2,1,3-5` is 2, 1, 3, 4, 5, and `3-1` is 3, 2, 1."""
    numbers: list[int] = []
    for part in text.replace(" ", "").split(","):
        match = SPAN.fullmatch(part)
        if match is None:
            raise LevelsmithError(f"expected an order such as 2,1,3-9, got {quoted(text)}")
        first, last = int(match[1]), int(match[2] or match[1])
        numbers += range(first, last + 1) if first <= last else range(first, last - 1, -1)
    return numbers


def rated_levels(there: Pack, seconds: float | None, workers: int | None) -> Sequence[Rated]:
    """Returns what is proved and measured of the levels of a pack."""
    from levelsmith.checking.rate import SECONDS, rated
    from levelsmith.cli.output import Counter, tell_compilations
    from levelsmith.numbers import check_seconds, check_workers

    tell_compilations()
    most = SECONDS if seconds is None else seconds
    check_seconds(most, "a limit")
    workers = check_workers(workers or os.cpu_count() or 1)
    with Counter(len(there.levels)) as counter:
        return rated(there.levels, most, workers, told=counter.see)


def as_object(there: Pack, found: Sequence[Rated], duplicates: Sequence[int | None]) -> dict[str, Any]:
    levels = [
        {
            "number": number,
            "title": each.level.title,
            "size": f"{each.level.size[1]}x{each.level.size[0]}",
            "status": each.verdict["status"],
            "fewest": each.fewest,
            "difficulty": each.difficulty,
            "duplicate_of": duplicate,
        }
        for number, (each, duplicate) in enumerate(zip(found, duplicates, strict=True), start=1)
    ]
    about = {"title": there.title, "author": there.author, "notes": there.notes, "game": there.game}
    return {**about, "levels": levels}


def _print_pack(there: Pack, found: Sequence[Rated], duplicates: Sequence[int | None]) -> None:
    by = f" by {there.author}" if there.author else ""
    click.secho(f"{there.title}{by}: {amount(len(found), 'level')} of {there.game}", bold=True)
    if there.notes:
        click.echo(there.notes)
    rows = []
    for number, (each, duplicate) in enumerate(zip(found, duplicates, strict=True), start=1):
        size = f"{each.level.size[1]}x{each.level.size[0]}"
        known = each.difficulty is not None
        bar = "█" * round(BAR * (each.difficulty or 0) / 100)
        same = f"; the same as {duplicate}" if duplicate else ""
        told = f"{each.told}{same}"
        rows.append(
            (str(number), size, f"{each.difficulty:.0f}" if known else "-", bar, each.level.title, told)
        )
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for number_, size, value, bar, title, told in rows:
        line = f"{number_:>{widths[0]}}  {size:<{widths[1]}}  {value:>{max(widths[2], 3)}}  "
        click.echo(
            f"{line}{bar:<{widths[3]}}  {title:<{widths[4]}}{'  ' if widths[4] else ''}{told}".rstrip()
        )
    values = [each.difficulty for each in found]
    falls = [
        str(number + 1)
        for number, (before, value) in enumerate(pairwise(values), start=1)
        if before is not None and value is not None and value < before
    ]
    if falls:
        click.echo(f"easier than the one before: {listed(falls)}")
