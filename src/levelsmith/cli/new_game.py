"""`levelsmith new-game`: the files that a game of your own starts with."""

from __future__ import annotations

import click


@click.command("new-game")
@click.argument("name")
@click.option("-o", "--output", metavar="FOLDER", help="Write them there (./NAME).")
def new_game(name: str, output: str | None) -> None:
    """Write the files of a new game, in plain Python, for you to change.

    \b
    levelsmith new-game caves
    pip install --editable caves
    levelsmith generate caves
    """
    from pathlib import Path

    from levelsmith.errors import LevelsmithError, quoted
    from levelsmith.files import write_files
    from levelsmith.games.skeleton import files

    folder = Path(output or name)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise LevelsmithError(
            f"expected a new folder or an empty one, but {quoted(folder)} is there already; "
            "take another, with -o"
        )
    made = files(name)
    write_files({folder / path: text.encode() for path, text in made.items()})
    for path in made:
        click.echo(folder / path)
    click.echo(f"next: pip install --editable {folder}", err=True)
