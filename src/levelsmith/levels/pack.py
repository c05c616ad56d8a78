"""A pack: levels of one game in their order, with a title, an author and notes, in one file.

A pack is an ordinary JSON file of levels that says more, so every command reads it. A file of levels of any
other format can be read as a pack too. The file of a PuzzleScript game is a pack of its levels.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from levelsmith.core import MALFORMED, Level
from levelsmith.errors import LevelsmithError, amount, listed, printable, quoted
from levelsmith.files import read_plain_file, write_files
from levelsmith.levels.files import OWN_FILES, STREAM, WithLevels, load, save, split_number
from levelsmith.levels.formats.format import ReadLimits, Source
from levelsmith.levels.formats.json import about_levels, dumps
from levelsmith.levels.splits import canonical_keys
from levelsmith.levels.titles import made_up
from levelsmith.registry import games

ENDING = ".json"
LONGEST_LINE, LONGEST_NOTES = 200, 10_000  # characters


@dataclass(frozen=True, slots=True)
class Pack:
    """Levels of one game, and what is said of them together.

    Attributes:
        levels: in the order in which they are played.
        title: what the pack is called.
        author: who made it.
        notes: anything else that players may read; lines stay lines.
    """

    levels: tuple[Level, ...]
    title: str = ""
    author: str = ""
    notes: str = ""

    def __post_init__(self) -> None:
        names = list(dict.fromkeys(level.game for level in self.levels))
        if len(names) > 1:
            raise LevelsmithError(f"expected a pack of levels of one game, got {listed(names)}")
        if not names:
            raise LevelsmithError("expected a pack of at least one level, got none")
        for number, level in enumerate(self.levels, start=1):
            if wrong := level.provenance.get(MALFORMED):
                raise LevelsmithError(f"level {number} is malformed and cannot be in a pack: {wrong}")
        for name in ("title", "author"):
            object.__setattr__(self, name, printable(getattr(self, name)).strip()[:LONGEST_LINE])
        lines = [printable(line).rstrip() for line in self.notes[:LONGEST_NOTES].splitlines()]
        object.__setattr__(self, "notes", "\n".join(lines).strip())

    @property
    def game(self) -> str:
        """The name of the game that all levels are of."""
        return self.levels[0].game

    def with_levels(self, levels: Iterable[Level]) -> Pack:
        """Returns the same pack with other levels."""
        return replace(self, levels=tuple(levels))

    def number(self, number: int) -> int:
        """Returns the place of a level in the list, from its number, which counts from 1."""
        if not 1 <= number <= len(self.levels):
            raise LevelsmithError(
                f"the pack has {amount(len(self.levels), 'level')}: expected a number from 1 to "
                f"{len(self.levels)}, got {number}"
            )
        return number - 1

    def ordered(self, numbers: Sequence[int]) -> Pack:
        """Returns the pack with its levels in the order of these numbers; each must be named once."""
        places = [self.number(number) for number in numbers]
        missing = [str(i + 1) for i in range(len(self.levels)) if i not in places]
        twice = sorted({str(number) for number in numbers if numbers.count(number) > 1})
        if missing or twice:
            wrong = f"{listed(missing)} missing" if missing else f"{listed(twice)} named twice"
            raise LevelsmithError(
                f"expected each number from 1 to {len(self.levels)} once as the order, got {wrong}"
            )
        return self.with_levels(self.levels[place] for place in places)

    def named(self, all: bool = False) -> Pack:
        """Returns the pack with a made-up title for each level that has none, or for all levels."""
        taken = set() if all else {level.title for level in self.levels}
        keys = canonical_keys(self.levels).tolist()
        levels = []
        for level, key in zip(self.levels, keys, strict=True):
            if all or not level.title:
                level = replace(level, title=made_up(key, taken))
                taken.add(level.title)
            levels.append(level)
        return self.with_levels(levels)

    def duplicates(self) -> list[int | None]:
        """Returns of each level the number of the first one before it that is the same when turned or
        mirrored; None for the others."""
        first: dict[int, int] = {}
        keys = canonical_keys(self.levels).tolist()
        numbers = [first.setdefault(key, number) for number, key in enumerate(keys, start=1)]
        return [None if found == number else found for number, found in enumerate(numbers, start=1)]


def read_pack(where: str, levels: Sequence[Level] | None = None) -> Pack:
    """Returns the pack that a file is, with the title and the author of its game or else the file's name
    where it says none.

    Args:
        where: the path of a file of levels, or the name of a pack or a game that ships.
        levels: what it holds, where somebody has read it already.
    """
    return Pack(tuple(load(where) if levels is None else levels), **_about(where))


def title_of(path: str) -> str:
    """Returns the name of a file as a title.

    >>> title_of("levels/two_rooms.json")
    'Two rooms'
    """
    words = Path(path).stem.replace("_", " ")
    return words[:1].upper() + words[1:]


def _about(where: str) -> Mapping[str, str]:
    """Returns what a file says of its levels together; its name as the title where it says nothing."""
    path = Path(split_number(where)[0])
    own = games.found(str(path))
    if isinstance(own, WithLevels):
        told = {name: getattr(own, name, "") for name in ("title", "author")}
    else:
        told = _of_document(path)
    stem = "" if where == STREAM else where.rpartition(":")[2] if not os.path.exists(path) else path.stem
    return {**told, "title": told.get("title") or title_of(stem)}


def said_together(where: str, most: int | None = None) -> list[str]:
    """Returns which of `title`, `author` and `notes` the file of a pack says; none of another file, or of one
    level of a pack. `most` is how many bytes it may have."""
    return [name for name, text in _of_document(Path(where), most).items() if text]


def _of_document(path: Path, most: int | None = None) -> Mapping[str, str]:
    """Returns what a JSON file says of its levels together; nothing of another file."""
    if path.suffix.lower() != ENDING or not path.is_file():
        return {}
    data = read_plain_file(path, "the pack", ReadLimits().bytes if most is None else most)
    return about_levels(data, Source(str(path))) or {}


def write_pack(pack: Pack, where: str) -> None:
    """Writes a pack to a JSON file, or to the file of its game where that holds its own levels."""
    check_pack_name(where, pack.game)
    if Path(where).suffix.lower() != ENDING:
        save(pack.levels, where)
        return
    about = {"title": pack.title, "author": pack.author, "notes": pack.notes}
    text = dumps(pack.levels, about)
    write_files({Path(where): text.encode("utf-8", "backslashreplace")})


def check_pack_name(where: str, game: str) -> None:
    """Refuses a path that is none for a pack of a game."""
    ending, own = Path(where).suffix.lower(), isinstance(games.get(game), WithLevels)
    if ending != ENDING and not (own and ending in OWN_FILES):
        raise LevelsmithError(
            f"expected a file that ends in {ENDING} for a pack, got {quoted(Path(where))}; "
            f"levelsmith pack new {Path(where).stem or 'pack'}{ENDING} {where} makes one of it"
        )
