"""`levelsmith list` and the completion scripts of shells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.options import game_option, json_option

if TYPE_CHECKING:
    from levelsmith.registry import Entry

WIDTH = 100  # of what a list prints
KINDS = (
    "games",
    "metrics",
    "searches",
    "objectives",
    "representations",
    "formats",
    "generators",
    "presets",
    "packs",
)  # as `levelsmith.registry` has them, which the help does not wait for


@click.command("list")
@click.argument("kind", required=False, metavar="[LIST]")
@game_option
@json_option
def list_(kind: str | None, game: str | None, as_json: bool) -> None:
    """List what there is, with parameters and their defaults.

    LIST is games, metrics, searches, objectives, representations, formats, generators, presets or packs
    (levels that ship). Without it the names of all are listed in short; with --game or --json, all is listed.

    \b
    levelsmith list
    levelsmith list searches
    levelsmith list objectives --game binary
    """
    from levelsmith.cli.output import print_json
    from levelsmith.errors import unknown
    from levelsmith.registry import catalogue, games

    if kind is not None and kind not in KINDS:
        raise unknown("list", kind, KINDS)
    if game is not None:
        games.get(game)
    if kind is None and game is None and not as_json:
        _print_overview()
        return
    for each in KINDS if kind is None else (kind,):
        entries = catalogue(each, game)
        if as_json:
            for entry in entries:
                print_json(_object(entry))
        elif entries or kind:
            _print(each, entries)


def _print_overview() -> None:
    """Prints how many there are of each kind, with their names; of metrics, how many each game has."""
    from collections import Counter
    from textwrap import wrap

    from levelsmith.registry import catalogue, games

    width = max(map(len, KINDS))
    for kind in KINDS:
        entries = catalogue(kind)
        names = [entry.name for entry in entries]
        if kind == "metrics":
            counts = Counter(entry.games[0] for entry in entries)
            names = [f"{count} of {game}" for game, count in counts.items()]
        if kind == "games":
            names += [f"any {each} file" for each in games.findable_as]
        head = f"{kind:<{width}}  {len(entries):>3}  "
        lines = wrap(", ".join(names), WIDTH - len(head), break_on_hyphens=False)
        click.echo(head + f"\n{'':{len(head)}}".join(lines))
    click.echo("\nlevelsmith list searches tells what each of a kind is; with --game NAME, those of a game.")


def _object(entry: Entry) -> dict[str, Any]:
    """Returns an entry as the object that `--json` prints."""
    told: dict[str, Any] = {"kind": entry.kind, "name": entry.name, "summary": entry.summary}
    if entry.kind in ("objectives", "metrics", "generators"):
        told["game"] = entry.games[0]
    elif entry.games:
        told["games"] = list(entry.games)
    if entry.kind == "games":
        return {**told, "metrics": dict(entry.metrics), "tiles": dict(entry.tiles)}
    if entry.extensions:
        told["extensions"] = list(entry.extensions)
    if entry.kind not in ("presets", "metrics", "packs"):
        told["parameters"] = [
            {"name": p.name, "default": p.default, "summary": p.summary} for p in entry.parameters
        ]
    return told


def _print(kind: str, entries: list[Entry]) -> None:
    from rich.text import Text

    from levelsmith.cli.terminal import console

    out = console()
    out.print(Text(kind, style="bold"))
    width = max((len(entry.name) for entry in entries), default=0)
    for entry in entries:
        extra = " ".join(entry.extensions or (entry.games if kind not in ("presets", "packs") else ()))
        line = Text(f"  {entry.name:<{width}}  {entry.summary}")
        line.append(f"  {extra}" if extra else "", style="dim")
        out.print(line)
        for parameter in entry.parameters:
            setting = f"  {'':<{width}}  {parameter.name}={parameter.default}  {parameter.summary}"
            out.print(Text(setting, style="dim"))
    if not entries:
        out.print(Text("  none", style="dim"))


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a SHELL.

    \b
    eval "$(levelsmith completion bash)"
    """
    from click.shell_completion import get_completion_class

    root = click.get_current_context().find_root()
    maker = get_completion_class(shell)
    if maker is None:
        raise click.UsageError(f"no completion for {shell}")
    click.echo(maker(root.command, {}, "levelsmith", "_LEVELSMITH_COMPLETE").source())
