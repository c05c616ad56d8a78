"""`levelsmith list` and the completion scripts of shells."""

from __future__ import annotations

from typing import Any

import click

from levelsmith.cli.options import game_option, json_option

KINDS = ("games", "searches", "objectives", "representations", "formats", "generators", "presets")


@click.command("list")
@click.argument("kind", required=False, metavar=f"[{'|'.join(KINDS)}]")
@game_option
@json_option
def list_(kind: str | None, game: str | None, as_json: bool) -> None:
    """List what there is, with parameters and their defaults.

    \b
    levelsmith list searches
    levelsmith list objectives --game binary
    """
    from levelsmith.cli.output import print_json
    from levelsmith.errors import unknown
    from levelsmith.registry import games

    if kind is not None and kind not in KINDS:
        raise unknown("list", kind, KINDS)
    if game is not None:
        games.get(game)
    for each in KINDS if kind is None else (kind,):
        entries = [entry for entry in _entries(each) if game is None or _concerns(entry, each, game)]
        if as_json:
            for entry in entries:
                print_json({"kind": each, **entry})
        elif entries or kind:
            _print(each, entries)


def _concerns(entry: dict[str, Any], kind: str, game: str) -> bool:
    """Tells whether an entry is of one game; searches and formats are of all."""
    if kind == "games":
        return bool(entry["name"] == game)
    return game in entry.get("games", (entry.get("game", game),))


def _entries(kind: str) -> list[dict[str, Any]]:
    from levelsmith import presets
    from levelsmith.registry import ALL, games

    if kind == "presets":
        loaded = [presets.load(name) for name in presets.names()]
        return [{"name": p.name, "summary": p.summary, "games": list(p.games)} for p in loaded]
    if kind == "objectives":
        return [
            {"name": name, "game": game, "summary": objective.summary, "parameters": _parameters(objective)}
            for game in games
            for name, objective in games.get(game).objectives.items()
        ]
    entries = []
    for name in ALL[kind]:
        part = ALL[kind].get(name)
        entry: dict[str, Any] = {"name": name, "summary": part.summary}
        if kind == "formats":
            entry["extensions"] = list(part.extensions)
        if kind == "generators":
            entry["game"] = part.game
        if kind == "games":
            entry["metrics"] = dict(part.metrics)
            entry["tiles"] = {tile.symbol: tile.name for tile in part.tiles}
        if kind != "games":
            entry["parameters"] = _parameters(part)
        entries.append(entry)
    return entries


def _parameters(part: Any) -> list[dict[str, Any]]:
    return [{"name": p.name, "default": p.default, "summary": p.summary} for p in part.parameters]


def _print(kind: str, entries: list[dict[str, Any]]) -> None:
    from rich.text import Text

    from levelsmith.cli.terminal import console

    out = console()
    out.print(Text(kind, style="bold"))
    width = max((len(entry["name"]) for entry in entries), default=0)
    for entry in entries:
        extra = " ".join(entry.get("extensions", ())) or entry.get("game", "")
        line = Text(f"  {entry['name']:<{width}}  {entry['summary']}")
        line.append(f"  {extra}" if extra else "", style="dim")
        out.print(line)
        for parameter in entry.get("parameters", ()):
            setting = f"  {'':<{width}}  {parameter['name']}={parameter['default']}  {parameter['summary']}"
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
