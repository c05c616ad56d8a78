"""The options that mean the same in every command."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import click
from click.shell_completion import CompletionItem

from levelsmith import presets
from levelsmith.errors import LevelsmithError, listed, nearest, on_command_line, quoted, worded
from levelsmith.numbers import LARGEST_INTEGER
from levelsmith.registry import ALL, generators_of, representations_of
from levelsmith.request import FIELDS, Field, Request, fields_of

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
DECIMAL = re.compile(r"(?P<number>[+-]?[0-9]{1,99}(\.[0-9]{0,99})?(e\+?[0-9]{1,2})?)(?P<factor>[km]?)")
# What people type for some options, by their usual names elsewhere.
ELSEWHERE = {"levels": "count", "number": "count", "num": "count", "n": "count", "time": "seconds"}
ELSEWHERE |= {"timeout": "seconds", "jobs": "workers", "threads": "workers", "j": "workers"}
MOST_OPTIONS = 30  # of a game that a line names
READING = ("game", "read_as", "tiles", "limit_bytes", "limit_side")  # what `file_options` adds
INTERRUPTED = 130  # what shells expect of a command stopped by Ctrl-C
FACTORS = {"": 1, "k": 1_000, "m": 1_000_000}


class Name(click.ParamType):
    """A name from a registry, completed by the shell; the library judges it, with a did-you-mean."""

    def __init__(self, kind: str):
        self.name = kind.removesuffix("s") if kind != "searches" else "search"
        self.kind = kind

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        names = presets.names() if self.kind == "presets" else ALL[self.kind].names
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class WholeNumber(click.ParamType):
    """A whole number, with k and M for thousands and millions; it stays exact."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value).replace("_", "").replace(",", "").strip().lower()
        match = DECIMAL.fullmatch(text)
        number = Fraction(match["number"]) * FACTORS[match["factor"]] if match else Fraction(1, 2)
        if number.denominator != 1 or abs(number) > LARGEST_INTEGER:
            self.fail(
                f"expected a whole number such as 5000, 50k or 2M, up to 2**63 - 1, got {quoted(value)}",
                param,
                ctx,
            )
        return int(number)


class SizeType(click.ParamType):
    """WxH on the command line, (height, width) inside."""

    name = "WxH"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from levelsmith.numbers import parse_size

        return parse_size(value)


NUMBER = WholeNumber()
SIZE = SizeType()

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object a line, for programs."
)
game_option = click.option("--game", type=Name("games"), help="The game, if the file does not name it.")
spawn_option = click.option(
    "--spawn", type=click.Choice(["best"]), help="Put the player where he can collect most (Lode Runner)."
)
format_option = click.option(
    "--format", "write_as", type=Name("formats"), help="Format to write, if not by extension."
)
theme_option = click.option(
    "--theme", type=click.Choice(["light", "dark"]), default="dark", help="Colours for this background."
)


