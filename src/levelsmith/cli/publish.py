"""`levelsmith publish`: a pack as a page that people play, without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from levelsmith.cli.options import file_options
from levelsmith.cli.pack import pack_of, rated_levels, rating_options
from levelsmith.errors import LevelsmithError, amount

MISSED = 1
ARCHIVE = ".zip"


@click.command()
@click.argument("target", metavar="[PACK]", required=False)
@click.option(
    "-o", "--output", required=True, metavar="PATH", help="The folder, or a .zip for hosts of games."
)
@click.option("--zip", "archive", is_flag=True, help="Write a .zip beside the folder too.")
@click.option("--playground", "plays", is_flag=True, help="Instead of a pack: a page to draw levels on.")
@click.option(
    "--pyodide",
    metavar="FILE",
    help="With --playground: the file of `npm pack pyodide`, and sources of PuzzleScript can be pasted.",
)
@click.option("--title", help="The title of the page, in place of the pack's.")
@click.option("--credits", "thanks", help="What the page says at its foot.")
@click.option("--colour", metavar="COLOUR", help="The colour of buttons and links, such as #a03020.")
@click.option(
    "--sprites", metavar="FOLDER", help="PNG pictures called as the tiles are: wall.png, player.png."
)
@click.option("--hints/--no-hints", default=True, help="With hints and solutions (the default), or without.")
@rating_options
@file_options
def publish(
    target: str | None,
    output: str,
    archive: bool,
    plays: bool,
    pyodide: str | None,
    title: str | None,
    thanks: str | None,
    colour: str | None,
    sprites: str | None,
    hints: bool,
    seconds: float | None,
    workers: int | None,
    **reading: Any,
) -> int:
    """Write PACK as a page on which people play it: from a folder, or on any host of files.

    PACK is a pack, any other file of levels, or a PuzzleScript game. The page is one file that needs no
    server: open index.html, send it to somebody, or upload the .zip to a host of games. It keeps what a
    player has solved, shows exact hints, and says when a level cannot be won any more.

    With --playground it is a page to draw levels of Sokoban, Lode Runner and caves on: each is proved there
    as it is drawn, rated, played, and sent to others as a link. With --pyodide, which takes Python along, the
    source of a PuzzleScript game can be pasted there, too.

    Every level is proved first. The command and the page name those that are not; then the exit status is 1.

    \b
    levelsmith publish winter.json -o site/
    levelsmith publish winter.json -o winter.zip --no-hints --colour "#a03020"
    levelsmith publish --playground -o site/
    levelsmith publish --playground --pyodide pyodide-314.0.7.tgz -o site/
    levelsmith publish game.txt -o site/ --title "My game" --credits "With thanks to Ann."
    """
    from levelsmith.levels.files import writable
    from levelsmith.publish.playground import playground
    from levelsmith.publish.site import (
        PYTHON,
        Look,
        check_site,
        check_site_folder,
        site,
        unproved,
    )

    is_archive = output.lower().endswith(ARCHIVE)
    folder = None if is_archive else Path(output)
    archives = [Path(output)] if is_archive else [Path(f"{output.rstrip('/')}{ARCHIVE}")] if archive else []
    for path in archives:
        writable(str(path), "json")
    if folder is not None:
        check_site_folder(folder)
    look = Look(title or "", thanks or "", colour, sprites, hints)
    if pyodide is not None and not plays:
        raise LevelsmithError("--pyodide is for a playground: add --playground, or leave it out")
    if plays or target is None:
        if not plays or target is not None:
            got = "both" if plays else "neither"
            raise LevelsmithError(f"expected a pack to publish, or --playground, got {got}")
        files = playground(look, pyodide)
        _write(files, folder, archives)
        if PYTHON in files:
            size = len(files[PYTHON]) / 1e6
            click.echo(f"beside it {PYTHON}, {size:.1f} MB, loaded where a source is pasted", err=True)
        return 0
    there = pack_of(target, **reading)
    check_site(there, look)
    found = rated_levels(there, seconds, workers)
    files = site(there, found, look)
    _write(files, folder, archives, f"{amount(len(found), 'level')} to ")
    left = unproved(found)
    for number, each in left:
        named = f" '{each.level.title}'" if each.level.title else ""
        click.echo(f"not proved: level {number}{named}: {each.told}", err=True)
    proved = f"{sum(each.is_fewest for each in found)} with the fewest"
    click.echo(f"proved: {len(found) - len(left)} of {len(found)}, {proved}", err=True)
    return MISSED if left else 0


def _write(files: dict[str, bytes], folder: Path | None, archives: list[Path], what: str = "") -> None:
    """Writes the files of a page, and says where it is."""
    from levelsmith.files import write_files
    from levelsmith.publish.site import write_site, zipped

    if folder is not None:
        write_site(files, folder)
    write_files({path: zipped(files) for path in archives})
    where = " and ".join([*([str(folder)] if folder is not None else []), *map(str, archives)])
    click.echo(f"wrote {what}{where}: a page of {len(files['index.html']) / 1000:.0f} kB", err=True)
    if folder is not None:
        click.echo(f"open it in a browser: {folder / 'index.html'}", err=True)
