"""What a game's scripts need of the compiled part: kernels with the layout of what they take, and constants.

The file `needs.toml` of the game's folder `browser` names both; WebAssembly itself is fetched beside it.
"""

from __future__ import annotations

import re
import tomllib
from base64 import b64encode
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from levelsmith.errors import LevelsmithError
from levelsmith.kernels import built
from levelsmith.kernels.signature import Array, Group, Type, class_of, parsed
from levelsmith.registry import games
from levelsmith.studio.modules import FOLDERS, file_of

NEEDS = "needs.toml"
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")


def compiled(game: str) -> dict[str, Any]:
    """Returns the kernels that the scripts of a game call, by library, and constants, by module.

    A type is the name of one of the tuples, or a word of bits with the axes of an array: "i64", "u8[2]".
    """
    name = game if f"games/{game}" in FOLDERS else games.get(game).name  # or several games together
    file = file_of(f"games/{name}/{NEEDS}")
    if not file.is_file():
        raise LevelsmithError(f"the scripts of {name} need nothing compiled")
    needs = tomllib.loads(file.read_text(encoding="utf-8"))
    libraries: dict[str, Any] = {}
    for path in needs["kernels"]:
        for types, entry in built.manifest()["kernels"][f"levelsmith.games.{name}.{path}"].items():
            library = libraries.setdefault(entry["library"], {"tuples": {}, "kernels": {}})
            takes = [_told(each, library["tuples"]) for each in parsed(types)]
            (returns,) = parsed(entry["returns"])
            told = {"symbol": entry["symbol"], "takes": takes, "returns": _told(returns, library["tuples"])}
            library["kernels"].setdefault(path.partition(":")[2], []).append(told)
    modules = {path: import_module(f"levelsmith.games.{name}.{path}") for path in needs["constants"]}
    constants = {path.rpartition(".")[2]: _constants(vars(module)) for path, module in modules.items()}
    return {"libraries": libraries, "constants": constants}


def with_files(game: str) -> dict[str, Any]:
    """Returns the same with the WebAssembly itself in base 64, for pages that have no server."""
    told = compiled(game)
    files = {name: file_of(f"kernels/{name}.wasm").read_bytes() for name in told["libraries"]}
    return {**told, "wasm": {name: b64encode(data).decode() for name, data in files.items()}}


def _told(each: Type, tuples: dict[str, list[list[str]]]) -> str:
    """Returns a type as text; the layout of a tuple is added to those that are told."""
    if isinstance(each, Array):
        return f"{each.word}[{each.axes}]"
    if not isinstance(each, Group):
        return str(each.word)
    names = getattr(class_of(each.kind), "_fields", range(len(each.items)))
    fields = [[str(name), _told(item, tuples)] for name, item in zip(names, each.items, strict=True)]
    base = each.kind.partition(":")[2] or "tuple"
    layouts = (f"{base} {number}" if number > 1 else base for number in range(1, len(tuples) + 2))
    return next(name for name in layouts if tuples.setdefault(name, fields) == fields)


def _constants(names: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in names.items()
        if CONSTANT.fullmatch(name) and isinstance(value, int | float | str | tuple)
    }
