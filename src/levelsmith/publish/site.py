"""A pack as files that people play: one page, which opens from a folder and on any host, and a cover."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from levelsmith import __version__
from levelsmith.checking.rate import Rated
from levelsmith.contracts import Scripted
from levelsmith.core import Level, settle
from levelsmith.errors import LevelsmithError, listed
from levelsmith.files import write_files
from levelsmith.levels.formats.format import MAIN
from levelsmith.levels.pack import Pack
from levelsmith.publish import page as pages
from levelsmith.publish.colours import style_of
from levelsmith.publish.folder import PAGE, check_folder
from levelsmith.publish.pictures import pictures
from levelsmith.registry import formats, games

OWN = Path(__file__).parent / "static"
OWN_MODULES = {"publish/main.js": OWN / "main.js", "publish/progress.js": OWN / "progress.js"}
MARK = '<meta name="generator" content="levelsmith publish">'  # what bears it may be replaced
COVER = "cover.png"
PYTHON = "python.js"  # beside a playground where sources are pasted
NAMES = (PAGE, COVER, PYTHON)
COVER_SIDE = 600  # pixels, about
LARGEST_SCALE, SMALLEST_SCALE = 64, 4  # pixels of a cell of it
EARLY = (1980, 1, 1, 0, 0, 0)  # the time of all files in an archive, so that its bytes are the same
SECOND = "second"  # what is counted where a game has no fewest


@dataclass(frozen=True, slots=True)
class Look:
    """What a page looks like, and what it shows.

    Attributes:
        title: in place of the pack's.
        credits: what is said at its foot.
        colour: such as #0b6556, for what can be pressed; None for green.
        sprites: a folder of PNG pictures in place of the game's own; None for these.
        help: whether there are hints, solutions, and a word where a level cannot be won any more.
    """

    title: str = ""
    credits: str = ""
    colour: str | None = None
    sprites: str | None = None
    help: bool = True


def check_site(pack: Pack, look: Look) -> None:
    """Refuses what cannot be published, before any work is done for it."""
    game = games.get(pack.game)
    if not pages.is_playable(game):
        able = [name for name in games if pages.is_playable(games.get(name))] + games.findable_as
        raise LevelsmithError(
            f"no page knows the rules of {game.name}; expected levels of one of: {listed(able)}"
        )
    if look.sprites is not None and isinstance(game, Scripted):
        raise LevelsmithError(
            f"{game.name} draws its things itself: leave out --sprites, and edit its source"
        )
    if look.sprites is not None:
        pictures(look.sprites, game)
    if look.colour is not None:
        style_of(look.colour)


def check_site_folder(folder: Path) -> None:
    """Refuses a folder that holds something else than a published pack, before any work is done for it."""
    check_folder(folder, NAMES, MARK, "levelsmith publish", "-o FOLDER")


def unproved(found: Sequence[Rated]) -> list[tuple[int, Rated]]:
    """Returns the levels of which nobody has proved that they can be won, with their numbers."""
    return [(number, each) for number, each in enumerate(found, start=1) if not each.is_won]


def site(pack: Pack, found: Sequence[Rated], look: Look) -> dict[str, bytes]:
    """Returns the files that make a pack playable, by name.

    Args:
        pack: the levels, and what is said of them.
        found: what is proved of each level.
        look: of the page.
    """
    title = look.title or pack.title or "Levels"
    data = _data(pack, found, look, title)
    return {
        PAGE: page_of(look, OWN_MODULES, data, title, _credits(pack, look)),
        COVER: _cover(pack.levels[0]),
    }


def page_of(
    look: Look, modules: Mapping[str, Path], data: Mapping[str, Any], title: str, credits: str, also: str = ""
) -> bytes:
    """Returns a page of this room; the first of its modules is the one that begins."""
    styles = [pages.read(OWN / "publish.css"), *([] if look.colour is None else [style_of(look.colour)])]
    told = {"title": title, "credits": credits, "version": __version__}
    return pages.page(
        OWN / "page.html", MARK, next(iter(modules)), modules, styles, data, also, **told
    ).encode()


def write_site(files: Mapping[str, bytes], folder: Path) -> None:
    """Writes the files to a folder, the page first, for by its mark all is known."""
    check_site_folder(folder)
    write_files({folder / name: data for name, data in files.items()})


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Returns the files as an archive, the page at its top, as hosts of games take it."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, EARLY), data, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def _credits(pack: Pack, look: Look) -> str:
    if look.credits:
        return f"{look.credits}\n"
    return f"Levels by {pack.author}." if pack.author else ""


def _cover(level: Level) -> bytes:
    form, side = formats.get("png"), COVER_SIDE // max(level.size)
    scale = min(LARGEST_SCALE, max(SMALLEST_SCALE, side))
    return form.write([level], "", settle("png", form.parameters, {"scale": scale}))[MAIN]


def _data(pack: Pack, found: Sequence[Rated], look: Look, title: str) -> dict[str, Any]:
    """Returns all that the page knows."""
    game = games.get(pack.game)
    scripts = pages.scripts_of(game)
    own = {} if look.sprites is None else pictures(look.sprites, game)
    told = {
        "pack": {
            "title": title,
            "author": pack.author,
            "notes": pack.notes,
            "scripts": scripts,
            "unit": game.fewest or SECOND,
            "help": look.help,
            "key": _key(title, pack.author, scripts),
        },
        "levels": [],
        "packed": pages.packed([_level(each, look.help) for each in found]),
        "compiled": {scripts: kernels} if (kernels := pages.kernels_data(pack.game)) else {},
    }
    if isinstance(game, Scripted):
        levels = [each.level if look.help else replace(each.level, solution=None) for each in found]
        return {**told, "script": pages.packed(game.plain_game(levels))}
    drawn = pages.game_data(pack.game, own)
    return {**told, "games": [drawn["kind"]], "sprites": {pack.game: drawn["sprites"]}}


def _level(each: Rated, solved: bool) -> dict[str, Any]:
    game = games.get(each.level.game)
    rated = {} if each.difficulty is None else {"difficulty": each.difficulty}
    return {
        **pages.level_data(each.level, solved),
        "key": _key(each.level.text),
        "optimal": each.is_fewest,
        "fewest": each.fewest,
        "proof": _proof(each),
        "tier": game.grade(rated) if rated else None,
    }


def _proof(each: Rated) -> str:
    """Returns what players may want to know of the proof; "" where all is as they expect."""
    known = each.is_fewest or (each.is_won and games.get(each.level.game).fewest is None)
    return "" if known else each.told if each.is_won else f"not proved: {each.told}"


def _key(*texts: str) -> str:
    return blake2b("\n".join(texts).encode("utf-8", "backslashreplace"), digest_size=6).hexdigest()
