"""What a game's scripts need of the compiled part: kernels with the layout of what they take, and constants.

The file `needs.toml` of the game's folder `browser` names both; WebAssembly itself is fetched beside it. Its
table `make` names what a page makes levels with: what is asked for, and which arrays of the maker's arguments
hold something before the first call.
"""

from __future__ import annotations

import gzip
import re
import tomllib
from base64 import b64encode
from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any

import numpy as np

from levelsmith.errors import LevelsmithError
from levelsmith.kernels import built
from levelsmith.kernels.signature import Array, Group, Type, class_of, described, parsed
from levelsmith.registry import games
from levelsmith.studio.modules import FOLDERS, file_of

NEEDS, MAKE = "needs.toml", "make"
MOST_EXACT = 2**53  # what numbers of a page hold exactly
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")


def compiled(game: str, table: str = "") -> dict[str, Any]:
    """Returns the kernels that the scripts of a game call, by library, and constants, by module.

    A type is the name of one of the tuples, or a word of bits with the axes of an array: "i64", "u8[2]".

    Args:
        game: its name.
        table: the table of `needs.toml` that says what; none for what plays and proves.
    """
    name = game if f"games/{game}" in FOLDERS else games.get(game).name  # or several games together
    needs = _needs(name).get(table) if table else _needs(name)
    if not needs:
        raise LevelsmithError(
            f"the scripts of {name} need nothing compiled" + (f" to {table}" if table else "")
        )
    libraries: dict[str, Any] = {}
    for path in needs["kernels"]:
        for types, entry in built.manifest()["kernels"][_module(name, path)].items():
            library = libraries.setdefault(entry["library"], {"tuples": {}, "kernels": {}})
            takes = [_told(each, library["tuples"]) for each in parsed(types)]
            (returns,) = parsed(entry["returns"])
            told = {"symbol": entry["symbol"], "takes": takes, "returns": _told(returns, library["tuples"])}
            library["kernels"].setdefault(path.partition(":")[2], []).append(told)
    modules = {path: import_module(_module(name, path)) for path in needs["constants"]}
    constants = {path.rpartition(".")[2]: _constants(vars(module)) for path, module in modules.items()}
    return {"libraries": libraries, "constants": constants}


def with_files(game: str, table: str = "") -> dict[str, Any]:
    """Returns the same with the WebAssembly itself, packed and in base 64, for pages that have no server."""
    told = compiled(game, table)
    files = {name: file_of(f"kernels/{name}.wasm").read_bytes() for name in told["libraries"]}
    packed = {name: b64encode(gzip.compress(data, mtime=0)).decode() for name, data in files.items()}
    return {**told, "wasm": packed}


def is_made(game: str) -> bool:
    """Tells whether a page can make levels of a game."""
    return MAKE in _needs(game)


def maker(game: str) -> dict[str, Any]:
    """Returns what a page makes levels of a game with: the arguments of the maker's kernel, by name, as its
    Python lays them out, and the command that makes the same, for the seed 0."""
    from levelsmith.making.build import build_maker
    from levelsmith.making.driver import runs_of
    from levelsmith.request import Request

    needs = _needs(game)[MAKE]
    request = Request(game, **needs["request"], seed=0)
    arguments = build_maker(runs_of(request).task).page_arguments()
    told = {name: _laid(value, needs["filled"]) for name, value in arguments.items()}
    return {"arguments": told, "command": request.command}


def _needs(game: str) -> dict[str, Any]:
    file = file_of(f"games/{game}/{NEEDS}")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _module(game: str, path: str) -> str:
    """Returns the full name of a module that a game names, of its own or of the ground."""
    return path if path.startswith("levelsmith.") else f"levelsmith.games.{game}.{path}"


def _laid(value: Any, filled: Collection[str], name: str = "") -> Any:
    """Returns an argument of a kernel as JSON can hold it; what is not `filled` is workspace, all zeros."""
    if isinstance(value, np.ndarray):
        told = {"word": described(value).partition("[")[0], "shape": list(value.shape)}
        return {**told, "cells": _laid(tuple(value.ravel().tolist()), ())} if name in filled else told
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        if fields is None:
            return [_laid(each, filled) for each in value]
        return {field: _laid(each, filled, field) for field, each in zip(fields, value, strict=True)}
    plain = value.item() if isinstance(value, np.generic) else value
    exact = isinstance(plain, bool) or abs(plain) <= MOST_EXACT
    return plain if exact else str(plain).replace("inf", "Infinity")


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
    return {name: value for name, value in names.items() if CONSTANT.fullmatch(name) and _is_plain(value)}


def _is_plain(value: Any) -> bool:
    """Tells whether a constant is a number, a text, or some of them."""
    if isinstance(value, Mapping):
        return all(map(_is_plain, value.values()))
    return isinstance(value, int | float | str | tuple)
