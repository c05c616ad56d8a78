"""What the studio asks about packs: what is proved of their levels, and packs as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from levelsmith.checking.rate import rated
from levelsmith.levels.files import file_name
from levelsmith.levels.formats.json import dumps
from levelsmith.levels.pack import Pack
from levelsmith.publish.site import Look, check_site, site, unproved, zipped
from levelsmith.studio.described import level_of

SECONDS = 3.0  # for the proof of a level
ALL_SECONDS = 60.0  # for those of all levels


def pack_look(levels: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns what is proved of each level of a pack, how hard it is, which one before it is the same, and a
    title that could be its own."""
    pack = Pack(tuple(map(level_of, levels)))
    named = pack.named(all=True)
    return [
        {
            "told": each.told,
            "proved": each.is_won,
            "difficulty": each.difficulty,
            "same": same,
            "title": level.title,
        }
        for each, same, level in zip(
            rated(pack.levels, _seconds(pack)), pack.duplicates(), named.levels, strict=True
        )
    ]


def pack_file(
    levels: Sequence[Mapping[str, Any]],
    titles: Sequence[str],
    about: Mapping[str, str],
    page: bool,
    help: bool,
    colour: str | None,
) -> tuple[bytes, str, int]:
    """Returns a pack as a page in an archive, or as the file of a pack; its name, and how many levels of the
    page are not proved.

    Args:
        levels: in their order, as the store has them.
        titles: of the levels.
        about: the title, the author and the notes of the pack.
        page: whether it is to be a page.
        help: whether that has hints.
        colour: of the page; None for green.
    """
    named = [replace(level_of(level), title=title) for level, title in zip(levels, titles, strict=True)]
    pack = Pack(tuple(named), **about)
    stem = file_name(pack.title) or "pack"
    if not page:
        return dumps(pack.levels, about).encode("utf-8", "backslashreplace"), f"{stem}.json", 0
    look = Look(colour=colour, help=help)
    check_site(pack, look)
    found = rated(pack.levels, _seconds(pack))
    return zipped(site(pack, found, look)), f"{stem}.zip", len(unproved(found))


def _seconds(pack: Pack) -> float:
    return min(SECONDS, ALL_SECONDS / len(pack.levels))