def together(*options: Decorator) -> Decorator:
    """Returns several options as one, in their order."""

    def added(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return added


file_options = together(  # how to read a file
    game_option,
    click.option("--from", "read_as", type=Name("formats"), help="Format to read, if not by extension."),
    click.option(
        "--tile",
        "tiles",
        multiple=True,
        metavar="TILE=NAME",
        help="What a tile of a Tiled or LDtk map is, by number or name: 3=wall; repeat it.",
    ),
    click.option("--limit-bytes", type=NUMBER, help="Largest file to read (10M)."),
    click.option("--limit-side", type=NUMBER, help="Most cells along a side (1000)."),
)


def field_option(name: str, field: Field | None = None, **changed: Any) -> Decorator:
    """Returns the option for a field of a request, which may be as it is in some place."""
    field = field or FIELDS[name]
    kinds: dict[str, Any] = {"size": SIZE, "whole": NUMBER, "number": float}
    several = field.kind in ("texts", "values", "levels")
    settings: dict[str, Any] = {
        "type": kinds.get(field.kind),
        "help": field.help,
        "metavar": field.metavar,
        "multiple": several,
        "default": None if several else field.default,
        "show_default": field.kind == "whole" and field.default is not None,
    }
    if field.names:
        settings["type"] = Name(field.names)
    if field.choices:
        settings["type"] = click.Choice(list(field.choices))
    if name == "workers":
        settings |= {"default": os.cpu_count() or 1, "show_default": False}
    return click.option(f"--{name.replace('_', '-')}", name, **settings | changed)


def options_of(place: str, **changed: Mapping[str, Any]) -> Decorator:
    """Returns the options for all fields of a request in a place; ranges have one for each metric.

    Args:
        place: one of those that a field names.
        changed: what is otherwise in this command, by the name of the field.
    """

    fields = {name: field for name, field in fields_of(place).items() if field.kind != "ranges"}
    return together(*(field_option(name, field, **changed.get(name, {})) for name, field in fields.items()))


def asked_for(
    context: click.Context, game: str, options: Mapping[str, Any], changing: bool = False
) -> Request:
    """Returns the request that options make, with parameters and ranges of metrics among them; for a level
    that is there it is of changing it."""
    from levelsmith.levels.files import load

    parameters, ranges = (ranges_among if changing else parameters_among)(context, game)
    if parameters and "set" not in options:
        name = quoted(next(iter(parameters)))
        raise LevelsmithError(f"{context.info_name} has no parameter {name}; it takes ranges of metrics")
    given: dict[str, Any] = {}
    for name, value in options.items():
        kind = FIELDS[name].kind
        if kind == "values":
            value = {**parameters, **assigned(value)}
        elif kind == "level" and value is not None:
            value = read_start(value, game)
        elif kind == "levels":
            value = [level for path in value for level in load(path, game=game)]
        elif kind == "texts":
            value = list(value)
        if value is not None and value != []:
            given[name] = value
    return Request(game, **given, want=ranges)


def reading_among(options: dict[str, Any]) -> dict[str, Any]:
    """Takes what says how to read a file out of a command's options, and returns that."""
    return {name: options.pop(name) for name in READING}


def assigned(assignments: tuple[str, ...], option: str = "--set NAME=VALUE") -> dict[str, str]:
    """Returns pairs `name=value` as a dictionary."""
    values = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not (name and equals):
            raise LevelsmithError(f"expected {option}, got {quoted(assignment)}")
        values[name.strip()] = value.strip()
    return values


def parameters_among(context: click.Context, game: str) -> tuple[dict[str, str], dict[str, str]]:
    """Returns options that no command declares: parameters of any part of a run, and ranges of metrics."""
    if not context.args:
        return {}, {}
    entry = ALL["games"].get(game)
    metrics = {name.replace("_", "-") for name in entry.metrics}
    known = _serving(entry, metrics)
    values: dict[str, str] = {}
    ranges: dict[str, str] = {}
    left = list(context.args)
    while left:
        option, equals, value = left.pop(0).partition("=")
        name = option.removeprefix("--")
        if name not in known | metrics or not option.startswith("--"):
            declared = [o for p in context.command.params for o in p.opts if o.startswith("--")]
            if option.startswith("--") and _is_elsewhere(name):
                raise LevelsmithError(f"{option} is for levels of other games; {_there_is(entry)}")
            names = [*(one.removeprefix("--") for one in declared), *known, *metrics]
            meant = meant_option(name, names)
            hint = f"; did you mean {quoted('--' + meant)}?" if meant else ""
            named = _option_for(option, game, known | metrics) if not option.startswith("-") else None
            if named is not None:
                raise LevelsmithError(f"{quoted(option)} is no option; did you mean {named}?")
            raise LevelsmithError(
                f"no option is called {quoted(option)}{hint} ({context.command_path} --help)"
            )
        if not equals and not left:
            raise LevelsmithError(f"expected a value after {quoted(option)}, got none")
        value = value if equals else left.pop(0)
        as_range = name in metrics and (".." in value or name not in known)
        (ranges if as_range else values)[name] = value
    return values, ranges


def meant_option(name: str, names: Iterable[str]) -> str | None:
    """Returns the option, without its dashes, that was probably meant by another."""
    names = list(names)
    usual = ELSEWHERE.get(name.lstrip("-"))
    return usual if usual in names else nearest(name, names)


def ranges_among(context: click.Context, game: str) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the same where a level that is there is changed: whatever is called as a metric is a range."""
    values, ranges = parameters_among(context, game)
    metrics = {name.replace("_", "-") for name in ALL["games"].get(game).metrics}
    ranges |= {name: value for name, value in values.items() if name in metrics}
    return {name: value for name, value in values.items() if name not in metrics}, ranges


def _option_for(word: str, game: str, numbers: Iterable[str]) -> str | None:
    """Returns the option that a word without one belongs to."""
    homes = {
        "search": [*ALL["searches"], *ALL["generators"]],
        "representation": ALL["representations"],
        "objective": ALL["games"].get(game).objectives,
        "preset": presets.names(),
    }
    for option, names in homes.items():
        if word in names:
            return f"--{option} {word}"
    if re.fullmatch(r"\d+[xX]\d+", word):
        return f"--size {word}"
    return f"--{word} with a value" if word in numbers else None


def _serving(game: Any, metrics: set[str]) -> set[str]:
    """Returns the names of the parameters of all parts that serve a game; those of a representation for any
    game give way to its metrics."""
    ways = representations_of(game)
    general = [way for way in ways if not ALL["representations"].get(way).games]
    own = {p.name for objective in game.objectives.values() for p in objective.parameters}
    own |= {*_parameters("searches", ALL["searches"]), *_parameters("generators", generators_of(game))}
    own |= {*_parameters("representations", [way for way in ways if way not in general])}
    return own | ({*_parameters("representations", general)} - metrics)


def _is_elsewhere(name: str) -> bool:
    """Returns whether some part or game has a parameter or a metric of that name."""
    parts = (one for kind in ("representations", "generators") for one in _parameters(kind, ALL[kind]))
    return name in parts or any(name.replace("-", "_") in game.metrics for game in ALL["games"].working())


def _there_is(game: Any) -> str:
    """Returns the options of a game's own in words, or where these are many, the command that lists them."""
    names = [*game.metrics, *_parameters("generators", generators_of(game))]
    own = dict.fromkeys(f"--{name.replace('_', '-')}" for name in names)
    many = f"levelsmith list metrics --game {game.name} names what there is"
    return f"{game.name} has {listed(own)}" if len(own) <= MOST_OPTIONS else many


def _parameters(kind: str, parts: Iterable[str]) -> list[str]:
    """Returns the names of the parameters of some searches, representations or generators."""
    return [parameter.name for part in parts for parameter in ALL[kind].get(part).parameters]


def read_start(path: str, game: str) -> Any:
    """Returns the one level that `--start` names."""
    levels = read(path, game)
    if len(levels) > 1:
        raise LevelsmithError(f"{path} holds {len(levels)} levels; name one to start from, such as {path}#1")
    return levels[0]


def read(path: str, game: str | None = None, **reading: Any) -> list[Any]:
    """Returns the levels of a file as `read_named` does, without their names."""
    return [level for _, level in read_named(path, game, **reading)]


def read_named(
    path: str,
    game: str | None = None,
    read_as: str | None = None,
    tiles: tuple[str, ...] = (),
    limit_bytes: int | None = None,
    limit_side: int | None = None,
    left_out: list[str] | None = None,
) -> list[tuple[str, Any]]:
    """Returns the levels of a file with their names, within the limits that the options gave; files of a
    folder that cannot be read are told and left out where there is a list for them."""
    from levelsmith.levels.files import load_named
    from levelsmith.levels.formats.format import ReadLimits
    from levelsmith.numbers import whole_number

    standard = ReadLimits()
    side = whole_number(limit_side or standard.side, "a limit", 1, " cells")
    most = whole_number(limit_bytes or standard.bytes, "a limit", 1, " bytes")
    limits = ReadLimits(most, side, standard.levels, max(standard.cells, side * side))

    told = None if left_out is None else partial(leave_out, left_out)
    return load_named(path, game, read_as, limits, told, assigned(tiles, "--tile TILE=NAME"))


def read_each(paths: Iterable[str], left_out: list[str], **reading: Any) -> list[tuple[str, Any]]:
    """Returns the levels of several files with their names; one that cannot be read is told and left out,
    unless none can be."""
    named: list[tuple[str, Any]] = []
    broken: list[LevelsmithError] = []
    for path in paths:
        try:
            named += read_named(path, left_out=left_out, **reading)
        except LevelsmithError as error:
            broken.append(error)
    if broken and not named:
        raise broken[0]
    for each in broken:
        leave_out(left_out, each.marked)
    return named


def leave_out(left_out: list[str], why: str) -> None:
    """Tells why a file is left out, and keeps that."""
    click.echo(f"left out: {worded(why, on_command_line)}", err=True)
    left_out.append(why)


def spawned(levels: list[Any], spawn: str | None) -> list[Any]:
    """Returns the levels as they are, or with their players put where `--spawn` says."""
    if spawn is None:
        return levels
    return [_spawned(level) for level in levels]


def _spawned(level: Any) -> Any:
    from levelsmith.contracts import WithStart
    from levelsmith.registry import games

    game = games.get(level.game)
    if not isinstance(game, WithStart):
        raise LevelsmithError(f"levels of {level.game} keep their player; leave out --spawn")
    return game.with_start(level)
