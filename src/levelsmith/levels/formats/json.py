"""The canonical file: levels as text, with provenance and proof; docs/formats.md has its schema."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from levelsmith.core import Level, Parameters, Values
from levelsmith.errors import quoted
from levelsmith.levels.formats.digest import digest, unless_edited
from levelsmith.levels.formats.format import (
    MAIN,
    Source,
    check_brackets,
    decode_json,
    decode_text,
    member,
    numbered_lines,
)
from levelsmith.levels.formats.text import cells
from levelsmith.registry import games

VERSION = 1
DIGEST = "digest"
PACK = "pack"  # the key of what a file says of its levels together
ABOUT = ("title", "author", "notes")  # which may be said there


def as_object(level: Level) -> dict[str, Any]:
    """Returns a level as plain data; empty fields are left out."""
    fields = {key: getattr(level, key) for key in ("title", "author", "solution")}
    return {
        "game": level.game,
        "text": level.text,
        **{key: value for key, value in fields.items() if value},
        **({"provenance": plain_data(level.provenance), DIGEST: digest(level)} if level.provenance else {}),
    }


def plain_data(value: Any) -> Any:
    """Returns a value as JSON can say it: infinity and what is no plain data become words."""
    if isinstance(value, Mapping):
        return {str(key): plain_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(item) for item in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    return value if isinstance(value, float) and isfinite(value) else str(value)


def from_object(data: Any, source: Source) -> Level:
    """Returns a level from what `as_object` made; other keys (a score, metrics) are passed over."""
    game = source.the_game(member(data, "game", str, source, None))
    rows = member(data, "text", str, source).split("\n")
    if len(rows) > source.limits.side:
        source.limits.check_side(len(rows), len(rows[0]), source.name)
    level = source.level(
        game,
        cells(rows, game, source),
        title=member(data, "title", str, source, ""),
        author=member(data, "author", str, source, ""),
        solution=None if data.get("solution") is None else member(data, "solution", str, source),
        provenance=member(data, "provenance", dict, source, {}),
    )
    return unless_edited(level, data.get(DIGEST))


def dumps(levels: Sequence[Level], about: Mapping[str, str] | None = None) -> str:
    """Returns levels as a document of ours; `about` is what is said of them together."""
    legends = {
        level.game: {tile.symbol: tile.name for tile in games.get(level.game).tiles} for level in levels
    }
    document = {
        "levelsmith": VERSION,
        **({} if about is None else {PACK: {name: text for name, text in about.items() if text}}),
        "legends": legends,
        "levels": [as_object(level) for level in levels],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def about_levels(data: bytes, source: Source) -> dict[str, str] | None:
    """Returns what a document of ours says of its levels together; None where it says nothing."""
    text = decode_text(data, source)
    document = decode_json(text, source) if f'"{PACK}"' in text else None
    if not isinstance(document, dict) or PACK not in document:
        return None
    told = member(document, PACK, dict, source)
    return {name: member(told, name, str, source, "") for name in ABOUT}


def loads(text: str, source: Source) -> list[Level]:
    """Returns a document of ours, one level as an object, or an object a line (what `--json` prints)."""
    first, _, rest = text.strip().partition("\n")
    if first.startswith("{") and first.endswith("}") and rest.lstrip().startswith("{"):
        objects = _objects(text, source)
    else:
        document = decode_json(text, source)
        if isinstance(document, dict) and "levels" not in document:
            objects = [document]
        else:
            version = member(document, "levelsmith", int, source)
            if version > VERSION:
                raise source.error(
                    f"expected version {VERSION} or older, got {version}; update levelsmith to read it"
                )
            objects = member(document, "levels", list, source)
    if not objects:
        raise source.error("expected at least one level, got none")
    source.check_room(len(objects))
    levels: list[Level] = []
    for number, item in enumerate(objects, start=1):
        if not isinstance(item, dict):
            raise source.error(f"expected level {number} as an object, got {quoted(item)}")
        levels.append(from_object(item, source))
    return levels


def _objects(text: str, source: Source) -> list[Any]:
    """Returns the object on each line, for as many lines as there may be levels."""
    check_brackets(text, source)
    objects: list[Any] = []
    for _, line in numbered_lines(text):
        if line.strip():
            source.check_room(len(objects) + 1)
            objects.append(decode_json(line, source))
    return objects


class JsonFormat:
    name = "json"
    summary = "levels with provenance and proof, the canonical file"
    extensions: tuple[str, ...] = (".json",)
    many = True
    names_game = True
    parameters: Parameters = ()

    def parse(self, data: bytes, source: Source) -> list[Level]:
        return loads(decode_text(data, source), source)

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        return {MAIN: _encoded(dumps(levels))}


class JsonLinesFormat(JsonFormat):
    name = "jsonl"
    summary = "a level an object, an object a line, as --json prints"
    extensions = (".jsonl",)

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        lines = (json.dumps(as_object(level), ensure_ascii=False) + "\n" for level in levels)
        return {MAIN: _encoded("".join(lines))}


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")  # a lone surrogate becomes the JSON escape it came from


FORMAT = JsonFormat()
LINES = JsonLinesFormat()
