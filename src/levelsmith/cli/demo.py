"""`levelsmith demo`: the product in one minute, in the terminal and as a page to play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from levelsmith.cli.options import INTERRUPTED, field_option, json_option, theme_option

if TYPE_CHECKING:
    from levelsmith.demo.make import DemoLevels

NEXT = """next:
  levelsmith studio                  generate, watch, edit and play in the browser
  levelsmith generate sokoban --difficulty hard --count 20 -o pack.xsb
  levelsmith generate loderunner
  levelsmith --help                  everything else"""


@click.command()
@click.argument("folder", default="demo")
@field_option("seed")
@click.option(
    "--open/--no-open", "opens", default=False, help="Open the page in the browser, or do not (the default)."
)
@json_option
@theme_option
def demo(folder: str, seed: int | None, opens: bool, as_json: bool, theme: str) -> int:
    """Make a few levels of each game, show them, and write them to FOLDER with a page to play them on.

    The page needs no server: it opens in any browser. What an earlier demo wrote to FOLDER is replaced.

    \b
    levelsmith demo
    levelsmith demo levels/ --seed 7 --open
    """
    from levelsmith.demo.folder import check_folder, write
    from levelsmith.demo.make import SEED, make
    from levelsmith.numbers import check_seed
    from levelsmith.publish.folder import PAGE

    target = Path(folder)
    check_folder(target)
    seed = check_seed(SEED if seed is None else seed)
    made = []
    try:
        for each in make(seed):
            made.append(each)
            if not as_json:
                _show(each, theme)
    except KeyboardInterrupt:
        click.echo("interrupted: nothing was written", err=True)
        return INTERRUPTED
    files = write(made, target)
    page = target / PAGE
    if as_json:
        _print_object(made, files, page)
    else:
        click.echo(f"wrote {len(files)} files to {folder}; play the levels in a browser: {page}")
        click.echo(NEXT)
    if opens:
        click.launch(page.absolute().as_uri())
    return 0


def _show(made: DemoLevels, theme: str) -> None:
    """Prints the last level of a part, which is the hardest, and what there is to know of all."""
    from levelsmith.cli.terminal import console, render

    out = console()
    out.print(render(made.levels[-1], theme=theme))
    out.print(made.headlines[-1])
    if made.levels[-1].solution:
        out.print(f"solution: {made.levels[-1].solution}")
    out.print()


def _print_object(made: list[DemoLevels], files: list[Path], page: Path) -> None:
    from levelsmith.cli.output import print_json

    levels = [
        {
            "game": level.game,
            "title": level.title,
            "told": told,
            "text": level.text,
            "solution": level.solution,
            "provenance": dict(level.provenance),
        }
        for each in made
        for level, told in zip(each.levels, each.headlines, strict=True)
    ]
    print_json({"page": str(page), "files": [str(file) for file in files], "levels": levels})
